"""Resources that transfers share, counted by hand."""

from machines import Direction, Link, LinkPiece, Machine, Platform, Store, Switch
from machines.routes import Hop, routes, stretches
from machines.sharing import Resource, crossed, resources


def link(first, second, bandwidth=100.0, sharing="duplex", startup_s=0.1):
    way = Direction(startup_s, bandwidth)
    return Link(first, second, way, way, sharing=sharing)


def star(**options):
    machines = (Machine("n1"), Machine("n2"))
    links = (link("n1", "bus"), link("n2", "bus", sharing="shared"), link("nfs", "bus", 50.0))
    return Platform(
        "star", machines, links, switches=(Switch("bus", 80.0),), stores=(Store("nfs"),), **options
    )


def test_links_come_first_by_their_sharing_then_the_switches_with_a_bandwidth():
    assert resources(star()) == (
        Resource("n1→bus", 100.0, link=0, forward=True),
        Resource("bus→n1", 100.0, link=0, forward=False),
        Resource("n2–bus", 100.0, link=1),
        Resource("nfs→bus", 50.0, link=2, forward=True),
        Resource("bus→nfs", 50.0, link=2, forward=False),
        Resource("bus", 80.0, switch=0),
    )


def test_free_links_and_switches_without_a_bandwidth_hold_nothing_up():
    links = (link("n1", "sw", sharing="free"), link("n2", "sw", sharing="free"))
    net = Platform("p", (Machine("n1"), Machine("n2")), links, switches=(Switch("sw"),))
    assert resources(net) == ()
    assert crossed(net, resources(net), routes(net)[0, 1]) == ()


def test_the_capacity_is_that_of_the_faster_piece():
    way = Direction(0.1, 10.0, LinkPiece(4096, 0.2, 30.0))
    other = Direction(0.1, 40.0, LinkPiece(4096, 0.2, 20.0))
    machines = (Machine("a"), Machine("b"))
    duplex = Platform("p", machines, (Link("a", "b", way, other),))
    assert [one.capacity for one in resources(duplex)] == [30.0, 40.0]
    shared = Platform("p", machines, (Link("a", "b", way, other, sharing="shared"),))
    assert [one.capacity for one in resources(shared)] == [40.0]


def test_a_route_crosses_its_links_and_switches_in_the_order_of_travel():
    net = star()
    found = routes(net)
    assert found[0, 1] == (Hop(0, True), Hop(1, False))
    names = [resources(net)[at].name for at in crossed(net, resources(net), found[2, 0])]
    assert names == ["nfs→bus", "bus", "bus→n1"]
    names = [resources(net)[at].name for at in crossed(net, resources(net), found[1, 2])]
    assert names == ["n2–bus", "bus", "bus→nfs"]


def test_a_route_that_passes_a_switch_twice_crosses_it_once():
    net = star()
    back_and_forth = (Hop(0, True), Hop(0, False), Hop(0, True), Hop(1, False))
    names = [resources(net)[at].name for at in crossed(net, resources(net), back_and_forth)]
    assert names == ["n1→bus", "bus", "bus→n1", "n2–bus"]


def test_a_route_is_cut_where_a_machine_relays_it():
    machines = tuple(Machine(name) for name in "abc")
    links = (link("a", "sw"), link("sw", "b"), link("b", "c"))
    net = Platform("p", machines, links, switches=(Switch("sw"),))
    route = routes(net)[0, 2]
    assert route == (Hop(0, True), Hop(1, True), Hop(2, True))
    assert stretches(net, route) == (route[:2], route[2:])
