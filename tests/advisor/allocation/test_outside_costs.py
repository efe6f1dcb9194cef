"""Files from outside: when they are there, what they add, what is left out, what is refused."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from advisor.allocation.costs import build_costs
from advisor.allocation.data_files import DataFile
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan, total
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import LINK_WAIT, TRANSFERRING
from advisor.search import advise
from advisor.search.chain_search import STRATEGY as CHAIN
from machines import (
    Direction,
    InfeasibleError,
    InputError,
    Link,
    Machine,
    Platform,
    Store,
    Switch,
)
from tests.advisor.random_problems import random_problem


def alone(platform: Platform, workload: Workload) -> Problem:
    """The problem on the classical timeline."""
    return Problem.of(platform, workload, sharing=NONE)


def link(first: str, second: str, bandwidth: float, slowdown: float | None = None) -> Link:
    way = Direction(1.0, bandwidth)
    return Link(first, second, way, way, slowdown)


def lab(**more: object) -> Platform:
    """M1 and M2 on a switch, a store that sends 10 B/s; the link of M2 is slowed down to a half."""
    return Platform(
        "lab",
        (Machine("M1"), Machine("M2")),
        (link("M1", "sw", 100.0), link("sw", "M2", 20.0, 2.0), link("nfs", "sw", 10.0)),
        switches=(Switch("sw"),),
        stores=(Store("nfs"),),
        **more,  # type: ignore[arg-type]
    )


def two_readers(at: str | None = None) -> Workload:
    """A reads two files of 100 and 20 bytes, B what A writes and the smaller one."""
    return Workload(
        "w",
        (
            Task("A", 3.0, reads=("big", "small"), writes=("out",)),
            Task("B", 4.0, reads=("small", "out")),
        ),
        files=(DataFile("big", 100.0, at), DataFile("small", 20.0), DataFile("out", 40.0)),
    )


def test_each_reader_waits_for_its_own_copies_from_the_store() -> None:
    found = build_costs(lab(), two_readers()).outside
    assert found is not None
    # to M1: 2 s + 10 B/s; to M2: 1 + 2 s, and 10 B/s at both links
    assert found.arrival_s.tolist() == [[12.0, 13.0], [4.0, 5.0]]
    assert found.arrival_dedicated_s.tolist() == [[12.0, 12.0], [4.0, 4.0]]
    assert found.total_s.tolist() == [[16.0, 18.0], [4.0, 5.0]]
    assert found.total_dedicated_s.tolist() == [[16.0, 16.0], [4.0, 4.0]]


def test_a_file_on_a_machine_costs_nothing_there() -> None:
    found = build_costs(lab(), two_readers(at="M2")).outside
    assert found is not None
    # big from M2: slowed at its link
    assert found.arrival_s.tolist() == [[13.0, 5.0], [4.0, 5.0]]
    assert found.total_s.tolist() == [[17.0, 5.0], [4.0, 5.0]]


def test_a_prediction_waits_and_counts_what_comes_from_outside() -> None:
    problem = alone(lab(), two_readers())
    prediction = predict(problem, Plan((0, 1)))
    # A: 12 to 15; out: 1 + 2 s and 10 B/s; B: 15 + 7 to 26
    assert prediction.start_s.tolist() == [12.0, 22.0]
    assert prediction.makespan_s == 26.0
    assert prediction.total_s == 3.0 + 4.0 + 16.0 + 5.0 + 7.0
    assert prediction.breakdown_s[TRANSFERRING] == 16.0 + 4.0 + 4.0
    assert prediction.breakdown_s[LINK_WAIT] == 1.0 + 3.0
    assert prediction.critical_breakdown_s[TRANSFERRING] == 12.0 + 4.0
    assert sum(prediction.critical_breakdown_s.values()) == 26.0


def test_the_wait_for_a_slowed_link_is_apart_on_the_critical_path() -> None:
    prediction = predict(alone(lab(), two_readers()), Plan((1, 1)))
    assert prediction.start_s.tolist() == [13.0, 16.0]
    assert prediction.critical_breakdown_s[TRANSFERRING] == 12.0
    assert prediction.critical_breakdown_s[LINK_WAIT] == 1.0


def test_files_without_a_place_are_left_out_and_said_with_their_bytes() -> None:
    bare = Platform("p", (Machine("M1"), Machine("M2")), (link("M1", "M2", 10.0),))
    costs = build_costs(bare, two_readers())
    assert costs.outside is not None
    assert not costs.outside.arrival_s.any()
    (text,) = costs.warnings
    assert text == (
        "Files that no task writes are left out: 2 files of 120 B, 140 B by all readers together; "
        "give "
        "the platform a store, or state the machine of these files (at)"
    )
    several = Platform(
        "p", bare.machines, (*bare.links, link("x", "M1", 1.0), link("y", "M1", 1.0)),
        stores=(Store("x"), Store("y")),
    )  # fmt: skip
    (text,) = build_costs(several, two_readers()).warnings
    assert text.endswith("state the store of these files (at)")
    assert build_costs(lab(), two_readers()).warnings == ()


def test_what_nobody_reads_or_has_no_bytes_moves_not() -> None:
    files = (DataFile("empty", 0.0, "far"), DataFile("unread", 5.0), DataFile("x", 9.0, "M1"))
    machines = (Machine("M1"), Machine("far"))
    workload = Workload("w", (Task("A", 1.0, reads=("empty", "x")),), files=files)
    costs = build_costs(Platform("p", machines), workload)
    assert costs.warnings == ()
    assert costs.outside is not None
    assert costs.outside.arrival_s.tolist() == [[0.0, np.inf]]


def test_without_files_from_outside_there_is_nothing_to_price() -> None:
    assert build_costs(lab(), Workload("w", (Task("A", 1.0),))).outside is None


def test_a_task_stays_away_from_where_its_file_can_not_get() -> None:
    apart = Platform("p", (Machine("M1"), Machine("M2", speed=9.0)))
    files = (DataFile("x", 9.0, "M1"),)
    problem = alone(apart, Workload("w", (Task("A", 9.0, reads=("x",)),), files=files))
    assert advise(problem).plan.allocation == (0,)
    with pytest.raises(InfeasibleError, match="a file that it reads can't get to M2"):
        predict(problem, Plan((1,)))
    shown = preview(problem, Plan((0,)), [0])
    assert shown.values_s.tolist() == [9.0, np.inf]
    assert "can't get to M2" in shown.reasons[1]


def test_a_place_that_is_neither_machine_nor_store_is_refused() -> None:
    for place in ("sw", "nowhere"):
        with pytest.raises(InputError, match='file "big": this is neither a machine nor a store'):
            build_costs(lab(), two_readers(at=place))


def test_bytes_that_overflow_are_refused_with_the_file() -> None:
    slow = Platform("p", (Machine("M1"), Machine("M2")), (link("M1", "M2", 1e-290),))
    files = (DataFile("x", 1e30, "M1"),)
    with pytest.raises(InputError, match='file "x": numbers too large'):
        build_costs(slow, Workload("w", (Task("A", 1.0, reads=("x",)),), files=files))


def with_outside(most_tasks: int) -> list[Problem]:
    """Small random problems in which some task waits for a file."""
    random = (random_problem(seed, most_tasks=most_tasks) for seed in range(60))
    made = (alone(one.platform, one.workload) for one in random)
    return [one for one in made if one.costs.outside and one.costs.outside.total_s.any()][:12]


@pytest.mark.parametrize("problem", with_outside(4))
def test_exact_answers_and_bounds_hold_against_every_plan(problem: Problem) -> None:
    tasks, machines = problem.costs.task_s.shape
    orders = [
        np.array(order, np.int32)
        for order in permutations(range(tasks))
        if all(
            np.argsort(order)[one] < np.argsort(order)[other]
            for one, other in zip(problem.costs.sources, problem.costs.targets, strict=True)
        )
    ]
    least = dict.fromkeys(OBJECTIVES, np.inf)
    for allocation in product(range(machines), repeat=tasks):
        where = np.array(allocation, np.int32)
        least[TOTAL] = min(least[TOTAL], total(problem.instance, where))
        for order in orders:
            least[MAKESPAN] = min(least[MAKESPAN], makespan(problem.instance, where, order))
    for objective in OBJECTIVES:
        found = advise(problem, objective, seconds=1.0)
        assert found.proved_optimal
        assert found.value_s == pytest.approx(least[objective], rel=1e-9)
        assert problem.lower_bounds_s[objective] <= least[objective] * (1 + 1e-9)


@pytest.mark.parametrize("problem", with_outside(4))
def test_the_total_is_the_sum_of_all_that_runs_and_moves(problem: Problem) -> None:
    costs = problem.costs
    assert costs.outside is not None
    plan = Plan(tuple(int(np.argmin(row)) for row in costs.task_s))
    prediction = predict(problem, plan)
    expected = prediction.task_s.sum() + prediction.flow_s.sum()
    expected += costs.outside.of(np.array(plan.allocation)).total_s.sum()
    assert prediction.total_s == pytest.approx(expected)


def chain_of(*reads: str) -> Problem:
    tasks = tuple(
        Task(f"t{i}", 4.0 + i, reads=(name,) if name else ()) for i, name in enumerate(reads)
    )
    flows = tuple(Flow(f"t{i}", f"t{i + 1}", ((1, 30.0),)) for i in range(len(reads) - 1))
    files = (DataFile("x", 100.0), DataFile("y", 20.0, "M2"))
    return alone(lab(), Workload("chain", tasks, flows, files))


def test_a_chain_is_a_path_where_only_its_first_task_waits() -> None:
    for problem, objective, suits in (
        (chain_of("x", "", ""), MAKESPAN, True),
        (chain_of("x", "y", ""), MAKESPAN, False),
        (chain_of("x", "y", ""), TOTAL, True),
    ):
        assert CHAIN.suits(problem, objective) is suits
        found = advise(problem, objective, seconds=1.0)
        assert (found.strategy == "chain") is suits
        best = min(
            predict(problem, Plan(allocation)).value_s(objective)
            for allocation in product(range(2), repeat=3)
        )
        assert found.value_s == pytest.approx(best)
