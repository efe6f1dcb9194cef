"""The check's panel: what it says, its table, what it needs, and when it is out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.export.simgrid.check import SimulatedPlan
from gui.document.checker import Check, Checker
from gui.document.document import Document, Outcome, Selection
from gui.panels.simgrid_check import CheckPanel
from machines.errors import InputError
from tests.gui.exporting import export
from tests.gui.panels.hub import hub_project

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def document(qapp: object) -> Document:
    return Document(hub_project())


@pytest.fixture
def checker(document: Document, predicted: Predicted) -> Iterator[Checker]:
    predicted(document)
    made = Checker(document)
    yield made
    made.close()


@pytest.fixture
def panel(qtbot: QtBot, document: Document, checker: Checker) -> CheckPanel:
    made = CheckPanel(document, checker)
    qtbot.addWidget(made)
    made.resize(800, 300)
    made.show()
    return made


def check(outcome: Outcome, *later_s: float) -> Check:
    """A simulation of which the tasks end so much later than predicted."""
    prediction = outcome.prediction
    end_s = prediction.end_s + np.array(later_s)
    start_s = prediction.start_s
    names = ("t1", "t2", "t3", "t4")
    found = SimulatedPlan(
        prediction, start_s, end_s, float(end_s.max()), (), "SimGrid 4.0", names, ("A note.",)
    )
    return Check(outcome, found)


def texts(panel: CheckPanel, row: int) -> list[str]:
    model = panel.table.columns_model
    return [str(model.data(model.index(row, place))) for place in range(model.columnCount())]


def test_before_a_check_it_says_what_it_does_and_offers_it(panel: CheckPanel) -> None:
    assert "SimGrid" in panel.sentence.text()
    assert panel.start.isVisible()
    assert panel.start.isEnabled()
    assert not panel.table.isVisible()


def test_ends_stand_side_by_side_in_one_unit(
    panel: CheckPanel, checker: Checker, document: Document
) -> None:
    checker._take(check(document.outcome, 0.0, 0.0, 0.0, 5.0))
    assert "SimGrid 4.0: the plan takes 50.0 s, 5.00 s, 11 % more" in panel.sentence.text()
    assert "A note." in panel.notes.text()
    assert texts(panel, 3) == ["t4", "m1", "45.0 s", "50.0 s", "+5.00 s"]
    assert texts(panel, 0) == ["t1", "m1", "25.0 s", "25.0 s", "0 s"]


def test_one_that_agrees_says_so(panel: CheckPanel, checker: Checker, document: Document) -> None:
    checker._take(check(document.outcome, 0.0, 0.0, 0.0, 1e-14))
    assert panel.sentence.text().startswith("SimGrid 4.0 agrees: the plan takes 45.0 s")
    assert texts(panel, 3)[-1] == "0 s"


def test_a_changed_plan_makes_it_old_and_undo_current_again(
    panel: CheckPanel, checker: Checker, document: Document
) -> None:
    checker._take(check(document.outcome, 0.0, 0.0, 0.0, 0.0))
    assert panel.sentence.isEnabled()
    document.move_tasks(frozenset({3}), 1)
    assert not panel.sentence.isEnabled()
    assert panel.table.columns_model.dimmed
    assert "The plan has changed" in panel.notes.text()
    document.undo_stack.undo()
    assert panel.sentence.isEnabled()
    assert "The plan has changed" not in panel.notes.text()
    document.load(hub_project())
    assert not panel.table.isVisible()


def test_without_simgrid_it_says_what_to_do(panel: CheckPanel, checker: Checker) -> None:
    error = InputError("no Python with SimGrid is found", value="/usr/bin/python3", remedy="Get it")
    checker._fail(error)
    assert panel.sentence.text() == "No Python with SimGrid is found."
    assert panel.notes.text() == "Asked: /usr/bin/python3.\nGet it."
    assert panel.start.isVisible()


def test_a_selected_row_is_the_documents_task(
    panel: CheckPanel, checker: Checker, document: Document
) -> None:
    checker._take(check(document.outcome, 0.0, 0.0, 0.0, 0.0))
    panel.table.selectRow(2)
    assert document.selection == Selection(tasks=frozenset({2}))
    document.select(Selection(tasks=frozenset({1})))
    assert panel.table.selected() == (1,)


def test_the_table_is_exported_with_full_precision(
    qtbot: QtBot, panel: CheckPanel, checker: Checker, document: Document, tmp_path: Path
) -> None:
    checker._take(check(document.outcome, 0.0, 0.0, 0.0, 0.125))
    export(qtbot, panel.exports, tmp_path / "check.csv")
    lines = (tmp_path / "check.csv").read_text().splitlines()
    assert lines[0] == "task,machine,predicted end (s),simulated end (s),difference (s)"
    assert "t4,m1,45.0,45.125,0.125" in lines


def test_it_is_worked_by_keys_alone(
    qtbot: QtBot, panel: CheckPanel, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(checker, "start", lambda: asked.append(True))
    panel.start.setFocus()
    qtbot.keyClick(panel.start, Qt.Key.Key_Space)
    assert asked == [True]
