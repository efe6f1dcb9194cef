"""Routes against an exhaustive search over simple paths."""

import itertools
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines import Direction, InputError, Link, Machine, Platform, Switch, walks
from machines import routes as routes_module
from machines.routes import Hop, routes


def platform(count, links):
    machines = tuple(Machine(f"M{number}") for number in range(count))
    return Platform("p", machines, tuple(links))


def link(first, second, startup_s=1.0, bandwidth=1.0, back_s=None):
    back = Direction(startup_s if back_s is None else back_s, bandwidth)
    return Link(f"M{first}", f"M{second}", Direction(startup_s, bandwidth), back)


def machines_of(platform, pair, route):
    """The machines that a route visits; asserts that its hops join."""
    visited = [pair[0]]
    for hop in route:
        one = platform.links[hop.link]
        ends = (one.first, one.second) if hop.forward else (one.second, one.first)
        assert platform.index[ends[0]] == visited[-1]
        visited.append(platform.index[ends[1]])
    return visited


def cost(platform, route):
    ways = [hop.direction(platform) for hop in route]
    return sum(way.startup_s for way in ways), sum(1 / way.bandwidth for way in ways)


def simple_routes(platform, p, q):
    count = len(platform.machines)
    hops = {}
    for position, one in enumerate(platform.links):
        a, b = platform.index[one.first], platform.index[one.second]
        hops[a, b], hops[b, a] = Hop(position, True), Hop(position, False)
    between = [node for node in range(count) if node not in (p, q)]
    for length in range(len(between) + 1):
        for middle in itertools.permutations(between, length):
            steps = list(itertools.pairwise((p, *middle, q)))
            if all(step in hops for step in steps):
                yield tuple(hops[step] for step in steps)


@st.composite
def platforms(draw):
    count = draw(st.integers(2, 5))
    pairs = draw(
        st.lists(st.sampled_from(list(itertools.combinations(range(count), 2))), unique=True)
    )
    number = st.integers(1, 4).map(float)
    return platform(count, [link(a, b, draw(number), draw(number), draw(number)) for a, b in pairs])


@given(platforms())
def test_a_pair_without_a_link_takes_the_cheapest_of_all_simple_routes(platform):
    found = routes(platform)
    for p, q in itertools.permutations(range(len(platform.machines)), 2):
        every = list(simple_routes(platform, p, q))
        if not every:
            assert (p, q) not in found
            continue
        visited = machines_of(platform, (p, q), found[p, q])
        assert visited[-1] == q
        direct = [route for route in every if len(route) == 1]
        expected = min(cost(platform, route) for route in direct or every)
        assert cost(platform, found[p, q]) == pytest.approx(expected)


def test_a_linked_pair_uses_its_link_even_where_a_detour_starts_faster():
    net = platform(3, [link(0, 1, 10.0), link(0, 2, 1.0), link(2, 1, 1.0)])
    assert routes(net)[0, 1] == (Hop(0, True),)
    assert routes(net)[1, 0] == (Hop(0, False),)


def test_a_route_beyond_a_linked_pair_may_still_take_the_detour():
    net = platform(4, [link(0, 1, 10.0), link(0, 2, 1.0), link(2, 1, 1.0), link(1, 3, 1.0)])
    assert machines_of(net, (0, 3), routes(net)[0, 3]) == [0, 2, 1, 3]


def test_at_equal_startup_the_most_bandwidth_wins():
    net = platform(4, [link(0, 1), link(1, 3), link(0, 2, bandwidth=2.0), link(2, 3)])
    assert machines_of(net, (0, 3), routes(net)[0, 3]) == [0, 2, 3]


def test_equal_routes_pass_the_earlier_machine_whatever_the_order_of_the_links():
    links = [link(2, 3, 0.1), link(0, 2, 0.2), link(1, 3, 0.2), link(0, 1, 0.1)]
    for order in itertools.permutations(links):
        net = platform(4, order)
        assert machines_of(net, (0, 3), routes(net)[0, 3]) == [0, 1, 3]


