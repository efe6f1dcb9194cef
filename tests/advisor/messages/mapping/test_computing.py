"""Work of processes, speeds of cores and cores that several share, against all assignments."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.messages.mapping import optimise as search
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.balance import balanced, on_cores
from advisor.messages.mapping.computing import Computing
from advisor.messages.mapping.mapping_measures import OBJECTIVES, bound, measure
from advisor.messages.mapping.mapping_moves import Standing
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import drawn, standard_mappings
from advisor.messages.mapping.process_communication import communication
from machines import Crossbar, FatTree, InputError, LogGP, Mesh
from machines.multicore import with_cores
from machines.network import Network

COSTS = LogGP(L=10.0, o_s=2.0, o_r=1.0, G=0.1)
MEMORY = LogGP(L=1.0, o_s=0.5, o_r=0.5, G=0.01)
ACROSS = LogGP(L=2.0, o_s=0.5, o_r=0.5, G=0.02)
SPEEDS = st.sampled_from([0.5, 1.0, 1.0, 2.0])


def problem(
    network: Network,
    work: list[float] | None,
    speed: list[float] | None = None,
    sharing: int = 1,
    seed: int = 0,
    processes: int = 0,
) -> MappingProblem:
    """Random messages of processes with this work on cores of these speeds."""
    many = len(work) if work else processes
    flows = patterns.random_messages(many, 2 * many, 64.0, seed)
    cores = network.size // sharing
    computing = None
    if work:
        computing = Computing(np.array(work), np.array(speed or [1.0] * cores))
    return mapping_problem(flows, network, MEMORY, sharing=sharing, computing=computing)


def best_of_all(case: MappingProblem, objective: str) -> float:
    """The least of all assignments of processes to places."""
    return min(
        measure(case, COSTS, places).value(objective)
        for places in permutations(range(case.network.size), case.communication.processes)
    )


def test_a_step_takes_the_longest_computing_of_a_core_and_the_exchange():
    # two nodes of two cores, the second half as fast; 0 → 1 inside node 0
    flows = communication("c", 3, [0], [1], [101.0])
    computing = Computing(np.array([6.0, 4.0, 5.0]), np.array([1.0, 1.0, 0.5, 0.5]))
    case = mapping_problem(flows, with_cores(Crossbar(2), 2), MEMORY, computing=computing)
    found = measure(case, COSTS, (0, 1, 2))
    assert found.computing == 10.0  # 5 at half speed
    assert found.logpc_time == pytest.approx(1.0 + 0.5 + 100 * 0.01)
    assert found.value("logpc") == found.computing + found.logpc_time
    assert measure(case, COSTS, (0, 2, 1)).computing == 8.0
    assert found.least_computing == 8.0  # 4 at half speed: three fast cores there are not


def test_processes_of_one_core_compute_and_send_one_after_the_other():
    flows = communication("c", 4, [0, 1], [2, 3], [11.0, 11.0])
    computing = Computing(np.array([3.0, 4.0, 1.0, 1.0]), np.array([1.0, 2.0]))
    case = mapping_problem(flows, with_cores(Crossbar(2), 2), MEMORY, sharing=2,
                           computing=computing)  # fmt: skip
    found = measure(case, COSTS, (0, 1, 2, 3))
    assert found.computing == 7.0
    assert found.logpc_time == pytest.approx(10.0 + max(2 * (2.0 + 10 * 0.1), 0.1 * 22))
    assert measure(case, COSTS, (2, 3, 0, 1)).computing == 3.5


MACHINES: list[tuple[Network, int]] = [
    (with_cores(Mesh((2,)), 2), 1),
    (with_cores(Crossbar(3), (2, 1, 2)), 1),
    (FatTree((2, 2)), 1),
    (with_cores(Mesh((3,)), 2), 2),
    (with_cores(Crossbar(1), 6), 3),
]


@settings(max_examples=25)
@given(st.sampled_from(MACHINES), st.data(), st.integers(0, 10**6))
def test_the_search_reaches_the_best_of_all_assignments(
    machine: tuple[Network, int], data: st.DataObject, seed: int
) -> None:
    network, sharing = machine
    many = data.draw(st.integers(2, min(network.size, 5)))
    work = data.draw(st.lists(st.integers(0, 40).map(float), min_size=many, max_size=many))
    cores = network.size // sharing
    speed = data.draw(st.lists(SPEEDS, min_size=cores, max_size=cores))
    case = problem(network, work, speed, sharing, seed)
    best = best_of_all(case, "logpc")
    found = optimise(case, COSTS, "logpc", 0.02, seed % 100)
    assert found.measures.value("logpc") == pytest.approx(best, rel=1e-9)
    assert bound(case, COSTS, "logpc") <= best * (1.0 + 1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("network", [Mesh((4, 3), wrap=True), with_cores(FatTree((2, 3)), 2)])
def test_equal_work_and_equal_speeds_give_the_answer_without_work(
    objective: str, network: Network
) -> None:
    plain = problem(network, None, processes=10, seed=4)
    equal = problem(network, [7.3] * 10, [1.7] * network.size, seed=4)
    one, other = (optimise(each, COSTS, objective, 0.002, seed=2) for each in (plain, equal))
    assert one.mapping == other.mapping
    assert one.measures.rank(objective) == other.measures.rank(objective)
    assert other.measures.time == pytest.approx(one.measures.time + 7.3 / 1.7)


def random_case(
    rng: np.random.Generator, network: Network, sharing: int, seed: int, least: int
) -> tuple[MappingProblem, int]:
    """Work of `least` or more on nodes of three speeds, and how many processes."""
    many = int(rng.integers(2, network.size + 1))
    work = rng.integers(least, 50, many).astype(float).tolist()
    speeds = rng.choice([0.5, 1.0, 3.0], network.size // sharing).tolist()
    return problem(network, work, speeds, sharing, seed), many


@given(st.integers(0, 10**6), st.sampled_from(MACHINES), st.data())
def test_no_bound_is_above_any_mapping_and_changes_are_measured_as_anew(
    seed: int, machine: tuple[Network, int], data: st.DataObject
) -> None:
    network, sharing = machine
    rng = np.random.default_rng(seed)
    case, many = random_case(rng, network, sharing, seed, 0)
    mapping = tuple(rng.permutation(network.size)[:many].tolist())
    found = measure(case, COSTS, mapping)
    for objective in OBJECTIVES:
        assert bound(case, COSTS, objective) <= found.value(objective) * (1.0 + 1e-12)
    process, place = (
        data.draw(st.integers(0, many - 1)),
        data.draw(st.integers(0, network.size - 1)),
    )
    standing = Standing.of(case, COSTS, mapping).moved(process, place)
    anew = measure(case, COSTS, standing.mapping)
    for objective in OBJECTIVES:
        assert standing.measures().rank(objective) == pytest.approx(anew.rank(objective))


@given(st.integers(0, 10**6), st.sampled_from(MACHINES))
def test_balanced_mappings_use_every_place_once_and_one_process_a_core_is_the_least(
    seed: int, machine: tuple[Network, int]
) -> None:
    network, sharing = machine
    rng = np.random.default_rng(seed)
    case, many = random_case(rng, network, sharing, seed, 1)
    base = drawn(network, many, seed, sharing)
    dealt, stretched = balanced(case, case.work, base)
    for mapping in (dealt, stretched, on_cores(case, case.work, base)):
        assert len(set(mapping)) == many
        assert set(mapping) <= set(range(network.size))
    if sharing == 1:
        assert case.computing_time(dealt) == case.least_computing
    else:
        # Graham's rule on uniform cores ends within twice the best (Gonzalez et al. 1977)
        assert case.computing_time(dealt) <= 2.0 * case.sharing * case.least_computing


def test_orders_fill_no_more_of_a_core_than_the_processes_need():
    network = with_cores(Mesh((3,)), 6)  # two cores a node, three processes each
    orders = dict(standard_mappings(network, 6, 3))
    assert orders["row-major"] == (0, 3, 6, 9, 12, 15)  # one each
    assert dict(standard_mappings(network, 8, 3))["row-major"] == (0, 1, 3, 4, 6, 7, 9, 10)
    assert dict(standard_mappings(network, 18, 3))["row-major"] == tuple(range(18))


SETTINGS: list[tuple[Network, int, int]] = [
    (with_cores(Mesh((3, 2)), 4), 1, 2),
    (with_cores(FatTree((2, 3)), 4), 2, 1),
    (with_cores(Crossbar(4), (6, 4, 2, 4)), 2, 2),
    (Mesh((4, 4)), 1, 1),
]


@pytest.mark.parametrize("machine", SETTINGS)
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_more_effort_is_never_worse_in_the_headline(
    machine: tuple[Network, int, int], seed: int, objective: str
) -> None:
    network, sharing, sockets = machine
    rng = np.random.default_rng(seed)
    many = network.size * 3 // 4
    flows = patterns.random_messages(many, 4 * many, 2000.0, seed)
    cores = network.size // sharing
    computing = Computing(rng.uniform(1.0, 300.0, many), rng.choice([0.5, 1.0], cores))
    for work in (None, computing):
        case = mapping_problem(flows, network, MEMORY, sockets, ACROSS, sharing, work)
        values = [
            optimise(case, COSTS, objective, seconds, seed).measures.value(objective)
            for seconds in (0.00005, 0.0001, 0.0002, 0.0004, 0.0008)
        ]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("work", "speed", "message"),
    [
        ([1.0, -1.0], [1.0], r"process 1: work must be finite and ≥ 0 \(got -1.0\)"),
        ([1.0], [1.0, 0.0], r"core 1: speed must be finite and > 0 \(got 0.0\)"),
        ([float("nan")], [1.0], "process 0: work must be"),
    ],
)
def test_work_and_speeds_that_can_t_be_are_refused(
    work: list[float], speed: list[float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Computing(np.array(work), np.array(speed))


def test_what_less_effort_refines_more_effort_refines_too(monkeypatch: pytest.MonkeyPatch):
    # else a mapping that a cut round happened to hold could beat all that a longer search meets
    met: list[list[tuple[int, ...]]] = []

    def noted(_problem: MappingProblem, mapping: tuple[int, ...]) -> tuple[int, ...]:
        met[-1].append(mapping)
        return mapping

    monkeypatch.setattr(search, "by_sockets", noted)
    network = with_cores(FatTree((3, 3)), 4)
    flows = patterns.random_messages(30, 120, 2000.0, 1)
    case = mapping_problem(flows, network, MEMORY, 2, ACROSS)
    for seconds in (0.0005, 0.001, 0.002, 0.004):
        met.append([])
        optimise(case, COSTS, "logpc", seconds, 1)
    for less, more in pairwise(met):
        assert more[: len(less)] == less
