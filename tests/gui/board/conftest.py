"""A board on screen, with its document predicted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.project.project import Project
from gui.board.board_view import BoardView
from gui.document.document import Document
from machines import Machine, Platform
from tests.gui.pointer import double_click, move

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.document.document import Outcome

NONE = Qt.KeyboardModifier.NoModifier


class Hand:
    """Drives a board with mouse and keys, as its user does."""

    def __init__(self, qtbot: QtBot, board: BoardView) -> None:
        self.qtbot, self.board = qtbot, board

    @property
    def viewport(self) -> QWidget:
        return self.board.surface.viewport()

    def task(self, task: int) -> QPoint:
        """The middle of a task's item."""
        view = self.board.surface
        return view.item_rect(view.item_of(task)).center().toPoint()

    def lane(self, machine: int) -> QPoint:
        """Empty ground at the right of a lane."""
        card = self.board.surface.card_rect(machine)
        return QPoint(self.viewport.width() - 12, round(card.center().y()))

    def card(self, machine: int) -> QPoint:
        """A machine's card, at its name: no offer is there, and no mark that unfolds loads."""
        return self.board.surface.card_rect(machine).topLeft().toPoint() + QPoint(32, 10)

    def press(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.viewport, Qt.MouseButton.LeftButton, modifiers, at)

    def release(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseRelease(self.viewport, Qt.MouseButton.LeftButton, modifiers, at)

    def move(self, *path: QPoint) -> None:
        move(self.viewport, *path)

    def click(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseClick(self.viewport, Qt.MouseButton.LeftButton, modifiers, at)

    def double_click(self, at: QPoint) -> None:
        double_click(self.viewport, at)

    def lift(self, task: int, to: QPoint) -> None:
        """Press on a task and drag it to a point, without letting go."""
        at = self.task(task)
        self.press(at)
        self.move(at + QPoint(20, 0), to)

    def key(self, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        for key in keys:
            QTest.keyClick(self.board.surface, key, modifiers)

    def wait_for_offers(self) -> None:
        """Estimates, and then the exact values."""
        offers = self.board.offers
        self.qtbot.waitUntil(lambda: offers.preview is not None and offers.preview.exact)

    def wait_until_current(self) -> None:
        """The board shows the prediction of the document as it is."""
        document, board = self.board.document, self.board

        def current() -> bool:
            shown = board.surface.outcome
            return shown is not None and shown.project is document.project

        self.qtbot.waitUntil(current)


@pytest.fixture
def separate(qapp: object) -> Document:
    """Four tasks A, B, C, D without flows on one machine."""
    tasks = tuple(Task(name, work=1.0) for name in "ABCD")
    platform = Platform("one", (Machine("M1", cores=4),))
    return Document(Project(platform, Workload("w", tasks), Plan((0,) * 4)))


@pytest.fixture
def show(qtbot: QtBot, predicted: Callable[[Document], Outcome]) -> Callable[[Document], Hand]:
    """``show(document)`` puts a board on screen and waits for its schedule."""

    def make(document: Document) -> Hand:
        predicted(document)
        board = BoardView(document)
        board.set_animated(False)
        qtbot.addWidget(board)
        board.resize(1000, 640)
        with qtbot.waitExposed(board):
            board.show()
        hand = Hand(qtbot, board)
        hand.wait_until_current()
        board.surface.setFocus()
        return hand

    return make
