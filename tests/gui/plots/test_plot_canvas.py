"""What all plots of pyqtgraph share: when it is loaded, zoom of maps, their legend and labels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QApplication, QGraphicsSimpleTextItem
from pytestqt.qtbot import QtBot

from gui.plots.plot_legend import Entry, boxes, parted
from gui.plots.region_map import RegionMap
from tests.gui.plots.hands import decision, turn
from tests.gui.pointer import double_click

ROOT = Path(__file__).resolve().parents[3]


def labels(chart: RegionMap) -> dict[str, QPointF]:
    """The texts in the map, and the middles of them on the canvas."""
    chart.canvas.grab()
    return {
        item.text(): item.sceneBoundingRect().center()
        for item in chart.canvas.scene().items()
        if isinstance(item, QGraphicsSimpleTextItem) and item.parentItem() is chart.view_box
    }


def test_the_panels_that_a_window_opens_with_do_not_load_pyqtgraph() -> None:
    code = (
        "import sys, gui.panels.reasons_panel, gui.panels.breakdown; "
        "import gui.panels.decision_map; from PySide6.QtWidgets import QApplication; "
        "app = QApplication([]); from gui.plots.region_map import RegionMap; "
        "RegionMap('map', 'Map', 'empty').grab(); "
        "sys.exit('pyqtgraph' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_page_may_load_its_plots_while_a_thread_loads_pyqtgraph() -> None:
    code = """
import sys, threading, time
thread = threading.Thread(target=__import__, args=("gui.plots.region_items",))
thread.start()
while "pyqtgraph.Qt" not in sys.modules:
    time.sleep(0.0001)
import gui.plots.curve_plot
thread.join()
import gui.plots.region_items
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_wheel_zooms_a_map_at_the_pointer_and_a_double_click_beside_it_shows_everything(
    qtbot: QtBot, map_: RegionMap
) -> None:
    at = map_.position_of(4.0, 6.0)
    before = map_.view
    turn(map_.canvas, at, Qt.KeyboardModifier.NoModifier, 3)
    turn(map_.canvas, at, Qt.KeyboardModifier.ControlModifier, 3)
    assert map_.view[0].length < before[0].length
    assert map_.view[1].length < before[1].length
    assert map_.point_at(at) == pytest.approx((4.0, 6.0), abs=0.1)
    map_.show_map(decision())
    assert not map_.is_fitted
    double_click(map_.canvas.viewport(), at.toPoint())
    assert not map_.is_fitted  # it chooses the point
    double_click(map_.canvas.viewport(), (map_.area().bottomLeft() + QPointF(-20, 5)).toPoint())
    assert map_.is_fitted


def test_labels_stand_in_their_regions_also_in_a_zoom(map_: RegionMap) -> None:
    shown = labels(map_)
    assert set(shown) == {
        "1: both on M1",
        "2",
        "3: both on M2",
    }  # no room for all of the second name
    for _ in range(3):
        turn(map_.canvas, map_.position_of(4.5, 8.0), Qt.KeyboardModifier.NoModifier, 3)
        turn(map_.canvas, map_.position_of(4.5, 8.0), Qt.KeyboardModifier.ControlModifier, 3)
    zoomed = labels(map_)
    assert set(zoomed) == {"3: both on M2"}
    for text, at in zoomed.items():
        assert map_.area().contains(at)
        assert map_.hint_at(at) == f"{text}\nmakespan ≈ 48.0 s"


def test_the_word_at_the_present_point_turns_away_from_the_edge(map_: RegionMap) -> None:
    def word() -> QRectF:
        map_.canvas.grab()
        return next(
            item.sceneBoundingRect()
            for item in map_.canvas.scene().items()
            if isinstance(item, QGraphicsSimpleTextItem) and item.text() == "now"
        )

    assert word().left() > map_.position_of(2.0, 1.0).x()
    map_.move_present((5.0, 10.0))
    assert word().right() < map_.position_of(5.0, 10.0).x()
    assert map_.area().contains(word())


def test_no_label_of_a_region_stands_beside_the_word_at_the_present_point(
    map_: RegionMap,
) -> None:
    map_.resize(500, 160)  # the second region is low: its number has room in few places
    QApplication.processEvents()
    for across in range(5, 30):
        map_.move_present((across / 10, 1.0))
        map_.canvas.grab()
        written = [
            item
            for item in map_.canvas.scene().items()
            if isinstance(item, QGraphicsSimpleTextItem) and item.isVisible()
        ]
        word = next(item for item in written if item.text() == "now").sceneBoundingRect()
        named = [item for item in written if item.parentItem() is map_.view_box]
        for item in named:
            box = item.sceneBoundingRect()
            assert not box.intersects(word.adjusted(-12, 2, 12, -2)), (across, item.text())


def test_the_legend_of_a_map_stands_beside_it_and_cannot_be_clicked(
    qtbot: QtBot, map_: RegionMap
) -> None:
    assert [entry.name for entry in map_.legend.entries] == [
        "1: both on M1", "2: A on M2, B on M1", "3: both on M2",
    ]  # fmt: skip
    assert map_.legend.x() >= map_.canvas.geometry().right()
    at = map_.legend.place_of("3: both on M2")
    assert map_.legend.hint_at(at) == "3: both on M2"
    with qtbot.assertNotEmitted(map_.legend.chosen):
        qtbot.mouseClick(map_.legend, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert map_.legend.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_a_legend_beside_takes_a_third_at_most_and_one_above_the_full_width(
    map_: RegionMap,
) -> None:
    metrics, rect = QFontMetricsF(map_.small_font()), QRectF(0, 0, 600, 400)
    entries = [Entry("a very long name of a plan, " * 4, QColor("red"))]
    names, room = parted(entries, rect, metrics, beside=True)
    assert names.left() == room.right() == pytest.approx(0.68 * 600)
    many = [Entry(f"{number} plan", QColor("red")) for number in range(60)]
    names, room = parted(many, rect, metrics, beside=True)
    assert len(boxes(many, names, metrics)) == 60  # in columns, each as long as it needs
    assert names.width() <= 0.5 * 600
    three = [Entry(f"{number} plan" * number, QColor("red")) for number in (1, 1, 8)]
    names, room = parted(three, rect, metrics, beside=True)
    assert len({box.top() for box in boxes(three, names, metrics)}) == 3  # a line each
    names, room = parted(three, rect, metrics)
    assert len({box.top() for box in boxes(three, names, metrics)}) == 1
    names, room = parted(entries, rect, metrics)
    assert names.width() == room.width() == 600
    assert room.bottom() == 400
