"""The window keeps the keyboard: nothing opens a window of its own in passing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from gui.document.document import Selection
from gui.inspector import Inspector
from gui.model.model_table import ModelTable
from gui.shell.main_window import MainWindow
from tests.gui.keyboard import take_keys

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def front(qtbot: QtBot, window: MainWindow) -> MainWindow:
    take_keys(qtbot, window)
    return window


def test_no_sheet_of_the_inspector_takes_the_window_away(qtbot: QtBot, front: MainWindow) -> None:
    front.show_dock("inspector")
    lost: list[object] = []
    QGuiApplication.instance().focusWindowChanged.connect(lost.append)  # type: ignore[union-attr]
    for chosen in (
        Selection(tasks=frozenset({0})), Selection(machine=0), Selection(link=0), Selection(flow=0),
        Selection(),
    ):  # fmt: skip
        front.document.select(chosen)
        qtbot.settle()
    QGuiApplication.instance().focusWindowChanged.disconnect(lost.append)  # type: ignore[union-attr]
    assert lost == []
    assert front.isActiveWindow()


def test_no_page_takes_the_window_away_and_tab_leaves_every_table(
    qtbot: QtBot, front: MainWindow
) -> None:
    for name in (*(panel.id for panel in front.in_area("centre")), *front.docks):
        if name in front.docks:
            front.show_page("allocation")
            front.show_dock(name)
        else:
            front.show_page(name)
        qtbot.settle()
        for table in front.findChildren(QTableView):
            if not table.isVisible() or table.focusPolicy() == Qt.FocusPolicy.NoFocus:
                continue
            table.setFocus()
            assert table.hasFocus()
            qtbot.keyClick(table, Qt.Key.Key_Tab)
            after = QApplication.focusWidget()
            assert after is not None, (name, table.objectName())
            assert after is not table
            assert front.isActiveWindow()


def test_tab_goes_down_every_sheet_of_the_inspector(qtbot: QtBot, front: MainWindow) -> None:
    inspector = front.panel("inspector")
    assert isinstance(inspector, Inspector)
    front.show_dock("inspector")
    qtbot.waitUntil(lambda: not inspector.is_busy)  # rows of all sheets are made
    for chosen in (
        Selection(tasks=frozenset({0})), Selection(machine=0), Selection(link=0), Selection(),
    ):  # fmt: skip
        front.document.select(chosen)
        inspector.focus()
        heights, fields = [], set()
        while (now := QApplication.focusWidget()) is not None and inspector.isAncestorOf(now):
            heights.append(now.mapTo(inspector.widget(), QPoint()).y())
            fields.add(now)
            qtbot.keyClick(now, Qt.Key.Key_Tab)
        assert heights == sorted(heights)
        assert fields >= {line for line in inspector.findChildren(QLineEdit) if line.isVisible()}


def test_no_field_has_the_keyboard_at_first(qtbot: QtBot, front: MainWindow) -> None:
    now = QApplication.focusWidget()
    assert now is not None
    qtbot.keyClick(now, Qt.Key.Key_9, ALT)
    assert front.pages.currentWidget() is front.lazy["compare"]


@pytest.mark.parametrize("place", ["toolbar", "dock"])
def test_a_page_has_the_keyboard_of_a_field_that_it_puts_away(
    qtbot: QtBot, front: MainWindow, place: str
) -> None:
    inspector = front.panel("inspector")
    assert isinstance(inspector, Inspector)
    qtbot.waitUntil(lambda: not inspector.is_busy)
    field = front.toolbar.seconds if place == "toolbar" else front.docks["inspector"]
    if place == "toolbar":
        field.setFocus()
    else:
        inspector.focus()
    front.show_page("evidence")
    qtbot.waitUntil(lambda: not field.isVisible())
    now = QApplication.focusWidget()
    assert now is not None
    assert front.lazy["evidence"] is now or front.lazy["evidence"].isAncestorOf(now)
    qtbot.keyClick(now, Qt.Key.Key_1, ALT)
    assert front.pages.currentWidget() is front.lazy["allocation"]


def test_a_dock_of_tables_takes_the_keyboard_when_it_is_opened(
    qtbot: QtBot, front: MainWindow
) -> None:
    front.show_page("allocation")
    for _ in range(2):
        front.commands["panel_model_tables"].trigger()  # built with the first, there at the second
        qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), ModelTable))
        front.docks["model_tables"].close()


def test_the_palette_opens_a_dock_that_is_open_and_gives_the_keyboard_back(
    qtbot: QtBot, front: MainWindow
) -> None:
    front.show_page("allocation")
    front.panel("allocation").setFocus()
    before = QApplication.focusWidget()
    front.commands["find"].trigger()
    qtbot.keyClick(front.toolbar.search, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is before
    for _ in range(2):
        front.commands["find"].trigger()
        qtbot.keyClicks(front.toolbar.search, "breakdown")
        qtbot.keyClick(front.toolbar.search, Qt.Key.Key_Return)
        qtbot.waitUntil(front.docks["breakdown"].isVisible)


def test_tasks_can_be_pasted_right_after_file_new(qtbot: QtBot, window: MainWindow) -> None:
    window.show_start_page(True)
    window.commands["new"].trigger()
    qtbot.waitUntil(lambda: not window.on_start_page)
    take_keys(qtbot, window)
    QApplication.clipboard().setText("task\tminutes\na\t1\nb\t2\n")
    now = QApplication.focusWidget()
    assert now is not None
    qtbot.keyClick(now, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = window.table_import.dialog
    assert dialog is not None
    dialog.reject()
