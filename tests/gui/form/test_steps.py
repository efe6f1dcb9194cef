"""Undo steps of a form: each change is one, and the window's undo is that of the page in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from advisor.studies import STUDIES
from gui.document.document import Document
from gui.form.form import ParameterForm
from gui.form.steps import FormSteps
from gui.shell.main_window import MainWindow
from gui.studies.page.study_panel import StudyPanel
from gui.studies.page.study_table import StudyTable
from gui.studies.tree.tree_view import TreeView
from tests.gui.amdahl import Amdahl
from tests.gui.keyboard import take_keys
from tests.gui.studies.hands import settled

Pair = tuple[ParameterForm, FormSteps]


@pytest.fixture
def pair(qtbot: QtBot) -> Pair:
    form = ParameterForm(Amdahl)
    qtbot.addWidget(form)
    form.show()
    return form, FormSteps(form)


def value(form: ParameterForm, name: str) -> object:
    values = form.values()
    assert values is not None
    return values[name]


def type_in(qtbot: QtBot, form: ParameterForm, name: str, text: str) -> None:
    editor = form.editor(name)
    assert isinstance(editor, QLineEdit)
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, text)


def test_what_is_typed_in_one_field_is_one_step(qtbot: QtBot, pair: Pair) -> None:
    form, steps = pair
    type_in(qtbot, form, "processors", "512")
    assert steps.stack.count() == 1
    assert steps.stack.undoText() == "changing processors"
    steps.stack.undo()
    assert value(form, "processors") == 8
    steps.stack.redo()
    assert value(form, "processors") == 512


def test_a_later_visit_of_the_same_field_is_another_step(qtbot: QtBot, pair: Pair) -> None:
    form, steps = pair
    take_keys(qtbot, form)
    type_in(qtbot, form, "processors", "16")
    form.editor("serial").setFocus()
    type_in(qtbot, form, "processors", "9")
    assert steps.stack.count() == 2
    steps.stack.undo()
    assert value(form, "processors") == 16


def test_while_a_text_is_wrong_what_was_there_before_the_typing_counts(
    qtbot: QtBot, pair: Pair
) -> None:
    form, steps = pair
    take_keys(qtbot, form)
    told: list[dict[str, object]] = []
    form.changed.connect(told.append)
    type_in(qtbot, form, "processors", "2")
    assert told[-1]["processors"] == 2
    qtbot.keyClicks(form.editor("processors"), ".5")
    qtbot.keyClick(form.editor("processors"), Qt.Key.Key_Return)
    assert form.message("processors")
    assert told[-1]["processors"] == 8
    assert steps.stack.count() == 0


@pytest.mark.parametrize("text", ["2", "512", "2.5", "x"])
@pytest.mark.parametrize("entered", [False, True])
def test_escape_takes_a_visit_back_and_no_more(
    qtbot: QtBot, pair: Pair, text: str, entered: bool
) -> None:
    form, steps = pair
    take_keys(qtbot, form)
    type_in(qtbot, form, "processors", "16")
    form.editor("serial").setFocus()
    type_in(qtbot, form, "processors", text)
    editor = form.editor("processors")
    assert isinstance(editor, QLineEdit)
    if entered:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert (editor.text(), form.message("processors")) == ("16", "")
    assert value(form, "processors") == 16
    assert steps.stack.count() == 1
    steps.stack.undo()
    assert value(form, "processors") == 8


def test_what_is_typed_after_an_undo_is_another_step(qtbot: QtBot, pair: Pair) -> None:
    form, steps = pair
    take_keys(qtbot, form)
    type_in(qtbot, form, "processors", "16")
    steps.stack.undo()
    type_in(qtbot, form, "processors", "9")
    qtbot.keyClick(form.editor("processors"), Qt.Key.Key_Escape)
    assert value(form, "processors") == 8
    assert not steps.stack.canUndo()


def test_other_fields_and_the_defaults_are_steps_of_their_own(qtbot: QtBot, pair: Pair) -> None:
    form, steps = pair
    type_in(qtbot, form, "processors", "5")
    box = form.editor("overhead")
    assert isinstance(box, QCheckBox)
    box.click()
    form.reset_button.click()
    assert steps.stack.count() == 3
    assert steps.stack.undoText() == "changing parameters"
    steps.stack.undo()
    assert (value(form, "processors"), value(form, "overhead")) == (5, True)
    steps.stack.undo()
    assert (value(form, "processors"), value(form, "overhead")) == (5, False)


def test_a_wrong_entry_is_no_step(qtbot: QtBot, pair: Pair) -> None:
    form, steps = pair
    type_in(qtbot, form, "serial", "x")
    assert steps.stack.count() == 0
    type_in(qtbot, form, "serial", "1")
    steps.stack.undo()
    assert value(form, "serial") == 0.1


def test_what_a_picture_writes_is_no_step_of_the_form_but_a_row_that_is_adopted_is(
    qtbot: QtBot, document: Document
) -> None:
    panel = StudyPanel(document, STUDIES["trees"])
    qtbot.addWidget(panel)
    panel.show()
    panel.views.edited.emit({"own": "b:2^2"})
    assert value(panel.form, "own") == "b:2^2"
    assert panel.undo_stack.count() == 0
    type_in(qtbot, panel.form, "back_ends", "16")
    qtbot.waitUntil(lambda: panel.result is not None and not panel.running.is_busy)
    titles = panel.views.titles()
    panel.views.open(titles.index("Pareto front"))
    table = panel.views.page(panel.views.current())
    assert isinstance(table, StudyTable)
    table.setCurrentIndex(table.columns_model.index(3, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert value(panel.form, "max_internal") is not None
    assert panel.undo_stack.undoText() == "changing parameters"
    panel.undo_stack.undo()
    assert value(panel.form, "max_internal") is None
    assert value(panel.form, "own") == "b:2^2"
    panel.close()


def test_undo_is_that_of_the_page_in_sight(qtbot: QtBot, window: MainWindow) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    moved = window.document.project
    window.commands["page_trees"].trigger()
    page = window.panel("trees")
    assert isinstance(page, StudyPanel)
    undo = window.commands["undo"]
    assert not undo.isEnabled()
    type_in(qtbot, page.form, "back_ends", "16")
    assert undo.text() == "Undo “changing back-ends N”"
    undo.trigger()
    assert value(page.form, "back_ends") == 512
    assert window.document.project is moved
    window.commands["redo"].trigger()
    assert value(page.form, "back_ends") == 16
    window.commands["page_allocation"].trigger()
    assert undo.text().startswith("Undo “Move")
    undo.trigger()
    assert window.document.project is not moved
    assert value(page.form, "back_ends") == 16


def test_undo_is_that_of_the_picture_while_it_has_the_focus(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.commands["page_trees"].trigger()
    page = window.panel("trees")
    assert isinstance(page, StudyPanel)
    type_in(qtbot, page.form, "back_ends", "16")
    qtbot.waitUntil(lambda: page.result is not None and not page.running.is_busy)
    view = page.views.page(0)
    assert isinstance(view, TreeView)
    settled(qtbot, view)
    view.canvas.setFocus()
    qtbot.keyClick(view.canvas, Qt.Key.Key_Down)
    view.reshaping.merge_button.click()
    settled(qtbot, view)
    undo = window.commands["undo"]
    view.canvas.setFocus()
    assert undo.text().startswith("Undo “merging")
    undo.trigger()
    settled(qtbot, view)
    assert view.own is None
    assert value(page.form, "back_ends") == 16
    page.form.editor("back_ends").setFocus()
    assert undo.text() == "Undo “changing back-ends N”"
