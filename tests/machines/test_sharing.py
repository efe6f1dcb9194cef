"""Resources that transfers share, counted by hand."""

from dataclasses import replace

import pytest

from machines import (
    Direction,
    Interconnect,
    Link,
    LinkPiece,
    LogGP,
    Machine,
    Mesh,
    Platform,
    Switch,
)
from machines.routes import Hop, routes, stretches
from machines.sharing import (
    Resource,
    crossed,
    crossings,
    inner_bandwidth,
    inner_startup_s,
    resources,
)
from tests.machines.hand_built import fat_tree, joined, link

# 3 units of 0.5 s latency, half a unit a byte
INSIDE = Interconnect("inside", Mesh((2, 2)), LogGP(1, 1, 1), LogGP(3, 1, 1, G=0.5), "unit", 0.5)


def star():
    links = (link("n1", "bus"), link("n2", "bus", sharing="shared"), link("nfs", "bus", 50.0))
    return joined("n1 n2", links, [Switch("bus", 80.0)], ["nfs"])


def multicomputer(net, name):
    """The platform with a network inside that machine."""
    machines = tuple(
        replace(one, network=INSIDE) if one.name == name else one for one in net.machines
    )
    return replace(net, machines=machines)


def crossed_names(net, p, q):
    found = resources(net)
    return [found[at].name for at in crossed(net, found, routes(net)[p, q])]


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
    assert crossed_names(net, 2, 0) == ["nfs→bus", "bus", "bus→n1"]
    assert crossed_names(net, 1, 2) == ["n2–bus", "bus", "bus→nfs"]


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


def test_a_machine_with_a_network_inside_shares_its_gateway():
    net = multicomputer(star(), "n2")
    assert resources(net)[:-1] == resources(star())
    # a unit of 0.5 s and half of one a byte: 4 bytes/s
    assert resources(net)[-1] == Resource("n2 network", 4.0, machine=1)
    assert crossed_names(net, 0, 1) == ["n1→bus", "bus", "n2–bus", "n2 network"]
    assert crossed_names(net, 1, 0) == ["n2 network", "n2–bus", "bus", "bus→n1"]
    assert crossed_names(net, 0, 2) == crossed_names(star(), 0, 2)


def test_a_transfer_starts_later_by_the_inner_latency():
    assert inner_startup_s(Machine("m", network=INSIDE)) == 1.5
    assert inner_startup_s(Machine("m")) == 0.0


def test_an_inner_network_without_a_gap_per_byte_holds_nothing_up():
    quick = replace(INSIDE, long=LogGP(3, 1, 1))
    net = Platform("p", (Machine("m", network=quick),))
    assert resources(net) == ()


def test_what_a_machine_relays_stays_outside_its_network():
    net = multicomputer(joined("a b c", [link("a", "b"), link("b", "c")]), "b")
    assert crossed_names(net, 0, 2) == ["a→b", "b→c"]
    assert crossed_names(net, 0, 1) == ["a→b", "b network"]


@pytest.mark.parametrize(
    "net",
    [
        star(),
        multicomputer(star(), "n1"),
        fat_tree(4),
        multicomputer(joined("a b c", [link("a", "b"), link("b", "c", sharing="free")]), "c"),
        joined("a b c d", [link("a", "b", sharing="shared"), link("d", "c")]),
        Platform("alone", (Machine("a"),)),
    ],
    ids=["star", "inside", "fat tree", "free", "parts", "one"],
)
def test_crossings_of_all_pairs_are_those_of_each(net):
    found, table = resources(net), routes(net)
    first, passed = crossings(net, found, table)
    count = len(net.hosts)
    for p in range(count):
        for q in range(count):
            cell = p * count + q
            route = table.get((p, q))
            expected = [] if route is None else list(crossed(net, found, route))
            assert passed[first[cell] : first[cell + 1]].tolist() == expected


def test_a_network_inside_whose_bytes_take_next_to_nothing_is_no_limit():
    quick = Interconnect(
        "quick", Mesh((2,)), LogGP(1, 1, 1), LogGP(3, 1, 1, G=1e-200), "unit", 1e-200
    )
    assert inner_bandwidth(Machine("M", network=quick)) is None
