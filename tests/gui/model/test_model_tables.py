"""The dock Model: tables that are typed into, filled down, sorted and pasted, by keys and mouse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QToolButton

from advisor.allocation.loads import contenders_in_words
from advisor.allocation.workload import Task, Workload
from advisor.project.opening import first_project
from advisor.project.project import new_project
from gui.document.document import Selection
from gui.model.row_kinds import MACHINES
from machines import Contender, Machine, Platform
from tests.gui.model.conftest import CTRL, LEFT, Hand, found

NINE = """task\tminutes\tcores\tafter\tGB
a\t1\t1\t\t1
b\t2\t1\ta\t1
c\t3\t1\ta\t1
d\t4\t1\ta\t0,5
e\t5\t1\tb c\t
f\t6\t1\tc;d\t
g\t7\t1\te, f\t
h\t8\t1\tf b\t
i\t9\t1\tg h\t
"""


def test_a_model_is_typed_by_keys_alone(hand: Hand) -> None:
    hand.tab("machines")
    for name, cores, speed, memory in (("n1", "8", "2", "16 GiB"), ("n2", "4", "1.5", "")):
        hand.key(Qt.Key.Key_Insert)
        for text in (name, cores, speed):
            hand.write(text)
            hand.key(Qt.Key.Key_Tab)
        hand.write(memory)
        hand.key(Qt.Key.Key_Return)
    assert hand.texts() == [
        ["machine 1", "1", "1", "", "0"],
        ["n1", "8", "2", "16 GiB", "0"],
        ["n2", "4", "1.5", "", "0"],
    ]
    hand.tab("tasks")
    for number in range(4):
        hand.key(Qt.Key.Key_Insert)
        hand.write(f"fit{number}")  # F alone is an action of the window
        hand.key(Qt.Key.Key_Tab)
        hand.write(f"{number + 2}")
        hand.key(Qt.Key.Key_Tab)
        hand.write("2")
        hand.key(Qt.Key.Key_Return)
    tasks = hand.document.project.workload.tasks
    assert [task.name for task in tasks] == ["task 1", "fit0", "fit1", "fit2", "fit3"]
    assert [task.work for task in tasks] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert [task.cores for task in tasks] == [1, 2, 2, 2, 2]
    hand.tab("flows")
    hand.key(Qt.Key.Key_Insert)
    hand.write("fit0")
    hand.key(Qt.Key.Key_Tab)
    hand.write("fit3")
    hand.key(Qt.Key.Key_Tab)
    hand.write("1.5 GB")
    hand.key(Qt.Key.Key_Return)
    (flow,) = hand.document.project.workload.flows
    assert (flow.name, flow.size_bytes) == ("fit0 → fit3", 1.5e9)
    hand.tab("links")
    hand.key(Qt.Key.Key_Insert)
    hand.key(Qt.Key.Key_Tab)
    hand.key(Qt.Key.Key_Tab)
    hand.write("50 µs")
    hand.key(Qt.Key.Key_Tab)
    hand.write("10 MB/s")
    hand.key(Qt.Key.Key_Return)
    (link,) = hand.document.project.platform.links
    assert link.to_second == link.to_first
    assert link.to_first.startup_s == pytest.approx(50e-6)
    assert link.to_first.bandwidth == 10e6


def test_an_edit_is_one_undo_step_and_is_read_as_in_the_inspector(hand: Hand) -> None:
    hand.double_click(0, 1)
    hand.write("90 ms")
    hand.key(Qt.Key.Key_Return)
    assert hand.document.project.workload.tasks[0].work == 0.09
    assert hand.document.undo_stack.undoText() == "Change Work"
    assert hand.texts()[0][1] == "90 ms"
    hand.key(Qt.Key.Key_Z, CTRL)
    assert hand.document.project == first_project()
    assert hand.texts()[0][1] == "1 s"


def test_a_wrong_cell_is_marked_and_explained_and_changes_nothing(hand: Hand) -> None:
    hand.click(0, 2)
    hand.key(Qt.Key.Key_F2)
    hand.key(Qt.Key.Key_A, CTRL)
    hand.write("many")
    hand.key(Qt.Key.Key_Return)
    assert hand.document.project == first_project()
    assert hand.texts()[0][2] == "many"
    assert hand.table.currentIndex().column() == 2
    message = hand.panel.findChild(QLabel, "model_message")
    assert message is not None
    assert message.isVisible()
    assert message.text().startswith("task 1, Cores: ")
    assert "Write" in message.text()
    cell = hand.table.cells.index(0, 2)
    assert cell.data(Qt.ItemDataRole.BackgroundRole) is not None
    hand.key(Qt.Key.Key_Escape)
    assert hand.texts()[0][2] == "1"
    assert not message.isVisible()


def test_two_tasks_of_one_name_are_refused(hand: Hand) -> None:
    hand.key(Qt.Key.Key_Insert)
    hand.write("task 1")
    hand.key(Qt.Key.Key_Return)
    assert hand.document.project.workload.tasks[1].name == "task 2"
    assert "another task has this name" in hand.panel.message.text().lower()


def many(tasks: int) -> Workload:
    return Workload("many", tuple(Task(f"t{n}", work=float(n)) for n in range(tasks)))


def test_fill_down_is_one_step(hand: Hand) -> None:
    hand.document.load(new_project(first_project().platform, many(5)))
    hand.click(1, 1)
    hand.click(3, 1, Qt.KeyboardModifier.ShiftModifier)
    hand.key(Qt.Key.Key_D, CTRL)
    assert [task.work for task in hand.document.project.workload.tasks] == [0, 1, 1, 1, 4]
    assert hand.document.undo_stack.undoText() == "Fill down"
    hand.document.undo_stack.undo()
    assert hand.document.project.workload == many(5)


def test_del_removes_the_selected_rows_in_one_step(hand: Hand) -> None:
    hand.document.load(new_project(first_project().platform, many(5)))
    hand.click(1, 0)
    hand.click(3, 0, CTRL)
    hand.key(Qt.Key.Key_Delete)
    assert [task.name for task in hand.document.project.workload.tasks] == ["t0", "t2", "t4"]
    assert hand.document.undo_stack.undoText() == "Remove 2 tasks"
    hand.document.undo_stack.undo()
    assert len(hand.texts()) == 5


@pytest.mark.parametrize("kind", ["tasks", "machines"])
def test_after_del_nothing_is_selected_that_another_del_removes(hand: Hand, kind: str) -> None:
    machines = tuple(Machine(f"m{n}") for n in range(5))
    hand.document.load(new_project(Platform("many", machines), many(5)))
    hand.tab(kind)
    hand.click(1, 0)
    hand.key(Qt.Key.Key_Delete)
    assert hand.document.selection == Selection()
    assert hand.table.chosen_rows() == frozenset()
    assert hand.table.currentIndex().row() == 1
    hand.key(Qt.Key.Key_Delete)
    assert len(hand.texts()) == 4
    assert hand.document.undo_stack.count() == 1


def test_rows_sort_by_a_heading_and_stay_while_edited(hand: Hand) -> None:
    hand.document.load(new_project(first_project().platform, many(4)))
    header = hand.table.horizontalHeader()
    where = header.sectionViewportPosition(1) + 20
    for _ in range(2):
        QTest.mouseClick(header.viewport(), LEFT, pos=QPoint(where, 8))
    assert [row[0] for row in hand.texts()] == ["t3", "t2", "t1", "t0"]
    hand.double_click(0, 1)
    hand.write("0")
    hand.key(Qt.Key.Key_Return)
    assert [row[0] for row in hand.texts()] == ["t3", "t2", "t1", "t0"]
    assert hand.document.project.workload.tasks[3].work == 0.0


def test_rows_follow_and_set_the_selection(hand: Hand) -> None:
    hand.document.load(new_project(first_project().platform, many(6)))
    hand.click(2, 1)
    assert hand.document.selection == Selection(tasks=frozenset({2}))
    hand.document.select(Selection(tasks=frozenset({4, 5})))
    assert hand.table.chosen_rows() == {4, 5}
    hand.tab("machines")
    hand.click(0, 1)
    assert hand.document.selection == Selection(machine=0)


def test_an_open_editor_stays_while_predictions_arrive(hand: Hand) -> None:
    hand.double_click(0, 1)
    hand.write("12")
    before = hand.document.outcome

    def predicted() -> bool:
        return hand.document.outcome is not None and hand.document.outcome is not before

    hand.document.apply(new_project(first_project().platform, many(3)), "elsewhere")
    hand.qtbot.waitUntil(predicted)
    hand.write("3")
    hand.key(Qt.Key.Key_Return)
    assert hand.document.project.workload.tasks[0].work == 123.0


def test_a_table_is_pasted_after_a_look_and_taken_back(hand: Hand) -> None:
    QApplication.clipboard().setText(NINE)
    hand.key(Qt.Key.Key_V, CTRL)
    dialog = hand.panel.dialog
    assert dialog is not None
    assert dialog.what.text() == "9 tasks and 13 flows replace all others."
    QTest.mouseClick(dialog.replacing, LEFT, pos=QPoint(6, dialog.replacing.height() // 2))
    assert dialog.what.text() == "9 tasks and 13 flows are added."
    QTest.mouseClick(dialog.add, LEFT)
    assert len(hand.document.project.workload.tasks) == 10
    assert len(hand.document.project.workload.flows) == 13
    assert len(hand.texts()) == 10
    hand.tab("tasks")
    assert hand.table.columnWidth(0) >= hand.table.sizeHintForColumn(0)
    hand.document.undo_stack.undo()
    assert hand.document.project == first_project()
    assert len(hand.texts()) == 1


def test_cancel_changes_nothing(hand: Hand) -> None:
    QApplication.clipboard().setText(NINE)
    QTest.mouseClick(found(hand.panel, QToolButton, "model_paste"), LEFT)
    dialog = hand.panel.dialog
    assert dialog is not None
    QTest.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel), LEFT)
    assert hand.document.project == first_project()
    assert hand.panel.dialog is None


def test_a_column_can_be_taken_for_something_else(hand: Hand) -> None:
    QApplication.clipboard().setText("name\tminutes\tafter\nx\tfast\t\ny\t2\tx\n")
    hand.key(Qt.Key.Key_V, CTRL)
    dialog = hand.panel.dialog
    assert dialog is not None
    assert 'row 1, column "minutes"' in dialog.errors.text()
    assert not dialog.add.isEnabled()
    dialog.roles[1].setFocus()
    QTest.keyClick(dialog.roles[1], Qt.Key.Key_End)
    assert dialog.notes.text() == "Left out: minutes."
    assert dialog.add.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert hand.document.project == first_project()


def test_cells_without_titles_are_pasted_where_the_cursor_is(hand: Hand) -> None:
    hand.document.load(new_project(first_project().platform, many(4)))
    hand.click(1, 0)
    QApplication.clipboard().setText("x\t1 ms\ny\t2 ms\n")
    hand.key(Qt.Key.Key_V, CTRL)
    assert [row[:2] for row in hand.texts()] == [
        ["t0", "0 s"],
        ["x", "1 ms"],
        ["y", "2 ms"],
        ["t3", "3 s"],
    ]
    assert hand.document.undo_stack.undoText() == "Paste cells"


def test_enter_in_an_editor_commits_once_and_goes_down(hand: Hand) -> None:
    hand.key(Qt.Key.Key_Insert)
    hand.key(Qt.Key.Key_Escape)
    hand.click(0, 0)
    hand.key(Qt.Key.Key_F2)
    hand.write("start")
    hand.key(Qt.Key.Key_Return)  # a warning of Qt would fail the test

    assert hand.texts()[0][0] == "start"
    assert hand.table.currentIndex().row() == 1


def test_a_contender_of_half_its_time_is_half_a_contender_everywhere(hand: Hand) -> None:
    project = hand.document.project
    machine = replace(project.platform.machines[0], contenders=(Contender("c", compute=0.5),))
    platform = replace(project.platform, machines=(machine, *project.platform.machines[1:]))
    column = next(one for one in MACHINES.columns if one.title == "Contenders")
    load = column.value(replace(project, platform=platform), 0)
    assert column.show(load) == "0.5"
    assert contenders_in_words(load) == "0.5 contenders"
