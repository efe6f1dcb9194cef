"""Flows are drawn on the graph by mouse: from a port to a task, to several, to empty ground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from advisor.allocation.plan import Plan
from gui.board import ports
from gui.board.graph_connecting import Connect
from gui.board.graph_view import GraphView
from gui.document.document import Document, Selection
from machines import Machine, Platform
from tests.conftest import cluster
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
Key = Qt.Key


def ends(document: Document) -> list[tuple[str, str]]:
    return [(flow.source, flow.target) for flow in document.project.workload.flows]


def status(hand: Hand) -> str:
    label = hand.board.findChild(QLabel, "board-status")
    assert isinstance(label, QLabel)
    return label.text()


def graph(hand: Hand) -> GraphView:
    return hand.board.graph


def select(document: Document, *tasks: int) -> None:
    document.select(Selection(tasks=frozenset(tasks)))


def port(hand: Hand, task: int) -> QPoint:
    """The middle of a task's port."""
    view = graph(hand)
    return ports.middle(view.item_rect(view.item_of(task))).toPoint()


def ground(hand: Hand) -> QPoint:
    """Empty ground, at the lower right."""
    at = QPoint(hand.viewport.width() - 150, hand.viewport.height() - 40)
    assert graph(hand).item_at(QPointF(at)) is None
    return at


def pull(hand: Hand, task: int, to: QPoint) -> None:
    """Press on a task's port and take the line to a point."""
    at = port(hand, task)
    hand.move(at)
    hand.press(at)
    hand.move(at + QPoint(20, 5), to)


def draw(hand: Hand, task: int, to: QPoint) -> None:
    pull(hand, task, to)
    hand.release(to)


def field(hand: Hand) -> QLineEdit:
    """The open data field's editor, which has the keyboard."""
    asked = graph(hand).data_field
    assert asked is not None
    assert asked.isVisible()
    assert asked.editor.hasFocus()
    return asked.editor


def type_data(hand: Hand, text: str) -> None:
    QTest.keyClicks(field(hand), text)
    QTest.keyClick(field(hand), Key.Key_Return)


def is_asked(hand: Hand) -> bool:
    asked = graph(hand).data_field
    return asked is not None and asked.isVisible()


@pytest.fixture
def hand(separate: Document, show: Show) -> Hand:
    """The graph of these on screen."""
    return on_graph(show(separate))


def on_graph(hand: Hand) -> Hand:
    hand.board.show_view("graph")
    hand.wait_until_current()
    hand.board.activateWindow()
    hand.qtbot.waitUntil(hand.board.isActiveWindow)
    graph(hand).setFocus()
    return hand


def test_a_port_is_shown_under_the_pointer_and_says_what_it_is_for(hand: Hand) -> None:
    view = graph(hand)
    without = hand.viewport.grab().toImage()
    at = port(hand, 0)
    hand.move(hand.task(0))
    assert hand.viewport.grab().toImage() != without
    hand.move(at + QPoint(4, 0))  # half of it is beside the card
    assert view.tip_at(QPointF(at + QPoint(4, 0))) == ports.TIP
    assert hand.viewport.cursor().shape() == Qt.CursorShape.CrossCursor
    hand.move(ground(hand))
    assert hand.viewport.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert hand.viewport.grab().toImage() == without


def test_ports_of_selected_tasks_are_shown(separate: Document, hand: Hand) -> None:
    at, ink = port(hand, 1), hand.board.surface.ink
    hand.move(ground(hand))
    assert hand.viewport.grab().toImage().pixelColor(at) != ink.surface
    select(separate, 1)
    assert hand.viewport.grab().toImage().pixelColor(at) == ink.surface


