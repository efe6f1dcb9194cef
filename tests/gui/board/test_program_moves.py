"""Dragging tasks with open programs: previewed and dropped with what is best on the new machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt

from advisor.allocation import preview
from advisor.allocation.choices import of_task, with_choice
from advisor.allocation.predict import predict
from advisor.messages.styles import ASYNCHRONOUS, NON_BLOCKING, SHORT, Style
from gui.basics.verdicts import BETTER, SAME
from gui.document.document import Document
from machines import InputError
from tests.choosing import ALEWIFE, DIRECT, SPECTRA, choosing
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
LONG = Style(ASYNCHRONOUS, NON_BLOCKING)


@pytest.fixture
def opened() -> Document:
    """Spectra on Alewife with short messages, which are best there."""
    project = choosing()
    choices = with_choice((), SPECTRA, "style", Style(ASYNCHRONOUS, SHORT))
    return Document(replace(project, plan=replace(project.plan, choices=choices)))


def test_a_drag_previews_and_drops_with_the_best_style_of_the_new_machine(
    opened: Document, show: Show
) -> None:
    hand, before = show(opened), opened.project
    hand.lift(SPECTRA, hand.lane(DIRECT))
    hand.wait_for_offers()
    here, there = (hand.board.surface.machine_offer(one) for one in (ALEWIFE, DIRECT))
    assert here.verdict == SAME
    assert there.verdict == BETTER
    shown = hand.board.offers.preview
    assert shown is not None
    value = shown.values_s[DIRECT]
    hand.release(hand.lane(DIRECT))
    assert opened.project.plan.allocation[SPECTRA] == DIRECT
    assert of_task(opened.project.plan.choices, SPECTRA)["style"] == LONG
    assert opened.undo_stack.count() == 1
    assert "asynchronous long non-blocking" in opened.undo_stack.text(0)
    hand.wait_until_current()
    assert opened.outcome is not None
    assert opened.outcome.prediction.makespan_s == pytest.approx(value, rel=1e-12)
    opened.undo_stack.undo()
    assert opened.project is before


def test_dropped_before_anything_is_known_the_step_is_completed_and_stays_one(
    opened: Document, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, before = show(opened), opened.project
    monkeypatch.setattr(preview, "preview", Mock(side_effect=InputError("not now")))
    hand.lift(SPECTRA, hand.lane(DIRECT))
    hand.board.offers.preview = None
    hand.release(hand.lane(DIRECT))
    assert opened.project.plan.allocation[SPECTRA] == DIRECT
    assert "style" not in of_task(opened.project.plan.choices, SPECTRA)
    hand.qtbot.waitUntil(lambda: bool(opened.project.plan.choices))
    assert of_task(opened.project.plan.choices, SPECTRA)["style"] == LONG
    assert opened.undo_stack.count() == 1
    assert "asynchronous long non-blocking" in opened.undo_stack.text(0)
    opened.undo_stack.undo()
    assert opened.project is before


def test_what_was_done_meanwhile_is_not_overruled(
    opened: Document, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = show(opened)
    monkeypatch.setattr(preview, "preview", Mock(side_effect=InputError("not now")))
    hand.lift(SPECTRA, hand.lane(DIRECT))
    hand.board.offers.preview = None
    hand.release(hand.lane(DIRECT))
    late = hand.board.offers._late
    opened.undo_stack.undo()
    hand.qtbot.waitUntil(lambda: not late.is_busy)
    assert opened.project.plan.allocation[SPECTRA] == ALEWIFE
    assert opened.undo_stack.index() == 0


def test_keys_move_with_the_best_choices_as_well(opened: Document, show: Show) -> None:
    hand = show(opened)
    hand.click(hand.task(SPECTRA))
    hand.wait_for_offers()
    hand.key(Qt.Key.Key_Return)
    hand.wait_for_offers()
    hand.key(Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert opened.project.plan.allocation[SPECTRA] == DIRECT
    assert of_task(opened.project.plan.choices, SPECTRA)["style"] == LONG
    after = predict(opened.project.problem(), opened.project.plan)
    assert opened.undo_stack.count() == 1
    assert after.makespan_s > 0