def test_directions_of_a_link_may_cost_differently():
    net = platform(4, [link(0, 1, 1, back_s=9), link(1, 3, 1, back_s=9), link(0, 2, 5), link(2, 3)])
    assert machines_of(net, (0, 3), routes(net)[0, 3]) == [0, 1, 3]
    assert machines_of(net, (3, 0), routes(net)[3, 0]) == [3, 2, 0]


def test_links_without_startup_and_of_extreme_bandwidth_end_every_search():
    net = platform(4, [link(0, 1, 0.0, 5e-324), link(1, 2, 0.0, 1e30), link(2, 3, 0.0)])
    assert machines_of(net, (0, 3), routes(net)[0, 3]) == [0, 1, 2, 3]


def test_one_machine_needs_no_route():
    assert routes(platform(1, [])) == {}


def chain(count):
    return platform(count, [link(at, at + 1) for at in range(count - 1)])


def test_what_hangs_on_others_as_a_tree_is_not_searched(monkeypatch):
    searched = []
    matrix = routes_module._matrix
    monkeypatch.setattr(
        routes_module, "_matrix", lambda size, *rest: searched.append(size) or matrix(size, *rest)
    )
    found = routes(chain(60))
    assert max(searched) <= 1
    assert [len(found[0, q]) for q in range(1, 60)] == list(range(1, 60))
    ring = platform(24, [link(at, (at + 1) % 4) for at in range(4)]
                    + [link(at % 4, at) for at in range(4, 24)])  # fmt: skip
    searched.clear()
    assert len(routes(ring)[4, 6]) == 4  # 4 and 6 hang on the opposite corners of a ring of four
    assert set(searched) == {4}


def test_routes_of_more_hops_than_fit_memory_are_refused_before_they_are_walked(monkeypatch):
    walked = []
    rows = walks._walked_rows
    monkeypatch.setattr(
        walks, "_walked_rows", lambda *rest: walked.append(rest[-1].size) or rows(*rest)
    )
    monkeypatch.setattr(walks, "MOST_HOPS", 100_000)
    with pytest.raises(
        InputError, match=r"between 200 machines and stores have some 2\.7e\+06 hops"
    ):
        routes(chain(200))
    assert sum(walked) < 200
    assert len(routes(chain(40))) == 40 * 39


def test_more_machines_than_tables_of_their_pairs_can_hold_are_refused_with_the_number():
    platform = Platform("campus", tuple(Machine(f"m{i}") for i in range(20_000)))
    with pytest.raises(InputError, match="20,000 machines need tables of") as refused:
        routes(platform)
    assert "2,809 machines" in str(refused.value)


def test_machines_without_links_are_not_searched(monkeypatch):
    searched = []
    original = routes_module._First._searched

    def watched(first, graph, core):
        searched.append(core.size)
        return original(first, graph, core)

    monkeypatch.setattr(routes_module._First, "_searched", watched)
    machines = tuple(Machine(f"m{i}") for i in range(50))
    way = Direction(0.1, 1e6)
    linked = (Link("m0", "m1", way, way), Link("m1", "m2", way, way), Link("m0", "m2", way, way))
    assert len(routes(Platform("p", machines, linked))) == 6
    assert searched == [3]


def test_switches_in_a_row_that_take_too_long_are_refused_with_their_number():
    way = Direction(0.1, 1e6)
    names = ["a", *(f"s{i}" for i in range(1200)), "b"]
    links = tuple(Link(one, other, way, way) for one, other in pairwise(names))
    switches = tuple(Switch(name) for name in names[1:-1])
    platform = Platform("p", (Machine("a"), Machine("b")), links, switches=switches)
    with pytest.raises(InputError, match="1,200 machines and switches"):
        routes(platform)
