"""The dock Model in the window, and a hand that types into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from advisor.project.opening import first_project
from gui.model.model_panel import ModelPanel
from gui.model.model_table import ModelTable
from gui.shell.main_window import MainWindow
from tests.gui.conftest import made_window, show_window
from tests.gui.keyboard import take_keys
from tests.gui.pointer import double_click

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


W = TypeVar("W", bound=QWidget)


def found(parent: QWidget, kind: type[W], name: str) -> W:
    """The widget of that name."""
    one = parent.findChild(kind, name)
    assert one is not None
    return one


class Hand:
    """Works the dock with keys and mouse."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.document = qtbot, window, window.document
        self.panel: ModelPanel = window.panel("model_tables")  # type: ignore[assignment]

    @property
    def table(self) -> ModelTable:
        return self.panel.current

    def tab(self, kind: str) -> ModelTable:
        QTest.mouseClick(found(self.panel, QToolButton, f"model_tab_{kind}"), LEFT)
        return self.table

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None) -> None:
        target = QApplication.focusWidget()
        assert target is not None
        QTest.keyClick(target, key, modifiers or Qt.KeyboardModifier.NoModifier)
        self.qtbot.settle()  # type: ignore[attr-defined]

    def write(self, text: str) -> None:
        for letter in text:
            target = QApplication.focusWidget()
            assert target is not None
            QTest.keyClicks(target, letter)
        self.qtbot.settle()  # type: ignore[attr-defined]

    def place(self, row: int, column: int) -> QPoint:
        return self.table.visualRect(self.table.cells.index(row, column)).center()

    def click(self, row: int, column: int, modifiers: Qt.KeyboardModifier | None = None) -> None:
        keys = modifiers or Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(self.table.viewport(), LEFT, keys, self.place(row, column))

    def double_click(self, row: int, column: int) -> None:
        self.click(row, column)
        double_click(self.table.viewport(), self.place(row, column))

    def texts(self) -> list[list[str]]:
        cells = self.table.cells
        return [
            [str(cells.index(row, column).data()) for column in range(cells.columnCount())]
            for row in range(cells.rowCount())
        ]


@pytest.fixture(scope="module")
def compiled() -> None:
    """Nothing: these projects are small, plain kernels serve."""


@pytest.fixture(scope="module")
def lasting(qapp: QApplication, quick: None) -> Iterator[MainWindow]:
    """One window for all tests of a file: its panels would be built for each."""
    with made_window() as window:
        yield window


@pytest.fixture
def window(qtbot: QtBot, lasting: MainWindow) -> Iterator[MainWindow]:
    """Shown as at first, but for the tables."""
    lasting.reset_layout()
    lasting.show_page("allocation")
    lasting.notice.clear()
    show_window(qtbot, lasting)
    yield lasting
    for dialog in lasting.findChildren(QDialog):
        dialog.close()
    lasting.hide()
    lasting.windowHandle().destroy()  # else it is never active again where there is no display


@pytest.fixture
def hand(qtbot: QtBot, window: MainWindow) -> Hand:
    """File > New with the dock open and the keyboard in its tasks."""
    window.document.load(first_project())
    window.resize(1280, 800)
    window.show_page("allocation")
    window.show_dock("model_tables")
    qtbot.waitUntil(lambda: window.lazy["model_tables"].widget is not None)
    take_keys(qtbot, window)
    made = Hand(qtbot, window)
    for table in made.panel.tables:
        table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        table.clearSelection()
    made.panel.show_kind(0)
    qtbot.waitUntil(made.panel.isVisible)
    made.table.setFocus()
    return made
