"""Cases of a study on its page: opened, named, switched, closed, compared, and used in the plan."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from advisor.project.case_edits import add_case, case_of, with_figures
from advisor.project.study_case import Figure, StudyCase, Subject
from advisor.studies import STUDIES
from gui.document import predictions
from gui.document.document import Document
from gui.document.predictions import Predictions
from gui.studies.page.case_comparison import CaseComparison
from gui.studies.page.study_panel import StudyPanel
from gui.tables.data_table import DataTable
from tests.campaign import campaign
from tests.gui.amdahl import line, typed
from tests.gui.keyboard import take_keys
from tests.gui.pointer import double_click

LEFT = Qt.MouseButton.LeftButton
ALIGN = Subject("task", "align")


@pytest.fixture
def opened(qtbot: QtBot) -> Document:
    return Document(campaign())


@pytest.fixture
def page(qtbot: QtBot, opened: Document) -> Iterator[StudyPanel]:
    """Blocks on its page, nothing of the project in sight."""
    panel = StudyPanel(opened, STUDIES["blocks"])
    qtbot.addWidget(panel)
    panel.resize(1150, 700)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None, timeout=20_000)
    yield panel
    panel.close()


@pytest.fixture
def align(qtbot: QtBot, page: StudyPanel) -> StudyPanel:
    """The same with a case on the wavefront of the project."""
    page.open_on(ALIGN)
    answered(qtbot, page)
    return page


def answered(qtbot: QtBot, page: StudyPanel) -> None:
    """Until the case in sight has its answer, and the button knows it."""
    qtbot.waitUntil(
        lambda: case(page).figures != () and "not known yet" not in page.tabs.use_button.toolTip(),
        timeout=20_000,
    )


def case(page: StudyPanel) -> StudyCase:
    found = page.cases.case
    assert found is not None  # a wait goes on until it is there
    return found


def tabs(page: StudyPanel) -> list[str]:
    bar = page.tabs.bar
    return [bar.tabText(at) for at in range(bar.count())]


def middle(page: StudyPanel, at: int) -> QPoint:
    return page.tabs.bar.tabRect(at).center() - QPoint(12, 0)


def names(document: Document) -> list[str]:
    return [one.name for one in document.project.cases]


def test_a_study_stands_alone_until_it_is_opened_on_something(
    page: StudyPanel, opened: Document
) -> None:
    assert tabs(page) == ["On its own"]
    assert page.undo_stack is page.steps.stack
    assert not page.tabs.use_button.isEnabled()
    assert not page.tabs.compare_button.isEnabled()
    assert opened.undo_stack.count() == 0


def test_a_task_is_opened_with_its_own_values_as_a_case_and_undo_takes_it_back(
    align: StudyPanel, opened: Document
) -> None:
    assert tabs(align) == ["On its own", "align"]
    assert case_of(opened.project, "blocks", "align").subject == ALIGN
    assert (line(align, "n").text(), line(align, "task_time").text()) == ("512", "10")
    assert opened.undo_stack.undoText() == "Open align in blocks"
    assert align.undo_stack is opened.undo_stack
    opened.undo_stack.undo()
    assert tabs(align) == ["On its own"]
    assert line(align, "n").text() == "1024"
    assert align.undo_stack is align.steps.stack


def test_opening_it_again_finds_the_case_that_is_there(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    align.cases.choose("")
    align.open_on(ALIGN)
    qtbot.waitUntil(lambda: align.cases.current == "align")
    assert names(opened) == ["align"]


def test_the_figures_of_its_answer_are_kept_and_are_no_edit(
    align: StudyPanel, opened: Document
) -> None:
    assert align.result is not None
    assert [one.value for one in case(align).figures] == [f.value for f in align.result.facts]
    assert opened.undo_stack.count() == 1


def test_what_is_entered_goes_into_the_case_and_undo_brings_it_back(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    typed(qtbot, line(align, "n"), "256")
    assert dict(case(align).settings)["n"] == "256"
    assert "Change matrix size n of case align" in opened.undo_stack.undoText()
    answered(qtbot, align)
    opened.undo_stack.undo()
    assert line(align, "n").text() == "512"
    assert dict(case(align).settings)["n"] == "512"


def test_a_visit_of_a_field_is_one_step_and_wrong_text_stays_while_the_answer_comes(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    take_keys(qtbot, align)
    n, other = line(align, "n"), line(align, "task_time")
    steps, figures = opened.undo_stack.count(), case(align).figures
    n.setFocus()
    typed(qtbot, n, "2")
    qtbot.keyClicks(n, ".5")
    assert dict(case(align).settings)["n"] == "512"
    assert (opened.undo_stack.count(), case(align).figures) == (steps, figures)
    qtbot.waitUntil(lambda: not align.running.is_busy)
    opened.note(with_figures(opened.project, "blocks", "align", ()))
    assert n.text() == "2.5"
    qtbot.keyClick(n, Qt.Key.Key_Escape)
    assert n.text() == "512"
    typed(qtbot, n, "256")
    other.setFocus()
    n.setFocus()
    typed(qtbot, n, "128")
    assert opened.undo_stack.count() == steps + 2
    opened.undo_stack.undo()
    assert n.text() == "256"


def test_cases_change_no_prediction(
    qtbot: QtBot, opened: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Predictions(opened)
    kept.request(opened.project)
    qtbot.waitUntil(lambda: opened.outcome is not None)
    before = opened.outcome
    assert before is not None
    monkeypatch.setattr(predictions, "predict", None)
    case = StudyCase("new", "blocks")
    opened.apply(add_case(opened.project, case), "Add case new")
    qtbot.waitUntil(lambda: opened.outcome is not before)
    assert opened.outcome is not None
    assert opened.outcome.prediction is before.prediction
    opened.note(with_figures(opened.project, "blocks", "new", (Figure("x", 1.0),)))
    qtbot.waitUntil(lambda: opened.outcome is not None and opened.outcome.project is opened.project)
    opened.undo_stack.undo()
    assert opened.project.cases == ()
    opened.undo_stack.redo()
    assert case_of(opened.project, "blocks", "new").figures == (Figure("x", 1.0),)
    kept.close()


def test_another_case_is_added_and_each_keeps_its_form_and_its_answer(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    first = align.result
    qtbot.mouseClick(align.tabs.add_button, LEFT)
    assert names(opened) == ["align", "align 2"]
    assert align.tabs.bar.currentIndex() == 2
    typed(qtbot, line(align, "n"), "64")
    answered(qtbot, align)
    qtbot.waitUntil(lambda: align.result is not first)
    qtbot.mouseClick(align.tabs.bar, LEFT, pos=middle(align, 1))
    assert line(align, "n").text() == "512"
    assert not align.running.is_busy  # its answer is remembered
    qtbot.waitUntil(lambda: align.result is first)
    qtbot.mouseClick(align.tabs.bar, LEFT, pos=middle(align, 0))
    assert line(align, "n").text() == "1024"
    assert names(opened) == ["align", "align 2"]


@pytest.mark.parametrize("way", ["double click", "F2"])
def test_a_case_is_renamed_on_its_tab(
    qtbot: QtBot, align: StudyPanel, opened: Document, way: str
) -> None:
    if way == "F2":
        align.tabs.bar.setFocus()
        qtbot.keyClick(align.tabs.bar, Qt.Key.Key_F2)
    else:
        double_click(align.tabs.bar, middle(align, 1))
    editor = align.tabs.editor
    assert editor.isVisible()
    qtbot.keyClicks(editor, "as it is")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert tabs(align) == ["On its own", "as it is"]
    assert names(opened) == ["as it is"]
    assert align.cases.current == "as it is"
    assert not editor.isVisible()
    opened.undo_stack.undo()
    assert (tabs(align)[1], align.cases.current) == ("align", "align")


def test_escape_leaves_the_name_and_a_taken_one_is_refused_where_it_was_typed(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    qtbot.mouseClick(align.tabs.add_button, LEFT)
    qtbot.waitUntil(lambda: align.result is not None and not align.running.is_busy)
    answer, editor, message = align.sentence.text(), align.tabs.editor, align.tabs.message
    double_click(align.tabs.bar, middle(align, 2))
    qtbot.keyClicks(editor, "align")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert "Another case of this study has this name. Choose another" in message.text()
    assert message.isVisible()
    assert (editor.isVisible(), editor.text()) == (True, "align")
    assert align.sentence.text() == answer
    qtbot.keyClicks(editor, "ed")
    assert not message.isVisible()
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible()
    assert names(opened) == ["align", "align 2"]
    double_click(align.tabs.bar, middle(align, 2))
    qtbot.keyClicks(editor, "align")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.mouseClick(align.tabs.bar, LEFT, pos=middle(align, 1))
    assert (editor.isVisible(), message.isVisible()) == (False, False)
    assert names(opened) == ["align", "align 2"]


def test_a_tab_that_was_clicked_has_the_keys_before_the_window(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    removed: list[bool] = []
    remove = QAction(align)
    remove.setShortcut(QKeySequence("Del"))
    remove.triggered.connect(removed.append)
    align.addAction(remove)
    take_keys(qtbot, align)
    line(align, "n").setFocus()
    qtbot.mouseClick(align.tabs.bar, LEFT, pos=middle(align, 1))
    assert align.tabs.bar.hasFocus()
    qtbot.keyClick(align.tabs.bar, Qt.Key.Key_F2)
    qtbot.keyClick(align.tabs.editor, Qt.Key.Key_Return)
    assert align.tabs.bar.hasFocus()
    qtbot.keyClick(align.tabs.bar, Qt.Key.Key_Delete)
    assert (names(opened), removed) == ([], [])


@pytest.mark.parametrize("way", ["cross", "Delete"])
def test_a_case_is_closed_and_undo_brings_it_back(
    qtbot: QtBot, align: StudyPanel, opened: Document, way: str
) -> None:
    if way == "cross":
        cross = align.tabs.bar.tabButton(1, QTabBar.ButtonPosition.RightSide)
        assert isinstance(cross, QToolButton)
        qtbot.mouseClick(cross, LEFT)
    else:
        align.tabs.bar.setFocus()
        qtbot.keyClick(align.tabs.bar, Qt.Key.Key_Delete)
    assert (tabs(align), names(opened)) == (["On its own"], [])
    assert line(align, "n").text() == "1024"
    opened.undo_stack.undo()
    assert (tabs(align), names(opened)) == (["On its own", "align"], ["align"])


def test_the_answer_goes_into_the_plan_in_one_step_and_then_is_there(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    button = align.tabs.use_button
    blocks = align.result.answer if align.result else None
    assert button.isEnabled()
    assert button.toolTip() == f"Use {blocks} blocks for align (one undo step)"
    qtbot.mouseClick(button, LEFT)
    (choice,) = opened.project.plan.choices
    assert (choice.task, choice.name, choice.value) == (1, "block", blocks)
    assert opened.undo_stack.undoText() == f"Use {blocks} blocks for align"
    qtbot.waitUntil(lambda: button.toolTip() == "The project already has this value")
    assert not button.isEnabled()
    opened.undo_stack.undo()
    assert opened.project.plan.choices == ()
    qtbot.waitUntil(button.isEnabled)


def test_what_can_t_be_used_says_why(qtbot: QtBot, page: StudyPanel, opened: Document) -> None:
    button = page.tabs.use_button
    qtbot.waitUntil(lambda: "about nothing of the project" in button.toolTip())
    assert not button.isEnabled()
    assert "Open it from a task or a machine" in button.toolTip()
    page.open_on(Subject("machine", "grid"))
    answered(qtbot, page)
    assert button.text() == "Use as network"
    qtbot.waitUntil(lambda: "the machine's own already" in button.toolTip())


def test_cases_are_compared_side_by_side(qtbot: QtBot, align: StudyPanel, opened: Document) -> None:
    qtbot.mouseClick(align.tabs.add_button, LEFT)
    typed(qtbot, line(align, "n"), "64")
    answered(qtbot, align)
    qtbot.mouseClick(align.tabs.compare_button, LEFT)
    comparison = align.findChild(CaseComparison, "study_case_comparison")
    assert comparison is not None
    qtbot.waitUntil(lambda: comparison.views.titles() == [
        "comparison by case", "Figures", "Settings that differ",
    ])  # fmt: skip
    table = comparison.views.page(2)
    assert isinstance(table, DataTable)
    assert table.columns_model.rowCount() == 1
    assert "2 cases, differences from “align”" in comparison.sentence.text()
    assert align.status.startswith(f"Blocks  ·  “{align.cases.current}”  ·  ")
    assert not line(align, "n").isVisible()
    qtbot.mouseClick(align.tabs.bar, LEFT, pos=middle(align, 1))
    assert line(align, "n").isVisible()
    assert not align.tabs.compare_button.isChecked()


def test_cases_of_the_project_are_there_when_it_is_opened(
    qtbot: QtBot, align: StudyPanel, opened: Document
) -> None:
    project = opened.project
    opened.load(campaign())
    assert tabs(align) == ["On its own"]
    opened.load(project)
    assert tabs(align) == ["On its own", "align"]
    other = StudyPanel(opened, STUDIES["blocks"])
    qtbot.addWidget(other)
    assert tabs(other) == ["On its own", "align"]
    other.close()


def test_every_part_has_a_name_for_those_who_can_t_see_it(align: StudyPanel) -> None:
    parts = [*align.tabs.findChildren(QToolButton), *align.tabs.findChildren(QLineEdit)]
    parts += [align.tabs.use_button, align.tabs.bar]
    for part in parts:
        if part.parent() is align.tabs or isinstance(part, QTabBar):
            assert part.objectName(), part
            assert part.accessibleName(), part
            assert part.toolTip(), part
