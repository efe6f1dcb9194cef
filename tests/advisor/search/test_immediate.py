"""MCT, MET and OLB: worked by hand, and what is known of them on independent tasks."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.search.immediate import mct, met, olb
from advisor.search.list_scheduling import min_min
from machines import Machine, Platform
from tests.advisor.published_problems import TOPCUOGLU, published
from tests.advisor.random_problems import random_problem
from tests.advisor.search.placements import placements

SEEDS = st.integers(0, 2**32 - 1)


def alike(seconds: list[float], machines: int) -> Problem:
    """Independent tasks on machines that are all the same."""
    tasks = tuple(Task(f"t{i}", work=one) for i, one in enumerate(seconds))
    platform = Platform("alike", tuple(Machine(f"M{q}") for q in range(machines)))
    return Problem.of(platform, Workload("w", tasks))


def test_each_looks_at_one_thing_only() -> None:
    problem = published("9 2, 3 4, 5 5.5")
    # t1 ends at 2 on P2, t2 at 3 on P1, t3 at 8 on P1 or at 2 + 5.5 on P2
    assert mct(problem).allocation == (1, 0, 1)
    assert predict(problem, mct(problem)).makespan_s == 7.5
    # t3 computes least on P1, which is busy until 3
    assert met(problem).allocation == (1, 0, 0)
    assert predict(problem, met(problem)).makespan_s == 8.0
    # both are idle: t1 on P1 until 9; P2 is idle for t2 until 4, and again for t3
    assert olb(problem).allocation == (0, 1, 1)
    assert predict(problem, olb(problem)).makespan_s == 9.5


def test_tasks_come_as_they_stand_among_those_whose_inputs_are_placed() -> None:
    assert mct(published("1 1, 1 1, 1 1", "3 1 1")).order == (1, 2, 0)


def test_the_example_of_topcuoglu_by_hand() -> None:
    # t1 on P3 until 9. t2: 9 + 18 there, 27 + 13 or 27 + 19 elsewhere. t3: 21 + 11 on P1 ends
    # before 27 + 19. t4: 18 + 8 on P2. t5: 32 + 12, 26 + 13, 27 + 10: P3. t6: 32 + 13, 26 + 16,
    # 37 + 9: P2 until 42. t7: 32 + 7 on P1. t8: needs t2, t4, t6 by 27 + 19, 26 + 27, 42 + 15 on
    # P1, by 46 on P2, by 57 on P3: 46 + 11. t9: needs t2, t4, t5 by 43, 49, 50 on P1: 50 + 18.
    # t10: t7 by 39 + 17, t8 by 57, t9 by 68 + 13 on P2: 81 + 7
    plan = mct(TOPCUOGLU)
    assert [q + 1 for q in plan.allocation] == [3, 3, 1, 2, 3, 2, 1, 2, 1, 2]
    assert predict(TOPCUOGLU, plan).makespan_s == 88.0


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_every_choice_is_the_least_of_what_the_heuristic_looks_at(seed: int) -> None:
    problem = random_problem(seed)
    task_s = problem.instance.task_s
    for make in (mct, met, olb):
        for partial, task, on in placements(problem, make(problem)):
            able = partial.start[task] < np.inf
            looks_at = {mct: partial.start[task] + task_s[task], met: task_s[task]}
            values = looks_at.get(make, partial.idle)
            assert able[on]
            assert values[on] == values[able].min()
            assert task == partial.ready[0]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(0.5, 9.0), min_size=1, max_size=20), st.integers(1, 4))
def test_on_equal_machines_two_are_grahams_list(seconds: list[float], machines: int) -> None:
    problem = alike(seconds, machines)
    assert mct(problem).allocation == olb(problem).allocation
    least = max(sum(seconds) / machines, *seconds)
    # Graham 1969
    assert predict(problem, mct(problem)).makespan_s <= (2 - 1 / machines) * least * (1 + 1e-9)
    assert set(met(problem).allocation) == {0}


def test_where_tasks_stand_from_short_to_long_mct_is_min_min() -> None:
    problem = alike([1.0, 2.0, 2.5, 4.0, 7.0, 7.5], 3)
    assert mct(problem).allocation == min_min(problem).allocation


def test_a_machine_that_is_best_for_everything_gets_everything_from_met() -> None:
    problem = published("1 2 3, 2 3 4, 1 9 9, 3 4 4")
    assert met(problem).allocation == (0, 0, 0, 0)
    assert len(set(mct(problem).allocation)) > 1
