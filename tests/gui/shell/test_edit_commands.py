"""Drawing a workflow from an empty project, copies by keys, and other words in the search field."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from advisor.project import graph_edits
from advisor.project.opening import first_project
from gui.board.board_view import BoardView
from gui.document.document import Document, Selection
from gui.inspector import Inspector
from gui.panels.schedule_table import ScheduleTable
from gui.shell.main_window import MainWindow
from tests.gui.board.conftest import Hand
from tests.gui.board.test_connecting import draw, ends, graph, type_data
from tests.gui.keyboard import take_keys
from tests.gui.shell.newcomer import Newcomer

CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def board(qtbot: QtBot, window: MainWindow) -> BoardView:
    """The board, which has the keyboard."""
    take_keys(qtbot, window)
    found = window.panel("allocation")
    assert isinstance(found, BoardView)
    found.surface.setFocus()
    return found


def names(document: Document) -> list[str]:
    return [task.name for task in document.project.workload.tasks]


def press(key: Qt.Key) -> None:
    """The key with Ctrl, wherever the keyboard is."""
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClick(widget, key, CTRL)


def test_three_tasks_with_flows_are_drawn_by_mouse_after_file_new(
    qtbot: QtBot, window: MainWindow
) -> None:
    take_keys(qtbot, window)
    newcomer = Newcomer(qtbot, window)
    newcomer.file_menu("new")
    document, hand = window.document, newcomer.hand
    qtbot.waitUntil(lambda: names(document) == ["task 1"])
    newcomer.predicted()
    take_keys(qtbot, window)
    switch = window.findChild(QToolButton, "board-graph-switch")
    assert switch is not None
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    hand.wait_until_current()
    for step in (0, 1):
        right = hand.task(step) + QPoint(170, 20)
        draw(hand, step, right)
        type_data(hand, f"{step + 1} GB")
        newcomer.predicted()
    draw(hand, 0, hand.task(2))
    hand.click(hand.task(2) + QPoint(0, -120))
    newcomer.predicted()
    assert names(document) == ["task 1", "task 2", "task 3"]
    assert ends(document) == [
        ("task 1", "task 2"), ("task 2", "task 3"), ("task 1", "task 3"),
    ]  # fmt: skip
    sizes = [flow.size_bytes for flow in document.project.workload.flows]
    assert sizes == [1e9, 2e9, 0.0]
    view = graph(hand)
    assert view.layers is not None
    column = [float(view.layers.column[view.item_of(task)]) for task in range(3)]
    assert column[0] < column[1] < column[2]
    assert document.undo_stack.count() == 3
    newcomer.undo(3)
    assert document.project == first_project()


def test_a_double_click_adds_a_task_whose_name_is_typed_at_once(
    qtbot: QtBot, window: MainWindow, board: BoardView
) -> None:
    board.show_view("graph")
    hand = Hand(qtbot, board)
    hand.wait_until_current()
    hand.double_click(hand.task(1) + QPoint(0, 120))
    inspector = window.panel("inspector")
    assert isinstance(inspector, Inspector)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert inspector.isAncestorOf(editor)
    QTest.keyClicks(editor, "collect")
    QTest.keyClick(editor, Key.Key_Return)
    assert names(window.document) == ["A", "B", "collect"]


def test_selected_tasks_are_duplicated_copied_and_pasted_by_keys(
    window: MainWindow, board: BoardView
) -> None:
    document = window.document
    press(Key.Key_D)  # nothing is selected
    press(Key.Key_C)
    assert document.undo_stack.count() == 0
    document.select(Selection(tasks=frozenset({0, 1})))
    press(Key.Key_D)
    assert names(document) == ["A", "B", "A 2", "B 2"]
    assert ends(document)[1:] == [("A 2", "B 2")]
    assert document.undo_stack.count() == 1
    press(Key.Key_C)
    press(Key.Key_V)
    assert names(document)[4:] == ["A 3", "B 3"]
    press(Key.Key_Z)
    press(Key.Key_Z)
    assert names(document) == ["A", "B"]


def test_what_was_copied_in_another_window_is_pasted(window: MainWindow, board: BoardView) -> None:
    other = graph_edits.grow(first_project(), (0,), ((1, 1e9),))
    QGuiApplication.clipboard().setText(graph_edits.copied(other, (0, 1)))
    press(Key.Key_V)
    assert names(window.document)[2:] == ["task 1", "task 2"]
    assert window.document.project.workload.flows[1].size_bytes == 1e9


def test_a_text_field_keeps_its_own_copy_and_paste(
    qtbot: QtBot, window: MainWindow, board: BoardView
) -> None:
    document = window.document
    document.select(Selection(tasks=frozenset({0})))
    window.show_dock("inspector")
    inspector = window.panel("inspector")
    assert isinstance(inspector, Inspector)
    inspector.focus()
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    press(Key.Key_C)
    assert QGuiApplication.clipboard().text() == "A"
    press(Key.Key_V)
    press(Key.Key_V)
    assert editor.text() == "AA"
    assert names(document) == ["A", "B"]


def test_a_table_and_a_label_keep_their_own_copy(window: MainWindow, board: BoardView) -> None:
    window.document.select(Selection(tasks=frozenset({0})))
    window.show_dock("schedule")
    panel = window.panel("schedule")
    table = panel if isinstance(panel, ScheduleTable) else panel.findChild(ScheduleTable)
    assert table is not None
    table.setFocus()
    QGuiApplication.clipboard().setText("before")
    press(Key.Key_C)
    press(Key.Key_V)
    assert "placewise-workload" not in QGuiApplication.clipboard().text()
    assert names(window.document) == ["A", "B"]
    window.show_dock("inspector")
    title = window.panel("inspector").findChild(QLabel)
    assert title is not None
    title.setFocus()
    press(Key.Key_C)
    assert "placewise-workload" not in QGuiApplication.clipboard().text()


def test_copies_are_of_a_board_in_sight(window: MainWindow, board: BoardView) -> None:
    window.document.select(Selection(tasks=frozenset({0})))
    able = [window.commands[name].isEnabled() for name in ("duplicate", "copy", "paste")]
    assert able == [True, True, True]
    window.show_page("evidence")
    able = [window.commands[name].isEnabled() for name in ("duplicate", "copy", "paste")]
    assert able == [False, False, False]


def test_add_flow_connects_two_selected_tasks_or_says_how(
    window: MainWindow, board: BoardView
) -> None:
    document = window.document
    window.commands["add_flow"].trigger()
    assert board.view == "graph"
    status = board.findChild(QLabel, "board-status")
    assert status is not None
    assert status.text().startswith("To add a flow, drag in the graph")
    document.select(Selection(tasks=frozenset({0, 1})))
    window.commands["duplicate"].trigger()
    document.select(Selection(tasks=frozenset({1, 2})))
    window.commands["add_flow"].trigger()
    assert ends(document)[-1] == ("B", "A 2")
    assert document.undo_stack.count() == 2


@pytest.mark.parametrize(
    ("query", "action"),
    [
        ("connect", "Add flow"),
        ("edge", "Add flow"),
        ("depend", "Add flow"),
        ("after", "Add flow"),
        ("node", "Add machine"),
        ("worker", "Add machine"),
        ("host", "Add machine"),
        ("core", "Add machine"),
        ("bandwidth", "Add switch"),
    ],
)
def test_other_words_find_the_fitting_action(
    query: str, action: str, window: MainWindow, board: BoardView
) -> None:
    search = window.toolbar.search
    search.setFocus()
    QTest.keyClicks(search, query)
    assert action in [finding.text for finding in search.findings][:2]
    QTest.keyClick(search, Key.Key_Escape)
