"""The board without a mouse: focus, selection, assignment, menu, and what is said."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from gui.board.task_menu import TaskMenu
from gui.document.document import Document, Selection
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
Key = Qt.Key


def status(hand: Hand) -> str:
    text = hand.board.findChild(object, "board-status").text()
    assert hand.board.surface.accessibleDescription() == text
    return text


def test_arrows_move_the_focus_and_say_where_it_is(document: Document, show: Show) -> None:
    hand = show(document)
    hand.key(Key.Key_Right)
    assert hand.board.surface.current == 0
    assert status(hand).startswith("A on M1: 12.0 s")
    hand.key(Key.Key_Right)
    assert hand.board.surface.current == 1
    hand.key(Key.Key_Right)
    assert hand.board.surface.current == 1
    hand.key(Key.Key_Home)
    assert hand.board.surface.current == 0
    hand.viewport.grab()
    assert document.selection == Selection()


def test_up_and_down_go_to_the_nearest_task_of_the_next_lane_in_use(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    allocation = cluster_document.project.plan.allocation
    lanes = []
    for _ in range(7):
        hand.key(Key.Key_Down)
        lanes.append(allocation[hand.board.surface.current or 0])
    assert lanes == [0, 1, 2, 3, 4, 4, 4]
    hand.key(Key.Key_Up, Key.Key_End)
    assert allocation[hand.board.surface.current or 0] == 3


def test_space_selects_and_shift_extends(document: Document, show: Show) -> None:
    hand = show(document)
    hand.key(Key.Key_Right, Key.Key_Space)
    assert document.selection.tasks == {0}
    hand.key(Key.Key_Right, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert document.selection.tasks == {0, 1}
    hand.key(Key.Key_Space)
    assert document.selection.tasks == {0}
    hand.key(Key.Key_Escape)
    assert document.selection == Selection()


def test_enter_picks_up_arrows_choose_and_enter_drops(
    loaded_document: Document, show: Show
) -> None:
    document, hand = loaded_document, show(loaded_document)
    hand.key(Key.Key_Right, Key.Key_Return)
    assert hand.board.carrying.tasks == {0}
    hand.wait_for_offers()
    hand.key(Key.Key_Down)
    assert hand.board.carrying.target == 1
    assert status(hand) == "M2: 38.0 s (−10.0 s), the best machine."
    hand.key(Key.Key_Left, Key.Key_Home)
    assert hand.board.carrying.target == 0
    hand.key(Key.Key_End, Key.Key_Enter)
    assert document.project.plan.allocation == (1, 0)
    assert document.undo_stack.count() == 1


def test_escape_puts_back_what_was_picked_up(document: Document, show: Show) -> None:
    hand = show(document)
    hand.key(Key.Key_Right, Key.Key_Return, Key.Key_Down, Key.Key_Escape)
    assert not hand.board.carrying.active
    assert status(hand) == "Cancelled; nothing moved."
    assert document.undo_stack.count() == 0


def test_plus_minus_and_f_zoom_and_fit(document: Document, show: Show) -> None:
    hand = show(document)
    view = hand.board.schedule
    fitted = view.px_per_s
    hand.key(Key.Key_Plus)
    assert view.px_per_s == fitted * 1.25
    hand.key(Key.Key_Minus, Key.Key_Minus)
    assert view.px_per_s < fitted
    hand.key(Key.Key_F)
    assert view.px_per_s == fitted


def open_menu(hand: Hand, task: int) -> TaskMenu:
    at = hand.task(task)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, hand.viewport.mapToGlobal(at))
    QApplication.sendEvent(hand.viewport, event)
    return hand.board.findChild(TaskMenu, "board-task-menu")


def test_the_context_menu_assigns_and_tells_what_it_would_do(
    loaded_document: Document, show: Show
) -> None:
    document, hand = loaded_document, show(loaded_document)
    menu = open_menu(hand, 0)
    assert document.selection.tasks == {0}
    hand.wait_for_offers()
    action = menu.findChild(object, "board-assign-1")
    assert action.text() == "M2   ▼ 38.0 s  −10.0 s  (best)"
    action.trigger()
    menu.close()
    assert document.project.plan.allocation == (1, 0)
    assert document.undo_stack.count() == 1


def test_the_menu_key_opens_the_menu_at_the_focus_and_selects_all_of_a_kind(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    hand.board.focus_task(3)
    view = hand.board.surface
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(view.viewport(), event)
    menu = hand.board.findChild(TaskMenu, "board-task-menu")
    texts = {action.objectName(): action for action in menu.actions()}
    kind = next(action for name, action in texts.items() if name.startswith("board-kind-"))
    assert "11 of kind “prepare”" in kind.text()
    kind.trigger()
    assert cluster_document.selection.tasks == frozenset(range(1, 12))
    texts["board-feeders"].trigger()
    assert cluster_document.selection.tasks == {0}
    with hand.qtbot.waitSignal(hand.board.inspect_requested) as asked:
        texts["board-inspect"].trigger()
    assert asked.args == [3]
    texts["board-pick-up"].trigger()
    assert hand.board.carrying.tasks == {3}
    hand.key(Key.Key_Escape)
    menu.close()


def test_a_double_click_asks_for_the_inspector(document: Document, show: Show) -> None:
    hand = show(document)
    with hand.qtbot.waitSignal(hand.board.inspect_requested) as asked:
        hand.double_click(hand.task(1))
    assert asked.args == [1]
    assert not hand.board.carrying.active
