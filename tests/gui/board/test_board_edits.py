"""Context menus of tasks, machines and empty ground; copies of tasks; all by mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from gui.document.document import Document, Selection
from tests.gui.board.conftest import Hand
from tests.gui.board.test_connecting import ends, graph, ground, on_graph, status

Show = Callable[[Document], Hand]


def menu_at(hand: Hand, at: QPoint) -> QMenu:
    """What a right click opens."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, hand.viewport.mapToGlobal(at))
    QApplication.sendEvent(hand.viewport, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def entry(menu: QMenu, name: str) -> QAction:
    action = menu.findChild(QAction, name)
    assert isinstance(action, QAction), name
    return action


def choose(menu: QMenu, name: str) -> None:
    """Click an entry."""
    QTest.mouseClick(
        menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry(menu, name)).center()
    )
    menu.close()


def texts(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in menu.actions() if action.text()]


def test_the_ground_offers_what_can_be_added(document: Document, show: Show) -> None:
    hand = on_graph(show(document))
    menu = menu_at(hand, ground(hand))
    assert texts(menu) == ["Add task", "Add machine", "Add switch", "Paste\tCtrl+V", "Tidy"]
    choose(menu, "board-add-task")
    assert document.selection == Selection(tasks=frozenset({2}))
    assert document.project.workload.tasks[2].name == "task 3"
    assert status(hand) == "Add task. Ctrl+Z takes it back."
    hand.wait_until_current()
    choose(menu_at(hand, ground(hand)), "board-add-machine")
    assert document.selection == Selection(machine=2)
    hand.wait_until_current()
    choose(menu_at(hand, ground(hand)), "board-add-switch")
    assert document.selection == Selection(switch=0)
    assert document.undo_stack.count() == 3
    for _ in range(3):
        document.undo_stack.undo()
    assert len(document.project.workload.tasks) == 2
    assert not document.project.platform.switches


def test_a_machine_is_inspected_and_gets_a_task(document: Document, show: Show) -> None:
    hand = on_graph(show(document))
    with hand.qtbot.waitSignal(hand.board.inspect_requested):
        choose(menu_at(hand, hand.card(1)), "board-inspect-machine")
    assert document.selection == Selection(machine=1)
    choose(menu_at(hand, hand.card(1)), "board-add-task-here")
    assert document.project.plan.allocation == (0, 0, 1)
    document.undo_stack.undo()
    assert document.project.plan.allocation == (0, 0)


def test_a_lane_of_the_schedule_has_the_machines_menu(document: Document, show: Show) -> None:
    hand = show(document)
    choose(menu_at(hand, hand.lane(1)), "board-add-task-here")
    assert document.project.plan.allocation == (0, 0, 1)


def test_machines_that_no_link_joins_are_linked_from_their_menu(
    document: Document, show: Show
) -> None:
    platform = replace(document.project.platform, links=())
    plan = document.project.plan.moved((1,), 0)
    document.load(replace(document.project, platform=platform, plan=plan))
    hand = on_graph(show(document))
    menu = menu_at(hand, hand.card(0))
    assert texts(menu) == ["Inspect", "Add task here", "Link to M2"]
    choose(menu, "board-link-to-M2")
    assert document.selection == Selection(link=0)
    hand.wait_until_current()
    menu = menu_at(hand, hand.card(0))
    assert texts(menu) == ["Inspect", "Add task here"]
    menu.close()


@pytest.mark.parametrize(("name", "flow"), [("to", ("A", "C")), ("from", ("C", "A"))])
def test_two_tasks_are_connected_either_way(
    name: str, flow: tuple[str, str], separate: Document, show: Show
) -> None:
    hand = on_graph(show(separate))
    separate.select(Selection(tasks=frozenset({0, 2})))
    menu = menu_at(hand, hand.task(0))
    shown = [text for text in texts(menu) if text.startswith("Flow")]
    assert shown == ["Flow A → C", "Flow C → A"]
    choose(menu, f"board-flow-{name}")
    assert ends(separate) == [flow]
    assert status(hand) == f"Add flow {flow[0]} → {flow[1]}. Ctrl+Z takes it back."
    separate.undo_stack.undo()
    assert ends(separate) == []


def test_the_task_under_the_pointer_feeds_all_other_selected_ones(
    separate: Document, show: Show
) -> None:
    hand = on_graph(show(separate))
    separate.select(Selection(tasks=frozenset({0, 1, 3})))
    menu = menu_at(hand, hand.task(1))
    assert "Flow B → 2 others" in texts(menu)
    choose(menu, "board-flow-to")
    assert ends(separate) == [("B", "A"), ("B", "D")]
    assert separate.undo_stack.count() == 1


def test_tasks_are_duplicated_copied_and_pasted_by_the_menu(document: Document, show: Show) -> None:
    hand = on_graph(show(document))
    document.select(Selection(tasks=frozenset({0, 1})))
    choose(menu_at(hand, hand.task(0)), "board-duplicate")
    assert [task.name for task in document.project.workload.tasks] == ["A", "B", "A 2", "B 2"]
    assert ends(document) == [("A", "B"), ("A 2", "B 2")]
    assert document.selection.tasks == {2, 3}
    assert status(hand) == "Duplicate 2 tasks. Ctrl+Z takes it back."
    assert document.undo_stack.count() == 1
    hand.wait_until_current()
    choose(menu_at(hand, hand.task(3)), "board-copy")
    assert "placewise-workload" in QGuiApplication.clipboard().text()
    choose(menu_at(hand, ground(hand)), "board-paste")
    assert [task.name for task in document.project.workload.tasks][4:] == ["A 3", "B 3"]
    document.undo_stack.undo()
    document.undo_stack.undo()
    hand.wait_until_current()
    assert graph(hand).layers is not None
    assert len(document.project.workload.tasks) == 2


def test_other_text_is_not_pasted_and_the_reason_says_what_is(
    document: Document, show: Show
) -> None:
    hand = on_graph(show(document))
    QGuiApplication.clipboard().setText("2 GB")
    choose(menu_at(hand, ground(hand)), "board-paste")
    assert status(hand).startswith("Nothing pasted: the text contains no tasks. Copy tasks")
    assert document.undo_stack.count() == 0
