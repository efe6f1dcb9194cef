"""A check is about the plan that it was asked for, can be stopped, and says why it can't run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.allocation.objectives import TOTAL
from advisor.allocation.plan import Plan
from advisor.export.simgrid.simgrid_python import VARIABLE
from gui.document.checker import Checker
from gui.document.document import Document, Outcome
from tests.gui.endless_simgrid import EndlessSimGrid, ended
from tests.simgrid_python import simgrid_here

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def checker(document: Document, predicted: Predicted) -> Iterator[Checker]:
    predicted(document)
    made = Checker(document)
    yield made
    made.close()


def test_a_plan_is_checked_and_answers_until_it_changes(
    qtbot: QtBot, checker: Checker, document: Document
) -> None:
    simgrid_here()
    with qtbot.waitSignal(checker.checked):
        checker.start()
    assert checker.check is not None
    assert checker.check.found.agrees
    project = document.project
    assert checker.check.answers(project)
    assert checker.check.answers(replace(project, objective=TOTAL))  # asks for other advice
    assert not checker.check.answers(replace(project, plan=Plan((1, 1))))
    document.load(project)
    assert checker.check is None


def test_without_a_prediction_nothing_is_checked(document: Document, qtbot: QtBot) -> None:
    checker = Checker(document)
    checker.start()
    assert not checker.is_busy
    checker.close()


def test_without_simgrid_it_says_how_to_get_it(
    qtbot: QtBot, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "/nowhere/python")
    with qtbot.waitSignal(checker.failed):
        checker.start()
    assert checker.error is not None
    assert "python3-simgrid" in checker.error.remedy


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_a_check_that_is_stopped_ends_its_process(
    qtbot: QtBot, checker: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    endless = EndlessSimGrid(tmp_path, monkeypatch)
    with qtbot.waitSignal(checker.progress) as told:
        checker.start()
    assert told.args == [0.5]
    process = endless.process(qtbot)
    getattr(checker, how)()
    assert not checker.is_busy
    qtbot.waitUntil(lambda: ended(process))
    assert checker.check is None
