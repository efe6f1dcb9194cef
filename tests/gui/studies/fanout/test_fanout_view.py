"""The map of fan-outs in the window: numbers, pointer and keys, choice of the tree, files."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QGraphicsSimpleTextItem
from pytestqt.qtbot import QtBot

from advisor.studies.study import StudyResult
from advisor.trees.fanout_map import FanoutMap, fanout_map
from advisor.trees.tree_costs import TreeCosts
from gui.basics.figures import picture
from gui.basics.theme import theme
from gui.studies.fanout.fanout_chart import FanoutChart, fanout_colour
from gui.studies.fanout.fanout_view import FanoutMapView
from gui.studies.page.result_views import ResultViews
from gui.tables.data_table import DataTable
from tests.advisor.random_trees import loggp
from tests.gui.pointer import move


@lru_cache
def small() -> FanoutMap:
    return fanout_map(TreeCosts(loggp(6.0, 0.5, 4.0)), 512, 5)


@pytest.fixture
def view(qtbot: QtBot) -> FanoutMapView:
    view = FanoutMapView()
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.set_picture(small())
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def chart(view: FanoutMapView) -> FanoutChart:
    return view.panel.fanout_chart


def middle(chart: FanoutChart, row: int, column: int) -> QPoint:
    """Of a cell of the map, on the canvas."""
    found = chart.map
    assert found is not None
    return chart.position_of(found.ratio[column], found.back_ends[row]).toPoint()


def point_at(chart: FanoutChart, row: int, column: int) -> None:
    """Move the pointer to a cell, even if a test before has left it there."""
    there = middle(chart, row, column)
    move(chart.canvas.viewport(), there + QPoint(0, 1), there)


def cursor_cell(chart: FanoutChart) -> tuple[int, int] | None:
    """(row, column) of what is read out."""
    point = chart.cursor_point
    return chart.picture.cell(*point) if chart.picture and point else None


def test_the_point_under_the_pointer_is_read_out(view: FanoutMapView, chart: FanoutChart) -> None:
    assert view.panel.readout.text().startswith("Point at the map")
    point_at(chart, 8, 0)
    assert view.panel.readout.text() == (
        "N = 512, g/L = 0.0100: balanced 8-way 31.5 µs; "
        "optimum 26.0 µs, 38 children of the front-end"
    )
    assert chart.hint_at(QPointF(middle(chart, 8, 0))) == view.panel.readout.text()
    assert chart.hint_at(QPointF(0, 0)) == ""
    move(chart.canvas.viewport(), QPoint(1, 1))
    assert view.panel.readout.text().startswith("Point at the map")


def test_arrow_keys_move_a_cursor_from_the_users_case_on(qtbot: QtBot, chart: FanoutChart) -> None:
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Up)
    assert cursor_cell(chart) == (9, 2)  # g/L = 2/3 lies nearest to 1
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(chart, key)
    assert cursor_cell(chart) == (8, 4)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert cursor_cell(chart) == (8, 3)
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert cursor_cell(chart) is None


def test_a_smaller_map_forgets_a_point_that_it_has_not(
    qtbot: QtBot, view: FanoutMapView, chart: FanoutChart
) -> None:
    point_at(chart, 3, 4)
    view.set_picture(small())
    assert cursor_cell(chart) == (3, 4)
    view.set_picture(fanout_map(TreeCosts(loggp(6.0, 0.5, 4.0)), 1, 2, should_stop=lambda: True))
    assert cursor_cell(chart) is None
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert cursor_cell(chart) == (0, 0)
    assert "optimum" not in view.panel.readout.text()


def test_either_tree_can_be_shown(qtbot: QtBot, view: FanoutMapView, chart: FanoutChart) -> None:
    before = chart.grab().toImage()
    view.panel.shown.setFocus()
    qtbot.keyClick(view.panel.shown, Qt.Key.Key_Down)
    assert chart.shown == "front-end of the optimum"
    assert chart.grab().toImage() != before


def test_regions_have_the_colours_of_their_fanouts(chart: FanoutChart) -> None:
    image = chart.canvas.grab().toImage()
    scale = image.width() / chart.canvas.width()
    found = small().balanced
    for row, column in ((0, 0), (10, 4), (19, 0)):
        corner = middle(chart, row, column) + QPoint(-20, 8)
        seen = QColor(image.pixel(int(corner.x() * scale), int(corner.y() * scale)))
        assert seen.name() == fanout_colour(int(found[row, column])).name()
    assert fanout_colour(0) == QColor(theme().colours.raised)


def written(chart: FanoutChart) -> list[tuple[str, QPointF]]:
    """The texts in the map, and the middles of them on the canvas."""
    chart.canvas.grab()
    labels = [
        item
        for item in chart.canvas.scene().items()
        if isinstance(item, QGraphicsSimpleTextItem) and item.parentItem() is chart.view_box
    ]
    return [(one.text(), one.sceneBoundingRect().center()) for one in labels]


def test_a_number_stands_in_each_region_that_has_room_for_it(chart: FanoutChart) -> None:
    shown, found = written(chart), small()
    assert {text for text, _ in shown} == {str(one) for one in np.unique(found.balanced).tolist()}
    for text, at in shown:
        point = chart.point_at(at)
        assert point is not None
        assert chart.picture is not None
        assert str(found.balanced[chart.picture.cell(*point)]) == text


def test_the_map_and_its_numbers_go_out(
    qtbot: QtBot, view: FanoutMapView, chart: FanoutChart, tmp_path: Path
) -> None:
    for name in ("map.svg", "map.png", "map.csv"):
        with qtbot.waitSignal(view.panel.exports.exported):
            view.panel.exports.export(tmp_path / name)
    svg = (tmp_path / "map.svg").read_text()
    assert "your case" in svg and "gap over latency g/L" in svg
    assert not QImage(str(tmp_path / "map.png")).isNull()
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert len(lines) == 1 + 20 * 5
    assert lines[1].startswith("2,0.01,2,")
    qtbot.mouseClick(view.panel.table_button, Qt.MouseButton.LeftButton)
    table = view.panel.findChild(DataTable)
    assert isinstance(table, DataTable)
    assert table.columns_model.rowCount() == 100
    stopped = replace(small(), optimal=np.zeros((20, 5), dtype=np.int64), complete=False)
    view.set_picture(stopped)
    assert chart.table().rows[0][4:] == (None, None)


def test_old_maps_are_dimmed_and_an_empty_one_says_so(qtbot: QtBot, view: FanoutMapView) -> None:
    view.set_dimmed(True)
    assert view.panel.fanout_chart.dimmed
    empty = FanoutChart()
    qtbot.addWidget(empty)
    empty.resize(400, 300)
    assert b"comes with" in picture(empty, ".svg")
    assert empty.table().rows == ()


def test_a_study_gets_a_tab_for_the_map(qtbot: QtBot) -> None:
    tabs = ResultViews()
    qtbot.addWidget(tabs)
    tabs.show_result(StudyResult("A map.", pictures=(small(),)))
    assert tabs.titles() == ["Fan-outs"]
    assert isinstance(tabs.page(0), FanoutMapView)