def test_a_line_from_port_to_task_is_a_flow_and_the_field_gives_its_data_in_one_step(
    separate: Document, hand: Hand
) -> None:
    before = separate.project
    pull(hand, 0, hand.task(2))
    assert isinstance(hand.board.surface.gesture, Connect)
    hand.viewport.grab()
    assert separate.project is before
    hand.release(hand.task(2))
    assert ends(separate) == [("A", "C")]
    assert status(hand) == "Add flow A → C. Ctrl+Z takes it back."
    type_data(hand, "2 GB")
    assert separate.project.workload.flows[0].data_sets == ((1, 2e9),)
    assert separate.undo_stack.count() == 1
    assert not is_asked(hand)
    hand.wait_until_current()
    view = graph(hand)
    assert view.hasFocus()
    assert view.layers is not None
    # cards stay where they are until the graph is tidied
    assert view.layers.column[view.item_of(0)] == view.layers.column[view.item_of(2)]
    with hand.qtbot.waitSignal(view.arrived):
        view.tidy()
    assert view.layers.column[view.item_of(0)] < view.layers.column[view.item_of(2)]
    separate.undo_stack.undo()
    assert separate.project == before
    separate.undo_stack.redo()
    assert separate.project.workload.flows[0].data_sets == ((1, 2e9),)


def test_a_line_to_empty_ground_is_a_task_with_its_flow_and_data_in_one_step(
    separate: Document, hand: Hand
) -> None:
    draw(hand, 3, ground(hand))
    assert ends(separate) == [("D", "task 5")]
    assert separate.selection == Selection(tasks=frozenset({4}))
    type_data(hand, "3 × 1 MiB")
    assert separate.project.workload.flows[0].data_sets == ((3, 2.0**20),)
    assert separate.selection == Selection(tasks=frozenset({4}))
    hand.wait_until_current()
    assert not graph(hand).item_rect(graph(hand).item_of(4)).isEmpty()
    assert separate.undo_stack.count() == 1
    separate.undo_stack.undo()
    assert len(separate.project.workload.tasks) == 4
    assert ends(separate) == []
    assert status(hand) == "Undone: Add task 5 after D."


def test_lines_from_several_selected_tasks_join_at_a_task(separate: Document, hand: Hand) -> None:
    select(separate, 0, 1, 2)
    draw(hand, 1, hand.task(3))
    assert ends(separate) == [("A", "D"), ("B", "D"), ("C", "D")]
    type_data(hand, "1 kB")
    assert {flow.data_sets for flow in separate.project.workload.flows} == {((1, 1000.0),)}
    assert separate.undo_stack.count() == 1
    separate.undo_stack.undo()
    assert ends(separate) == []


def test_a_release_on_one_of_several_sources_makes_it_the_target(
    separate: Document, hand: Hand
) -> None:
    select(separate, 0, 1, 2)
    draw(hand, 0, hand.task(2))
    assert ends(separate) == [("A", "C"), ("B", "C")]


def test_lines_from_several_selected_tasks_to_empty_ground_join_at_a_new_task(
    separate: Document, hand: Hand
) -> None:
    select(separate, 0, 1)
    draw(hand, 0, ground(hand))
    assert ends(separate) == [("A", "task 5"), ("B", "task 5")]
    assert separate.selection.tasks == {4}
    assert separate.undo_stack.count() == 1


def test_a_line_to_one_of_several_selected_tasks_leads_to_all(
    separate: Document, hand: Hand
) -> None:
    select(separate, 1, 2, 3)
    draw(hand, 0, hand.task(2))
    assert ends(separate) == [("A", "B"), ("A", "C"), ("A", "D")]
    assert separate.selection.tasks == {1, 2, 3}
    assert separate.undo_stack.count() == 1
    separate.undo_stack.undo()
    assert ends(separate) == []


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (1, 0, "Not connected: the flows form a cycle (B → A → B)."),
        (0, 1, "Not connected: this flow exists already (flow A → B)."),
    ],
)
def test_what_can_not_be_is_refused_with_the_reason(
    source: int, target: int, reason: str, document: Document, show: Show
) -> None:
    hand = on_graph(show(document))
    before = document.project
    draw(hand, source, hand.task(target))
    assert status(hand) == reason
    assert document.project is before
    assert document.undo_stack.count() == 0
    assert not is_asked(hand)


