"""What a decision map says holds whatever the machines are called, in words, table and JSON."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from advisor.allocation.objectives import OBJECTIVES
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.quantities import duration
from advisor.studies import STUDIES
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import UNKNOWN, DecisionMap
from advisor.studies.decision_map.run import run
from advisor.studies.study import StudyResult
from machines import Contender, Direction, InputError, Link, Machine, Platform

POINTS = 9


def problem(names: tuple[str, str] = ("M1", "M2"), times: float = 1.0) -> Problem:
    """Figueira & Berman's two tasks with two contenders on the first machine."""
    one, two = names
    busy = tuple(Contender(f"job {number}", 1.0) for number in (1, 2))
    wire = Direction(0.001, 1e6)
    platform = Platform(
        "p", (Machine(one, contenders=busy), Machine(two)), (Link(one, two, wire, wire),)
    )
    tasks = (
        Task("A", seconds=((one, 12.0 * times), (two, 18.0 * times))),
        Task("B", seconds=((one, 4.0 * times), (two, 30.0 * times))),
    )
    moves = (((one, two), 7.0 * times), ((two, one), 8.0 * times))
    return Problem.of(platform, Workload("w", tasks, (Flow("A", "B", seconds=moves),)))


def asked(of: Problem, **settings: object) -> DecisionMapParameters:
    return DecisionMapParameters(of, points=POINTS, **settings)  # type: ignore[arg-type]


def picture(result: StudyResult) -> DecisionMap:
    found = result.picture(DecisionMap)
    assert found is not None
    return found


@cache
def whole() -> StudyResult:
    """The map that most are compared with."""
    return run(asked(problem()))


def test_other_names_of_the_machines_give_the_same_map() -> None:
    plain, named = picture(whole()), picture(run(asked(problem(("Z", "Ägir")))))
    assert (plain.region == named.region).all()
    assert plain.values_s.tolist() == named.values_s.tolist()
    assert [one.allocation for one in plain.plans] == [one.allocation for one in named.plans]
    assert named.labels == tuple(
        label.replace("M1", "Z").replace("M2", "Ägir") for label in plain.labels
    )
    assert (named.x.key, named.y.key) == ("contenders:Z", "link slowdown:Z–Ägir")


@pytest.mark.parametrize("times", [1e-6, 0.125, 1000.0])
def test_all_times_longer_by_a_factor_give_the_same_regions_and_values_by_that_factor(
    times: float,
) -> None:
    plain, scaled = picture(whole()), picture(run(asked(problem(times=times))))
    assert (plain.region == scaled.region).all()
    assert scaled.values_s == pytest.approx(times * plain.values_s)


def test_swapped_axes_give_the_map_at_its_diagonal() -> None:
    x, y = "contenders:M1", "link slowdown:M1-M2"
    one = picture(run(asked(problem(), x=x, y=y)))
    other = picture(run(asked(problem(), x=y, y=x)))
    assert one.values_s == pytest.approx(other.values_s.T)
    assert one.present == other.present[::-1]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_plan_of_the_map_is_better_anywhere_than_the_one_that_it_shows(objective: str) -> None:
    of = problem()
    found = picture(run(asked(of, objective=objective)))
    assert found.objective == objective
    for row, column in itertools.product(range(POINTS), repeat=2):
        platform = found.x.applied(of.platform, float(found.x_values[column]), of.reading)
        platform = found.y.applied(platform, float(found.y_values[row]), of.reading)
        here = Problem.of(platform, of.workload)
        values = [
            predict(here, plan).makespan_s
            if objective == "makespan"
            else predict(here, plan).total_s
            for plan in found.plans
        ]
        assert found.values_s[row, column] == pytest.approx(min(values))
        assert values[found.region[row, column]] == pytest.approx(min(values))


def test_the_table_says_of_each_plan_how_much_of_the_map_and_from_when_to_when() -> None:
    result = whole()
    found, (table,) = picture(result), result.tables
    assert table.columns == (
        ("region", ""), ("allocation", ""), ("share", "%"), ("from", "s"), ("to", "s"),
    )  # fmt: skip
    assert sum(row[2] for row in table.rows) == pytest.approx(100.0)
    for number, (region, label, share, low, high) in enumerate(table.rows):
        here = found.region == number
        assert region == str(number + 1)
        assert label == found.labels[number]
        assert share == pytest.approx(100.0 * here.mean())
        assert (low, high) == (found.values_s[here].min(), found.values_s[here].max())


