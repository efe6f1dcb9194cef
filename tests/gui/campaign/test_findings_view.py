"""What rows show, drawn as any answer: anew while rows come, the last ones for certain."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from advisor.campaigns.results import Results
from advisor.studies.study import StudyResult
from gui.campaign import findings_view
from gui.campaign.findings_view import FindingsView
from machines.errors import InputError
from tests.gui.campaign.synthetic import synthetic


@pytest.fixture
def view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[FindingsView]:
    monkeypatch.setattr(findings_view, "_PAUSE_MS", 1)
    made = FindingsView()
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    yield made
    made.close()


def settled(qtbot: QtBot, view: FindingsView) -> None:
    qtbot.waitUntil(lambda: not view.is_busy)


def test_rows_are_summed_up_drawn_and_listed(qtbot: QtBot, view: FindingsView) -> None:
    assert view.waiting.isVisible()
    results = synthetic(240)
    view.show_results(results, 480)
    settled(qtbot, view)
    assert view.result is not None
    assert not view.result.complete  # half of the cases are there
    assert view.head.sentence.text() == view.result.headline
    assert {one.name for one in view.result.series} >= {"HEFT", "PEFT", "Min-Min", "Refinement"}
    assert not view.waiting.isVisible()
    titles = view.views.titles()
    assert "Wins, ties, losses" in titles
    for place in range(len(titles)):
        view.views.open(place)
        assert place in view.views.in_sight()
        view.views.page(place)
        assert len(view.exports) > 1
    view.copy_action.trigger()
    assert view.result.headline in QGuiApplication.clipboard().text()


def test_of_rows_that_come_fast_the_last_ones_are_shown(
    qtbot: QtBot, view: FindingsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    gate = threading.Event()

    def slow(results: Results, planned: int = 0, *, titles: bool) -> StudyResult:
        asked.append(len(results))
        gate.wait()
        return StudyResult(f"{len(results)} of {planned}")

    monkeypatch.setattr("advisor.campaigns.findings.findings", slow)
    results = synthetic(20)
    for many in range(1, 21):
        view.show_results(results.where(np.arange(20) < many), 20)
    qtbot.waitUntil(lambda: bool(asked))
    gate.set()
    settled(qtbot, view)
    assert asked == [1, 20]
    assert view.head.sentence.text() == "20 of 20"


def test_another_campaign_shows_nothing_of_the_one_before(qtbot: QtBot, view: FindingsView) -> None:
    view.show_results(synthetic(40), 40)
    settled(qtbot, view)
    view.begin_anew()
    assert view.result is None
    assert view.waiting.isVisible()
    assert not view.copy_action.isEnabled()


def test_why_nothing_can_be_told_is_said(
    qtbot: QtBot, view: FindingsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_results: Results, planned: int = 0, *, titles: bool) -> StudyResult:
        raise InputError("no row has a value")

    monkeypatch.setattr("advisor.campaigns.findings.findings", refuse)
    view.show_results(synthetic(4), 4)
    settled(qtbot, view)
    assert view.waiting.text() == "No row has a value"