def test_a_flow_to_itself_is_refused(separate: Document, hand: Hand) -> None:
    select(separate, 0, 1)
    draw(hand, 0, hand.task(0))
    assert status(hand) == "Not connected: a task can't feed itself."
    assert separate.undo_stack.count() == 0


def test_escape_in_the_middle_cancels_the_line(separate: Document, hand: Hand) -> None:
    pull(hand, 0, hand.task(1))
    hand.key(Key.Key_Escape)
    assert status(hand) == "Cancelled; nothing added."
    hand.release(hand.task(1))
    assert ends(separate) == []
    assert separate.undo_stack.count() == 0
    assert not is_asked(hand)


def test_a_release_on_the_legend_or_outside_adds_nothing(separate: Document, hand: Hand) -> None:
    for end in (hand.card(0), QPoint(hand.viewport.width() + 40, 50), QPoint(400, -30)):
        at = port(hand, 0)
        hand.press(at)
        hand.move(at + QPoint(20, 5))
        hand.release(end)
        assert "Nothing added" in status(hand)
        graph(hand).set_current(None)
    assert separate.undo_stack.count() == 0
    assert len(separate.project.workload.tasks) == 4


def test_a_click_on_a_port_says_what_it_is_for(separate: Document, hand: Hand) -> None:
    hand.click(port(hand, 0))
    assert status(hand) == f"{ports.TIP}."
    assert separate.undo_stack.count() == 0


def test_escape_or_an_empty_entry_leaves_the_flow_without_data(
    separate: Document, hand: Hand
) -> None:
    draw(hand, 0, hand.task(1))
    QTest.keyClicks(field(hand), "5 MB")
    QTest.keyClick(field(hand), Key.Key_Escape)
    assert not is_asked(hand)
    hand.wait_until_current()
    draw(hand, 0, hand.task(2))
    QTest.keyClick(field(hand), Key.Key_Return)
    assert not is_asked(hand)
    assert [flow.data_sets for flow in separate.project.workload.flows] == [(), ()]
    assert separate.undo_stack.count() == 2
    assert graph(hand).hasFocus()


def test_a_click_elsewhere_leaves_the_flow_without_data(separate: Document, hand: Hand) -> None:
    draw(hand, 0, hand.task(1))
    QTest.keyClicks(field(hand), "5 MB")
    hand.wait_until_current()
    hand.click(hand.task(3))
    assert not is_asked(hand)
    assert separate.project.workload.flows[0].data_sets == ()
    assert separate.selection.tasks == {3}


def test_a_wrong_entry_says_why_and_can_be_mended(separate: Document, hand: Hand) -> None:
    draw(hand, 0, hand.task(1))
    type_data(hand, "much")
    asked = graph(hand).data_field
    assert asked is not None
    assert asked.message.isVisible()
    assert asked.message.text().startswith("This is not a number")
    assert asked.rect().contains(asked.message.geometry())
    field(hand).selectAll()
    QTest.keyClicks(field(hand), "0 B")
    assert not asked.message.isVisible()
    QTest.keyClick(field(hand), Key.Key_Return)
    assert "bytes" in asked.message.text()
    field(hand).selectAll()
    type_data(hand, "1 GB")
    assert separate.project.workload.flows[0].data_sets == ((1, 1e9),)
    assert separate.undo_stack.count() == 1


def test_undo_while_the_field_is_open_takes_the_flow_back_and_closes_it(
    separate: Document, hand: Hand
) -> None:
    draw(hand, 0, hand.task(1))
    separate.undo_stack.undo()
    assert not is_asked(hand)
    assert ends(separate) == []


