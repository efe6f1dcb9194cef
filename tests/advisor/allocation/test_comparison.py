"""Plans side by side."""

from __future__ import annotations

import pytest

from advisor.allocation.comparison import compare
from advisor.allocation.measures import MEASURES, front
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, InfeasibleError, InputError, Link, Machine, Platform, Switch
from tests.conftest import two_machines

PLANS = (
    ("both on M1", Plan((0, 0))),
    ("A on M2", Plan((1, 0))),
    ("both on M2", Plan((1, 1))),
    ("B on M2", Plan((0, 1))),
)


def problem(contenders: int = 2) -> Problem:
    project = two_machines(contenders)
    return Problem.of(project.platform, project.workload)


def test_the_published_allocations_take_the_published_times() -> None:
    assert [row.makespan_s for row in compare(problem(0), PLANS)] == pytest.approx([16, 30, 48, 49])
    assert [row.makespan_s for row in compare(problem(2), PLANS)] == pytest.approx([48, 38, 48, 73])


def test_differences_are_signed_against_the_first() -> None:
    rows = compare(problem(), PLANS)
    assert [row.makespan_difference_s for row in rows] == pytest.approx([0, -10, 0, 25])
    assert [row.difference_s("total") for row in rows] == pytest.approx([0, -10, 0, 25])


def test_every_row_carries_its_causes_utilisation_and_gap() -> None:
    for row in compare(problem(), PLANS, "total"):
        assert sum(row.breakdown_s.values()) == pytest.approx(row.total_s)
        assert len(row.utilisation) == 2
        assert row.gap == pytest.approx(row.prediction.gap("total"))
        assert row.gap >= -1e-12


def test_every_row_names_what_is_shared_most_and_the_endless_network() -> None:
    way = Direction(0.0, 100.0)
    platform = Platform(
        "bus",
        (Machine("M1"), Machine("M2")),
        tuple(Link(name, "bus", way, way) for name in ("M1", "M2")),
        switches=(Switch("bus", 50.0),),
    )
    tasks = (Task("a", work=1.0), Task("b", work=1.0), Task("c", work=1.0))
    flows = (Flow("a", "b", ((1, 100.0),)), Flow("a", "c", ((1, 100.0),)))
    plans = (("apart", Plan((0, 1, 1))), ("together", Plan((0, 0, 0))))
    workload = Workload("w", tasks, flows)
    apart, together = compare(Problem.of(platform, workload), plans)
    # 1 s, both transfers in 4 s, then 1 s each; alone in 2 s each
    assert (apart.makespan_s, apart.endless_s) == pytest.approx((7.0, 5.0))
    assert (apart.busiest, apart.busy_share) == ("bus", pytest.approx(200.0 / (50.0 * 7.0)))
    assert (together.busiest, together.busy_share, together.endless_s) == ("", 0.0, 3.0)
    alone, _ = compare(Problem.of(platform, workload, sharing=NONE), plans)
    assert (alone.sharing, alone.busiest, alone.endless_s) == ("none", "", alone.makespan_s)
    assert apart.sharing == "fair"


def test_only_the_best_is_on_the_front_of_a_chain() -> None:
    rows = compare(problem(), PLANS)
    assert front(rows, MEASURES["total"]) == [False, True, False, False]


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(InputError, match="makespan or total"):
        compare(problem(), PLANS, "energy")


def test_a_plan_that_cannot_run_is_named() -> None:
    project = two_machines()
    apart = Platform("apart", (Machine("M1"), Machine("M2")))
    flow = Flow("A", "B", ((1, 10.0),))
    alone = Problem.of(apart, Workload("w", project.workload.tasks, (flow,)))
    with pytest.raises(InfeasibleError):
        compare(alone, [("apart", Plan((0, 1)))])
