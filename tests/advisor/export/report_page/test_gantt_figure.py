"""What the schedule's figures show is what was predicted: times, causes, who overlaps whom."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from advisor.allocation.predict import predict
from advisor.allocation.task_causes import task_causes
from advisor.basics.causes import COLOURS, COMPUTING, PROCESSOR_WAIT
from advisor.export.report_page import gantt_figure as lanes_file
from advisor.export.report_page.gantt_figure import lanes, schedule_figures
from advisor.export.report_page.page_blocks import Figure
from advisor.export.report_page.svg_drawing import svg
from advisor.project.project import Project
from tests.advisor.export.report_page.asked import SVG, many, unsearched
from tests.conftest import cluster, two_machines


def figures(project: Project) -> tuple[Figure, ...]:
    problem = project.problem()
    prediction = predict(problem, project.plan)
    return schedule_figures(problem, prediction, task_causes(problem.costs, prediction), "The plan")


def drawn(figure: Figure, width: float | None = None) -> Element:
    root: Element = fromstring(svg(figure.drawing, figure.says, width))
    return root


def test_bars_lie_where_tasks_start_and_are_as_long_as_their_causes() -> None:
    # A: 12 s, three times slower beside two jobs; B: 4 s; so 12 + 24 + 4 + 8 = 48 s
    (figure,) = figures(two_machines(2))
    bars = [one for one in drawn(figure).iter(f"{SVG}rect") if one.get("fill") != "none"]
    shown = [(one.get("x"), one.get("width"), one.get("fill")) for one in bars]
    assert shown == [
        ("0%", "25%", COLOURS[COMPUTING]),
        ("25%", "50%", COLOURS[PROCESSOR_WAIT]),
        ("75%", "8.333%", COLOURS[COMPUTING]),
        ("83.333%", "16.667%", COLOURS[PROCESSOR_WAIT]),
    ]
    assert figure.legend == (
        (COMPUTING, COLOURS[COMPUTING]),
        (PROCESSOR_WAIT, COLOURS[PROCESSOR_WAIT]),
    )
    texts = [one.text for one in drawn(figure).iter(f"{SVG}text")]
    assert "makespan 48.0 s" in texts
    assert "1 machine without tasks is not drawn." in figure.caption


def test_a_width_gives_the_same_drawing_in_pixels() -> None:
    (figure,) = figures(two_machines(2))
    shares, pixels = drawn(figure), drawn(figure, 400.0)
    assert pixels.get("width") == "400"
    for one, other in zip(shares.iter(f"{SVG}rect"), pixels.iter(f"{SVG}rect"), strict=True):
        share = float(one.get("x", "").removesuffix("%"))
        assert float(other.get("x", "")) == pytest.approx(4.0 * share, abs=0.01)


def test_no_bar_of_a_row_lies_over_another() -> None:
    project = cluster(4, 9, 4)
    problem = project.problem()
    prediction = predict(problem, project.plan)
    found = lanes(prediction, task_causes(problem.costs, prediction), prediction.makespan_s)
    assert sorted(bar.task for lane in found for bar in lane.bars) == list(range(38))
    for lane in found:
        for row in range(lane.rows):
            bars = sorted((one for one in lane.bars if one.row == row), key=lambda b: b.begin_s)
            for one, following in pairwise(bars):
                assert prediction.end_s[one.task] <= following.begin_s + 1e-9


def test_merged_tasks_cover_as_much_as_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_file, "_MOST_BARS", 0)
    project = cluster(4, 9, 4)
    problem = project.problem()
    prediction = predict(problem, project.plan)
    causes = task_causes(problem.costs, prediction)
    for lane in lanes(prediction, causes, prediction.makespan_s):
        assert not lane.bars
        tasks = np.flatnonzero(np.array(project.plan.allocation) == lane.machine)
        column_s = prediction.makespan_s / lanes_file.COLUMNS
        for cause, heights in lane.profile:
            shown_s = sum(heights) / 100.0 * lane.rows * column_s
            takes_s = float(causes.seconds[causes.causes.index(cause), tasks].sum())
            # half a hundredth a column is rounding
            assert shown_s == pytest.approx(takes_s, abs=0.01 * lane.rows * prediction.makespan_s)
        stacked = np.array([heights for _, heights in lane.profile])
        assert stacked.min() >= 0
        assert stacked.sum(axis=0).max() <= 100


def test_a_profile_stays_inside_its_lane() -> None:
    report = unsearched(many(5_000))
    for figure in schedule_figures(report.problem, report.prediction, report.causes, "x"):
        for path in drawn(figure).iter(f"{SVG}path"):
            numbers = [int(one) for one in re.findall(r"\d+", path.get("d", ""))]
            assert max(numbers) <= lanes_file.COLUMNS


def test_many_machines_are_parted_into_figures_that_fit_a_sheet() -> None:
    report = unsearched(many(5_000, 60))
    found = schedule_figures(report.problem, report.prediction, report.causes, "The plan")
    assert [one.title for one in found] == ["The plan (1 of 3)", "The plan (2 of 3)",
                                            "The plan (3 of 3)"]  # fmt: skip
    assert max(one.drawing.height for one in found) < 800.0
    assert "Shown are the 36 busiest machines; 24 more with tasks" in found[-1].caption


def test_labels_are_there_where_they_fit_and_only_on_wide_pages_where_they_need_that() -> None:
    (figure,) = figures(cluster(2, 3, 2))
    labels = {one.text: one for one in drawn(figure).iter(f"{SVG}text")}
    assert any("roomy" in one.get("class", "") for one in labels.values())
    (loaded,) = figures(two_machines(2))
    label = next(one for one in drawn(loaded).iter(f"{SVG}text") if one.text == "A")
    assert "roomy" not in label.get("class", "")


def test_no_time_at_all_is_no_figure() -> None:
    project = many(60, 12)
    report = unsearched(project)
    assert schedule_figures(report.problem, report.prediction, report.causes, "x", 0.0) == ()
