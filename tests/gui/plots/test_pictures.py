"""Plots in files: a size of their own, and what the window shows in every reader."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from advisor.messages.diamond_blocks import gantt, wavefront
from advisor.models.logpc import DiamondSteps
from advisor.studies.study import Series
from gui.basics.figures import TALLEST, picture
from gui.plots.bar_chart import Bar, BarChart, Group, Segment
from gui.plots.curve_plot import CurvePlot
from gui.plots.gantt_chart import GanttChart
from gui.plots.painted_chart import Plot
from gui.plots.region_map import RegionMap
from tests.gui.plots.hands import decision
from tests.gui.svg_reading import assert_shown_alike, check


def curves() -> Plot:
    plot = CurvePlot("curves", "time by size")
    x = (1.0, 10.0, 100.0, 1e4)
    plot.set_series(
        [
            Series(name, x, tuple(slope * size + 5.0 for size in x), "size", "B", "time", "s")
            for name, slope in (("short <&>", 3.0), ("long\x01", 1.0))
        ]
    )
    return plot


def chart(processors: int = 4) -> GanttChart:
    made = GanttChart("gantt")
    steps = DiamondSteps(30.0, 12.0, 15.0, 10.0)
    made.set_gantt(gantt(wavefront(steps, processors, 3, 8.0), "cycle", "stripes"))
    return made


def bars() -> Plot:
    made = BarChart("bars", "Bars", "empty")
    made.set_groups(
        (Group("time", "s", (Bar("now\x0b", (Segment("computing", 3.0, "#0072B2"),), "3 s"),)),)
    )
    return made


def regions() -> Plot:
    made = RegionMap("map", "Map", "empty")
    made.show_map(decision())
    return made


KINDS = (curves, chart, bars, regions)


@pytest.mark.parametrize("make", KINDS)
def test_every_reader_knows_what_stands_in_the_svg_of_a_plot(
    qtbot: QtBot, make: Callable[[], Plot]
) -> None:
    plot = make()
    qtbot.addWidget(plot)
    check(picture(plot, ".svg"))


@pytest.mark.parametrize("make", KINDS)
def test_the_svg_of_a_plot_shows_in_another_reader_what_the_window_shows(
    qtbot: QtBot, make: Callable[[], Plot]
) -> None:
    plot = make()
    qtbot.addWidget(plot)
    assert_shown_alike(plot)


@pytest.mark.parametrize("make", KINDS)
def test_a_picture_is_as_large_in_a_small_dock_as_in_a_large_one(
    qtbot: QtBot, make: Callable[[], Plot]
) -> None:
    plot = make()
    qtbot.addWidget(plot)
    sizes = set()
    for width, height in ((360, 200), (1900, 900)):
        plot.resize(width, height)
        sizes.add(plot.figure_size().toTuple())
    assert len(sizes) == 1
    assert plot.figure_size().width() == 1200


def test_a_gantt_chart_has_room_for_its_rows_and_an_end(qtbot: QtBot) -> None:
    few, many, most = chart(4), chart(64), chart(400)
    for made in (few, many, most):
        qtbot.addWidget(made)
    assert few.figure_size() == QSize(1200, 700)
    assert many.figure_size().height() >= 64 * 18
    assert most.figure_size().height() == TALLEST