def test_a_field_at_the_edge_lies_inside_the_view(separate: Document, hand: Hand) -> None:
    at = QPoint(hand.viewport.width() - 4, hand.viewport.height() - 4)
    draw(hand, 0, at)
    asked = graph(hand).data_field
    assert asked is not None
    assert hand.viewport.rect().contains(asked.geometry())


def test_drawing_continues_where_a_flow_between_machines_without_a_link_leaves_no_prediction(
    separate: Document, show: Show
) -> None:
    project, machines = separate.project, (Machine("M1", cores=4), Machine("M2", cores=4))
    separate.load(replace(project, platform=Platform("two", machines), plan=Plan((0, 1, 0, 0))))
    hand = on_graph(show(separate))
    draw(hand, 0, hand.task(1))
    with hand.qtbot.waitSignal(separate.outcome_failed):
        type_data(hand, "1 GB")
    assert "Add a link" in status(hand)
    draw(hand, 2, hand.task(3))
    assert ends(separate) == [("A", "B"), ("C", "D")]
    hand.click(hand.task(1))
    hand.click(hand.card(0))
    assert separate.selection == Selection(machine=0)


def test_the_field_goes_with_the_graph(separate: Document, hand: Hand) -> None:
    draw(hand, 0, hand.task(1))
    hand.board.show_view("schedule")
    assert not is_asked(hand)


def test_a_group_has_no_port_and_takes_flows_to_all_its_tasks(qapp: object, show: Show) -> None:
    document = Document(cluster(width=40))
    hand = on_graph(show(document))
    view = graph(hand)
    assert view.layers is not None
    sizes = [view.item_tasks(card).size for card in range(len(view.layers.unit))]
    last = max(card for card, size in enumerate(sizes) if size > 1)
    assert view.port_at(ports.middle(view.item_rect(last))) is None
    members = view.item_tasks(last).tolist()
    before = len(ends(document))
    draw(hand, 0, view.item_rect(last).center().toPoint())
    names = [task.name for task in document.project.workload.tasks]
    assert ends(document)[before:] == [(names[0], names[member]) for member in members]
    assert document.undo_stack.count() == 1


def test_a_double_click_on_empty_ground_adds_a_task_and_asks_for_its_name(
    separate: Document, hand: Hand
) -> None:
    with hand.qtbot.waitSignal(hand.board.inspect_requested) as asked:
        hand.double_click(ground(hand))
    assert asked.args == [4]
    assert [task.name for task in separate.project.workload.tasks][4:] == ["task 5"]
    assert separate.selection == Selection(tasks=frozenset({4}))
    hand.wait_until_current()
    assert graph(hand).item_of(4) >= 0
    separate.undo_stack.undo()
    assert len(separate.project.workload.tasks) == 4


def test_tasks_can_be_added_before_the_prediction_of_the_first_arrives(
    separate: Document, hand: Hand
) -> None:
    at = ground(hand)
    hand.double_click(at)
    hand.double_click(at)
    hand.double_click(hand.task(0))  # is still shown, though out of date
    assert len(separate.project.workload.tasks) == 6


def test_an_enlarged_graph_keeps_its_zoom_and_shows_the_new_task(
    separate: Document, hand: Hand
) -> None:
    view = graph(hand)
    view.zoom(2.0)
    scale = view.scale
    assert view.port_at(QPointF(port(hand, 1))) == view.item_of(1)
    draw(hand, 1, QPoint(hand.viewport.width() - 60, hand.viewport.height() - 60))
    hand.wait_until_current()
    assert view.scale == scale
    assert view._ground_rect().contains(view.item_rect(view.item_of(4)))


def test_a_double_click_on_the_legend_or_a_port_adds_nothing(
    separate: Document, hand: Hand
) -> None:
    hand.double_click(hand.card(0))
    hand.double_click(port(hand, 0) + QPoint(5, 0))
    assert separate.undo_stack.count() == 0
