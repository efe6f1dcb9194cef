"""Borders lie where plans are equal: Figueira & Berman's two machines, by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import Cell, DecisionMap, around
from advisor.studies.decision_map.plan_borders import Borders, root
from advisor.studies.decision_map.run import run
from machines import Machine, Platform
from tests.conftest import two_machines

CONTENDERS, LINK = "contenders:M1", "link slowdown:M1-M2"


def drawn(points: int, **asked: object) -> DecisionMap:
    project = two_machines()
    of = Problem.of(project.platform, project.workload)
    found = run(DecisionMapParameters(of, points=points, **asked)).picture(DecisionMap)  # type: ignore[arg-type]
    assert found is not None
    return found


def loads(found: DecisionMap, cell: Cell, shares: tuple[float, float]) -> tuple[float, float]:
    x, y = (
        float(values[place] + share * (values[place + 1] - values[place]))
        for values, place, share in zip(
            (found.x_values, found.y_values), (cell.column, cell.row), shares, strict=True
        )
    )
    return x, y


def sums(x: float, link: float) -> dict[str, float]:
    """What the plans take by hand, with x contenders on M1 and the link slowed."""
    return {
        "both on M1": 16.0 * (1.0 + x),
        "A on M2, B on M1": 18.0 + 8.0 * link + 4.0 * (1.0 + x),
        "A on M1, B on M2": 12.0 * (1.0 + x) + 7.0 * link + 30.0,
        "both on M2": 48.0,
    }


@pytest.mark.parametrize("points", [6, 12, 20])
def test_both_plans_beside_a_border_take_equally_long_on_it(points: int) -> None:
    found = drawn(points, x=CONTENDERS, y=LINK, x_low=0.0, x_high=6.0, y_low=1.0, y_high=4.0)
    assert found.cells
    for cell in found.cells:
        befores = (cell.regions[-1], *cell.regions[:-1])
        for place, before, after in zip(cell.places, befores, cell.regions, strict=True):
            values = sums(*loads(found, cell, around(place)))
            one, other = (values[found.labels[region]] for region in (before, after))
            assert one == pytest.approx(other, rel=1e-6)
            assert one == pytest.approx(min(values.values()), rel=1e-6)


def test_three_plans_meet_where_all_three_are_equal() -> None:
    # 16 (1 + x) = 48 at x = 2, and 18 + 8 y + 12 = 48 at y = 2.25
    found = drawn(12, x=CONTENDERS, y=LINK, x_low=0.0, x_high=6.0, y_low=1.0, y_high=4.0)
    (meeting,) = [cell for cell in found.cells if len(set(cell.regions)) == 3]
    assert loads(found, meeting, meeting.joint) == pytest.approx((2.0, 2.25), abs=1e-6)


def test_a_vertical_border_is_where_the_sums_say_and_not_on_a_side_of_a_cell() -> None:
    # above their meeting both on M1 gives way to both on M2 at x = 2, between 1.8 and 2.4
    found = drawn(11, x=CONTENDERS, y=LINK, x_low=0.0, x_high=6.0, y_low=3.0, y_high=6.0)
    assert 2.0 not in found.x_values.round(9)
    ends = [loads(found, cell, around(at)) for cell in found.cells for at in cell.places]
    assert len(found.cells) == 10
    assert {round(x, 6) for x, _ in ends} == {2.0}


def test_a_plan_between_two_others_on_one_side_of_a_cell_is_found() -> None:
    # along y = 1.5 both on M1 to 1.5, A on M2 to 3.5, both on M2 beyond: in one step from 1 to 4
    found = drawn(3, x=CONTENDERS, y=LINK, x_low=1.0, x_high=7.0, y_low=1.5, y_high=4.5)
    assert found.labels[int(found.region[0, 0])] == "both on M1"
    grid = np.array([[0, 2], [0, 2]], dtype=np.int32)
    plans = [lambda x: 16 * (1 + x), lambda x: 34 + 4 * x, lambda _: 48.0]

    def values_at(point: tuple[float, float]) -> np.ndarray:
        return np.array([plan(1.0 + 3.0 * point[0]) for plan in plans])

    (cell,) = Borders(grid, values_at, lambda: False, lambda _share: None).cells()
    assert cell.regions == (1, 2, 1, 0)
    assert cell.places == pytest.approx((0.5 / 3, 2.5 / 3, 2 + 0.5 / 3, 2 + 2.5 / 3))


def test_where_only_one_plan_is_best_there_is_no_border_and_a_stop_gives_none() -> None:
    assert drawn(5, x=CONTENDERS, y=LINK, x_low=0.0, x_high=1.0, y_low=3.0, y_high=4.0).cells == ()
    grid = np.array([[0, 1], [0, 1]], dtype=np.int32)
    borders = Borders(grid, lambda _p: np.array([0.0, 1.0]), lambda: True, lambda _share: None)
    assert borders.cells() == ()


@pytest.mark.parametrize(
    ("difference", "expected", "most"),
    [
        (lambda x: 3.0 * x - 1.0, 1.0 / 3.0, 4),
        (lambda x: x**3 - 0.001, 0.1, 40),
        (lambda x: min(x - 0.9, 20.0 * (x - 0.9)), 0.9, 20),
        (lambda x: x, 0.0, 2),
        (lambda x: x - 1.0, 1.0, 2),
        (lambda x: -1.0 if x < 0.3 else 1.0, 0.3, 45),
    ],
)
def test_a_root_is_found_in_few_steps(difference, expected: float, most: int) -> None:
    asked: list[float] = []

    def counted(x: float) -> float:
        asked.append(x)
        return float(difference(x))

    assert root(counted, 0.0, 1.0) == pytest.approx(expected, abs=1e-4)
    assert len(asked) <= most


def test_now_is_the_boards_own_value_at_its_own_load() -> None:
    # M1 slowed 2.2 times: both there take 35.2 s, A on M2 18 + 8 + 4 · 2.2 = 34.8 s; the nearest
    # of eleven points, at one contender, would give 32 s
    project = two_machines()
    slow = replace(project.platform.machines[0], contenders=(), slowdown=2.2)
    platform = replace(project.platform, machines=(slow, project.platform.machines[1]))
    of = Problem.of(platform, project.workload)
    result = run(DecisionMapParameters(of, points=11, x=CONTENDERS, y=LINK))
    found = result.picture(DecisionMap)
    assert found is not None
    assert found.present_s == pytest.approx(34.8)
    assert found.present == pytest.approx((1.2, 1.0))
    assert "makespan 34.8 s" in result.headline


# Axes -------------------------------------------------------------------------------------


def test_without_axes_those_are_shown_on_which_the_best_plan_depends() -> None:
    found = drawn(13)
    assert (found.x.key, found.y.key) == (CONTENDERS, LINK.replace("-", "–"))
    assert len(found.plans) == 3
    assert found.unmoved == 0
    assert min(found.shares()) > 0.02


def test_a_range_ends_not_far_beyond_the_last_change() -> None:
    # M2 only 1.1 times slower: one task goes there from 0.1 contenders on, and stays
    platform = Platform("p", (Machine("M1", speed=1.1), Machine("M2")))
    of = Problem.of(platform, Workload("w", (Task("A", work=6.0),)))
    found = run(DecisionMapParameters(of, points=9)).picture(DecisionMap)
    assert found is not None
    assert found.x.key == "contenders:M1"
    assert 0.2 <= found.x_values[-1] <= 1.0
    assert len(found.plans) == 2


def test_where_nothing_changes_it_says_so_and_how_much_was_looked_at() -> None:
    platform = Platform("p", (Machine("M1"), Machine("M2")))
    of = Problem.of(platform, Workload("w", (Task("A", work=6.0, allowed=("M1",)),)))
    result = run(DecisionMapParameters(of, points=5))
    found = result.picture(DecisionMap)
    assert found is not None
    assert len(found.plans) == 1
    assert found.unmoved == 6  # contenders, slowdown and speed of either machine
    assert result.headline.endswith("and nothing changes that.")
    assert any("Varied 6 loads" in note.text for note in result.notes)
    assert math.isfinite(found.present_s)


def test_an_axis_that_is_asked_for_stays_and_the_other_is_looked_for() -> None:
    found = drawn(5, y=CONTENDERS, y_low=0.0, y_high=3.0)
    assert found.y.key == CONTENDERS
    assert found.y_values[[0, -1]].tolist() == [0.0, 3.0]
    assert found.x.key == LINK.replace("-", "–")
