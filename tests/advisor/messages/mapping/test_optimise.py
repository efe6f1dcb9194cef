"""The search: proved cases, determinism, stopping; its kernels against plain sums."""

from __future__ import annotations

import pickle
from itertools import count, permutations

import numpy as np
import pytest

from advisor.kernels import mapping_kernel as kernel
from advisor.kernels.mapping_ground import State
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.bisection import bisected
from advisor.messages.mapping.mapping_measures import OBJECTIVES, measure
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.optimise import Optimised, optimise
from advisor.messages.mapping.orders import ORDERS, checked, standard_mappings
from advisor.messages.mapping.process_communication import Communication, communication
from advisor.messages.mapping.search_starts import grown
from machines import InputError
from machines.network import Crossbar, Hypercube, Mesh
from tests.advisor.messages.mapping.test_mapping_measures import ALEWIFE, small

LITTLE = 0.0005  # seconds of compiled effort; plain kernels spend a tenth of a second on it


def state_of(problem: MappingProblem, mapping: tuple[int, ...]) -> State:
    nodes = problem.network.size
    holder = np.full(nodes, -1, np.int32)
    holder[list(mapping)] = np.arange(len(mapping))
    node_of = np.array(mapping, np.int32)
    rng = np.array([12345, 67890])
    loads, load = np.zeros(len(problem.network.channels)), np.zeros(nodes)
    return State(node_of, holder, loads, node_of.copy(), rng, load)


def scattered() -> MappingProblem:
    """Ten processes on twelve nodes of a torus."""
    return mapping_problem(patterns.random_messages(10, 40, 8.0, seed=2), Mesh((4, 3), wrap=True))


def test_what_a_move_changes_is_the_difference_of_the_sums() -> None:
    problem = scattered()
    state = state_of(problem, tuple(range(10)))
    land = problem.landscape
    energy = kernel.fill_loads(land, state)
    for process, node in [(0, 5), (3, 11), (9, 0), (2, 10), (5, 5 + 1)]:
        before = problem.hop_bytes(tuple(state.node_of.tolist()))
        change = kernel.hop_change(land, state, process, node)
        energy += kernel.shift(land, state, process, node)
        mapping = checked(problem.network, 10, state.node_of.tolist())
        assert problem.hop_bytes(mapping) - before == change
        assert state.loads.tolist() == problem.loads(mapping).tolist()
        assert energy == kernel.fourth_powers(state.loads)
        assert all(state.holder[node] == p for p, node in enumerate(mapping))


@pytest.mark.parametrize("dims", [(8, 4), (4, 8)])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_stripes_get_a_mapping_without_a_shared_channel(
    dims: tuple[int, ...], objective: str
) -> None:
    found = optimise(mapping_problem(patterns.stripes(32), Mesh(dims)), ALEWIFE, objective, LITTLE)
    assert found.measures.shared_channels == 0
    assert found.measures.value(objective) == pytest.approx(found.bound)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_cases_reach_the_best_of_all_mappings(objective: str) -> None:
    problem = small(3, Mesh((3, 2)))
    processes = problem.communication.processes
    best = min(
        measure(problem, ALEWIFE, nodes).value(objective)
        for nodes in permutations(range(6), processes)
    )
    found = optimise(problem, ALEWIFE, objective, 10 * LITTLE)
    assert found.measures.value(objective) == pytest.approx(best)
    assert found.bound <= best * (1 + 1e-12)


def test_a_scattered_ring_is_unrolled() -> None:
    order = np.random.default_rng(1).permutation(12)
    ring = communication("ring", 12, order, np.roll(order, -1), 10.0)
    found = optimise(mapping_problem(ring, Mesh((4, 3))), ALEWIFE, seconds=0.005)
    assert found.measures.hop_bytes == found.bound == 120.0
    assert found.complete


@pytest.mark.parametrize("objective", ["hop-bytes", "busiest"])
def test_a_seed_gives_one_answer_that_is_no_worse_than_any_start(objective: str) -> None:
    problem = scattered()

    def search(seed: int) -> Optimised:
        return optimise(problem, ALEWIFE, objective, LITTLE, seed)

    one, again = search(4), search(4)
    assert one.mapping == again.mapping
    rank = one.measures.rank(objective)
    for build in (bisected, grown):
        start = build(problem, lambda: False)
        assert start is not None
        assert rank <= measure(problem, ALEWIFE, checked(problem.network, 10, start)).rank(
            objective
        )
    assert rank < measure(problem, ALEWIFE, tuple(range(10))).rank(objective)


def test_stopping_keeps_the_best_so_far() -> None:
    problem = scattered()
    at_once = optimise(problem, ALEWIFE, seconds=LITTLE, should_stop=lambda: True)
    assert not at_once.complete
    assert at_once.start in ORDERS
    asked = count()
    later = optimise(problem, ALEWIFE, seconds=0.01, should_stop=lambda: next(asked) > 40)
    assert not later.complete
    assert later.measures.hop_bytes <= at_once.measures.hop_bytes
    assert pickle.loads(pickle.dumps(later)).mapping == later.mapping


