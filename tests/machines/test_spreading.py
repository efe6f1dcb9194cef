"""Routes through switches: by hand on small networks, against a plain search on any."""

import itertools
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines import Switch
from machines.routes import Hop, routes
from tests.machines.hand_built import fat_tree, joined, link, star, visited, way


def test_a_star_leads_every_pair_through_its_hub():
    net = star(3)
    assert routes(net) == {
        (p, q): (Hop(p, True), Hop(q, False)) for p, q in itertools.permutations(range(3), 2)
    }


def test_racks_meet_at_the_core():
    links = [link("a", "r1"), link("b", "r1"), link("c", "r2"), link("r1", "core")]
    net = joined("a b c", [*links, link("core", "r2")], ["r1", "r2", "core"])
    found = routes(net)
    assert way(net, "a", "b", found) == ["a", "r1", "b"]
    assert way(net, "a", "c", found) == ["a", "r1", "core", "r2", "c"]
    assert way(net, "c", "b", found) == ["c", "r2", "core", "r1", "b"]


def test_a_store_is_an_end_of_routes_but_no_way_through():
    links = [link("a", "nfs"), link("nfs", "b"), link("nfs", "s"), link("s", "c")]
    net = joined("a b c", links, ["s"], ["nfs"])
    found = routes(net)
    assert way(net, "nfs", "c", found) == ["nfs", "s", "c"]
    assert way(net, "a", "nfs", found) == ["a", "nfs"]
    assert sorted(found) == [(0, 3), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2)]


def test_a_store_relays_nothing_on_platforms_without_switches_either():
    net = joined("a b c", [link("a", "nfs"), link("nfs", "b"), link("b", "c")], stores=["nfs"])
    found = routes(net)
    assert way(net, "nfs", "c", found) == ["nfs", "b", "c"]
    assert (0, 1) not in found and (0, 2) not in found


def test_a_linked_pair_uses_its_link_even_where_the_switch_is_quicker():
    links = [link("a", "s", startup_s=0.01), link("s", "b", startup_s=0.01), link("a", "b")]
    net = joined("a b", links, ["s"])
    assert way(net, "a", "b", routes(net)) == ["a", "b"]


def test_a_machine_relays_between_switches():
    net = joined("a b c", [link("a", "s"), link("s", "b"), link("b", "t"), link("t", "c")], "st")
    assert way(net, "a", "c", routes(net)) == ["a", "s", "b", "t", "c"]


def test_parts_that_nothing_joins_can_not_exchange_data():
    net = joined("a b c d", [link("a", "s"), link("s", "b"), link("c", "d")], ["s"])
    assert sorted(routes(net)) == [(0, 1), (1, 0), (2, 3), (3, 2)]


def test_least_startup_comes_before_bandwidth_and_a_slow_switch_is_avoided():
    def net(*links, slow=None):
        ways = [link("a", "s"), link("b", "t"), *links]
        return joined("a b", ways, ["s", "t", Switch("x", slow), "y"])

    quick = net(
        link("s", "x", startup_s=0.2, bandwidth=1.0),
        link("x", "t", bandwidth=1.0),
        link("s", "y", startup_s=0.3),
        link("y", "t"),
    )
    assert way(quick, "a", "b", routes(quick))[2] == "x"
    wide = net(link("s", "x"), link("x", "t"), link("s", "y"), link("y", "t", bandwidth=200.0))
    assert way(wide, "a", "b", routes(wide))[2] == "y"
    bus = net(link("s", "x"), link("x", "t"), link("s", "y"), link("y", "t"), slow=50.0)
    assert way(bus, "a", "b", routes(bus))[2] == "y"


def test_a_fat_tree_of_sixteen_hosts_sends_by_the_digits_of_the_target():
    net = fat_tree(4)
    found = routes(net)
    to_5 = ["m0.0.0", "e0.0", "a0.1", "c1.0", "a1.1", "e1.0", "m1.0.1"]
    assert way(net, "m0.0.0", "m1.0.1", found) == to_5  # 5 = 1 + 2 · 2 · 1: a.1, then c.0
    to_14 = ["m0.1.1", "e0.1", "a0.0", "c0.1", "a3.0", "e3.1", "m3.1.0"]
    assert way(net, "m0.1.1", "m3.1.0", found) == to_14  # 14 = 0 + 2 · 1 + …: a.0, then c.1
    assert way(net, "m0.0.0", "m0.1.1", found)[2] == "a0.1"


@pytest.mark.parametrize("shift", range(1, 16))
def test_shifted_traffic_meets_nowhere_in_a_fat_tree(shift):
    net = fat_tree(4)
    found = routes(net)
    used = Counter(hop for p in range(16) for hop in found[p, (p + shift) % 16])
    assert set(used.values()) == {1}


def test_hosts_listed_rack_by_rack_or_in_turn_are_spread_alike():
    names = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"]

    def load(order):
        links = [link(name, f"rack {name[0]}") for name in names]
        links += [link(f"rack {rack}", spine) for rack in "ab" for spine in ("x", "y")]
        net = joined(" ".join(order), links, ["rack a", "rack b", "x", "y"])
        return Counter(way[1].link for way in routes(net).values() if len(way) > 2)

    assert set(load(names).values()) == {8}
    assert set(load(names[::4] + names[1::4] + names[2::4] + names[3::4]).values()) == {8}


