"""A newcomer at the window: works it with mouse and keys, and reads what is on the screen."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from advisor.project.project import Project
from gui.board.board_view import BoardView
from gui.board.overlay_badges import badge_rects
from gui.document.document import Outcome
from gui.inspector import Inspector
from gui.inspector.plan_choices import OPTION
from gui.panels.compare_panel import ComparePanel
from gui.shell.main_window import MainWindow
from tests.gui.board.conftest import Hand
from tests.gui.inspector.hands import type_into

LEFT, CTRL, SHIFT = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


class Newcomer:
    """Works the window with mouse and keys."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.document = qtbot, window, window.document

    @property
    def project(self) -> Project:
        return self.document.project

    @property
    def hand(self) -> Hand:
        board = self.window.panel("allocation")
        assert isinstance(board, BoardView)
        return Hand(self.qtbot, board)

    @property
    def inspector(self) -> Inspector:
        found = self.window.panel("inspector")
        assert isinstance(found, Inspector)
        return found

    @property
    def compare(self) -> ComparePanel:
        found = self.window.panel("compare")
        assert isinstance(found, ComparePanel)
        return found

    def click(self, name: str) -> None:
        button = self.window.findChild(QWidget, name)
        assert button is not None, name
        self.qtbot.mouseClick(button, LEFT)

    def tool(self, name: str) -> None:
        """Press a button of the toolbar."""
        action = self.window.commands[name]
        buttons = self.window.toolbar.findChildren(QToolButton)
        self.qtbot.mouseClick(next(one for one in buttons if one.defaultAction() is action), LEFT)

    def file_menu(self, name: str) -> None:
        """Choose from the File menu, by keys."""
        action = self.window.commands[name]
        menu = next(
            one
            for one in self.window.menuBar().findChildren(QMenu)
            if one.title().replace("&", "") == "File"
        )
        menu.popup(self.window.mapToGlobal(QPoint(0, 24)))
        menu.setActiveAction(action)
        QTest.keyClick(menu, Qt.Key.Key_Return)

    def undo(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.qtbot.keyClick(self.window, Qt.Key.Key_Z, CTRL)

    def redo(self, steps: int) -> None:
        for _ in range(steps):
            self.qtbot.keyClick(self.window, Qt.Key.Key_Z, CTRL | SHIFT)

    def predicted(self) -> Outcome:
        """The document's outcome, on the board too."""

        def ready() -> bool:
            outcome = self.document.outcome
            return outcome is not None and outcome.project is self.project

        self.qtbot.waitUntil(ready)
        self.hand.wait_until_current()
        assert self.document.outcome is not None
        return self.document.outcome

    def advised(self) -> None:
        """Wait until there is an answer with its reasons."""
        self.qtbot.waitUntil(lambda: not self.window.advisor.is_busy)

    def gains(self) -> dict[str, float]:
        """What the answer says of each decision: {its title: percent of the time saved}."""
        self.click("answer.why")
        self.window.panel("reasons")
        fold = self.window.findChild(QToolButton, "answer.by_decision_fold")
        assert fold is not None
        if not fold.isChecked():
            self.qtbot.mouseClick(fold, LEFT)
        found = {}
        while words := self.window.findChild(QLabel, f"answer.decision{len(found)}"):
            gain = self.window.findChild(QLabel, f"answer.decision_gain{len(found)}")
            assert gain is not None
            saved = re.match(r"▼ −([\d.]+) %", gain.text())
            found[words.text().split(":")[0]] = float(saved[1]) if saved else 0.0
        return found

    def open_example(self, title: str) -> None:
        self.window.commands["start_page"].trigger()
        links = self.window.welcome.findChildren(QPushButton)
        self.qtbot.mouseClick(next(one for one in links if one.text() == title), LEFT)
        self.qtbot.waitUntil(lambda: len(self.project.workload.overlays) == 1)

    def click_badge(self, machine: str) -> None:
        """What an overlay runs on a machine."""
        surface, place = self.hand.board.surface, self.project.platform.index[machine]
        here = surface.facts[place].overlays
        rect = badge_rects(surface.ink, surface.card_rect(place), here, QRectF())[0]
        self.hand.click(rect.center().toPoint())

    def write_tree(self, shape: str) -> None:
        """Write the fan-outs of the overlay that is shown."""
        type_into(self.qtbot, self.inspector, "tree", shape)

    def choose(self, kind: str, words: str) -> None:
        """Click an option of the plan's choices, once all of them have their price."""
        found = self.inspector.choices
        self.qtbot.waitUntil(lambda: bool(found.shown) and not found.is_busy)
        options = found.options
        groups = [options.topLevelItem(place) for place in range(options.topLevelItemCount())]
        group = next(one for one in groups if one is not None and one.text(OPTION) == kind)
        rows = [group.child(place) for place in range(group.childCount())]
        row = next(one for one in rows if words in one.text(OPTION))
        options.scrollToItem(row)
        at = options.visualItemRect(row)
        QTest.mouseClick(options.viewport(), LEFT, pos=QPoint(at.left() + 12, at.center().y()))

    def compared(self) -> list[str]:
        """The page Compare, and the first column of its table."""
        self.window.show_page("compare")
        self.qtbot.waitUntil(
            lambda: (
                self.compare.comparison is not None
                and self.compare.comparison.outcome.project is self.project
            )
        )
        model = self.compare.table.columns_model
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def click_row(self, name: str) -> None:
        """A plan on the page Compare."""
        row, table = self.compared().index(name), self.compare.table
        place = table.visualRect(table.columns_model.index(row, 0)).center()
        self.qtbot.mouseClick(table.viewport(), LEFT, pos=place)

    def export_all(self, folder: Path) -> None:
        """Every file of the plan, into a folder."""
        self.file_menu("export_all")
        dialog = self.window.findChild(QFileDialog, "export_all_dialog")
        assert dialog is not None
        with self.qtbot.waitSignal(self.window.files.told):
            dialog.fileSelected.emit(str(folder))
            dialog.close()