def test_progress_rises_and_ends_within_the_effort() -> None:
    seen: list[float] = []
    optimise(scattered(), ALEWIFE, seconds=LITTLE, on_progress=lambda share, _: seen.append(share))
    assert seen == sorted(seen)
    assert 0.0 < seen[-1] <= 1.0


@pytest.mark.parametrize(
    "problem",
    [
        mapping_problem(patterns.stencil((4, 4)), Hypercube(4)),
        mapping_problem(patterns.ring(5), Crossbar(6)),
        mapping_problem(patterns.stencil((3, 3), wrap=True), Mesh((5, 2))),
        mapping_problem(patterns.stripes(2), Mesh((2,), wrap=True)),
    ],
    ids=lambda one: one.network.kind,
)
def test_starts_are_mappings_of_any_network(problem: MappingProblem) -> None:
    processes = problem.communication.processes
    for build in (bisected, grown):
        made = build(problem, lambda: False)
        assert made is not None
        checked(problem.network, processes, made)
        assert build(problem, lambda: True) is None


def test_bisection_of_a_line_keeps_it_together() -> None:
    problem = mapping_problem(patterns.stripes(16), Mesh((16,)))
    assert problem.hop_bytes(bisected(problem, lambda: False) or ()) == 15 * 1024.0


def test_effort_must_be_above_zero() -> None:
    with pytest.raises(InputError, match="seconds"):
        optimise(scattered(), ALEWIFE, seconds=0.0)


def renamed(given: Communication, seed: int) -> Communication:
    """The same communication under other numbers."""
    names = np.random.default_rng(seed).permutation(given.processes)
    sources, targets = names[given.sources], names[given.targets]
    return communication("renamed", given.processes, sources, targets, given.size_bytes)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("objective", ["hop-bytes", "busiest"])
def test_shuffled_tori_and_rings_get_their_proved_optimum(seed: int, objective: str) -> None:
    torus = renamed(patterns.stencil((8, 8, 8), wrap=True), seed)
    ring = renamed(patterns.ring(512), seed)
    for talk in (torus, ring):
        problem = mapping_problem(talk, Mesh((8, 8, 8), wrap=True))
        found = optimise(problem, ALEWIFE, objective, LITTLE, seed)
        assert found.measures.hop_bytes == talk.total_bytes
        assert found.measures.busiest_bytes == 1024.0
        assert found.start == "folding"


MORE = [
    mapping_problem(patterns.random_messages(10, 40, 8.0, seed=2), Mesh((4, 3), wrap=True)),
    mapping_problem(patterns.random_messages(16, 50, 8.0, seed=5), Hypercube(4)),
    mapping_problem(renamed(patterns.stencil((3, 4)), 1), Mesh((4, 4))),
    mapping_problem(patterns.random_messages(24, 300, 4096.0, seed=1), Mesh((24,))),
]
MORE_NAMES = ["torus", "hypercube", "mesh", "line"]  # on the line channels set the time


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("problem", MORE, ids=MORE_NAMES)
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(2))
def test_more_effort_is_never_worse(problem: MappingProblem, objective: str, seed: int) -> None:
    ranks = [
        optimise(problem, ALEWIFE, objective, effort, seed).measures.rank(objective)
        for effort in (LITTLE / 5, LITTLE, 4 * LITTLE, 0.01, 0.04)
    ]
    assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize("problem", MORE, ids=MORE_NAMES)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_start_and_no_mapping_of_the_users_is_better(
    problem: MappingProblem, objective: str
) -> None:
    network, processes = problem.network, problem.communication.processes
    own = optimise(problem, ALEWIFE, objective, 4 * LITTLE, seed=7).mapping
    starts = [own, *(order[:processes] for _, order in standard_mappings(network, processes))]
    for effort, stop in ((LITTLE, False), (LITTLE / 50, False), (LITTLE, True)):
        found = optimise(
            problem, ALEWIFE, objective, effort, should_stop=lambda stop=stop: stop, own=own
        )  # fmt: skip
        rank = found.measures.rank(objective)
        assert all(rank <= measure(problem, ALEWIFE, one).rank(objective) for one in starts)


def test_the_search_for_the_busiest_channel_is_no_busier_than_that_for_hop_bytes() -> None:
    for problem in MORE:
        hops, busiest = (
            optimise(problem, ALEWIFE, objective, 3 * LITTLE).measures.busiest_bytes
            for objective in ("hop-bytes", "busiest")
        )
        assert busiest <= hops


def test_where_no_move_matters_the_search_ends() -> None:
    found = optimise(mapping_problem(patterns.all_to_all(6), Crossbar(6)), ALEWIFE, seconds=0.01)
    assert found.complete
    assert found.measures.hop_bytes == 30 * 1024.0 * found.measures.mean_hops


def test_least_time_goes_on_to_a_less_busy_channel_where_time_is_least() -> None:
    problem = mapping_problem(patterns.random_messages(12, 40, 8.0, seed=3), Mesh((4, 3)))
    found = optimise(problem, ALEWIFE, "logpc", 4 * LITTLE).measures
    default = measure(problem, ALEWIFE, tuple(range(12)))
    assert found.logpc_time == default.logpc_time  # the busiest process sets it
    assert found.busiest_bytes < default.busiest_bytes
