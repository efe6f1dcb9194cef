"""A kind of program of one file is chosen, said, changed and undone; no widget was written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from advisor.programs import kinds
from gui.board.describe import task as described
from gui.document.document import Document, Outcome, Selection
from gui.inspector import Inspector
from machines.parameters import parameters_of
from tests.dummies.program_kind.reduction import ORDERS, REDUCTION, Reduction
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    choose_by_mouse,
    error_under,
    keys,
    type_into,
)

TASK = 1


def test_a_kind_of_one_file_is_chosen_changed_said_and_predicted(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    cluster_document: Document,
    predicted: Callable[[Document], Outcome],
) -> None:
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, REDUCTION))
    document, inspector = cluster_document, Inspector(cluster_document)
    qtbot.addWidget(inspector)
    inspector.resize(340, 900)
    with qtbot.waitExposed(inspector):
        inspector.show()
    document.select(Selection(tasks=frozenset({TASK})))

    choose_by_mouse(qtbot, inspector, "program", "reduction")
    assert document.project.workload.tasks[TASK].program == Reduction(1000, 1e-3)
    assert "reduction: values that are added up" in choice(inspector, "program").toolTip()
    shown = [key for key in keys(inspector) if key.startswith("program")]
    assert shown == ["program", *(f"program.{one.name}" for one in parameters_of(Reduction))]
    workers = inspector.findChild(QLineEdit, "field.program.workers")
    assert workers.placeholderText() == "each core"
    before = predicted(document).prediction.task_s[TASK]

    type_into(qtbot, inspector, "program.add_s", "10 ms")
    choose_by_keys(qtbot, inspector, "program.order", ORDERS[1])
    type_into(qtbot, inspector, "program.workers", "999")
    assert "fewer cores than workers" in error_under(inspector, "program.workers")
    assert document.project.workload.tasks[TASK].program == Reduction(1000, 0.01, "chain")
    words = "Adds up 1,000 values on each core, in a chain."
    assert words in [label.text() for label in inspector.findChildren(QLabel)]
    after = predicted(document)
    assert after.prediction.task_s[TASK] > 5 * before
    assert words in described(after, TASK)

    for _ in range(3):
        document.undo_stack.undo()
    assert document.project.workload.tasks[TASK].program is None
