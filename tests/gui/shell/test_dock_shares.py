"""Docks keep their share of the window, of any size becomes; users draw it with the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QByteArray, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from gui.basics.settings import Settings
from gui.shell.main_window import MainWindow

SMALL, LARGE = (1280, 800), (2560, 1440)


def below(window: MainWindow) -> int:
    return window.docks["what_if"].height()


def beside(window: MainWindow) -> int:
    return window.docks["inspector"].width()


def sized(qtbot: QtBot, window: MainWindow, size: tuple[int, int]) -> tuple[int, int]:
    """What both sides have once nothing changes any more."""
    window.resize(*size)
    seen: list[tuple[int, int]] = []

    def settled() -> bool:
        window.grab()
        seen.append((below(window), beside(window)))
        return len(seen) > 2 and seen[-1] == seen[-2] == seen[-3]

    qtbot.waitUntil(settled)
    return seen[-1]


def draw(qtbot: QtBot, window: MainWindow, up: int) -> None:
    """Draw the edge between the board and what is below it with the mouse."""
    board, dock = window.centralWidget().geometry(), window.docks["what_if"].geometry()
    start = QPoint(dock.center().x(), board.bottom() + 1)
    before = below(window)
    _mouse(window, QEvent.Type.MouseButtonPress, start)
    _mouse(window, QEvent.Type.MouseMove, start - QPoint(0, up))
    qtbot.waitUntil(lambda: below(window) != before)
    _mouse(window, QEvent.Type.MouseButtonRelease, start - QPoint(0, up))


def _mouse(window: MainWindow, kind: QEvent.Type, at: QPoint) -> None:
    left = Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else left
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
    place, globally = QPointF(at), QPointF(window.mapToGlobal(at))
    event = QMouseEvent(kind, place, globally, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, event)


def test_the_decision_map_has_its_room_in_a_large_window_and_gives_it_back_without_drift(
    qtbot: QtBot, window: MainWindow
) -> None:
    small, large = sized(qtbot, window, SMALL), sized(qtbot, window, LARGE)
    assert small[0] > 220
    assert large[0] > 400
    assert large[1] > small[1]
    dock = window.docks["what_if"]
    qtbot.waitUntil(lambda: window.built("what_if") is not None)
    for area in dock.findChildren(QScrollArea):
        qtbot.waitUntil(lambda area=area: area.verticalScrollBar().maximum() == 0)
    for _ in range(4):
        assert sized(qtbot, window, SMALL) == small
        assert sized(qtbot, window, LARGE) == large


def test_what_the_user_draws_is_kept_as_a_share(qtbot: QtBot, window: MainWindow) -> None:
    large = sized(qtbot, window, LARGE)
    draw(qtbot, window, 200)
    drawn = sized(qtbot, window, LARGE)
    assert drawn[0] > large[0] + 100
    assert drawn[1] == large[1]
    smaller = sized(qtbot, window, (2560, 1100))
    tall = 1440 - 1100
    assert drawn[0] - tall < smaller[0] < drawn[0]
    for _ in range(3):
        assert sized(qtbot, window, (2560, 1100)) == smaller
        assert sized(qtbot, window, LARGE) == drawn


def test_docks_that_made_room_come_back_with_their_share_of_the_new_size(
    qtbot: QtBot, window: MainWindow
) -> None:
    large = sized(qtbot, window, LARGE)
    sized(qtbot, window, SMALL)
    window.show_page("styles")
    window.resize(*LARGE)
    window.show_page("allocation")
    qtbot.waitUntil(lambda: window.away.state is None)
    assert sized(qtbot, window, LARGE) == large


def test_a_wide_page_that_was_visited_takes_no_room_from_the_docks_of_the_board(
    qtbot: QtBot, window: MainWindow
) -> None:
    small = sized(qtbot, window, SMALL)
    window.panel("blocks").setMinimumWidth(1000)
    window.show_page("blocks")
    qtbot.waitUntil(lambda: window.pages.width() >= 1000)
    window.show_page("allocation")
    qtbot.waitUntil(lambda: window.away.state is None)
    assert sized(qtbot, window, SMALL) == small


@pytest.fixture
def again(window: MainWindow) -> Iterator[list[MainWindow]]:
    made: list[MainWindow] = []
    yield made
    for one in made:
        one.document.undo_stack.setClean()
        one.close()
        one.deleteLater()


@pytest.mark.parametrize("kept", [True, False])
def test_a_share_is_remembered_and_one_that_can_not_be_read_is_as_at_first(
    qtbot: QtBot, window: MainWindow, again: list[MainWindow], kept: bool
) -> None:
    large = sized(qtbot, window, LARGE)
    draw(qtbot, window, 150)
    drawn = sized(qtbot, window, LARGE)
    window.document.undo_stack.setClean()
    window.close()
    if not kept:
        window.settings.set_layout("shares", QByteArray(b'{"bottom": "half"}'))
    again.append(MainWindow(Settings()))
    again[0].document.load(window.document.project)
    again[0].show()
    assert sized(qtbot, again[0], LARGE) == (drawn if kept else large)


def test_reset_layout_forgets_what_was_drawn(qtbot: QtBot, window: MainWindow) -> None:
    large = sized(qtbot, window, LARGE)
    draw(qtbot, window, 200)
    window.commands["reset_layout"].trigger()
    assert sized(qtbot, window, LARGE) == large


@pytest.mark.usefixtures("unasked")
def test_the_map_has_at_least_half_of_its_dock_in_a_small_window(
    qtbot: QtBot, window: MainWindow
) -> None:
    sized(qtbot, window, SMALL)
    window.panel("what_if").show_map()
    panel = window.panel("what_if").map_panel
    qtbot.waitUntil(lambda: panel.map.picture is not None)  # type: ignore[attr-defined]
    sized(qtbot, window, SMALL)
    room = window.lazy["what_if"].height()
    assert panel.height() <= room + 1  # nothing to scroll for
    assert panel.map.height() >= room / 2  # type: ignore[attr-defined]


def test_room_that_is_lent_is_given_back(qtbot: QtBot, window: MainWindow) -> None:
    size = (1280, 800)
    before = sized(qtbot, window, size)
    window.shares.lend("bottom", 0.6)
    assert sized(qtbot, window, size)[0] > 1.3 * before[0]
    window.shares.lend("bottom", None)
    assert sized(qtbot, window, size) == before


@pytest.mark.usefixtures("unasked")
def test_a_map_behind_another_dock_gives_its_room_back(qtbot: QtBot, window: MainWindow) -> None:
    def high(dock: str) -> int:
        window.show_dock(dock)
        sized(qtbot, window, (1280, 800))
        return window.docks[dock].height()

    before = high("what_if"), high("breakdown")
    high("what_if")
    window.panel("what_if").show_map()  # type: ignore[attr-defined]
    assert high("what_if") > before[0]
    assert high("breakdown") == before[1]
    assert high("what_if") > before[0]
