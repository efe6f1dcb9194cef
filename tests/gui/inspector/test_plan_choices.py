"""The plan's choices about a program: options with prices, chosen by mouse or keys, undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from advisor.allocation.choices import of_task, with_choice
from advisor.allocation.predict import predict
from advisor.decisions.registry import known
from advisor.messages.styles import ASYNCHRONOUS, NON_BLOCKING, SHORT, STYLES, SYNCHRONOUS, Style
from advisor.project.examples import load_example
from gui.document.document import Document, Outcome, Selection
from gui.inspector import Inspector
from gui.inspector.plan_choices import OPTION, PRICE, PlanChoices
from machines.errors import InputError
from tests.choosing import ALIGN, LOGIN, REPORT, SPECTRA, choosing
from tests.gui.inspector.hands import open_inspector, select

Predicted = Callable[[Document], Outcome]
LONG = Style(ASYNCHRONOUS, NON_BLOCKING)


@pytest.fixture
def document(qapp: object) -> Document:
    return Document(choosing())


def section(qtbot: QtBot, inspector: Inspector) -> PlanChoices:
    """The section, once everything in it is priced."""
    found = inspector.choices
    qtbot.waitUntil(lambda: bool(found.shown) and not found.is_busy)
    return found


def opened(qtbot: QtBot, document: Document, predicted: Predicted, task: int) -> Inspector:
    """The inspector of a task whose choices are priced."""
    inspector = open_inspector(qtbot, document)
    predicted(document)
    select(document, task)
    section(qtbot, inspector)
    return inspector


def item(found: PlanChoices, kind: str, words: str) -> QTreeWidgetItem:
    """The row of an option, by the title of its decision and what it says."""
    rows = [found.options.topLevelItem(place) for place in range(found.options.topLevelItemCount())]
    group = next(row for row in rows if row is not None and row.text(OPTION) == kind)
    options = [group.child(place) for place in range(group.childCount())]
    return next(row for row in options if words in row.text(OPTION))


def click(found: PlanChoices, row: QTreeWidgetItem) -> None:
    found.options.scrollToItem(row)
    at = found.options.visualItemRect(row)
    QTest.mouseClick(
        found.options.viewport(),
        Qt.MouseButton.LeftButton,
        pos=QPoint(at.left() + 12, at.center().y()),
    )


def test_every_decision_of_a_program_is_listed_with_its_options_and_help(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector = open_inspector(qtbot, document)
    predicted(document)
    for task, kinds in ((SPECTRA, ("style", "mapping")), (ALIGN, ("mapping", "block"))):
        select(document, task)
        found = section(qtbot, inspector)
        groups = [found.options.topLevelItem(place) for place in range(len(kinds))]
        assert [group.text(OPTION) for group in groups] == [known()[one].title for one in kinds]
        assert [group.toolTip(OPTION) for group in groups] == [known()[one].help for one in kinds]
        assert found.isVisible()
    select(document, SPECTRA)
    styles = section(qtbot, inspector).shown[0].options
    assert tuple(option.value for option in styles) == STYLES


def test_prices_of_all_decisions_have_one_unit(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector = opened(qtbot, document, predicted, SPECTRA)
    found = inspector.choices
    now_s = found.shown[0].now_s
    small, large = (
        replace(
            decision, options=tuple(replace(one, value_s=now_s + more) for one in decision.options)
        )
        for decision, more in zip(found.shown, (0.0283, 58.1), strict=True)
    )
    found._take((small, large))
    groups = [found.options.topLevelItem(place) for place in range(2)]
    texts = [group.child(0).text(PRICE) for group in groups]
    assert [text.split()[-1] for text in texts] == ["s", "s"]
    assert texts[0].split()[-2].startswith("+0.0")


def test_every_price_is_what_predict_gives(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector = open_inspector(qtbot, document)
    predicted(document)
    select(document, SPECTRA)
    problem, plan = document.project.problem(), document.project.plan
    for decision in section(qtbot, inspector).shown:
        values = []
        for option in decision.options:
            changed = decision.kind.put(problem, plan, SPECTRA, option.value)
            values.append(predict(problem, changed).makespan_s)
            assert option.value_s == pytest.approx(values[-1], rel=1e-12)
        assert [option.is_best for option in decision.options].count(True) == 1
        best = next(option for option in decision.options if option.is_best)
        assert best.value_s == pytest.approx(min(values), rel=1e-9)


def test_a_click_chooses_a_style_and_is_one_undo_step(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector, before = open_inspector(qtbot, document), document.project
    predicted(document)
    select(document, SPECTRA)
    found = section(qtbot, inspector)
    row = item(found, "Message style", "Asynchronous long non-blocking")
    assert row.text(PRICE).startswith("▲ +")
    best = item(found, "Message style", "Asynchronous short")
    assert (best.text(OPTION), best.text(PRICE)) == ("✓ Asynchronous short (best)", "= as now")
    assert found.options.headerItem().text(PRICE).split() == ["Makespan", "against", "now"]
    click(found, row)
    assert of_task(document.project.plan.choices, SPECTRA) == {"style": LONG}
    assert document.undo_stack.count() == 1
    said = "Message style of spectra: asynchronous long non-blocking"
    assert document.undo_stack.undoText() == said
    predicted(document)
    qtbot.waitUntil(lambda: found.shown[0].now_s == found.shown[0].options[-1].value_s)
    assert item(found, "Message style", "Asynchronous long non-blocking").text(OPTION)[0] == "✓"
    document.undo_stack.undo()
    assert document.project is before


def test_keys_alone_choose_a_number_of_blocks(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector = opened(qtbot, document, predicted, ALIGN)
    found = inspector.choices
    row = item(found, "Blocks", "190 blocks")
    inspector.choices.options.setFocus()
    found.options.setCurrentItem(item(found, "Blocks", "95 blocks"))
    while found.options.currentItem() is not row:
        qtbot.keyClick(found.options, Qt.Key.Key_Down)
    assert document.undo_stack.count() == 0
    qtbot.keyClick(found.options, Qt.Key.Key_Return)
    assert of_task(document.project.plan.choices, ALIGN) == {"block": 190}
    assert document.undo_stack.count() == 1


def test_what_the_program_states_is_marked_and_choosing_it_takes_the_plans_word_back(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    project = document.project
    task = project.workload.tasks[SPECTRA]
    program = replace(task.program, completion=SYNCHRONOUS, transport=SHORT)  # type: ignore[type-var]
    workload = project.workload.with_task(SPECTRA, replace(task, program=program))
    choices = with_choice((), SPECTRA, "style", LONG)
    plan = replace(project.plan, choices=choices)
    document.load(replace(project, workload=workload, plan=plan))
    inspector = opened(qtbot, document, predicted, SPECTRA)
    found = inspector.choices
    row = item(found, "Message style", "Synchronous short")
    assert row.text(OPTION) == "Synchronous short (as stated)"
    assert "what the workload states" in row.toolTip(OPTION)
    assert "what the plan has" in item(found, "Message style", "✓").toolTip(OPTION)
    click(found, row)
    assert document.project.plan.choices == ()


def test_what_is_chosen_already_makes_no_step(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector = opened(qtbot, document, predicted, SPECTRA)
    found = inspector.choices
    click(found, item(found, "Message style", "✓"))
    click(found, found.options.topLevelItem(0))
    assert document.undo_stack.count() == 0


def test_an_option_that_the_network_refuses_says_why_in_place(
    qtbot: QtBot,
    document: Document,
    predicted: Predicted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from advisor.project import decision_edits

    inspector = opened(qtbot, document, predicted, SPECTRA)
    found = inspector.choices

    def refused(*_arguments: object) -> None:
        raise InputError("there is no DMA engine", where="style", remedy="Choose a short one")

    monkeypatch.setattr(decision_edits, "with_decision", refused)
    click(found, item(found, "Message style", "Asynchronous long non-blocking"))
    assert "there is no DMA engine" in found.message.text()
    assert found.message.isVisible()
    assert document.undo_stack.count() == 0


def test_nothing_is_shown_where_there_is_nothing_to_choose(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    inspector = opened(qtbot, document, predicted, SPECTRA)
    found = inspector.choices
    for chosen in (
        Selection(tasks=frozenset({REPORT})),
        Selection(tasks=frozenset({SPECTRA, ALIGN})),
        Selection(machine=LOGIN),
        Selection(),
    ):
        document.select(chosen)
        assert not found.isVisible()
        assert found.shown == ()


def test_nothing_is_shown_before_there_is_a_prediction(qtbot: QtBot, document: Document) -> None:
    inspector = open_inspector(qtbot, document)
    assert document.outcome is None
    assert not inspector.choices.isVisible()


def test_a_click_chooses_the_variant_of_a_task(
    qtbot: QtBot, qapp: object, predicted: Predicted
) -> None:
    document = Document(load_example("gpu-sweep"))
    found = opened(qtbot, document, predicted, 1).choices
    assert "✓" in item(found, "Variant", "Gpu").text(OPTION)
    click(found, item(found, "Variant", "Cpu"))
    project = document.project
    assert project.problem().variants_of(project.plan)[1] == 0
    assert document.undo_stack.undoText() == "Variant of small 01: cpu"
    document.undo_stack.undo()
    assert project.problem().variants_of(document.project.plan)[1] == 1
