"""Docks that made room come back as they lay: one at a time, the one in front in front."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from gui.basics.settings import Settings
from gui.shell.dock_shares import in_front
from gui.shell.main_window import MainWindow


def back(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page("allocation")
    qtbot.waitUntil(lambda: window.away.state is None and not window.painting.isActive())


def places(window: MainWindow) -> dict[str, QRect]:
    return {name: dock.geometry() for name, dock in window.docks.items() if in_front(window, dock)}


@pytest.mark.parametrize("front", ["what_if", "schedule"])
def test_they_lie_where_they_lay(qtbot: QtBot, window: MainWindow, front: str) -> None:
    window.show_dock(front)
    back(qtbot, window)
    before = places(window)
    assert front in before
    for page in ("styles", "evidence", "campaign"):
        window.show_page(page)
        qtbot.waitUntil(lambda: not places(window))
        back(qtbot, window)
        assert places(window) == before


def test_each_comes_in_a_turn_of_its_own(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page("styles")
    shown = [0]
    for dock in window.docks.values():
        dock.visibilityChanged.connect(
            lambda _seen: shown.append(sum(not one.isHidden() for one in window.docks.values()))
        )
    back(qtbot, window)
    steps = {after - before for before, after in pairwise(shown)}
    assert steps <= {0, 1}
    assert max(shown) > 3


def test_those_that_have_begun_to_come_back_make_room_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_dock("schedule")
    back(qtbot, window)
    before = places(window)
    window.show_page("styles")
    window.show_page("allocation")
    qtbot.waitUntil(lambda: any(not dock.isHidden() for dock in window.docks.values()))
    window.show_page("mapping")
    assert all(dock.isHidden() for dock in window.docks.values())
    back(qtbot, window)
    assert places(window) == before


def test_a_dock_that_is_asked_for_brings_all_back_at_once(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page("styles")
    window.show_page("allocation")
    window.show_dock("schedule")
    assert window.away.state is None
    assert not window.docks["inspector"].isHidden()
    qtbot.waitUntil(lambda: "schedule" in places(window))


def test_what_was_in_front_at_the_last_closing_is_so_behind_the_start_page(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_dock("schedule")
    back(qtbot, window)
    window.keep_layout()
    other = MainWindow(Settings())
    try:
        other.show_start_page(True)
        other.show()
        qtbot.waitExposed(other)
        back(qtbot, other)
        assert "schedule" in places(other)
        assert "what_if" not in places(other)
    finally:
        other.document.undo_stack.setClean()
        other.close()
        other.deleteLater()


@pytest.mark.parametrize("page", ["styles", "campaign"])
def test_reset_while_they_are_away_gives_what_it_gives_on_the_board(
    qtbot: QtBot, window: MainWindow, page: str
) -> None:
    window.reset_layout()
    back(qtbot, window)
    qtbot.settle()
    before = places(window)
    assert before["inspector"].height() > 200
    window.show_page(page)
    window.reset_layout()
    back(qtbot, window)
    qtbot.waitUntil(lambda: places(window) == before)


def test_the_answer_comes_with_the_first_board_after_the_start_page(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.hide()  # as at the first start: the start page is there before the window
    window.show_start_page(True)
    window.show()
    assert not window.strip.isVisible()
    window.commands["new"].trigger()
    qtbot.waitUntil(lambda: window.away.state is None and not window.on_start_page)
    assert window.strip.isVisible()
