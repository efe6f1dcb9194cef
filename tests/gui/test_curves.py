"""Curves over two axes: their scales, zoom, intervals of confidence, tooltips and tables."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from advisor.causes import MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.studies.study import Series
from gui.plots.axes import LogAxis
from gui.plots.curve_panel import CurvePanel
from gui.plots.curves import CurvePlot
from gui.plots.legend import Entry, legend_height
from gui.plots.named_bars import groups_of
from gui.plots.series_colours import series_colours
from gui.plots.span import Span
from gui.theme import CAUSE_COLOURS, theme

SIZES = (1.0, 10.0, 100.0, 1e4)


def line(name: str, slope: float = 1.0, kind: str = "line") -> Series:
    y = tuple(100.0 + slope * size for size in SIZES)
    return Series(name, SIZES, y, "size", "B", "time", "s", kind)


CROSSING = Series(
    "crossovers", (50.0, 50.0), (150.0, 150.0), "size", "B", "time", "s", "points", (),
    ("short → long", "long → longest"),
)  # fmt: skip
SIMULATED = Series(
    "simulated, short", (10.0, 100.0), (110.0, 210.0), "size", "B", "time", "s", "points",
    (5.0, 20.0),
)  # fmt: skip


@pytest.fixture
def panel(qtbot: QtBot) -> CurvePanel:
    panel = CurvePanel("curves", "time by size")
    qtbot.addWidget(panel)
    panel.resize(700, 400)
    panel.curves.set_series((line("short", 3.0), line("long"), CROSSING))
    panel.show()
    qtbot.waitExposed(panel)
    return panel


@pytest.fixture
def plot(panel: CurvePanel) -> CurvePlot:
    return panel.curves


def button(panel: CurvePanel, name: str) -> QToolButton:
    found = panel.findChild(QToolButton, f"curves_{name}")
    assert found is not None
    return found


def turn(plot: CurvePlot, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
    event = QWheelEvent(
        at, plot.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot, event)


def test_an_axis_over_more_than_two_decades_is_logarithmic_by_itself(plot: CurvePlot) -> None:
    assert plot.is_log(across=False)
    assert plot.is_log(across=True)
    plot.set_series((dataclasses.replace(line("near"), y=(100.0, 200.0, 300.0, 400.0)),))
    assert plot.is_log(across=False)
    assert not plot.is_log(across=True)


def test_the_log_buttons_change_the_scale_and_stay_chosen(
    qtbot: QtBot, panel: CurvePanel, plot: CurvePlot
) -> None:
    log_x = button(panel, "log_x")
    assert log_x.isChecked()
    equal = [plot.position_of(size, 200.0).x() for size in (1.0, 10.0, 100.0)]
    assert equal[1] - equal[0] == pytest.approx(equal[2] - equal[1])
    qtbot.mouseClick(log_x, Qt.MouseButton.LeftButton)
    assert not plot.is_log(across=False)
    linear = [plot.position_of(size, 200.0).x() for size in (1.0, 10.0, 100.0)]
    assert linear[2] - linear[1] == pytest.approx(10 * (linear[1] - linear[0]))
    plot.set_series((line("other"),))
    assert not log_x.isChecked()


def test_values_of_zero_keep_an_axis_linear_and_the_button_says_why(
    panel: CurvePanel, plot: CurvePlot
) -> None:
    plot.set_series((dataclasses.replace(line("zero"), y=(0.0, 1.0, 100.0, 1000.0)),))
    assert not plot.is_log(across=True)
    assert not button(panel, "log_y").isEnabled()
    assert "above 0" in button(panel, "log_y").toolTip()


def test_the_pointer_at_a_crossover_reads_which_curves_cross_there(plot: CurvePlot) -> None:
    hint = plot.hint_at(plot.position_of(50.0, 150.0))
    assert hint.splitlines() == [
        "crossovers", "short → long", "long → longest", "size: 50 B", "time: 150 s",
    ]  # fmt: skip
    assert plot.hint_at(plot.position_of(1e4, 30_100.0)).startswith("short\nsize: 10000 B")
    assert plot.hint_at(plot.position_of(2.0, 20_000.0)) == ""
    assert plot.hint_at(QPointF(2.0, 2.0)) == "short\nlong\ncrossovers"


def test_intervals_are_drawn_told_and_exported(plot: CurvePlot, tmp_path: Path) -> None:
    plot.set_series((line("short"), SIMULATED))
    before = plot.grab().toImage()
    assert "± 20 s (95 %)" in plot.hint_at(plot.position_of(100.0, 210.0))
    table = plot.table()
    assert table.headings == ("series", "size (B)", "time (s)", "± (95 %)")
    assert table.rows[-1] == ("simulated, short", 100.0, 210.0, 20.0)
    assert table.rows[0][-1] == ""
    plot.set_series((line("short"), dataclasses.replace(SIMULATED, half_width=())))
    assert plot.grab().toImage() != before
    assert plot.table().headings == ("series", "size (B)", "time (s)")


def test_an_interval_that_reaches_below_zero_is_drawn_on_a_logarithmic_axis(
    plot: CurvePlot,
) -> None:
    plot.set_series((line("short"), dataclasses.replace(SIMULATED, half_width=(500.0, 1.0))))
    plot.set_log(across=True, log=True)
    column = round(plot.position_of(10.0, 110.0).x())
    image, bottom = plot.grab().toImage(), round(plot.area().bottom())
    colour = series_colours(plot.series)[0]
    seen = {image.pixelColor(column + side, bottom - 3).name() for side in (-1, 0, 1)}
    assert colour.name() in seen


def test_the_wheel_zooms_along_at_the_pointer_and_with_ctrl_across(plot: CurvePlot) -> None:
    at = plot.position_of(100.0, 400.0)
    before = plot.view
    turn(plot, at, Qt.KeyboardModifier.NoModifier)
    assert plot.view[0].length < before[0].length
    assert plot.view[1] == before[1]
    assert plot.position_of(100.0, 400.0).x() == pytest.approx(at.x(), abs=12)
    turn(plot, at, Qt.KeyboardModifier.ControlModifier)
    assert plot.view[1].length < before[1].length


def test_a_drag_pans_and_a_double_click_shows_everything(qtbot: QtBot, plot: CurvePlot) -> None:
    plot.zoom(4.0)
    before = plot.view[0].low
    middle = plot.area().center().toPoint()
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(plot, middle + QPoint(60, 0))
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=middle + QPoint(60, 0))
    assert plot.view[0].low < before
    qtbot.mouseDClick(plot, Qt.MouseButton.LeftButton, pos=middle)
    assert plot.is_fitted


def test_the_keys_zoom_pan_and_fit(qtbot: QtBot, plot: CurvePlot) -> None:
    whole = plot.view
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    zoomed = plot.view
    assert zoomed[0].length < whole[0].length
    qtbot.keyClick(plot, Qt.Key.Key_Plus, Qt.KeyboardModifier.AltModifier)
    assert plot.view[1].length < whole[1].length
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.view[0].low > zoomed[0].low
    qtbot.keyClick(plot, Qt.Key.Key_Minus)
    qtbot.keyClick(plot, Qt.Key.Key_F)
    assert plot.view == whole


def test_new_values_keep_the_part_that_was_zoomed_to(plot: CurvePlot) -> None:
    plot.zoom(4.0)
    before = plot.view[0]
    plot.set_series((line("short", 2.0), line("long")))
    assert plot.view[0].low == pytest.approx(before.low, abs=0.05)
    assert not plot.is_fitted


def test_the_legend_stands_above_the_axes_and_leaves_room_for_them(plot: CurvePlot) -> None:
    metrics = QFontMetricsF(plot.small_font())
    entries = [Entry(f"a rather long name of a curve, {n}", QColor("red")) for n in range(12)]
    wide, narrow = QRectF(0, 0, 2000, 1000), QRectF(0, 0, 400, 1000)
    assert legend_height(entries, narrow, metrics) > legend_height(entries, wide, metrics)
    assert legend_height(entries, QRectF(0, 0, 400, 200), metrics) < 70
    assert plot.area().top() > legend_height([entries[0]], QRectF(plot.rect()), metrics)


def test_the_picture_of_curves_has_its_legend_and_axes(panel: CurvePanel, tmp_path: Path) -> None:
    panel.exports.export(tmp_path / "curves.svg")
    text = (tmp_path / "curves.svg").read_text()
    for part in ("short", "crossovers", "size (B)", "time (s)", "1 kB"):
        assert part in text


def test_parts_have_the_colours_of_their_causes_and_points_that_of_their_curve(
    qapp: object,
) -> None:
    parts = [line(name, kind="bars") for name in ("overheads", "network contention", "gap")]
    overheads, network, gap = series_colours(parts)
    assert overheads.name().upper() == CAUSE_COLOURS[MESSAGE_OVERHEAD]
    assert network.name().upper() == CAUSE_COLOURS[NETWORK_CONTENTION]
    assert gap.name().upper() not in CAUSE_COLOURS.values()
    short, long, simulated, other = series_colours(
        (line("short"), line("long"), SIMULATED, CROSSING)
    )
    assert simulated == short != long
    assert other.name().upper() == theme().colours.text


def test_a_logarithmic_axis_has_round_ticks_inside_it() -> None:
    axis = LogAxis("size", "B", 0.8, 2e5, 0.0, 700.0)
    assert [text for _, text in axis.ticks()] == [
        "1 B", "10 B", "100 B", "1 kB", "10 kB", "100 kB",
    ]  # fmt: skip
    assert axis.value(axis.position(123.0)) == pytest.approx(123.0)
    assert axis.title == "size (B)"
    inside = LogAxis("size", "B", 100.0, 300.0, 0.0, 400.0).ticks()
    assert [text for _, text in inside] == ["100 B", "150 B", "200 B", "250 B", "300 B"]
    few = LogAxis("size", "", 1.0, 1e12, 0.0, 300.0).ticks()
    assert len(few) <= 5


def test_a_span_zooms_around_a_point_and_stays_inside() -> None:
    whole = Span(0.0, 10.0)
    half = whole.zoomed(2.0, 0.25, whole)
    assert (half.low, half.high) == (1.25, 6.25)
    assert half.zoomed(0.1, 0.5, whole) == whole
    assert half.moved(5.0, whole) == Span(5.0, 10.0)
    assert whole.moved(1.0, whole) == whole


def test_names_become_horizontal_bars_with_what_was_simulated_as_marks() -> None:
    names = ("synchronous short", "asynchronous short")
    base = Series("overheads", names, (3.0, 1.0), "style", "", "time", "s", "bars")
    other = dataclasses.replace(base, name="latency", y=(1.0, 1.0))
    seen = Series("simulated", names[:1], (4.5,), "style", "", "time", "s", "points", (0.2,))
    (group,) = groups_of((base, other, seen))
    first, second = group.bars
    assert [part.name for part in first.segments] == ["overheads", "latency"]
    assert (first.mark, first.spread, first.mark_name) == (4.5, 0.2, "simulated")
    assert first.text == "4.00 s (simulated 4.50 s)"
    assert second.mark is None
    assert group.high == pytest.approx(4.7)
