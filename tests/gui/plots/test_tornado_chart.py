"""The bars of *What if*: what is best along each is told, named and coloured stretch by stretch."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from advisor.advice.assumptions import UNITS
from advisor.allocation.loads import CONTENDERS
from advisor.allocation.problem import Problem
from advisor.allocation.task import Variant
from advisor.allocation.workload import Task, Workload
from advisor.studies.what_if.run import Tornado, WhatIfParameters, run
from gui.plots.axis_ticks import Axis
from gui.plots.bar_chart import roomy_ticks
from gui.plots.region_map import region_colour
from gui.plots.tornado_chart import TornadoChart, title_right
from machines import Machine, Platform, Resource


@pytest.fixture
def chart(qtbot: QtBot) -> TornadoChart:
    """With c contenders on M1: both there 8 (1 + c); A on M2 max(9, 4 (1 + c)); both on M2 11."""
    platform = Platform("pair", (Machine("M1"), Machine("M2", cores=2)))
    tasks = tuple(
        Task(name, seconds=(("M1", 4.0), ("M2", there_s)))
        for name, there_s in (("A", 9.0), ("B", 11.0))
    )
    asked = Problem.of(platform, Workload("two", tasks))
    found = run(WhatIfParameters(asked, kinds=(CONTENDERS,))).picture(Tornado)
    chart = TornadoChart("tornado", "What if", "Nothing")
    qtbot.addWidget(chart)
    chart.resize(1200, 600)
    chart.show_tornado(found)
    return chart


def test_each_stretch_of_a_bar_says_which_plan_is_best_below_or_above(chart: TornadoChart) -> None:
    said = chart.hint_at(chart.row_middle(0))
    assert "Above 0.125, best is: A on M2, B on M1" in said
    assert "Above 1.75, best is: both on M2" in said
    assert "From" not in said
    high = next(row for row in chart.table().rows if row[4])
    assert high[4:] == ("above 0.125", "A on M2, B on M1; above 1.75: both on M2")


def test_each_stretch_of_a_bar_has_the_colour_of_the_plan_that_is_best_along_it(
    chart: TornadoChart,
) -> None:
    assert chart.found is not None
    image = chart.grab().toImage()
    y = round(chart.row_middle(0).y() + 5)  # below the names
    row = [image.pixelColor(x, y).rgb() for x in range(image.width())]
    side = chart.bars[0].high
    plans = [0, *(one.best for one in side.takeovers)]
    first = [row.index(region_colour(plan).rgb()) for plan in plans]
    assert first == sorted(first)
    assert len(set(first)) == 3


def test_a_bar_without_length_says_what_another_plan_gains(qtbot: QtBot) -> None:
    machine = Machine("M", cores=8, resources=(Resource("gpu"),))
    ways = (Variant("cpu", work=10.0), Variant("gpu", work=4.0, resources=(("gpu", 1),)))
    tasks = tuple(Task(f"t {i}", variants=ways) for i in range(4))
    asked = Problem.of(Platform("one", (machine,)), Workload("four", tasks))
    chart = TornadoChart("tornado", "What if", "Nothing")
    qtbot.addWidget(chart)
    chart.show_tornado(run(WhatIfParameters(asked, kinds=(UNITS,))).picture(Tornado))
    assert "1 to 2; another plan: 8.00 s" in chart.accessibleDescription()


def test_the_title_of_the_axis_ends_before_the_first_tick_begins(chart: TornadoChart) -> None:
    metrics = QFontMetricsF(chart.small_font())
    axis = Axis("makespan", "s", 150.0, 600.0, 300.0, 1500.0)
    ticks = roomy_ticks(axis, metrics)
    at, text = ticks[0]
    assert text == "2 min 30 s"
    begin = axis.position(at) - metrics.horizontalAdvance(text) / 2
    assert title_right(axis, ticks, metrics) < begin < axis.start