def test_what_many_send_to_a_server_uses_both_of_its_links():
    ends = ["m0", "m1", "m2", "m3"]
    links = [link(end, f"s{int(end[1]) % 2}") for end in ends]
    links += [link(f"s{one}", f"t{two}") for one in (0, 1) for two in (0, 1)]
    links += [link("t0", "nfs"), link("t1", "nfs")]
    net = joined(" ".join(ends), links, ["s0", "s1", "t0", "t1"], ["nfs"])
    found = routes(net)
    arriving = Counter(found[p, 4][-1] for p in range(4))
    leaving = Counter(found[4, p][0] for p in range(4))
    assert sorted(leaving.values()) == [2, 2]
    assert sorted(arriving.values()) == [2, 2]


def test_a_store_at_the_core_does_not_disturb_the_digits():
    net = fat_tree(4)
    store = joined("x", [link("x", "nfs")], stores=["nfs"]).stores
    wider = replace(net, stores=store, links=(*net.links, link("nfs", "c1.0")))
    before, found = routes(net), routes(wider)
    assert all(found[pair] == route for pair, route in before.items())
    assert {way(wider, name, "nfs", found)[-2] for name in net.hosts} == {"c1.0"}


def _graph(net):
    """Directed graph whose weights are (startup, time per byte) as one whole number."""
    graph = nx.DiGraph()
    slow = {switch.name: switch.bandwidth for switch in net.switches if switch.bandwidth}
    for one in net.links:
        for first, second, direction in (
            (one.first, one.second, one.to_second),
            (one.second, one.first, one.to_first),
        ):
            rate = min(direction.bandwidth, slow.get(second, direction.bandwidth))
            weight = round(direction.startup_s * 8) * 10**6 + round(1000 / rate)
            graph.add_edge(first, second, weight=weight)
    return graph


@st.composite
def _nets(draw):
    """Any platform of a few hosts and switches whose costs are small whole numbers."""
    machines = [f"m{number}" for number in range(draw(st.integers(1, 4)))]
    stores = [f"f{number}" for number in range(draw(st.integers(0, 2)))]
    switches = [f"s{number}" for number in range(draw(st.integers(1, 4)))]
    names = [*machines, *stores, *switches]
    pairs = draw(
        st.lists(st.sampled_from(list(itertools.combinations(names, 2))), unique=True, max_size=14)
    )
    degree = Counter(name for pair in pairs for name in pair)
    pairs += [(name, switches[0]) for name in names[: -len(switches)] if not degree[name]]
    for switch in switches:
        beside = {end for pair in pairs if switch in pair for end in pair} | {switch}
        missing = [each for each in names if each not in beside]
        here = sum(switch in pair for pair in pairs)
        pairs += [(switch, each) for each in missing[: max(0, 2 - here)]]
    rates = st.sampled_from([100.0, 200.0])
    links = [link(a, b, draw(rates), draw(st.sampled_from([0.0, 0.25, 0.5]))) for a, b in pairs]
    wide = [Switch(name, draw(st.sampled_from([None, 50.0]))) for name in switches]
    if any(sum(name in pair for pair in pairs) < 2 for name in switches):
        return star(3)
    return joined(" ".join(machines), links, wide, stores)


@given(_nets())
def test_every_route_is_a_shortest_one_that_no_store_relays(net):
    found = routes(net)
    graph = _graph(net)
    stores = {store.name for store in net.stores}
    for (p, first), (q, second) in itertools.permutations(enumerate(net.hosts), 2):
        through = graph.subgraph(set(graph) - (stores - {first, second}))
        if not nx.has_path(through, first, second):
            assert (p, q) not in found
            continue
        names = visited(net, found[p, q])
        assert names[-1] == second
        assert not stores & set(names[1:-1])
        if net.link(first, second) is not None:
            assert len(names) == 2
            continue
        length = sum(through.edges[pair]["weight"] for pair in itertools.pairwise(names))
        assert length == nx.dijkstra_path_length(through, first, second)


def _turned(one):
    """The same link, written from its other end."""
    return replace(
        one,
        first=one.second,
        second=one.first,
        to_second=one.to_first,
        to_first=one.to_second,
    )


@given(_nets(), st.randoms(use_true_random=False))
def test_routes_do_not_depend_on_the_order_in_which_links_are_listed(net, rng):
    links = list(net.links)
    rng.shuffle(links)
    turned = tuple(_turned(one) if rng.random() < 0.5 else one for one in links)
    other = replace(net, links=turned)
    before, after = routes(net), routes(other)
    assert list(before) == list(after)
    for pair in before:
        assert visited(net, before[pair]) == visited(other, after[pair])


def test_another_process_with_another_order_of_hashes_finds_the_same_routes():
    program = (
        "from machines.routes import routes\n"
        "from tests.machines.hand_built import fat_tree\n"
        "print(routes(fat_tree(4)).codes.tolist())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(routes(fat_tree(4)).codes.tolist())
