"""Every menu of the window can be worked with Alt and letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.literal_menu import plain
from gui.board.board_view import BoardView
from gui.document.document import Selection
from gui.plots.plot_panel import Exports
from gui.shell.main_window import MainWindow
from tests.gui.keyboard import take_keys

_MOST = 30  # entries of a menu that must all have letters


def letter(text: str) -> str:
    """The marked letter of a text; empty where there is none."""
    bare = text.replace("&&", "")
    at = bare.find("&")
    return bare[at + 1].casefold() if at >= 0 else ""


def complaints(menu: QMenu, name: str) -> Iterator[str]:
    """What is wrong with the letters of a menu, and of those in it, as they open."""
    menu.aboutToShow.emit()
    entries = [action for action in menu.actions() if not action.isSeparator()]
    found = [letter(action.text()) for action in entries]
    for action, one in zip(entries, found, strict=True):
        if not one and len(entries) <= _MOST:
            yield f"{name}: {action.text()!r} has no letter"
        elif one and found.count(one) > 1:
            yield f"{name}: {action.text()!r} shares {one!r}"
        inside = action.menu()
        if isinstance(inside, QMenu):
            yield from complaints(inside, f"{name} › {plain(action.text())}")


def test_every_menu_of_the_bar_has_unique_letters(qtbot: QtBot, window: MainWindow) -> None:
    window.settings.add_recent(Path("/a/R&D.placewise"))
    window.settings.add_recent(Path("/a/run.placewise"))
    window.document.move_tasks(frozenset({0}), 1)
    assert [letter(action.text()) for action in window.menuBar().actions()] == [*"fevpah"]
    wrong = [
        text
        for action in window.menuBar().actions()
        if isinstance(menu := action.menu(), QMenu)
        for text in complaints(menu, plain(action.text()))
    ]
    assert wrong == []


def test_every_other_menu_has_unique_letters_and_no_field_takes_one_of_the_bar(
    qtbot: QtBot, window: MainWindow
) -> None:
    for page in ("trees", "mapping", "compare"):
        window.show_page(page)
        qtbot.settle()
    window.show_page("allocation")
    wrong = []
    for button in window.findChildren(QToolButton):
        menu = button.menu()
        if isinstance(menu, QMenu):
            wrong += list(complaints(menu, button.objectName()))
    for exports in window.findChildren(Exports):
        wrong += list(complaints(exports.menu(window), "exports"))
    docks = window.createPopupMenu()
    assert docks is not None
    wrong += list(complaints(docks, "docks"))
    assert wrong == []
    taken = {letter(action.text()) for action in window.menuBar().actions()}
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QAbstractButton) or (isinstance(widget, QLabel) and widget.buddy()):
            marked = letter(widget.text())
            assert not marked or marked not in taken, widget.text()


def test_the_menus_of_the_board_have_unique_letters(qtbot: QtBot, window: MainWindow) -> None:
    board = window.panel("allocation")
    assert isinstance(board, BoardView)
    window.document.select(Selection(tasks=frozenset({0})))
    board.surface.menu_requested.emit(frozenset({0}), QPoint(0, 0))
    menu = board.findChild(QMenu, "board-task-menu")
    assert isinstance(menu, QMenu)
    assert list(complaints(menu, "tasks")) == []
    menu.close()


def test_a_plan_is_pinned_by_letters_alone(qtbot: QtBot, window: MainWindow) -> None:
    take_keys(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.AltModifier)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    wanted = letter(window.commands["pin"].text())
    qtbot.keyClicks(menu, wanted)
    assert len(window.document.project.pins) == 1
    window.commands["undo"].trigger()
    assert window.document.project.pins == ()