def test_the_reasons_say_the_rows_of_the_table_and_the_sentence_the_first_of_them() -> None:
    result = whole()
    rows = result.tables[0].rows
    *regions, timeline = result.reasons
    assert regions == [
        f"{region}, {label}: {duration(low)} to {duration(high)}."
        for region, label, _, low, high in rows
    ]
    assert timeline == "Timeline: contention-aware schedule."
    assert result.headline.startswith("A on M2, B on M1 is best at the present load (")
    assert f"; {len(rows) - 1} other allocations are best elsewhere" in result.headline


def test_the_first_plan_is_that_of_the_present_load() -> None:
    found = picture(run(asked(problem(), x="contenders:M1", x_low=0.0, x_high=4.0)))
    column = int(np.argmin(np.abs(found.x_values - found.present[0])))
    assert found.x_values[column] == found.present[0]
    assert found.region[0, column] == 0
    nearest = found.at(*found.present)
    assert nearest is not None
    assert nearest[1] == found.labels[0]


def test_one_other_plan_is_told_in_the_singular() -> None:
    low_high = {"x": "contenders:M1", "x_low": 0.0, "x_high": 2.0, "y_low": 1.0, "y_high": 1.1}
    found = run(asked(problem(), **low_high))
    assert len(picture(found).plans) == 2
    assert "; 1 other allocation is best elsewhere on this map." in found.sentence


def test_the_json_is_the_map() -> None:
    result = whole()
    found = picture(result)
    report = STUDIES["decision-map"].report(result, problem())["map"]
    assert isinstance(report, dict)
    assert report["region"] == found.region.tolist()
    assert report["values_s"] == found.values_s.tolist()
    assert report["x"] == {"parameter": found.x.key, "values": found.x_values.tolist()}
    assert report["present"] == [2.0, 1.0]
    assert report["exact"] is True
    assert [one["label"] for one in report["plans"]] == [*found.labels]
    assert report["plans"][0]["allocation"] == {"A": "M2", "B": "M1"}


@pytest.mark.parametrize("before", [0, 1, 2, 7, 30, 100])
def test_stopped_anywhere_it_knows_what_it_says(before: int) -> None:
    plain, calls = picture(whole()), iter([False] * before)
    result = run(asked(problem()), should_stop=lambda: next(calls, True))
    found = picture(result)
    known = np.isfinite(found.values_s)
    assert not result.complete and not found.complete
    assert found.values_s[known].tolist() == plain.values_s[known].tolist()
    for row, column in zip(*np.nonzero(known), strict=True):
        ours, theirs = (
            found.plans[found.region[row, column]],
            plain.plans[plain.region[row, column]],
        )
        assert ours.allocation == theirs.allocation


def test_where_nothing_is_known_nothing_is_told() -> None:
    calls = iter([False])
    found = picture(run(asked(problem()), should_stop=lambda: next(calls, True)))
    assert (found.region == UNKNOWN).all()
    assert found.at(0.0, 1.0) is None
    assert found.shares() == (0.0,)
    row = run(asked(problem()), should_stop=lambda: True).tables[0].rows[0]
    assert math.isnan(row[3]) and math.isnan(row[4])


def test_shares_are_of_the_points_that_are_known() -> None:
    plain = picture(whole())
    region = plain.region.copy()
    region[1:] = UNKNOWN
    part = replace(plain, region=region)
    counts = np.bincount(plain.region[0], minlength=len(plain.plans))
    assert part.shares() == tuple((counts / POINTS).tolist())


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"x": "contenders:M9"}, "contenders:M9"),
        ({"x": "weather:M1"}, "weather"),
        ({"x_low": 2.0, "x_high": 1.0}, "range is empty"),
        ({"y_low": 3.0, "y_high": 3.0}, "range is empty"),
    ],
)
def test_axes_that_are_none_are_refused_by_name(settings: dict[str, object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        run(asked(problem(), **settings))
