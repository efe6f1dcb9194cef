"""Tab and Shift+Tab go from stop to stop as one reads, in any window."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

import gui
from gui.basics.reading_order import InReadingOrder, stops_of
from gui.shell.main_window import MainWindow
from tests.gui.keyboard import take_keys


class Window(InReadingOrder, QDialog):
    """Fields that are made in another order than one reads them."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        last, grid, row = self.field("last"), QGridLayout(), QHBoxLayout()
        column.addWidget(last)
        column.insertLayout(0, grid)
        for name, place in (("lower left", (1, 0)), ("right", (0, 1)), ("left", (0, 0))):
            grid.addWidget(self.field(name), *place)
        column.insertLayout(1, row)
        row.addWidget(self.field("second of a row"))
        row.insertWidget(0, self.field("first of a row"))
        self.count = QSpinBox()
        self.count.setObjectName("count")
        column.insertWidget(2, self.count)
        self.split = QSplitter()
        self.split.addWidget(self.field("beside"))
        self.split.insertWidget(0, self.field("halved"))
        column.insertWidget(3, self.split)
        self.floating = self.field("of no layout")

    def field(self, name: str) -> QLineEdit:
        made = QLineEdit(self)
        made.setObjectName(name)
        return made


ORDER = (
    "left", "right", "lower left", "first of a row", "second of a row", "count", "halved",
    "beside", "last", "of no layout",
)  # fmt: skip


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


@pytest.fixture
def opened(qtbot: QtBot) -> Window:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    take_keys(qtbot, window)
    return window


def test_tab_goes_as_one_reads_and_shift_tab_back(qtbot: QtBot, opened: Window) -> None:
    opened.findChild(QLineEdit, "left").setFocus()  # type: ignore[union-attr]
    there, back = [], []
    for _ in range(len(ORDER) + 1):
        there.append(focus().objectName())
        qtbot.keyClick(focus(), Qt.Key.Key_Tab)
    qtbot.keyClick(focus(), Qt.Key.Key_Backtab)
    for _ in range(len(ORDER)):
        qtbot.keyClick(focus(), Qt.Key.Key_Backtab)
        back.append(focus().objectName())
    assert tuple(there) == (*ORDER, ORDER[0])
    assert tuple(back) == ORDER[::-1]


def test_what_is_hidden_or_disabled_is_passed_over(opened: Window) -> None:
    opened.split.hide()
    opened.count.setEnabled(False)
    names = [stop.objectName() for stop in stops_of(opened)]
    assert names == [name for name in ORDER if name not in {"halved", "beside", "count"}]


def test_one_stop_alone_keeps_the_keyboard(qtbot: QtBot, opened: Window) -> None:
    for stop in stops_of(opened):
        stop.setVisible(stop is opened.floating)
    opened.floating.setFocus()
    qtbot.keyClick(opened.floating, Qt.Key.Key_Tab)
    assert focus() is opened.floating


def test_a_stop_below_the_edge_is_scrolled_into_sight(qtbot: QtBot) -> None:
    class Long(InReadingOrder, QDialog):
        """Twenty fields where there is room for a few."""

    window, area, page = Long(), QScrollArea(), QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(page)
    for _ in range(20):
        column.insertWidget(0, QLineEdit())
    area.setWidget(page)
    QVBoxLayout(window).addWidget(area)
    window.resize(200, 120)
    window.show()
    take_keys(qtbot, window)
    area.setFocus()
    seen: list[QWidget] = []
    for _ in range(20):
        qtbot.keyClick(focus(), Qt.Key.Key_Tab)
        seen.append(focus())
        assert not focus().visibleRegion().isEmpty()
    assert all(one.y() < other.y() for one, other in pairwise(seen))
    assert len(set(seen)) == 20


def test_docks_behind_others_are_passed_over(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLineEdit())
    docks = []
    for name in ("front", "behind"):
        dock, field = QDockWidget(name), QLineEdit()
        field.setObjectName(name)
        dock.setWidget(field)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        docks.append(dock)
    window.tabifyDockWidget(*docks)
    docks[0].raise_()
    window.show()
    qtbot.waitExposed(window)

    def names() -> set[str]:
        return {stop.objectName() for stop in stops_of(window)}

    qtbot.waitUntil(lambda: "behind" not in names())
    assert "front" in names()
    docks[1].raise_()
    qtbot.waitUntil(lambda: "behind" in names() and "front" not in names())


def test_every_dialog_has_this_order() -> None:
    root = Path(gui.__file__).parent
    without = [path for path in root.rglob("*.py") if "(QDialog):" in path.read_text()]
    assert without == []
    assert issubclass(MainWindow, InReadingOrder)
