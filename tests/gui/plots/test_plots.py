"""Painted plots: their ticks, bars, maps, tooltips and exports."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QToolTip
from pytestqt.qtbot import QtBot

from gui.basics.error_messages import ErrorDialog
from gui.basics.literal_menu import plain
from gui.basics.theme import theme
from gui.plots.axis_ticks import Axis, nice_ticks
from gui.plots.bar_chart import Bar, BarChart, Group, Segment
from gui.plots.map_drawing import MapPicture
from gui.plots.painted_chart import readable_on
from gui.plots.plot_panel import Exports, PlotPanel, columns_of
from gui.plots.region_map import RegionMap, region_colour
from gui.plots.regions import boundary, label_place, refined
from tests.gui.exporting import export
from tests.gui.plots.hands import decision
from tests.gui.pointer import double_click, move
from tests.gui.stills import assert_drawn_alike, other_theme


@given(
    st.floats(-1e9, 1e9),
    st.floats(1e-6, 1e9),
    st.integers(1, 12),
)
def test_ticks_lie_inside_the_axis_evenly_and_are_not_too_many(
    low: float, span: float, count: int
) -> None:
    high = low + span
    ticks = nice_ticks(low, high, count)
    slack = 1e-6 * span + 1e-9 * max(abs(low), abs(high))
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    assert len(ticks) <= count + 2
    if len(ticks) > 2:
        steps = np.diff(ticks)
        assert steps == pytest.approx(steps[0], abs=slack)


def test_an_axis_writes_its_ticks_in_one_prefix_and_names_it() -> None:
    axis = Axis("makespan", "s", 0.0, 0.02, 0.0, 400.0)
    assert axis.title == "makespan (ms)"
    assert [label for _, label in axis.ticks()] == ["0", "5", "10", "15", "20"]


def test_a_short_axis_has_the_ticks_for_which_it_has_room() -> None:
    axis = Axis("slowdown", "", 1.0, 6.0, 0.0, 100.0)
    assert [label for _, label in axis.ticks(36.0)] == ["2", "4", "6"]


def test_an_axis_without_a_unit_has_no_prefix_and_shows_negative_numbers() -> None:
    axis = Axis("difference", "", -2000.0, 2000.0, 0.0, 300.0)
    assert axis.title == "difference"
    assert axis.ticks()[0][1] == "\u22122,000"


def test_an_axis_turns_values_into_pixels() -> None:
    axis = Axis("load", "", 1.0, 3.0, 100.0, 300.0)
    assert axis.position(2.0) == 200.0


def test_an_empty_span_has_one_tick() -> None:
    assert nice_ticks(5.0, 5.0, 4) == [5.0]


@pytest.mark.parametrize("colour", ["#0072B2", "#F0E442", "#E69F00", "#56B4E9", "#009E73"])
def test_text_on_every_cause_has_enough_contrast(colour: str) -> None:
    def luminance(value: QColor) -> float:
        parts = [value.redF(), value.greenF(), value.blueF()]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    on, ink = luminance(QColor(colour)), luminance(readable_on(QColor(colour)))
    assert (max(on, ink) + 0.05) / (min(on, ink) + 0.05) >= 4.5


def bars() -> tuple[Group, ...]:
    now = (Segment("computing", 16.0, "#0072B2", "16.0 s"), Segment("waiting", 32.0, "#56B4E9"))
    best = (Segment("computing", 22.0, "#0072B2"), Segment("moving", 16.0, "#009E73"))
    return (
        Group(
            "makespan",
            "s",
            (Bar("now", now, "48.0 s"), Bar("best", best, "38.0 s", 38.0, "bound")),
        ),
    )


def test_a_bar_chart_tells_its_numbers_and_describes_itself(chart: BarChart) -> None:
    chart.set_groups(bars())
    assert chart.table().rows[0] == ("makespan", "now", "computing", 16.0, "s")
    assert chart.table().rows[-1] == ("makespan", "best", "bound", 38.0, "s")
    assert len(chart.table().rows) == 5
    assert "now: 48.0 s" in chart.accessibleDescription()


def test_bars_are_painted_in_the_colours_of_their_parts(chart: BarChart) -> None:
    chart.set_groups(bars())
    image = chart.grab().toImage()
    seen = {
        image.pixelColor(x, y).name().upper()
        for x in range(0, image.width(), 3)
        for y in range(0, image.height(), 3)
    }
    assert {"#0072B2", "#56B4E9", "#009E73"} <= seen


def test_the_pointer_over_a_part_reads_its_whole_value(chart: BarChart) -> None:
    chart.set_groups(bars())
    chart.grab()
    hints = {chart.hint_at(QPointF(x, y)) for x in range(0, 600, 5) for y in range(0, 200, 5)}
    assert "now, waiting: 32 s" in hints
    assert "best, bound: 38 s" in hints


def test_a_tooltip_appears_over_a_bar_and_none_beside_it(qtbot: QtBot, chart: BarChart) -> None:
    chart.set_groups(bars())
    chart.grab()
    over = next(
        QPoint(x, y)
        for x in range(0, 600, 5)
        for y in range(0, 200, 5)
        if "waiting" in chart.hint_at(QPointF(x, y))
    )
    QApplication.sendEvent(chart, QHelpEvent(QEvent.Type.ToolTip, over, chart.mapToGlobal(over)))
    qtbot.waitUntil(lambda: QToolTip.text() == "now, waiting: 32 s")
    corner = QPoint(0, 0)
    QApplication.sendEvent(
        chart, QHelpEvent(QEvent.Type.ToolTip, corner, chart.mapToGlobal(corner))
    )
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_narrow_chart_wraps_its_legend_and_needs_more_height(chart: BarChart) -> None:
    many = tuple(Segment(f"a rather long cause {n}", 1.0, "#0072B2") for n in range(6))
    chart.set_groups((Group("g", "s", (Bar("b", many, ""),)),))
    wide = chart.minimumHeight()
    chart.resize(280, 300)
    assert chart.minimumHeight() > wide


def test_an_empty_chart_says_what_it_needs_and_still_exports(
    qtbot: QtBot, chart: BarChart, tmp_path: Path
) -> None:
    export(qtbot, Exports(chart, "bars", chart, chart.table), tmp_path / "empty.svg")
    assert "Nothing to show yet." in (tmp_path / "empty.svg").read_text()


def test_old_bars_are_dimmed_until_new_ones_come(chart: BarChart) -> None:
    chart.set_groups(bars())
    bright = chart.grab().toImage()
    chart.set_dimmed(True)
    assert chart.dimmed
    assert chart.grab().toImage() != bright
    chart.set_dimmed(False)
    assert chart.grab().toImage() == bright


def test_another_theme_repaints_the_chart(chart: BarChart) -> None:
    chart.set_groups(bars())
    light = chart.grab().toImage()
    theme().set_mode("dark")
    assert chart.grab().toImage() != light
    theme().set_mode("light")
    assert chart.grab().toImage() == light


@pytest.fixture
def panel(qtbot: QtBot) -> PlotPanel:
    chart = BarChart("bars", "Bars", "empty")
    chart.set_groups(bars())
    panel = PlotPanel(chart, "panel", "Breakdown", scrolled=True)
    qtbot.addWidget(panel)
    panel.resize(600, 240)
    panel.show()
    return panel


def test_the_table_button_swaps_picture_and_numbers(qtbot: QtBot, panel: PlotPanel) -> None:
    qtbot.mouseClick(panel.table_button, Qt.MouseButton.LeftButton)
    assert panel.stack.currentWidget() is panel.table_view
    assert panel.table_view.columns_model.rowCount() == 5
    qtbot.mouseClick(panel.table_button, Qt.MouseButton.LeftButton)
    assert panel.stack.currentWidget() is not panel.table_view


def test_the_status_bar_says_what_was_exported(
    qtbot: QtBot, panel: PlotPanel, tmp_path: Path
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(panel)
    export(qtbot, panel.exports, tmp_path / "plot.svg")
    assert window.statusBar().currentMessage() == f"Exported {tmp_path / 'plot.svg'}"
    window.takeCentralWidget()  # the fixture ends it


def test_the_numbers_can_be_copied(panel: PlotPanel) -> None:
    copy = next(a for a in panel.exports.actions if a.text() == "Copy numbers")
    copy.trigger()
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[1] == "makespan\tnow\tcomputing\t16.0\ts"


def test_the_context_menu_offers_copies_and_exports(qtbot: QtBot, panel: PlotPanel) -> None:
    panel.chart.customContextMenuRequested.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert [plain(action.text()) for action in menu.actions()] == [
        "Copy picture",
        "Copy numbers",
        "Export picture…",
        "Export numbers…",
    ]
    menu.close()


@pytest.mark.parametrize(
    ("command", "file"), [("Export picture…", "a.pdf"), ("Export numbers…", "a.csv")]
)
def test_a_file_is_asked_for_and_written(
    qtbot: QtBot, panel: PlotPanel, tmp_path: Path, command: str, file: str
) -> None:
    next(a for a in panel.exports.actions if a.text() == command).trigger()
    dialog = panel.findChild(QFileDialog, "export_dialog")
    assert dialog is not None
    with qtbot.waitSignal(panel.exports.exported):
        dialog.fileSelected.emit(str(tmp_path / file))
    assert (tmp_path / file).stat().st_size > 0
    dialog.close()


def test_a_file_that_cannot_be_written_is_told_and_not_raised(
    qtbot: QtBot, panel: PlotPanel, tmp_path: Path
) -> None:
    panel.exports.export(tmp_path / "missing" / "plot.svg")
    qtbot.waitUntil(lambda: panel.findChild(ErrorDialog) is not None)
    dialog = panel.findChild(ErrorDialog)
    assert dialog is not None
    assert "missing" in dialog.text()
    dialog.close()


def test_unknown_numbers_leave_a_column_of_numbers_and_unknown_texts_are_empty() -> None:
    from gui.basics.figures import Table

    rows = (("a", 0.0052579788, None), (None, None, None))
    name, value, nothing = columns_of(Table(("name", "value", "nothing"), rows))
    assert [name.values[0], name.values[1]] == ["a", ""]
    assert value.numeric
    assert [value.text(one) for one in value.values] == ["0.00526", "–"]
    assert [nothing.text(one) for one in nothing.values] == ["–", "–"]


def test_number_columns_are_numbers_and_others_are_texts() -> None:
    from gui.basics.figures import Table

    first, second = columns_of(Table(("name", "value"), (("a", 1.0), ("b", 2))))
    assert not first.numeric
    assert second.numeric


def test_columns_of_one_quantity_have_one_unit() -> None:
    from gui.basics.figures import Table

    names = ("time, median", "time, 95th percentile", "gap")
    rows = ((0.00071, 0.00891, 0.3), (0.03381, 1.01158, 0.1))
    median, most, gap = columns_of(Table(names, rows), ("s", "s", "s"))
    assert [median.text(one) for one in median.values] == ["0.00071 s", "0.03381 s"]
    assert [most.text(one) for one in most.values] == ["0.00891 s", "1.01158 s"]
    assert gap.text(gap.values[0]) == "300 ms"


def test_pure_numbers_that_no_common_digits_serve_have_three_each() -> None:
    from gui.basics.figures import Table

    rows = ((1.4551915e-11, 0.72), (0.007567, 0.784), (6e-6, 1.0034), (None, None), (0.0, 1.0))
    p, ratio = columns_of(Table(("p", "ratio"), rows))
    assert [p.text(one) for one in p.values] == [
        "1.46·10⁻¹¹", "0.00757", "6.00·10⁻⁶", "–", "0",
    ]  # fmt: skip
    assert [ratio.text(one) for one in ratio.values] == [
        "0.7200",
        "0.7840",
        "1.0034",
        "–",
        "1.0000",
    ]


@pytest.mark.parametrize(
    ("gaps", "texts"),
    [
        ((30.26, 3.43, 1459.70), ["30.3 %", "3.43 %", "1,460 %"]),
        ((1459.70, 1459.81, 3.43), ["1,459.70 %", "1,459.81 %", "3.43 %"]),  # not alike
        ((30.26, 3.43, 963.08), ["30.26 %", "3.43 %", "963.08 %"]),
        ((0.0124, 1852.6, 1023.9), ["0.0124 %", "1,853 %", "1,024 %"]),
    ],
)
def test_a_wide_column_of_shares_has_no_decimals_above_a_thousand(
    gaps: tuple[float, ...], texts: list[str]
) -> None:
    from gui.basics.figures import Table

    (gap,) = columns_of(Table(("gap",), tuple((one,) for one in gaps)), ("%",))
    assert [gap.text(one) for one in gap.values] == texts


# the map ----------------------------------------------------------------------------------------


def test_a_refined_map_keeps_what_was_sampled_at_the_samples() -> None:
    regions = np.array([[0, 0, 1], [0, 2, 1], [2, 2, 1]], dtype=np.int32)
    fine = refined(regions, 41, 41)
    assert np.array_equal(fine[::20, ::20], regions)


def test_the_boundary_of_two_halves_is_one_line() -> None:
    halves = np.zeros((4, 6), dtype=np.int32)
    halves[:, 3:] = 1
    assert boundary(halves).tolist() == [[0.5, 0.0, 0.5, 1.0]]
    assert boundary(np.zeros((3, 3), dtype=np.int32)).shape == (0, 4)


def test_a_label_stands_inside_its_region_or_not_at_all() -> None:
    mask = np.zeros((20, 30), dtype=bool)
    mask[5:15, 10:28] = True
    place = label_place(mask, 12, 4)
    assert place is not None
    x, y = place[0] * 30, place[1] * 20
    assert 16 <= x <= 22
    assert 7 <= y <= 13
    assert label_place(mask, 19, 4) is None
    assert label_place(mask, 40, 4) is None


def test_neighbouring_regions_differ_in_colour_and_text_is_readable_on_them(qapp: object) -> None:
    for mode in ("light", "dark"):
        theme().set_mode(mode)
        colours = [region_colour(place) for place in range(8)]
        assert len({colour.name() for colour in colours}) == 8
        ink = QColor(theme().colours.text).lightnessF()
        assert all(abs(colour.lightnessF() - ink) > 0.45 for colour in colours)


def test_a_map_knows_the_point_under_the_pointer_and_back(map_: RegionMap) -> None:
    there = map_.position_of(2.5, 4.0)
    assert map_.point_at(there) == pytest.approx((2.5, 4.0))
    assert map_.point_at(QPointF(1.0, 1.0)) is None
    corner = map_.position_of(0.0, 1.0)
    assert map_.point_at(corner + QPointF(-4.0, 4.0)) == pytest.approx((0.0, 1.0))


def test_moving_and_clicking_read_out_and_a_double_click_chooses(
    qtbot: QtBot, map_: RegionMap
) -> None:
    at = map_.position_of(3.0, 2.0).toPoint()
    with qtbot.waitSignal(map_.hovered) as read:
        move(map_.canvas.viewport(), at)
    assert read.args[0] == pytest.approx((3.0, 2.0), abs=0.05)
    other = map_.position_of(4.0, 6.0).toPoint()
    with qtbot.assertNotEmitted(map_.chosen):
        qtbot.mouseClick(map_.canvas.viewport(), Qt.MouseButton.LeftButton, pos=other)
    assert map_.cursor_point == pytest.approx((4.0, 6.0), abs=0.05)
    with qtbot.waitSignal(map_.chosen) as chosen:
        double_click(map_.canvas.viewport(), at)
    assert chosen.args[0] == pytest.approx((3.0, 2.0), abs=0.05)


def test_escape_lets_go_of_the_point_that_is_read_out(qtbot: QtBot, map_: RegionMap) -> None:
    move(map_.canvas.viewport(), map_.position_of(2.0, 3.0).toPoint())
    assert map_.cursor_point is not None
    qtbot.keyClick(map_, Qt.Key.Key_Escape)
    assert map_.cursor_point is None
    with qtbot.assertNotEmitted(map_.chosen):
        qtbot.keyClick(map_, Qt.Key.Key_Return)


def test_the_keys_walk_from_the_present_point_and_enter_chooses(
    qtbot: QtBot, map_: RegionMap
) -> None:
    qtbot.keyClick(map_, Qt.Key.Key_Right)
    qtbot.keyClick(map_, Qt.Key.Key_Up)
    with qtbot.waitSignal(map_.chosen) as chosen:
        qtbot.keyClick(map_, Qt.Key.Key_Return)
    assert chosen.args[0] == pytest.approx((2.125, 1.225))
    for _ in range(60):
        qtbot.keyClick(map_, Qt.Key.Key_Left)
    with qtbot.waitSignal(map_.chosen) as edge:
        qtbot.keyClick(map_, Qt.Key.Key_Return)
    assert edge.args[0][0] == 0.0


def test_the_picture_of_a_map_has_axes_labels_and_a_legend(
    qtbot: QtBot, map_: RegionMap, tmp_path: Path
) -> None:
    export(qtbot, Exports(map_, "map", map_, map_.table), tmp_path / "map.svg")
    text = (tmp_path / "map.svg").read_text()
    for part in ("contenders on M1", "slowdown of the link", "1: both on M1", "3: both on M2"):
        assert part in text


def test_the_numbers_of_a_map_are_one_row_a_point(map_: RegionMap) -> None:
    table = map_.table()
    assert table.headings == (
        "contenders on M1", "slowdown of the link", "region", "best", "makespan (s)",
    )  # fmt: skip
    assert len(table.rows) == 19 * 21
    assert table.rows[0] == (0.0, 1.0, "1", "both on M1", 16.0)


def test_a_map_still_being_computed_says_so(qtbot: QtBot, map_: RegionMap, tmp_path: Path) -> None:
    whole = decision()
    part = whole.regions.copy()
    part[10:] = -1
    map_.show_map(MapPicture(whole.x, whole.y, part, whole.values_s, whole.labels, whole.present))
    export(qtbot, Exports(map_, "map", map_, map_.table), tmp_path / "map.svg")
    assert "computing…" in html.unescape((tmp_path / "map.svg").read_text())
    assert map_.table().rows[-1][2:4] == ("", "")


def test_an_empty_map_says_what_it_needs_and_ignores_clicks(qtbot: QtBot, map_: RegionMap) -> None:
    map_.show_map(None)
    with qtbot.assertNotEmitted(map_.chosen):
        double_click(map_.canvas.viewport(), QPoint(300, 100))
        qtbot.keyClick(map_, Qt.Key.Key_Return)
    assert map_.table().rows == ()


@pytest.mark.parametrize("fills", [False, True])
def test_bars_that_fill_their_chart_use_its_height_and_others_stay_together(
    qtbot: QtBot, fills: bool
) -> None:
    bars = tuple(Bar(name, (Segment("work", 2.0, "#0072B2"),), "2.00 s") for name in "abcdef")
    chart = BarChart("chart", "Bars", "Nothing", fills=fills)
    qtbot.addWidget(chart)
    chart.resize(500, 600)
    chart.set_groups((Group("time", "s", bars),))
    chart.show()
    chart.grab()
    drawn = [y for y in range(600) if chart.hint_at(QPointF(250.0, float(y)))]
    assert (max(drawn) > 0.8 * 600) == fills
    thick = sum(1 for y in drawn if chart.hint_at(QPointF(250.0, float(y))).startswith("a, "))
    assert (thick > 40) == fills


def test_a_thread_draws_bars_as_they_were_when_they_were_asked_for(chart: BarChart) -> None:
    chart.set_groups(bars())
    assert_drawn_alike(chart, lambda: chart.set_groups(()))
    chart.set_groups(bars())
    with other_theme() as change:
        assert_drawn_alike(chart, change)
