"""Two tasks on two machines: the answer, its table and its bars against sums by hand."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import COMPUTING, LINK_WAIT, PROCESSOR_WAIT, TRANSFERRING
from advisor.basics.quantities import duration, percent
from advisor.studies import StudyProgress, StudyResult
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.allocation.run import run
from machines import Contender, Direction, InfeasibleError, Link, Machine, Platform
from tests.conftest import cluster

A_S, B_S = (12.0, 18.0), (4.0, 30.0)
MOVES_S = {(0, 0): 0.0, (1, 1): 0.0, (0, 1): 7.0, (1, 0): 8.0}
EVERY = tuple(itertools.product((0, 1), repeat=2))


@dataclass(frozen=True)
class Case:
    """Figueira & Berman's example with so many contenders on M1 and so slow a link."""

    contenders: int = 0
    link: float = 1.0
    times: float = 1.0

    @property
    def problem(self) -> Problem:
        busy = tuple(Contender(f"job {number}", 1.0) for number in range(self.contenders))
        wire = Direction(0.001, 1e6)
        platform = Platform(
            "p",
            (Machine("M1", contenders=busy), Machine("M2")),
            (Link("M1", "M2", wire, wire, slowdown=self.link),),
        )
        A, B = (
            Task(
                name, seconds=tuple(zip(("M1", "M2"), (self.times * s for s in each), strict=True))
            )
            for name, each in (("A", A_S), ("B", B_S))
        )
        moves = ((("M1", "M2"), 7.0 * self.times), (("M2", "M1"), 8.0 * self.times))
        return Problem.of(platform, Workload("w", (A, B), (Flow("A", "B", seconds=moves),)))

    def causes(self, a: int, b: int) -> dict[str, float]:
        """Each second by its cause: B follows A, so that nothing overlaps."""
        computing = A_S[a] + B_S[b]
        waiting = self.contenders * ((a == 0) * A_S[0] + (b == 0) * B_S[0])
        moving = MOVES_S[a, b]
        split = {
            COMPUTING: computing,
            PROCESSOR_WAIT: waiting,
            TRANSFERRING: moving,
            LINK_WAIT: (self.link - 1.0) * moving,
        }
        return {cause: self.times * value for cause, value in split.items()}

    def time(self, a: int, b: int) -> float:
        return sum(self.causes(a, b).values())


@cache
def answer(case: Case, present: tuple[int, int] | None, **more: object) -> StudyResult:
    current = None if present is None else Plan(present)
    return run(AllocationParameters(case.problem, current, seconds=0.05, **more))  # type: ignore[arg-type]


ASKED = pytest.mark.parametrize(
    ("case", "present", "objective"),
    [
        (Case(), (0, 0), "makespan"),
        (Case(2), (0, 0), "total"),
        (Case(2, link=4.0), (1, 0), "makespan"),
        (Case(3, times=1e-3), (0, 1), "makespan"),
        (Case(8, link=1.5, times=60.0), (1, 0), "total"),
    ],
)


@ASKED
def test_the_best_of_all_four_is_advised_with_what_it_saves(
    case: Case, present: tuple[int, int], objective: str
) -> None:
    result = answer(case, present, objective=objective)
    best, now = min(case.time(*one) for one in EVERY), case.time(*present)
    found = result.recommendation
    assert found is not None
    assert found.value_s == pytest.approx(best)
    if now <= best * (1.0 + 1e-9):
        assert result.sentence.startswith("Keep ")
        return
    saved = f"saves {duration(now - best)} ({percent(1.0 - best / now)})."
    assert result.sentence.endswith(saved)


@ASKED
def test_rows_are_sums_by_hand_and_bars_stack_to_them_cause_by_cause(
    case: Case, present: tuple[int, int], objective: str
) -> None:
    result = answer(case, present, objective=objective)
    (table,) = result.tables
    assert [unit for _, unit in table.columns] == ["", "s", "s", "s", "s", "", "%"]
    rows = {str(row[0]): row[1:] for row in table.rows}
    now, best = case.time(*present), min(case.time(*one) for one in EVERY)
    assert rows["recommended"][:2] == (pytest.approx(best), pytest.approx(best))
    assert rows["recommended"][2] == 0.0
    if "present" in rows:
        assert rows["present"][:4] == pytest.approx((now, now, now - best, now))
        place = list(rows).index("present")
        stacked = {one.name: one.y[place] for one in result.series}
        for cause, seconds in case.causes(*present).items():
            assert stacked.get(cause, 0.0) == pytest.approx(seconds)
    else:
        assert now == pytest.approx(best)
    for one in result.series:
        assert (one.kind, one.y_label, one.y_unit) == ("bars", objective, "s")
        assert list(one.x) == list(rows)
        assert any(one.y)


def test_without_a_present_plan_it_says_where_to_run_and_compares_with_none() -> None:
    result = answer(Case(8), None)
    assert result.sentence == "Run both on M2: makespan 48.0 s."
    assert "present" not in [row[0] for row in result.tables[0].rows]
    assert not any("against the present" in one for one in result.reasons)


def test_the_loads_that_flip_the_plan_are_where_the_sums_cross() -> None:
    # both on M1 is 16 (1 + x), apart 18 + 8 + 4 (1 + x), both on M2 48
    reasons = " ".join(answer(Case(2), (1, 0)).reasons)
    assert (
        "Break-even at 1.17 CPU-bound contenders on M1 (now 2); below, the best plan is both on M1"
    ) in reasons
    assert (
        "Break-even at 4.5 CPU-bound contenders on M1 (now 2); above, the best plan is both on M2"
    ) in reasons
    assert "Break-even at link slowdown 2.25 of M1–M2" in reasons


def test_what_no_machine_takes_is_refused() -> None:
    platform = Platform("apart", (Machine("M1"), Machine("M2")))
    tasks = (Task("A", work=1.0, allowed=("M1",)), Task("B", work=1.0, allowed=("M2",)))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("A", "B", ((1, 10.0),)),)))
    with pytest.raises(InfeasibleError):
        run(AllocationParameters(problem, seconds=0.05))


@pytest.mark.parametrize(("objective", "column"), [("makespan", 1), ("total", 2)])
def test_differences_are_of_the_objective_that_was_asked_for(objective: str, column: int) -> None:
    project = cluster(machines=3, width=2, stages=2)
    problem = Problem.of(project.platform, project.workload)
    result = run(AllocationParameters(problem, project.plan, objective, "heft", seconds=0.05))
    rows: list[tuple[Any, ...]] = list(result.tables[0].rows)
    assert [row[0] for row in rows[:2]] == ["recommended", "present"]
    for row in rows:
        assert row[3] == pytest.approx(row[column] - rows[0][column])
    # tasks overlap here, so that the two objectives differ
    assert all(row[1] < row[2] for row in rows)
    assert result.recommendation is not None
    assert result.recommendation.strategy == "heft"
    assert rows[0][column] == pytest.approx(result.recommendation.value_s)


@pytest.mark.parametrize("before", [0, 1, 3, 10])
def test_stopped_anywhere_a_plan_and_its_sums_are_given(before: int) -> None:
    case, calls = Case(3), itertools.count()
    told: list[StudyProgress] = []
    asked = AllocationParameters(case.problem, Plan((0, 0)), seconds=0.05)
    result = run(asked, told.append, lambda: next(calls) >= before)
    assert not result.complete
    found = result.recommendation
    assert found is not None
    one, other = found.plan.allocation
    assert found.value_s == pytest.approx(case.time(one, other))
    assert found.value_s <= case.time(0, 0)
    assert [each.fraction for each in told] == sorted(each.fraction for each in told)
