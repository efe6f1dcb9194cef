"""A task's command is written in its sheet: in lines, for several tasks at once, one undo step."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from pytestqt.qtbot import QtBot

from gui.document.document import Document, Selection
from gui.form.editors import CodeEditor
from gui.inspector import Inspector
from tests.gui.inspector.hands import keys, open_inspector, select


def commands(document: Document) -> list[str]:
    return [task.command for task in document.project.workload.tasks]


def editor(inspector: Inspector) -> CodeEditor:
    found = inspector.findChildren(CodeEditor, "field.command")
    (shown,) = (one for one in found if one.isVisible())  # others may not be deleted yet
    return shown


def written(qtbot: QtBot, inspector: Inspector, *lines: str) -> CodeEditor:
    """Write the command anew, and go on to what follows."""
    text = editor(inspector)
    text.setFocus()
    text.selectAll()
    for place, line in enumerate(lines):
        if place:
            qtbot.keyClick(text, Qt.Key.Key_Return)
        qtbot.keyClicks(text, line)
    if not lines:
        qtbot.keyClick(text, Qt.Key.Key_Delete)
    qtbot.keyClick(text, Qt.Key.Key_Tab)
    return text


def test_a_command_of_several_lines_is_one_undo_step(
    qtbot: QtBot, loaded_document: Document
) -> None:
    inspector = open_inspector(qtbot, loaded_document)
    select(loaded_document, 0)
    assert "command" in keys(inspector)
    text = editor(inspector)
    assert text.placeholderText().startswith("Not stated")
    assert "/bin/sh" in text.toolTip()
    assert QFontInfo(text.font()).fixedPitch()
    written(qtbot, inspector, "cd $HOME", "  echo 'a; \"b\"'  ")
    assert commands(loaded_document) == ["cd $HOME\n  echo 'a; \"b\"'", ""]
    assert loaded_document.undo_stack.count() == 1
    assert loaded_document.undo_stack.undoText() == "Change Command"
    loaded_document.undo_stack.undo()
    assert commands(loaded_document) == ["", ""]
    assert editor(inspector).toPlainText() == ""


def test_it_is_not_run_nor_taken_before_one_is_done_with_it(
    qtbot: QtBot, loaded_document: Document
) -> None:
    inspector = open_inspector(qtbot, loaded_document)
    select(loaded_document, 0)
    written(qtbot, inspector, "true")
    text = editor(inspector)
    text.setFocus()
    qtbot.keyClicks(text, "fal")
    assert commands(loaded_document)[0] == "true"
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert text.toPlainText() == "true"
    qtbot.keyClick(text, Qt.Key.Key_Tab)
    assert loaded_document.undo_stack.count() == 1
    written(qtbot, inspector)
    assert commands(loaded_document)[0] == ""


def test_several_tasks_show_what_they_have_in_common_and_get_one_command(
    qtbot: QtBot, loaded_document: Document
) -> None:
    inspector = open_inspector(qtbot, loaded_document)
    select(loaded_document, 1)
    written(qtbot, inspector, "make b")
    loaded_document.select(Selection(tasks=frozenset({0, 1})))
    assert editor(inspector).toPlainText() == ""
    assert editor(inspector).placeholderText() == "various"
    editor(inspector).setFocus()
    qtbot.keyClick(editor(inspector), Qt.Key.Key_Tab)  # looking changes nothing
    assert commands(loaded_document) == ["", "make b"]
    written(qtbot, inspector, "make $PLACEWISE_TASK")
    assert commands(loaded_document) == ["make $PLACEWISE_TASK"] * 2
    assert editor(inspector).toPlainText() == "make $PLACEWISE_TASK"
    loaded_document.undo_stack.undo()
    assert commands(loaded_document) == ["", "make b"]


def test_a_long_command_is_shown_and_kept_whole(qtbot: QtBot, loaded_document: Document) -> None:
    inspector = open_inspector(qtbot, loaded_document)
    select(loaded_document, 0)
    long = "echo " + " ".join(map(str, range(3000)))
    text = editor(inspector)
    text.setFocus()
    text.insertPlainText(long)
    qtbot.keyClicks(text, "!")
    qtbot.keyClick(text, Qt.Key.Key_Tab)
    select(loaded_document, 1)
    select(loaded_document, 0)
    assert editor(inspector).toPlainText() == f"{long}!"
    assert commands(loaded_document)[0] == f"{long}!"
