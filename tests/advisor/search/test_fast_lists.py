"""FCP and FLB, which look at two machines, and lookahead, which looks at the tasks after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.search.fast_lists import fcp, flb, lookahead
from advisor.search.list_scheduling import heft
from tests.advisor.published_problems import ARABNEJAD, TOPCUOGLU, published
from tests.advisor.random_problems import random_problem
from tests.advisor.search.placements import placements

Heuristic = Callable[[Problem], Plan]

SEEDS = st.integers(0, 2**32 - 1)


def equal_machines(seed: int) -> Problem:
    """12 tasks on 3 machines that are all the same."""
    rng = np.random.default_rng(seed)
    rows = ",".join(" ".join([str(one)] * 3) for one in rng.uniform(1, 9, 12))
    pairs = [(i, j) for j in range(2, 13) for i in range(1, j) if rng.random() < 0.2]
    return published(rows, ",".join(f"{i} {j} {rng.uniform(0, 9)}" for i, j in pairs))


def test_fcp_follows_the_critical_path_on_its_enabling_machine() -> None:
    problem = published("2 2, 3 3, 4 4", "1 3 5")
    # ranks 11, 3, 4: t1 on P1 until 2; t3 there until 6, since on the idle P2 its input comes at
    # 7; t2 on P2
    plan = fcp(problem)
    assert (plan.order, plan.allocation) == ((0, 2, 1), (0, 1, 0))
    assert predict(problem, plan).makespan_s == 6.0


def test_fcp_tries_no_third_machine() -> None:
    problem = published("9 2, 3 4, 5 5.5")
    # by mean seconds t1, t3, t2; t1 where it ends first, as both are idle; then where idle first
    plan = fcp(problem)
    assert (plan.order, plan.allocation) == ((0, 2, 1), (1, 1, 0))
    assert predict(problem, plan).makespan_s == 6.0


def test_flb_parts_a_task_from_its_enabling_machine_once_that_is_busy() -> None:
    problem = published("2 2, 3 3, 4 4", "1 2 1, 1 3 4")
    # t2's input comes at 3, t3's at 6, if sent: for both P1, idle from 2, is where they start
    # first. t3 is longer and goes there, until 6; t2 then starts at 3 on the idle P2
    plan = flb(problem)
    assert (plan.order, plan.allocation) == ((0, 2, 1), (0, 1, 0))
    assert predict(problem, plan).makespan_s == 6.0


@given(SEEDS)
def test_on_equal_machines_flb_always_starts_the_first_that_can(seed: int) -> None:
    # Radulescu & van Gemund 1999 (ICPP) prove that two pairs suffice
    problem = equal_machines(seed)
    for partial, task, on in placements(problem, flb(problem)):
        ready = partial.ready[: partial.number[0]]
        assert partial.start[task, on] == pytest.approx(partial.start[ready].min(), abs=1e-9)


@given(SEEDS)
def test_on_equal_machines_fcp_starts_each_as_early_as_any_machine_idle_at_its_end(
    seed: int,
) -> None:
    problem = equal_machines(seed)
    for partial, task, on in placements(problem, fcp(problem)):
        at_the_end = np.maximum(partial.arrival[task], partial.idle)
        assert partial.start[task, on] <= at_the_end.min() + 1e-9


def test_lookahead_sees_what_heft_does_not() -> None:
    problem = published("4 5, 20 2", "1 2 8")
    # HEFT puts t1 on P1, where it ends at 4, and t2 ends at 12 + 2; from P2 it ends at 5 + 2
    assert heft(problem).allocation == (0, 1)
    assert lookahead(problem).allocation == (1, 1)
    assert predict(problem, lookahead(problem)).makespan_s == 7.0


def test_the_tasks_after_compete_for_machines_in_a_lookahead() -> None:
    problem = published("2 3, 9 4, 9 4, 9 4", "1 2 6, 1 3 6, 1 4 6")
    # from P1: two at 12 and 16 on P2 or one at 11 on P1, 20 or 16 for the last: 16. From P2: 7 and
    # 11 there, then 15 there: 15
    assert heft(problem).allocation[0] == 0
    assert lookahead(problem).allocation == (1, 1, 1, 1)
    assert predict(problem, lookahead(problem)).makespan_s == 15.0


def test_without_tasks_after_lookahead_is_heft() -> None:
    problem = published("9 2, 3 4, 5 5.5, 1 1")
    assert lookahead(problem).allocation == heft(problem).allocation


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_a_lookahead_leaves_no_trace(seed: int) -> None:
    # each task starts as early as it can beside those placed before it, not beside trials
    problem = random_problem(seed, sharing="none")
    plan = lookahead(problem)
    assert plan.order == tuple(problem.rank_order.tolist())
    start_s = predict(problem, plan).start_s
    for partial, task, on in placements(problem, plan):
        assert partial.start[task, on] == pytest.approx(start_s[task], abs=1e-9)


def test_lookahead_reaches_what_arabnejad_prints() -> None:
    assert predict(ARABNEJAD, lookahead(ARABNEJAD)).makespan_s == 127.0


@pytest.mark.parametrize(
    ("heuristic", "topcuoglu_s", "arabnejad_s"), [(fcp, 98, 160), (flb, 96, 161)]
)
def test_published_graphs_keep_their_makespans(
    heuristic: Heuristic, topcuoglu_s: float, arabnejad_s: float
) -> None:
    assert predict(TOPCUOGLU, heuristic(TOPCUOGLU)).makespan_s == topcuoglu_s
    assert predict(ARABNEJAD, heuristic(ARABNEJAD)).makespan_s == arabnejad_s
