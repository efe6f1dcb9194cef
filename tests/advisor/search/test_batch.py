"""Duplex is the better of two; Sufferage gives a machine to whom it matters most."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.evaluation import reached_s
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.search.batch import duplex, sufferage
from advisor.search.list_scheduling import max_min, min_min
from machines import InfeasibleError
from tests.advisor.published_problems import ARABNEJAD, TOPCUOGLU, published
from tests.advisor.random_problems import random_problem

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("sharing", [FAIR, NONE])
@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_duplex_is_the_better_of_min_min_and_max_min(sharing: str, seed: int) -> None:
    problem = random_problem(seed, sharing=sharing)
    values = [reached_s(problem, "makespan", one(problem)) for one in (min_min, max_min)]
    assert reached_s(problem, "makespan", duplex(problem)) == min(values)


def test_duplex_keeps_what_one_of_them_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_problem: object) -> None:
        raise InfeasibleError("no plan")

    monkeypatch.setattr("advisor.search.batch.min_min", nothing)
    assert duplex(TOPCUOGLU).allocation == max_min(TOPCUOGLU).allocation


def test_the_task_that_suffers_most_gets_the_machine_that_all_want() -> None:
    problem = published("4 5, 5 20, 6 9")
    # all want P1 and would lose 1, 15 and 3: t2 gets it, until 5. Of t1 and t3, which then want
    # P2, t1 would lose 9 − 5, t3 11 − 9. t3 at last: 5 + 6 on P1, 5 + 9 on P2.
    plan = sufferage(problem)
    assert (plan.order, plan.allocation) == ((1, 0, 2), (1, 0, 0))
    assert predict(problem, plan).makespan_s == 11.0


def test_in_one_pass_every_machine_gets_one_task_at_most() -> None:
    problem = published("1 9, 1 8, 9 1, 2 3")
    # first pass: t1 (8 to lose) to P1 before t2 (7) and t4 (1), t3 to P2. Second: t2 to P1 until
    # 2 and t4 to P2 until 4, though t4 would rather have ended at 3 on P1
    plan = sufferage(problem)
    assert (plan.order, plan.allocation) == ((0, 2, 1, 3), (0, 0, 1, 0))


def test_a_task_that_one_machine_takes_goes_first() -> None:
    assert sufferage(published("1 99, 2 -")).order == (1, 0)


@pytest.mark.parametrize(("problem", "makespan_s"), [(TOPCUOGLU, 78.0), (ARABNEJAD, 128.0)])
def test_published_graphs_keep_their_makespan(problem: Problem, makespan_s: float) -> None:
    assert predict(problem, sufferage(problem)).makespan_s == makespan_s


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_what_comes_first_suffers_at_least_as_much_as_who_wanted_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.uniform(1, 9, (6, 3))
    problem = published(",".join(" ".join(map(str, row)) for row in rows))
    wanted = rows.argmin(axis=1)
    ordered = np.sort(rows, axis=1)
    suffers = ordered[:, 1] - ordered[:, 0]
    order = sufferage(problem).order or ()
    first_pass = order[: len(set(wanted))]
    assert {wanted[task] for task in first_pass} == set(wanted)
    for task in first_pass:
        assert suffers[task] == suffers[wanted == wanted[task]].max()
