"""What overlays run on a machine is on its card: in words, in a tooltip, and a click away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from advisor.project import overlay_edits
from gui.basics.ink import Ink
from gui.board.overlay_badges import Here, badge_at, badge_rects, overlays_here
from gui.board.task_menu import TaskMenu
from gui.document.document import Document, Outcome, Selection
from tests.choosing import ALEWIFE, DIRECT, LOGIN, SERVICE, choosing
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
NO_CHIP = QRectF()


@pytest.fixture
def document(qapp: object) -> Document:
    return Document(choosing())


def badge(hand: Hand, machine: int) -> QRectF:
    surface = hand.board.surface
    card, here = surface.card_rect(machine), surface.facts[machine].overlays
    return badge_rects(surface.ink, card, here, NO_CHIP)[0]


def test_every_machine_says_what_runs_there(
    document: Document, predicted: Callable[[Document], Outcome]
) -> None:
    here = overlays_here(predicted(document))
    (login,) = here[LOGIN]
    assert login.processes == "front-end"
    assert login.texts[0] == "monitor: front-end, 8.4 %"
    (alewife,) = here[ALEWIFE]
    assert alewife.processes == "10 internal, 32 back-ends"
    assert "147 %" in alewife.sentence
    assert here[SERVICE] == ()


def test_a_click_on_a_badge_selects_the_overlay_and_one_beside_it_the_machine(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(badge(hand, DIRECT).center().toPoint())
    assert document.selection == Selection(overlay=0)
    hand.click(hand.card(DIRECT))
    assert document.selection == Selection(machine=DIRECT)


def test_the_tooltip_of_a_badge_is_about_the_overlay_and_the_cards_names_it(
    document: Document, show: Show
) -> None:
    hand = show(document)
    surface = hand.board.surface
    on_badge = surface.tip_at(badge(hand, LOGIN).center())
    assert on_badge.startswith("Overlay monitor here: front-end; they take 8.4 %")
    beside = surface.tip_at(QPointF(hand.card(LOGIN)))
    assert "monitor: front-end" in beside


def test_badges_follow_the_plan(document: Document, show: Show) -> None:
    hand = show(document)
    document.apply(overlay_edits.with_shape(document.project, 0, "8x8"), "tree")
    hand.wait_until_current()
    assert sum(one.internal for facts in hand.board.surface.facts for one in facts.overlays) == 8
    document.apply(overlay_edits.remove_overlay(document.project, 0), "remove")
    hand.wait_until_current()
    assert not any(facts.overlays for facts in hand.board.surface.facts)


@pytest.mark.parametrize("height", [20.0, 34.0, 60.0, 140.0])
def test_a_badge_lies_on_its_card_and_gives_way_to_an_offer(qapp: object, height: float) -> None:
    ink, card = Ink(QWidget().font()), QRectF(4, 10, 180, height)
    here = (Here(0, "monitor", False, 2, 8, 0.034), Here(1, "probe", True, 0, 0, 0.1))
    rects = badge_rects(ink, card, here, NO_CHIP)
    assert 1 <= len(rects) <= 2
    assert all(card.contains(rect) for rect in rects)
    middle = rects[0].center()
    assert badge_at(ink, card, here, NO_CHIP, middle) == here[0]
    assert badge_at(ink, card, here, rects[0], middle) is None


def test_the_boards_menu_shows_overlays_and_adds_one(document: Document, show: Show) -> None:
    hand = show(document)
    board = hand.board
    menu = TaskMenu(document, board.offers, board.carrying, None, lambda _task: None, board)
    actions = {action.objectName(): action for action in menu.actions()}
    actions["board-overlay-0"].trigger()
    assert document.selection == Selection(overlay=0)
    actions["board-add-overlay"].trigger()
    assert [one.name for one in document.project.workload.overlays] == ["monitor", "monitor2"]
    assert document.selection == Selection(overlay=1)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert len(document.project.workload.overlays) == 1
