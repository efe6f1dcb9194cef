"""Where one allocation gives way to another: edges by hand, rising loads, points that are near."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.assumptions import find_assumption
from advisor.allocation.feasibility import check_feasible
from advisor.allocation.loads import find_parameter
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import UNKNOWN, DecisionMap
from advisor.studies.decision_map.run import run
from advisor.studies.study import StudyProgress
from machines import InfeasibleError, InputError, Machine, Platform
from tests.conftest import two_machines

CONTENDERS, LINK = "contenders:M1", "link slowdown:M1-M2"


def problem() -> Problem:
    """Two tasks; both on M1 16 s, A there and B on M2 49 s, the reverse 30 s, both on M2 48 s."""
    project = two_machines()
    return Problem.of(project.platform, project.workload)


def alone(work: float = 6.0) -> Problem:
    """One task on two machines, the second twice as fast."""
    platform = Platform("p", (Machine("M1"), Machine("M2", speed=2.0)))
    return Problem.of(platform, Workload("w", (Task("A", work=work),)))


def drawn(of: Problem, **asked: object) -> DecisionMap:
    found = run(DecisionMapParameters(of, **asked)).picture(DecisionMap)  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.fixture(scope="module")
def published() -> DecisionMap:
    return drawn(problem(), x=CONTENDERS, y=LINK, x_low=0.0, x_high=6.0, y_low=1.0, y_high=4.0,
                 points=13)  # fmt: skip


# Edges ------------------------------------------------------------------------------------


def test_regions_give_way_where_their_sums_cross(published: DecisionMap) -> None:
    for row, column in itertools.product(range(13), repeat=2):
        x, link = 0.5 * column, 1.0 + 0.25 * row
        sums = {
            "both on M1": 16.0 * (1.0 + x),
            "A on M2, B on M1": 18.0 + 8.0 * link + 4.0 * (1.0 + x),
            "A on M1, B on M2": 12.0 * (1.0 + x) + 7.0 * link + 30.0,
            "both on M2": 48.0,
        }
        least = min(sums.values())
        best = {name for name, value in sums.items() if value <= least * (1.0 + 1e-9)}
        assert published.labels[published.region[row, column]] in best
        assert published.values_s[row, column] == pytest.approx(least)


def test_of_one_task_the_edge_is_a_straight_line_of_equal_slowdowns() -> None:
    # 6 (1 + x) s on M1, 3 (1 + y) s on M2: M1 is better below y = 1 + 2x
    found = drawn(alone(), x="contenders:M1", y="contenders:M2", x_low=0.0, x_high=4.0,
                  y_low=0.0, y_high=8.0, points=9)  # fmt: skip
    for row, column in itertools.product(range(9), repeat=2):
        x, y = 0.5 * column, 1.0 * row
        if y != 1.0 + 2.0 * x:
            better = "A on M1" if y > 1.0 + 2.0 * x else "A on M2"
            assert found.labels[found.region[row, column]] == better
        assert found.values_s[row, column] == pytest.approx(min(6 * (1 + x), 3 * (1 + y)))


@pytest.mark.parametrize(("x", "rises"), [(CONTENDERS, True), ("speed:M1", False)])
def test_more_load_never_helps_and_more_speed_never_harms(x: str, rises: bool) -> None:
    found = drawn(problem(), x=x, y=LINK, points=9)
    along = np.diff(found.values_s, axis=1)
    assert (along >= -1e-9).all() if rises else (along <= 1e-9).all()
    assert (np.diff(found.values_s, axis=0) >= -1e-9).all()  # a slower link never helps


def test_only_the_loads_of_the_axes_are_varied() -> None:
    slow = replace(problem().platform.machines[1], slowdown=3.0)
    platform = replace(problem().platform, machines=(problem().platform.machines[0], slow))
    of = Problem.of(platform, problem().workload)
    found = drawn(of, x=CONTENDERS, y=LINK, x_low=0.0, x_high=9.0, y_low=1.0, points=4)
    # both on M2 takes 144 s then, so that it is best only where M1 has 8 contenders and more
    assert found.values_s[0].tolist() == pytest.approx(
        [min(16 * s, 54 + 8 + 4 * s, 144.0) for s in (1.0, 4.0, 7.0, 10.0)]
    )


# Reading the map --------------------------------------------------------------------------


@given(st.floats(-1.0, 8.0), st.floats(0.0, 6.0))
def test_a_point_is_answered_by_the_nearest_that_was_computed(
    published: DecisionMap, x: float, y: float
) -> None:
    answer = published.at(x, y)
    assert answer is not None
    plan, label, value = answer
    column, row = (
        min(max(round((at - low) / step), 0), 12) for at, low, step in ((x, 0, 0.5), (y, 1, 0.25))
    )
    here = published.values_s[row, column]
    neighbours = published.values_s[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    halfway = any(abs(one % 1.0 - 0.5) < 1e-9 for one in (x / 0.5, (y - 1.0) / 0.25))
    assert value == here or (halfway and value in neighbours)
    assert label == published.labels[published.plans.index(plan)]


def test_shares_are_one_in_all_and_each_that_of_its_region(published: DecisionMap) -> None:
    shares = published.shares()
    assert math.fsum(shares) == pytest.approx(1.0)
    for number, share in enumerate(shares):
        assert share == pytest.approx(np.count_nonzero(published.region == number) / 169)
    half = published.region.copy()
    half[::2] = UNKNOWN
    part = replace(published, region=half)
    assert math.fsum(part.shares()) == pytest.approx(1.0)


def test_where_a_task_can_run_nowhere_else_the_map_is_of_one_plan() -> None:
    tasks = (Task("A", work=6.0, allowed=("M1",)),)
    of = Problem.of(alone().platform, Workload("w", tasks))
    result = run(DecisionMapParameters(of, points=5))
    found = result.picture(DecisionMap)
    assert found is not None
    assert found.labels == ("A on M1",)
    assert (found.region == 0).all()
    assert result.headline.endswith("and nothing changes that.")


# Axes -------------------------------------------------------------------------------------


def test_without_axes_contenders_that_matter_meet_a_link_or_another_load() -> None:
    with_link = drawn(problem(), points=3)
    assert (with_link.x.key, with_link.y.key) == ("contenders:M1", "link slowdown:M1–M2")
    without = drawn(alone(), points=3)
    # on M2, which is twice as fast, a contender moves the task; those on M1 matter beside them,
    # not the slowdown of M2, which its contenders set
    assert (without.x.key, without.y.key) == ("contenders:M2", "contenders:M1")


@pytest.mark.parametrize(("x", "y"), [
    (LINK, LINK), ("machine slowdown:M2", "contenders:M2"), ("speed:M1", "speed:M1"),
])  # fmt: skip
def test_axes_that_undo_each_other_are_refused_with_both_names(x: str, y: str) -> None:
    with pytest.raises(InputError) as refused:
        run(DecisionMapParameters(problem(), x=x, y=y))
    said = str(refused.value).replace("–", "-")
    assert x in said
    assert y in said
    assert "Choose two different" in said
    # a load and a speed of the same machine go together
    assert drawn(problem(), x="speed:M1", y="contenders:M1", points=3).complete


def test_ends_that_are_given_are_those_of_the_grid_and_the_rest_is_the_load_s_own() -> None:
    found = drawn(problem(), x=CONTENDERS, y=LINK, x_high=3.0, y_low=2.0, points=5)
    assert (found.x_values[0], found.x_values[-1]) == (found.x.low, 3.0)
    assert (found.y_values[0], found.y_values[-1]) == (2.0, found.y.high)
    assert np.diff(found.x_values) == pytest.approx(np.full(4, 0.75))


# On the way -------------------------------------------------------------------------------


def test_points_are_told_as_they_are_computed_and_each_is_computed_once() -> None:
    told: list[StudyProgress] = []
    run(DecisionMapParameters(problem(), points=9), told.append)
    shares = [one.fraction for one in told]
    assert shares == sorted(shares)
    assert shares[-1] < 1.0
    counted = [one for one in told if one.sentence.endswith("of 81 points")]
    assert [int(one.sentence.split()[0]) for one in counted if one.partial is None] == list(
        range(0, 81, 16)
    )
    assert [one.sentence for one in told if one.partial is not None] == [
        "4 of 81 points", "9 of 81 points", "25 of 81 points", "solving borders",
    ]  # fmt: skip
    partial = [one.partial for one in told if one.partial is not None]
    assert len(partial) == 4  # the last with all points, before borders are solved for
    for one in partial:
        assert not one.complete
        assert len(one.tables[0].rows) == len(one.reasons) - 1  # the last names the timeline


def test_flows_of_no_data_leave_the_link_without_a_say() -> None:
    of = problem()
    free = Workload("w", of.workload.tasks, (Flow("A", "B"),))
    found = drawn(Problem.of(of.platform, free), x=CONTENDERS, y=LINK, points=5)
    assert (found.values_s == found.values_s[0]).all()


@pytest.mark.parametrize(
    ("x", "y"),
    [("task time:A", "task time:B"), ("memory:M2", "contenders:M1"), ("task time:A", "")],
)
def test_tasks_data_and_memory_are_axes_and_every_point_holds_the_best(x: str, y: str) -> None:
    made = two_machines(contenders=2)
    tasks = tuple(replace(task, memory_bytes=10**9) for task in made.workload.tasks)
    machines = tuple(replace(one, memory_bytes=15 * 10**8) for one in made.platform.machines)
    platform = replace(made.platform, machines=machines)
    problem = Problem.of(platform, replace(made.workload, tasks=tasks))
    asked = DecisionMapParameters(problem, x=x, y=y, points=5)
    if not y:
        with pytest.raises(InputError, match="the other axis"):
            run(asked)
        return
    found = run(asked).picture(DecisionMap)
    assert found is not None
    assert found.complete
    assert found.x.key == x
    axes = [find_axis(problem, key) for key in (x, y)]
    for row, column in itertools.product(range(5), repeat=2):
        there = problem
        for axis, value in zip(axes, (found.x_values[column], found.y_values[row]), strict=True):
            there = axis(there, float(value))
        values = []
        for allocation in itertools.product(range(2), repeat=2):
            with suppress(InfeasibleError):
                check_feasible(there, Plan(allocation))
                values.append(predict(there, Plan(allocation)).makespan_s)
        if values:
            assert found.values_s[row, column] == pytest.approx(min(values))
        else:
            assert found.region[row, column] == UNKNOWN


def find_axis(problem: Problem, key: str) -> Callable[[Problem, float], Problem]:
    one = find_assumption(problem.platform, problem.workload, key)
    if one is not None:
        return one.applied
    load = find_parameter(problem.platform, key)
    return lambda here, value: here.on(load.applied(here.platform, value, here.reading))
