"""Fat trees by levels: the same answers as by tables, and machines of 100,000 cores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.kernels import mapping_ground as ground
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping import search_effort
from advisor.messages.mapping.mapping_measures import OBJECTIVES, bound, measure
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.near_places import nearest_hops
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import drawn
from advisor.messages.mapping.search_starts import starts_of
from machines import Crossbar, FatTree, LogGP, Mesh
from machines.multicore import counts_of, with_cores
from machines.network import Network
from machines.traffic import routes_of
from machines.ways import tree_routes

COSTS = LogGP(L=10.0, o_s=2.0, o_r=1.0, G=0.1)
MEMORY = LogGP(L=1.0, o_s=0.5, o_r=0.5, G=0.01)
TREES = st.builds(
    lambda down, taper: FatTree((down[0] * taper, *down[1:]), taper),
    st.lists(st.integers(1, 3), min_size=1, max_size=4),
    st.integers(1, 2),
)


@st.composite
def machines(draw: st.DrawFn) -> Network:
    """A fat tree with one core a node, some cores, or unequal ones, two places at least."""
    tree = draw(TREES)
    cores = draw(st.integers(1, 3))
    unequal = draw(st.lists(st.integers(0, 3), min_size=tree.size, max_size=tree.size))
    network = with_cores(tree, unequal if draw(st.booleans()) else cores)
    return network if network.size > 1 else with_cores(FatTree((2, 2)), 2)


def problems(network: Network, seed: int) -> tuple[MappingProblem, MappingProblem]:
    """The same random messages by tables and by levels."""
    processes = max(2, network.size - seed % 2)
    flows = patterns.random_messages(processes, 3 * processes, 64.0, seed)
    found = [
        MappingProblem(flows, routes, MEMORY)
        for routes in (routes_of(network), tree_routes(network))
    ]
    return found[0], found[1]


@given(machines(), st.integers(0, 10**6))
def test_measures_and_bounds_by_levels_are_those_by_tables(network: Network, seed: int) -> None:
    tables, levels = problems(network, seed)
    mapping = drawn(network, tables.communication.processes, seed)
    one, other = (measure(each, COSTS, mapping) for each in (tables, levels))
    assert one.loads.tolist() == other.loads.tolist()
    for objective in OBJECTIVES:
        assert one.rank(objective) == other.rank(objective)
        assert bound(tables, COSTS, objective) == bound(levels, COSTS, objective)


@given(machines())
def test_kernels_go_the_ways_of_the_tables(network: Network) -> None:
    tables, levels = problems(network, 0)
    net, routes = levels.landscape.net, tables.routes
    nodes = len(counts_of(network))
    for u in range(nodes):
        for v in range(nodes):
            hops, at = 0, u
            while at != v:
                channel = ground.tree_channel(net.levels, net.out, at, v)
                assert channel == routes.steps(np.array([at]), np.array([v]))[0]
                at, hops = int(net.heads[channel]), hops + 1
            assert ground.levels_up(net.levels, u, v) == hops


@given(machines())
def test_near_places_are_those_of_a_table_of_all_pairs(network: Network) -> None:
    tables, levels = problems(network, 0)
    assert near_lists(levels) == near_lists(tables) == plain_near(network)


@pytest.mark.parametrize("network", [Mesh((3, 2)), Crossbar(4), Mesh((3, 3), wrap=True)])
@pytest.mark.parametrize("cores", [1, 2])
def test_near_places_of_other_networks_are_those_of_a_table(network: Network, cores: int) -> None:
    placed = with_cores(network, cores)
    problem = mapping_problem(patterns.ring(placed.size), placed, MEMORY)
    assert near_lists(problem) == plain_near(placed)


@given(machines(), st.integers(1, 8))
def test_the_nearest_places_are_those_of_a_table(network: Network, most: int) -> None:
    begin = np.concatenate([[0], np.cumsum(counts_of(network))])
    plain = np.sort(routes_of(network).hops, axis=1).min(axis=0)[1:][:most].tolist()
    for routes in (routes_of(network), tree_routes(network)):
        assert nearest_hops(routes, begin, most).tolist()[: len(plain)] == plain


def near_lists(problem: MappingProblem) -> list[list[int]]:
    """The places near each place, as the kernels number them."""
    land = problem.landscape
    found = []
    for place in range(problem.network.size):
        host = int(land.net.host[place])
        many = int(land.near.count[host]) - 1
        found.append([ground.place_near(land.near, host, place, k) for k in range(many)])
    return found


def plain_near(network: Network) -> list[list[int]]:
    """Places of the own node and those at the fewest hops, from a table of all pairs."""
    found = []
    for place, row in enumerate(routes_of(network).hops):
        close = row <= row[row > 0].min(initial=np.iinfo(row.dtype).max)
        close[place] = False
        found.append(np.flatnonzero(close).tolist())
    return found


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("cores", [1, 2, (2, 1, 0, 3)])
def test_searches_find_the_same_by_levels(objective: str, cores: int | tuple[int, ...]) -> None:
    network = with_cores(FatTree((2, 2)), cores) if cores != 1 else FatTree((4, 2, 2), 2)
    found = [optimise(each, COSTS, objective, 0.001, seed=3) for each in problems(network, seed=1)]
    assert found[0].mapping == found[1].mapping


@pytest.mark.parametrize("dims", [(40, 40), (46, 46, 48)])
def test_a_hundred_thousand_cores_need_no_table_of_pairs(dims: tuple[int, ...]) -> None:
    network = with_cores(FatTree(dims), 64 if len(dims) == 2 else 1)
    assert network.size > 100_000
    flows = patterns.ring(network.size)
    problem = mapping_problem(flows, network, MEMORY)
    land = problem.landscape
    arrays = [*land.net, *land.near, *land.work, *land[3:]]
    # two bytes for each pair of cores would be 20 GiB
    assert sum(array.nbytes for array in arrays) < 60 * 2**20
    order = measure(problem, COSTS, tuple(range(network.size)))
    limit = bound(problem, COSTS, "hop-bytes")
    assert order.hop_bytes >= limit


def test_many_processes_are_searched_by_moves_that_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_effort, "_LARGE", 0)
    network = with_cores(FatTree((4, 4)), 2)
    flows = patterns.random_messages(30, 60, 64.0, seed=2)
    problem = mapping_problem(flows, network, MEMORY)
    own = drawn(network, 30, 5)
    for objective in OBJECTIVES:
        values = []
        for seconds in (0.0002, 0.001, 0.005):
            found = optimise(problem, COSTS, objective, seconds, own=own)
            checked_again = measure(problem, COSTS, found.mapping)
            assert checked_again.rank(objective) == found.measures.rank(objective)
            values.append(found.measures.value(objective))
        assert values == sorted(values, reverse=True)
        assert values[-1] <= measure(problem, COSTS, own).value(objective)


def test_many_processes_of_a_grid_are_folded_into_blocks_by_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_effort, "_LARGE", 0)
    network = with_cores(FatTree((4, 4)), 16)
    problem = mapping_problem(patterns.stencil((16, 16), 1.0), network, MEMORY)
    starts = starts_of(problem, None, lambda: False, lambda: False)
    sent = {name: problem.between_nodes(mapping) for name, mapping in starts}
    assert sent["row-major"] == 2 * 15 * 16  # a row a node
    assert sent["folding"] == 2 * 6 * 16  # blocks of 4 × 4
    assert "greedy" not in sent  # it has a table of processes and places
    assert sorted(dict(starts_of(problem, None, lambda: False, lambda: False))["bisection"]) == [
        *range(256)
    ]
