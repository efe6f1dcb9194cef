"""What to expect follows the present plan, and is of no other one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pytestqt.qtbot import QtBot

from gui.document.document import Document, Outcome
from gui.document.expectations import Expectations
from machines.default_spreads import EXACT
from tests.conftest import cluster
from tests.gui.conftest import PATIENCE_MS


def test_they_follow_the_document_and_end_at_an_exact_one(
    qtbot: QtBot, predicted: Callable[[Document], Outcome]
) -> None:
    document = Document(cluster())
    expectations = Expectations(document)
    predicted(document)
    qtbot.waitUntil(lambda: expectations.odds is not None, timeout=PATIENCE_MS)
    first = expectations.odds
    assert first is not None
    assert first.band.p10_s < first.band.p50_s < first.band.p90_s
    platform = document.project.platform
    exact = replace(document.project, platform=replace(platform, spread=EXACT))
    document.apply(exact, "Exact")
    assert predicted(document).project is exact
    qtbot.waitUntil(lambda: not expectations.is_busy, timeout=PATIENCE_MS)
    assert expectations.odds is None
    document.undo_stack.undo()
    predicted(document)
    qtbot.waitUntil(lambda: expectations.odds is not None, timeout=PATIENCE_MS)
    again = expectations.odds
    assert again is not None
    assert again.band.expected_s == first.band.expected_s
    expectations.close_jobs()
