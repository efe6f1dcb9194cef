"""One bar that dwarfs the rest does not hide them: the axis is broken, marked, exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gui.plots.axis_ticks import Axis
from gui.plots.bar_chart import Bar, BarChart, Group, Segment
from gui.plots.bar_panel import BarPanel
from gui.plots.broken_axis import BrokenAxis, axis_of, break_of
from tests.gui.exporting import export_figure


@pytest.mark.parametrize(
    ("lengths", "cut"),
    [
        ((1.0, 2.0, 3.0, 41.0), 3.75),  # 41 is not 20 times the median 2.5
        ((1.0, 2.0, 3.0, 51.0), 3.75),
        ((1.0, 2.0, 10.0, 40.0, 1000.0), 50.0),  # 40 is not: it is compared, too
        ((1.0, 1.0, 1.0), None),
        ((1.0, 30.0), 1.25),
        ((1.0, 15.0), 1.25),
        ((1.0, 2.0), None),
        ((0.0, 0.0, 5.0), None),
        ((), None),
        ((1.0, 1.0, 2.0, 100.0, 100.0), 2.5),
        ((1.0, 1.0, 1.0, 15.0, 30.0), 1.25),  # 30 is but twice what would be compared
        ((4.0, 4.0, 4.0, 8.0, 8.0), None),
    ],
)
def test_where_an_axis_can_be_broken(lengths: tuple[float, ...], cut: float | None) -> None:
    assert break_of(lengths) == cut


def test_lengths_before_the_break_are_to_scale_and_those_behind_keep_their_order() -> None:
    axis = axis_of(Axis("time", "s", 0.0, 100.0, 0.0, 500.0), 5.0)
    assert isinstance(axis, BrokenAxis)
    assert axis.position(4.0) - axis.position(2.0) == pytest.approx(
        axis.position(2.0) - axis.position(0.0)
    )
    places = [axis.position(value) for value in (0.0, 4.9, 5.0, 6.0, 50.0, 100.0)]
    assert places == sorted(places)
    assert places[-1] == 500.0
    values = [value for value, _ in axis.ticks()]
    assert values[-1] == 100.0
    assert max(values[:-1]) <= 5.0


def test_the_end_behind_a_break_is_in_the_unit_of_the_axis() -> None:
    axis = axis_of(Axis("time", "s", 0.0, 1.25, 0.0, 500.0), 0.004)
    assert axis.title == "time (ms)"
    assert axis.ticks()[-1][1] == "1,250"


def test_a_narrow_chart_has_no_room_for_a_break() -> None:
    axis = Axis("time", "s", 0.0, 100.0, 0.0, 60.0)
    assert axis_of(axis, 5.0) is axis


def bar(name: str, *values: float) -> Bar:
    parts = tuple(
        Segment(f"part {place}", value, colour)
        for place, (value, colour) in enumerate(zip(values, ("#0072B2", "#D55E00"), strict=False))
    )
    return Bar(name, parts, f"{sum(values):g} s")


DWARFED = (Group("time", "s", (bar("a", 1.0, 1.0), bar("b", 2.0, 1.0), bar("c", 200.0, 100.0))),)
ALIKE = (Group("time", "s", (bar("a", 1.0, 1.0), bar("b", 2.0, 1.0))),)
LONGER = (Group("time", "s", (*ALIKE[0].bars, bar("c", 10.0, 5.0))),)


@pytest.fixture
def panel(qtbot: QtBot) -> BarPanel:
    panel = BarPanel(BarChart("some_chart", "Times", "Nothing."), "some", "Times")
    qtbot.addWidget(panel)
    panel.resize(640, 320)
    panel.bars.set_groups(DWARFED)
    panel.show()
    return panel


def width_of(panel: BarPanel, hint: str) -> int:
    """How many pixels of the chart answer with this tooltip."""
    panel.bars.grab()
    chart = panel.bars
    best = 0
    for y in range(0, chart.height(), 4):
        across = sum(hint in chart.hint_at(QPointF(x, y)) for x in range(chart.width()))
        best = max(best, across)
    return best


def test_all_bars_are_to_scale_until_the_toggle_shows_the_small_ones(
    qtbot: QtBot, panel: BarPanel
) -> None:
    assert panel.break_action.isVisible()
    assert not panel.break_action.isChecked()
    assert width_of(panel, "a, part 0") < 5
    panel.break_action.trigger()
    assert width_of(panel, "a, part 0") > 50
    panel.break_action.trigger()
    assert width_of(panel, "a, part 0") < 5


def test_the_break_is_marked_and_the_value_stands_at_its_bar(panel: BarPanel) -> None:
    panel.break_action.trigger()
    broken = panel.bars.grab().toImage()
    panel.bars.set_groups((Group("time", "s", (*DWARFED[0].bars[:2], bar("c", 2.0, 1.7))),))
    assert broken != panel.bars.grab().toImage()
    panel.bars.set_groups(DWARFED)
    assert "c: 300 s" in panel.bars.accessibleDescription()


def test_a_bar_that_is_a_few_times_longer_is_cut_short_on_demand(panel: BarPanel) -> None:
    panel.bars.set_groups(LONGER)
    assert panel.break_action.isVisible()
    assert not panel.break_action.isChecked()
    before = width_of(panel, "a, part 0")
    panel.break_action.trigger()
    assert width_of(panel, "a, part 0") > 2 * before


def test_nothing_is_offered_where_bars_are_alike(panel: BarPanel) -> None:
    panel.bars.set_groups(ALIKE)
    assert not panel.break_action.isVisible()
    button = panel.findChild(QToolButton, "some_break_axis")
    assert button is not None
    assert button.isHidden()


def test_the_break_is_in_exported_pictures(panel: BarPanel, tmp_path: Path) -> None:
    pictures = []
    for name, broken in (("broken", True), ("whole", False)):
        panel.bars.set_broken(broken)
        path = tmp_path / f"{name}.png"
        export_figure(panel.bars, path)
        pictures.append(QImage(str(path)))
    assert pictures[0] != pictures[1]
