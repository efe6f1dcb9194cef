"""Ctrl+Z in any editor takes back the text that is typed, else a step: it never does nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.document.document import Selection
from gui.form.editors import ChoiceList, YesNoBox
from gui.panels.schedule_table import ScheduleTable
from gui.shell.main_window import MainWindow
from gui.studies.page.study_panel import StudyPanel
from gui.studies.tree.tree_view import TreeView
from tests.gui.keyboard import take_keys
from tests.gui.studies.hands import settled

CONTROL = Qt.KeyboardModifier.ControlModifier


def undo(qtbot: QtBot) -> None:
    """Ctrl+Z, wherever the keyboard is."""
    qtbot.keyClick(focus(), Qt.Key.Key_Z, CONTROL)


def redo(qtbot: QtBot) -> None:
    qtbot.keyClick(focus(), Qt.Key.Key_Y, CONTROL)


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


@pytest.fixture
def front(qtbot: QtBot, window: MainWindow) -> MainWindow:
    take_keys(qtbot, window)
    return window


@pytest.fixture
def inspected(front: MainWindow) -> MainWindow:
    """With the sheet of the first machine."""
    front.document.select(Selection(machine=0))
    front.show_dock("inspector")
    front.panel("inspector")
    return front


def field(window: MainWindow, key: str) -> QLineEdit:
    lines = window.panel("inspector").findChildren(QLineEdit, f"field.{key}")
    (line,) = (line for line in lines if line.isVisible())
    return line


def write(qtbot: QtBot, line: QWidget, text: str) -> None:
    line.setFocus()
    if isinstance(line, QLineEdit):
        line.selectAll()
    qtbot.keyClicks(line, text)


def by_enter(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(focus(), Qt.Key.Key_Return)


def by_tab(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(focus(), Qt.Key.Key_Tab)


def by_leaving(qtbot: QtBot, window: MainWindow) -> None:
    window.toolbar.search.setFocus()


def test_text_that_is_typed_goes_first_and_then_the_step_before(
    qtbot: QtBot, inspected: MainWindow
) -> None:
    inspected.document.move_tasks(frozenset({0}), 1)
    moved = inspected.document.project
    line = field(inspected, "name")
    write(qtbot, line, "north")
    assert inspected.document.project is moved
    while line.text() != "M1":
        before = line.text()
        undo(qtbot)
        assert line.text() != before
    assert inspected.document.project is moved
    undo(qtbot)
    assert inspected.document.project.plan.allocation[0] == 0
    redo(qtbot)
    assert inspected.document.project.plan.allocation[0] == 1
    write(qtbot, line, "south")
    undo(qtbot)
    redo(qtbot)  # of the text, which came last
    assert line.text() == "south"


@pytest.mark.parametrize("leave", [by_enter, by_tab, by_leaving])
def test_a_field_that_was_taken_is_a_step_however_it_was_left(
    qtbot: QtBot, inspected: MainWindow, leave: Callable[[QtBot, MainWindow], None]
) -> None:
    line = field(inspected, "name")
    write(qtbot, line, "north")
    leave(qtbot, inspected)
    assert inspected.document.project.platform.machines[0].name == "north"
    undo(qtbot)
    assert inspected.document.project.platform.machines[0].name == "M1"
    assert line.text() == "M1"
    redo(qtbot)
    assert inspected.document.project.platform.machines[0].name == "north"


def test_wrong_text_goes_first_with_its_message(qtbot: QtBot, inspected: MainWindow) -> None:
    line = field(inspected, "speed")
    write(qtbot, line, "2")
    by_enter(qtbot, inspected)
    write(qtbot, line, "x")
    by_enter(qtbot, inspected)
    row = line.parentWidget()
    assert row is not None
    assert row._labelled.wrong  # type: ignore[attr-defined]
    while line.text() != "2":
        undo(qtbot)
    assert not row._labelled.wrong  # type: ignore[attr-defined]
    assert inspected.document.project.platform.machines[0].speed == 2.0
    undo(qtbot)
    assert inspected.document.project.platform.machines[0].speed == 1.0


def test_lists_boxes_and_sliders_swallow_no_undo(qtbot: QtBot, inspected: MainWindow) -> None:
    sheet = inspected.panel("inspector")
    start = inspected.document.project
    changed = 0
    for editor in [
        *sheet.findChildren(ChoiceList), *sheet.findChildren(YesNoBox), *sheet.findChildren(QSlider)
    ]:  # fmt: skip
        if not editor.isVisible() or not editor.isEnabled():
            continue
        editor.setFocus()
        key = Qt.Key.Key_Space if isinstance(editor, YesNoBox) else Qt.Key.Key_Right
        qtbot.keyClick(editor, key if not isinstance(editor, ChoiceList) else Qt.Key.Key_Down)
        if inspected.document.project == start:
            continue
        changed += 1
        undo(qtbot)
        assert inspected.document.project == start, editor.objectName()
    assert changed >= 2


def test_a_dock_beside_a_page_with_its_own_steps_has_the_steps_of_the_document(
    qtbot: QtBot, inspected: MainWindow
) -> None:
    inspected.show_page("trees")
    inspected.show_dock("inspector")
    line = field(inspected, "name")
    write(qtbot, line, "north")
    by_enter(qtbot, inspected)
    undo(qtbot)
    assert inspected.document.project.platform.machines[0].name == "M1"


def study(qtbot: QtBot, window: MainWindow, name: str) -> StudyPanel:
    window.show_page(name)
    page = window.panel(name)
    assert isinstance(page, StudyPanel)
    return page


def test_the_field_of_a_study_goes_back_to_what_it_was(qtbot: QtBot, front: MainWindow) -> None:
    page = study(qtbot, front, "trees")
    line = page.form.editor("back_ends")
    assert isinstance(line, QLineEdit)
    before = line.text()
    write(qtbot, line, "16")
    undo(qtbot)
    assert line.text() == before
    redo(qtbot)
    assert line.text() == "16"
    write(qtbot, line, "16x")  # wrong: it is text until it is right
    undo(qtbot)
    assert line.text() != "16x"
    while line.text() != before:
        shown = line.text()
        undo(qtbot)
        assert line.text() != shown


def test_lists_and_boxes_of_a_study_swallow_no_undo(qtbot: QtBot, front: MainWindow) -> None:
    page = study(qtbot, front, "trees")
    changed = 0
    for kind, key in ((ChoiceList, Qt.Key.Key_Down), (YesNoBox, Qt.Key.Key_Space)):
        for editor in page.form.findChildren(kind):
            if not editor.isVisibleTo(page) or not editor.isEnabled():
                continue
            before = editor.text()
            editor.setFocus()
            qtbot.keyClick(editor, key)
            if editor.text() == before:
                continue
            changed += 1
            undo(qtbot)
            assert editor.text() == before, editor.objectName()
    assert changed


def test_the_number_in_a_picture_is_a_step_of_the_picture(qtbot: QtBot, front: MainWindow) -> None:
    page = study(qtbot, front, "trees")
    qtbot.waitUntil(lambda: page.result is not None and not page.running.is_busy)
    view = page.views.page(0)
    assert isinstance(view, TreeView)
    settled(qtbot, view)
    number = view.reshaping.number
    before = number.value()
    number.setFocus()
    number.selectAll()
    qtbot.keyClicks(number, "3")
    undo(qtbot)  # the text, not taken yet
    assert number.text() == str(before)
    number.selectAll()
    qtbot.keyClicks(number, "3")
    qtbot.keyClick(number, Qt.Key.Key_Return)
    settled(qtbot, view)
    assert view.own is not None
    number.setFocus()
    undo(qtbot)
    settled(qtbot, view)
    assert view.own is None


def test_what_filters_a_table_takes_its_own_text_back_first(
    qtbot: QtBot, front: MainWindow
) -> None:
    front.document.move_tasks(frozenset({0}), 1)
    front.show_dock("schedule")
    table = front.panel("schedule")
    assert isinstance(table, ScheduleTable)
    write(qtbot, table.filter, "A")
    undo(qtbot)
    assert table.filter.text() == ""
    undo(qtbot)
    assert front.document.project.plan.allocation[0] == 0
    table.tables[0].setFocus()
    redo(qtbot)
    assert front.document.project.plan.allocation[0] == 1


@pytest.mark.parametrize("make", [QLineEdit, QPlainTextEdit, QSpinBox, QComboBox])
def test_no_editor_of_qt_keeps_an_undo_that_it_has_no_use_for(
    qtbot: QtBot, front: MainWindow, make: type[QWidget]
) -> None:
    editor = make(front)
    editor.setGeometry(200, 200, 120, 40)
    if isinstance(editor, QComboBox):
        editor.setEditable(True)
    editor.show()
    editor.setFocus()
    front.document.move_tasks(frozenset({0}), 1)
    undo(qtbot)
    assert front.document.project.plan.allocation[0] == 0
    if isinstance(editor, QAbstractSpinBox):
        editor.selectAll()
    qtbot.keyClicks(editor, "7")
    front.document.move_tasks(frozenset({0}), 1)
    undo(qtbot)
    assert front.document.project.plan.allocation[0] == 1
