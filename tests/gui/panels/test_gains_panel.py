"""The answer's gain by decision: rows that add up, each applied alone in one undo step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from advisor.decisions.registry import known
from gui.document.document import Document
from gui.panels.gains_panel import ByDecision
from tests.choosing import choosing
from tests.choosing_pin import with_pin
from tests.gui.panels.test_reasons_panel import PATIENCE_MS, Parts, advised

pytestmark = pytest.mark.usefixtures("unasked")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def parts(qtbot: QtBot, qapp: object) -> Iterator[Parts]:
    """The answer to a project with a pin that decides much otherwise, or what is better still."""
    made = Parts(Document(with_pin()))
    qtbot.addWidget(made.panel)
    made.panel.show()
    advised(qtbot, made)
    yield made
    made.close()


def button(shown: ByDecision, name: str) -> QPushButton:
    return next(one for one in shown.buttons if one.accessibleName() == f"Apply only {name}")


def test_gains_are_folded_below_the_sentence_and_unfold_by_a_key(
    qtbot: QtBot, parts: Parts
) -> None:
    shown, advice = parts.panel.by_decision, parts.advisor.advice
    assert shown.isVisible()
    assert not shown.rows.isVisible()
    gains = advice.explanation.by_decision
    most = max(gains, key=lambda one: one.gain_s)
    assert shown.fold.text().startswith(f"By decision: {most.names[0]} \u2212")
    assert shown.fold.text().endswith(f", {len(gains) - 1} more")
    shown.fold.setFocus()
    QTest.keyClick(shown.fold, Qt.Key.Key_Space)
    assert shown.rows.isVisible()
    words = [shown.findChild(QLabel, f"answer.decision{at}").text() for at in range(len(gains))]
    assert words == [one.words for one in gains]
    now_s = advice.outcome.prediction.makespan_s
    saved_s = now_s - advice.explanation.advised_s
    assert sum(one.gain_s for one in gains) == pytest.approx(saved_s)
    first = shown.findChild(QLabel, "answer.decision_gain0").text()
    assert first.startswith("▼ \u2212")
    assert "alone" in first or "only together" in first


def test_one_decision_is_applied_in_one_step_and_the_answer_follows(
    qtbot: QtBot, parts: Parts
) -> None:
    document, shown = parts.document, parts.panel.by_decision
    before, plan = document.project.plan, parts.advisor.advice.plan
    shown.fold.click()
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        qtbot.mouseClick(button(shown, "tree"), LEFT)
    assert document.project.plan == known()["tree"].taken(before, plan)
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Apply tree of the recommendation"
    assert "tree" not in [one.accessibleName().removeprefix("Apply only ") for one in shown.buttons]
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        document.undo_stack.undo()
    assert document.project.plan == before
    assert button(shown, "tree").isEnabled()


def test_what_can_t_run_alone_can_t_be_applied_alone_and_old_rows_are_hidden_at_once(
    parts: Parts,
) -> None:
    shown, gains = parts.panel.by_decision, parts.advisor.advice.explanation.by_decision
    assert any(one.alone_s is None for one in gains)  # blocks leave align no room where it is now
    for at, one in enumerate(gains):
        tried = one.alone_s is not None or (at == 0 and len(one.names) > 1)
        assert button(shown, " and ".join(one.names)).isEnabled() == tried
        said = shown.findChild(QLabel, f"answer.decision_gain{at}").text()
        assert said.endswith("only together") == (len(one.names) > 1)

    shown.fold.click()
    old = [*shown.buttons, *shown.rows.findChildren(QLabel)]
    assert all(one.isVisible() for one in old)
    shown.show_advice()  # they are deleted later
    assert not any(one.isVisible() for one in old)


def test_apply_takes_choices_and_trees_and_undo_brings_all_back(qtbot: QtBot, parts: Parts) -> None:
    document, advice = parts.document, parts.advisor.advice
    before = document.project.plan
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        qtbot.mouseClick(parts.strip.apply, LEFT)
    assert document.project.plan == advice.plan
    assert advice.plan.choices
    assert advice.plan.overlays
    assert not parts.panel.by_decision.isVisible()
    document.undo_stack.undo()
    assert document.project.plan == before


def test_an_edit_of_the_question_makes_the_rows_unusable(qtbot: QtBot, parts: Parts) -> None:
    document, shown = parts.document, parts.panel.by_decision
    project = document.project
    shown.fold.click()
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        document.apply(replace(project, workload=choosing(False).workload, pins=()), "No tool")
        assert not any(one.isEnabled() for one in shown.buttons)
