"""Nodes of unequal cores, and nodes of several sockets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from advisor.messages.mapping.mapping_measures import HOP_BYTES, LOGPC, bound, measure
from advisor.messages.mapping.mapping_moves import Standing
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import ORDERS, checked, in_order, standard_mappings
from advisor.messages.mapping.process_communication import communication
from advisor.messages.mapping.sockets import by_sockets
from machines import Crossbar, InputError, LogGP, Mesh
from machines.multicore import MultiCore, node_at, places_at, with_cores
from machines.traffic import channel_loads, routes_of

COSTS, MEMORY, ACROSS = (LogGP(one, one, one, G=one / 100) for one in (10.0, 1.0, 3.0))


def random_problem(seed: int, counts: tuple[int, ...], **sockets: object) -> MappingProblem:
    rng = np.random.default_rng(seed)
    n = sum(counts)
    pairs = [(i, j) for i, j in itertools.permutations(range(n), 2) if rng.random() < 0.4]
    sources, targets = zip(*pairs, strict=True)
    flows = communication("r", n, sources, targets, rng.integers(1, 1000, len(pairs)).astype(float))
    return mapping_problem(flows, with_cores(Mesh((len(counts),)), counts), MEMORY, **sockets)  # type: ignore[arg-type]


def test_places_lie_on_their_nodes_and_equal_counts_are_one_number() -> None:
    network = with_cores(Crossbar(3), (2, 4, 1))
    assert network.size == 7
    assert node_at(network, np.arange(7)).tolist() == [0, 0, 1, 1, 1, 1, 2]
    assert [list(places_at(network, node)) for node in range(3)] == [[0, 1], [2, 3, 4, 5], [6]]
    assert with_cores(Crossbar(3), (2, 2, 2)) == MultiCore(Crossbar(3), 2)
    assert with_cores(Crossbar(2), (1, 1)) == Crossbar(2)
    with pytest.raises(InputError, match="2 nodes have cores, and the network has 3"):
        with_cores(Crossbar(3), (2, 4))


@pytest.mark.parametrize("name", ORDERS)
def test_every_order_takes_every_place_once(name: str) -> None:
    network = with_cores(Mesh((4, 2)), (4, 1, 2, 4, 3, 1, 0, 4))
    found = in_order(network, ORDERS[name])
    assert sorted(found) == list(range(network.size))


def test_an_own_mapping_fills_nodes_as_far_as_they_have_cores() -> None:
    network = with_cores(Crossbar(2), (1, 3))
    assert checked(network, 4, [1, 0, 1, 1]) == (1, 0, 2, 3)
    with pytest.raises(InputError, match="this node has process 0 already"):
        checked(network, 2, [0, 0])
    with pytest.raises(InputError, match="this node has 3 cores, all of them taken"):
        checked(network, 4, [1, 1, 1, 1])


def test_loads_are_those_of_the_traffic_between_nodes() -> None:
    network, nodes = with_cores(Mesh((3,)), (2, 4, 1)), Mesh((3,))
    rng = np.random.default_rng(1)
    traffic = rng.random((7, 7))
    between = np.zeros((3, 3))
    node = node_at(network, np.arange(7))
    for i, j in itertools.product(range(7), range(7)):
        between[node[i], node[j]] += traffic[i, j]
    expected = channel_loads(routes_of(nodes), between)
    np.testing.assert_allclose(channel_loads(routes_of(network), traffic), expected)


@pytest.mark.parametrize("seed", range(3))
def test_the_search_meets_the_best_of_all_mappings(seed: int) -> None:
    problem = random_problem(seed, (1, 3, 2))
    found = optimise(problem, COSTS, HOP_BYTES, seconds=0.05)
    every = [measure(problem, COSTS, one) for one in itertools.permutations(range(6))]
    assert found.measures.hop_bytes == pytest.approx(min(one.hop_bytes for one in every))
    for objective in (HOP_BYTES, LOGPC):
        least = min(one.value(objective) for one in every)
        assert bound(problem, COSTS, objective) <= least * (1 + 1e-9)


def test_a_move_costs_what_it_does_measured_anew() -> None:
    problem = random_problem(4, (2, 4, 1), sockets=2, across=ACROSS)
    (_, mapping), *_ = standard_mappings(problem.network, 7)
    standing = Standing.of(problem, COSTS, mapping)
    for process, place in ((0, 3), (6, 0), (2, 5)):
        standing = standing.moved(process, place)
        anew = measure(problem, COSTS, standing.mapping)
        assert standing.measures().rank(LOGPC) == pytest.approx(anew.rank(LOGPC))


def test_sockets_part_what_talks_least() -> None:
    pairs = [(0, 2), (1, 3), (4, 6), (5, 7)]
    flows = communication("pairs", 8, *zip(*pairs, strict=True), [1e6] * 4)
    problem = mapping_problem(flows, with_cores(Crossbar(2), 4), MEMORY, 2, ACROSS)
    plain = tuple(range(8))
    assert problem.between_sockets(plain) == 4e6
    parted = by_sockets(problem, plain)
    assert sorted(parted[:4]) == [0, 1, 2, 3]
    assert problem.between_sockets(parted) == 0.0
    assert measure(problem, COSTS, parted).logpc_time < measure(problem, COSTS, plain).logpc_time
    found = optimise(problem, COSTS, LOGPC, seconds=0.05)
    assert problem.between_sockets(found.mapping) == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_no_swap_of_two_processes_of_a_node_crosses_sockets_less(seed: int) -> None:
    problem = random_problem(seed, (6, 4), sockets=2, across=ACROSS)
    parted = by_sockets(problem, tuple(range(10)))
    assert sorted(parted) == list(range(10))
    assert node_at(problem.network, parted).tolist() == [0] * 6 + [1] * 4
    least = problem.between_sockets(parted)
    for i, j in itertools.combinations(range(10), 2):
        swapped = list(parted)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        if node_at(problem.network, swapped).tolist() == [0] * 6 + [1] * 4:
            assert problem.between_sockets(tuple(swapped)) >= least - 1e-9
