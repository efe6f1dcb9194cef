"""Curves over two axes: their scales, zoom, intervals of confidence, tooltips and tables."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import QApplication, QToolButton, QToolTip
from pytestqt.qtbot import QtBot

from advisor.basics.causes import MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.studies.shared_memory.views import TITLES
from advisor.studies.study import Series
from gui.basics.literal_menu import plain
from gui.basics.theme import CAUSE_COLOURS, theme
from gui.plots.axis_ticks import Axis, LogAxis
from gui.plots.curve_panel import CurvePanel
from gui.plots.curve_plot import CurvePlot
from gui.plots.named_bars import groups_of
from gui.plots.plot_legend import Entry, legend_height
from gui.plots.series_colours import drawn_again, series_colours
from tests.gui.exporting import export
from tests.gui.plots.hands import turn
from tests.gui.pointer import double_click, move

SIZES = (1.0, 10.0, 100.0, 1e4)


def line(name: str, slope: float = 1.0, kind: str = "line") -> Series:
    y = tuple(100.0 + slope * size for size in SIZES)
    return Series(name, SIZES, y, "size", "B", "time", "s", kind)


CROSSING = Series(
    "crossovers", (50.0, 50.0), (150.0, 150.0), "size", "B", "time", "s", "points", (),
    ("short → long", "long → longest"),
)  # fmt: skip
_SMOOTH = 48  # of 255
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


def drawn(plot: CurvePlot) -> QImage:
    """What an export draws, pixel by pixel."""
    image = QImage(plot.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(theme().colours.surface))
    painter = QPainter(image)
    plot.render_to(painter, QRectF(image.rect()))
    painter.end()
    return image


def count(image: QImage, colour: QColor) -> int:
    """How many pixels have this colour, but for what smooth edges take from it."""
    data = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(-1, 4)[:, :3].astype(int)
    wanted = (colour.blue(), colour.green(), colour.red())
    return int((np.abs(data - wanted).max(axis=1) <= _SMOOTH).sum())


def test_an_axis_over_more_than_two_decades_is_logarithmic_by_itself(plot: CurvePlot) -> None:
    assert plot.is_log(across=False)
    assert plot.is_log(across=True)
    plot.set_series((dataclasses.replace(line("near"), y=(100.0, 200.0, 300.0, 400.0)),))
    assert plot.is_log(across=False)
    assert not plot.is_log(across=True)


def test_what_counts_by_ratios_lies_on_a_logarithmic_axis_unless_one_asks_otherwise(
    plot: CurvePlot,
) -> None:
    ratios = dataclasses.replace(line("profile"), x=(1.0, 2.0, 4.0, 8.0), by_ratio=True)
    plot.set_series((ratios,))
    assert plot.is_log(across=False)
    plot.set_series((dataclasses.replace(ratios, x=(1.0, 1.5, 2.0, 2.5)),))
    assert not plot.is_log(across=False)
    plot.set_series((ratios,))
    plot.set_log(across=False, log=False)
    assert not plot.is_log(across=False)


def test_so_does_what_counts_by_ratios_upward(plot: CurvePlot) -> None:
    ratios = dataclasses.replace(line("latency"), y=(1.0, 2.0, 4.0, 8.0))
    plot.set_series((ratios,))
    assert not plot.is_log(across=True)
    plot.set_series((dataclasses.replace(ratios, y_by_ratio=True),))
    assert plot.is_log(across=True)
    plot.set_log(across=True, log=False)
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


def test_the_pointer_that_rests_at_a_point_gets_its_numbers(qtbot: QtBot, plot: CurvePlot) -> None:
    at = plot.position_of(50.0, 150.0).toPoint()
    canvas = plot.canvas.viewport()
    event = QHelpEvent(QEvent.Type.ToolTip, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, event)
    qtbot.waitUntil(lambda: "short → long" in QToolTip.text())
    QToolTip.hideText()


def test_intervals_are_drawn_told_and_exported(plot: CurvePlot) -> None:
    plot.set_series((line("short"), SIMULATED))
    before = drawn(plot)
    assert "± 20 s (95 %)" in plot.hint_at(plot.position_of(100.0, 210.0))
    table = plot.table()
    assert table.headings == ("series", "size (B)", "time (s)", "± (95 %)")
    assert table.rows[-1] == ("simulated, short", 100.0, 210.0, 20.0)
    assert table.rows[0][-1] is None
    plot.set_series((line("short"), dataclasses.replace(SIMULATED, half_width=())))
    assert drawn(plot) != before
    assert plot.table().headings == ("series", "size (B)", "time (s)")


def test_an_interval_that_reaches_below_zero_leaves_a_logarithmic_axis(plot: CurvePlot) -> None:
    plot.set_series((line("short"), dataclasses.replace(SIMULATED, half_width=(500.0, 1.0))))
    plot.set_log(across=True, log=True)
    at, area = plot.position_of(10.0, 110.0), plot.area()
    image = plot.canvas.grab().toImage()
    colour = series_colours(plot.series)[0]
    left, bottom = round(at.x()) - 1, round(area.bottom()) - 4
    column = image.copy(left, bottom, 3, 1).convertToFormat(QImage.Format.Format_RGB32)
    assert count(column, colour) > 0


def test_the_caps_of_intervals_keep_their_width_in_a_zoom(plot: CurvePlot) -> None:
    plot.set_series((line("short"), dataclasses.replace(SIMULATED, half_width=(500.0, 100.0))))

    def cap() -> int:
        end = plot.position_of(100.0, 310.0)
        image, row = plot.canvas.grab().toImage(), round(end.y())
        colour = series_colours(plot.series)[0]
        ground = image.pixelColor(round(end.x()) - 40, row)

        def away(one: QColor) -> int:
            return sum(abs(a - b) for a, b in zip(one.getRgb(), colour.getRgb(), strict=True))

        # the line may lie between two rows of pixels
        near = 0.6 * away(ground)
        columns = range(round(end.x()) - 6, round(end.x()) + 6)  # other lines pass near
        return max(
            sum(away(image.pixelColor(x, y)) < near for x in columns)
            for y in (row - 1, row, row + 1)
        )

    plain = cap()
    assert 5 <= plain <= 12
    for _ in range(4):
        turn(plot.canvas, plot.position_of(100.0, 210.0), Qt.KeyboardModifier.NoModifier)
    assert not plot.is_fitted
    assert abs(cap() - plain) <= 2


def test_the_wheel_zooms_along_at_the_pointer_and_with_ctrl_across(plot: CurvePlot) -> None:
    at = plot.position_of(100.0, 400.0)
    before = plot.view
    turn(plot.canvas, at, Qt.KeyboardModifier.NoModifier)
    assert plot.view[0].length < before[0].length
    assert plot.view[1] == before[1]
    assert plot.position_of(100.0, 400.0).x() == pytest.approx(at.x(), abs=12)
    turn(plot.canvas, at, Qt.KeyboardModifier.ControlModifier)
    assert plot.view[1].length < before[1].length
    zoomed = plot.view[0]
    turn(plot.canvas, at, Qt.KeyboardModifier.ShiftModifier)
    assert plot.view[0].low < zoomed.low
    assert plot.view[0].length == pytest.approx(zoomed.length)


def test_nobody_zooms_or_pans_out_of_what_there_is(plot: CurvePlot) -> None:
    whole = plot.view
    plot.zoom(0.2)
    assert plot.is_fitted
    plot.zoom(2.0)
    plot.pan(50.0, 50.0)
    assert plot.view[0].high == pytest.approx(whole[0].high)
    assert plot.view[0].length == pytest.approx(whole[0].length / 2)
    assert plot.view[1].length == pytest.approx(whole[1].length)


def test_a_drag_pans_and_a_double_click_shows_everything(qtbot: QtBot, plot: CurvePlot) -> None:
    plot.zoom(4.0)
    before = plot.view[0].low
    middle = plot.area().center().toPoint()
    canvas, left = plot.canvas.viewport(), Qt.MouseButton.LeftButton
    qtbot.mousePress(canvas, left, pos=middle)
    move(canvas, *(middle + QPoint(step, 0) for step in (10, 30, 60)))
    qtbot.mouseRelease(canvas, left, pos=middle + QPoint(60, 0))
    assert plot.view[0].low < before
    double_click(canvas, middle)
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
    assert not plot.is_fitted
    qtbot.keyClick(plot, Qt.Key.Key_F)
    assert plot.view == whole


def test_a_click_gives_the_plot_the_keys_and_shortcuts_leave_them_to_it(
    qtbot: QtBot, plot: CurvePlot
) -> None:
    plot.clearFocus()
    qtbot.mouseClick(plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 150))
    assert plot.hasFocus()
    for key, ours in ((Qt.Key.Key_F, True), (Qt.Key.Key_Left, True), (Qt.Key.Key_G, False)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
        event.ignore()
        QApplication.sendEvent(plot, event)
        assert event.isAccepted() is ours


def test_the_right_button_opens_the_menu_of_the_panel(panel: CurvePanel, plot: CurvePlot) -> None:
    at = plot.area().center().toPoint()
    canvas = plot.canvas.viewport()
    QApplication.sendEvent(
        canvas, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    )
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert [plain(action.text()) for action in menu.actions()][:4] == [
        "Log x", "Log y", "Fit", "Copy picture",
    ]  # fmt: skip
    menu.close()


def test_new_values_keep_the_part_that_was_zoomed_to_and_the_items(plot: CurvePlot) -> None:
    plot.zoom(4.0)
    before, items = plot.view[0], list(plot.plot.items)
    plot.set_series((line("short", 2.0), line("long"), CROSSING))
    assert plot.view[0].low == pytest.approx(before.low, abs=0.05)
    assert not plot.is_fitted
    assert plot.plot.items == items
    plot.set_series((line("short"),))
    assert len(plot.plot.items) == 1


def test_a_click_in_the_legend_hides_a_curve_and_fits_the_others(
    qtbot: QtBot, plot: CurvePlot
) -> None:
    plot.set_series((line("short", 100.0), line("long"), CROSSING))
    colour, high = plot.legend.entries[0].colour, plot.view[1].high
    assert count(drawn(plot), colour) > 100
    at = plot.legend.place_of("short").toPoint()
    assert plot.legend.hint_at(QPointF(at)) == "short\nClick to hide it"
    qtbot.mouseClick(plot.legend, Qt.MouseButton.LeftButton, pos=at)
    assert not plot.legend.entries[0].shown
    assert plot.view[1].high < high
    assert count(drawn(plot), colour) == 0
    assert plot.hint_at(plot.position_of(1e4, 10_100.0)).startswith("long")
    assert len(plot.table().rows) == 10
    assert "short (hidden)" in plot.legend.accessibleDescription()
    qtbot.mouseClick(plot.legend, Qt.MouseButton.LeftButton, pos=at)
    assert plot.view[1].high == pytest.approx(high)


def test_the_keys_reach_the_legend_too(qtbot: QtBot, plot: CurvePlot) -> None:
    plot.legend.setFocus()
    qtbot.keyClick(plot.legend, Qt.Key.Key_Right)
    qtbot.keyClick(plot.legend, Qt.Key.Key_Space)
    assert [entry.shown for entry in plot.legend.entries] == [True, False, True]
    qtbot.keyClick(plot.legend, Qt.Key.Key_Return)
    assert all(entry.shown for entry in plot.legend.entries)


def test_bars_of_one_place_stand_on_one_another(plot: CurvePlot) -> None:
    places = (1.0, 2.0, 3.0)
    axes = ("run", "", "time", "s", "bars")
    first = Series("first", places, (1.0, 2.0, 3.0), *axes)
    second = Series("second", places, (3.0, 2.0, 1.0), *axes)
    plot.set_series((first, second))
    assert not plot.can_be_log(across=True)
    assert plot.view[1].high == pytest.approx(4.0, rel=0.1)
    image = plot.canvas.grab().toImage()
    for place, value, owner in ((1.0, 0.5, 0), (1.0, 2.0, 1), (3.0, 2.0, 0), (3.0, 3.5, 1)):
        at = plot.position_of(place, value).toPoint() + QPoint(2, 2)
        assert image.pixelColor(at).name() == plot.legend.entries[owner].colour.name()


def test_old_curves_are_dimmed_on_screen_but_not_in_exports(plot: CurvePlot) -> None:
    bright, exported = plot.grab().toImage(), drawn(plot)
    plot.set_dimmed(True)
    assert plot.grab().toImage() != bright
    assert drawn(plot) == exported
    plot.set_dimmed(False)
    assert plot.grab().toImage() == bright


def test_another_theme_recolours_curves_at_once(plot: CurvePlot) -> None:
    light = plot.legend.entries[0].colour
    theme().set_mode("dark")
    dark = plot.legend.entries[0].colour
    assert dark != light
    assert count(drawn(plot), dark) > 100


def test_a_plot_without_series_says_so(qtbot: QtBot) -> None:
    plot = CurvePlot("empty", "nothing")
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    plot.show()
    assert not plot.canvas.isVisible()
    assert plot.hint_at(QPointF(10, 10)) == ""
    assert plot.table().rows == ()
    plot.set_series((line("short"),))
    assert plot.canvas.isVisible()


def test_what_is_no_number_leaves_a_gap(plot: CurvePlot) -> None:
    holed = dataclasses.replace(line("holed"), y=(100.0, math.inf, math.nan, 200.0))
    plot.set_series((holed, dataclasses.replace(holed, kind="points")))
    assert plot.view[1].high < 1e3
    assert "time: 200 s" in plot.hint_at(plot.position_of(1e4, 200.0))
    assert not plot.canvas.grab().isNull()


def test_the_legend_stands_above_the_axes_and_leaves_room_for_them(plot: CurvePlot) -> None:
    metrics = QFontMetricsF(plot.small_font())
    entries = [Entry(f"a rather long name of a curve, {n}", QColor("red")) for n in range(12)]
    wide, narrow = QRectF(0, 0, 2000, 1000), QRectF(0, 0, 400, 1000)
    assert legend_height(entries, narrow, metrics) > legend_height(entries, wide, metrics)
    assert legend_height(entries, QRectF(0, 0, 400, 200), metrics) < 70
    assert plot.canvas.y() >= legend_height([entries[0]], QRectF(plot.rect()), metrics)
    plot.set_series([line(entry.name) for entry in entries])
    assert plot.legend.height() > metrics.height() * 2
    assert plot.area().height() > 0.4 * plot.height()
    assert plot.legend.hint_at(QPointF(1.0, 1.0)).count("\n") == 11


def test_the_picture_of_curves_has_its_legend_and_axes(
    qtbot: QtBot, panel: CurvePanel, tmp_path: Path
) -> None:
    export(qtbot, panel.exports, tmp_path / "curves.svg")
    text = (tmp_path / "curves.svg").read_text()
    for part in ("short", "crossovers", ">size<", ">time<", "1 kB"):
        assert part in text
    # viewers that don't know "non-scaling-stroke" draw lines as thick as on screen
    lines = [one for one in fromstring(text).iter() if one.get("stroke-dasharray")]
    assert lines
    assert all(one.get("transform", "").startswith("matrix(1,0,0,1,") for one in lines)


def test_an_exported_picture_is_laid_out_for_its_own_size(panel: CurvePanel) -> None:
    small, plot = CurvePlot("small", "never shown"), panel.curves
    small.set_series(plot.series)
    assert small.figure_size().width() >= 480
    image = QImage(plot.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(theme().colours.surface))
    painter = QPainter(image)
    small.render_to(painter, QRectF(image.rect()))
    painter.end()
    assert image == drawn(plot)


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


def test_neighbouring_parts_of_the_shared_memory_overhead_are_told_apart(qapp: object) -> None:
    for missing in ({"garbage collection"}, set()):
        names = [name for part, name in TITLES.items() if part != "idle" and name not in missing]
        colours = series_colours([line(name, kind="bars") for name in names])
        for name, one, other in zip(names[1:], colours, colours[1:], strict=False):
            apart = sum(abs(a - b) for a, b in zip(one.getRgb(), other.getRgb(), strict=True))
            assert apart > 100, name


def test_a_curve_has_its_colour_in_every_plot_of_an_answer(qapp: object) -> None:
    fitted = [line(name) for name in ("mean", "Erlang", "Amdahl")]
    left = [
        dataclasses.replace(line(name, kind="points"), y_label="residual")
        for name in ("Amdahl", "Erlang")
    ]
    again = drawn_again([*fitted, *left])
    assert again == ("Erlang", "Amdahl")
    colours = dict(zip(("mean", "Erlang", "Amdahl"), series_colours(fitted, again), strict=True))
    assert series_colours(left, again) == (colours["Amdahl"], colours["Erlang"])
    assert len({colour.name() for colour in colours.values()}) == 3


@pytest.mark.parametrize(
    ("low", "high", "unit", "title", "ticks"),
    [
        (0.8, 2e5, "B", "size", ["1 B", "10 B", "100 B", "1 kB", "10 kB", "100 kB"]),
        (100.0, 300.0, "B", "size (B)", ["100", "150", "200", "250", "300"]),
        (1.5e-3, 0.9, "s", "size (ms)", ["10", "100"]),
        (2.0, 90.0, "s", "size", ["10 s", "1 min"]),
        (1e-8, 1e-5, "1/cycle", "size (1/cycle)", ["10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"]),
        (5.0, 2e3, "hops", "size (hops)", ["10", "100", "1,000"]),
        (0.1, 0.5, "", "size", ["0.100", "0.200", "0.300", "0.400", "0.500"]),
    ],
)
def test_a_logarithmic_axis_has_its_unit_once_and_round_ticks_inside_it(
    low: float, high: float, unit: str, title: str, ticks: list[str]
) -> None:
    axis = LogAxis("size", unit, low, high, 400.0)
    assert (axis.title, [text for _, text in axis.ticks()]) == (title, ticks)


def test_ticks_of_a_logarithmic_axis_keep_apart() -> None:
    assert 2 < len(LogAxis("n", "", 1.0, 1e12, 300.0).ticks()) <= 5


@pytest.mark.parametrize(
    ("unit", "high", "title", "last"),
    [
        ("cycle", 5e7, "rate (10⁶ cycle)", "50"),
        ("1/s", 0.5, "rate (1/s)", "0.5"),
        ("1/cycle", 5e-6, "rate (10⁻⁶/cycle)", "5"),
        ("processors", 5e3, "rate (processors)", "5,000"),
        ("messages", 5e7, "rate (10⁶ messages)", "50"),
        ("", 0.5, "rate", "0.5"),
    ],
)
def test_only_units_that_take_one_have_a_prefix(
    unit: str, high: float, title: str, last: str
) -> None:
    axis = Axis("rate", unit, 0.0, high, 0.0, 300.0)
    assert (axis.title, axis.ticks(60.0)[-1][1]) == (title, last)


def test_the_axes_carry_their_prefix_and_unit(plot: CurvePlot) -> None:
    assert [axis.title for axis in plot.axes] == ["size", "time"]
    assert [text for _, text in plot.axes[0].marks()][:2] == ["1 B", "10 B"]
    plot.set_log(across=False, log=False)
    plot.set_log(across=True, log=False)
    assert [axis.title for axis in plot.axes] == ["size (kB)", "time"]
    assert [text for _, text in plot.axes[1].marks()][:2] == ["0", "2 h"]


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


def test_the_points_of_a_line_are_marked_where_they_are_answers_of_their_own(
    qtbot: QtBot,
) -> None:
    plot = CurvePlot("marked", "Marked")
    qtbot.addWidget(plot)
    plot.resize(500, 320)
    flat = Series("flat", (1.0, 2.0, 3.0), (5.0, 5.0, 5.0), "size", "", "time", "s")
    plot.show()
    heights = []
    for labels in ((), ("2 instances", "3 instances", "4 instances")):
        plot.set_series((dataclasses.replace(flat, labels=labels),))
        ink = plot.entries()[0].colour.rgb()
        picture, at = plot.canvas.grab().toImage(), plot.position_of(2.0, 5.0).toPoint()
        column = [picture.pixel(at.x(), at.y() + away) for away in range(-8, 9)]
        heights.append(column.count(ink))
    assert heights[0] < 5 < heights[1] < 9


@pytest.mark.parametrize("high", [3e-5, 0.4, 100.0, 4000.0, 3e7])
def test_shares_have_no_power_of_ten(high: float) -> None:
    axis = Axis("efficiency", "%", 0.0, high, 0.0, 400.0)
    assert axis.title == "efficiency (%)"
    assert float(axis.ticks()[-1][1].replace(",", "")) == pytest.approx(high, rel=0.5)


class Listened(QPainter):
    """A painter that tells which texts it drew where."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.rooms: dict[str, QRectF] = {}

    def drawText(self, room: QRectF, flags: object, text: str) -> None:  # type: ignore[override]
        del flags
        self.rooms[text] = QRectF(room)


def test_the_label_of_a_tick_at_the_top_stays_below_the_title(plot: CurvePlot) -> None:
    axis = plot.axes[1]
    axis.measure("speed", "", lambda low, high, _length: [(low, "low"), (high, "high")])
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    painter = Listened(image)
    axis.drawPicture(painter, *axis.generateDrawSpecs(painter))
    painter.end()
    assert set(painter.rooms) == {"low", "high", "speed"}
    assert painter.rooms["high"].top() >= painter.rooms["speed"].bottom()
