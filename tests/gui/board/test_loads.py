"""Loads on the board: folded at first, unfolded by mouse and keys, remembered, told in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from advisor.allocation.timeline_modes import NONE
from advisor.basics import causes
from gui.basics.settings import Settings
from gui.basics.theme import theme
from gui.board.strips_painter import lane_disclosure, section_disclosure
from gui.document.document import Document, Selection
from tests.conftest import two_machines
from tests.gui.board.conftest import Hand
from tests.gui.board.networks import four_readers, lab

Show = Callable[[Document], Hand]
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def readers(qapp: object) -> Document:
    return Document(four_readers(file=False))


def mark(hand: Hand, lane: int) -> QPoint:
    view = hand.board.schedule
    return lane_disclosure(view.ink, view.card_rect(lane)).center().toPoint()


def heading(hand: Hand) -> QPoint:
    view = hand.board.schedule
    return section_disclosure(view.ink, view.frame()).center().toPoint()


def strip_of(hand: Hand, machine: int) -> QPoint:
    """The middle of the first strip of a lane, or of the section (-1), early in the schedule."""
    view = hand.board.schedule
    frame = view.frame()
    place = next(p for p in view.places(frame) if p.machine == machine)
    return QPoint(round(frame.x(3.0)), round(place.y + place.height / 2))


def test_all_is_folded_at_first_and_the_heading_names_the_busiest(
    readers: Document, show: Show
) -> None:
    hand = show(readers)
    view = hand.board.schedule
    assert list(view.places(view.frame())) == []
    assert 0 < view.frame().section < 40
    assert "Unfold" in view.tip_at(heading(hand).toPointF())


def test_a_click_on_a_lanes_mark_unfolds_the_load_of_its_links(
    readers: Document, show: Show
) -> None:
    hand = show(readers)
    view = hand.board.schedule
    hand.click(mark(hand, 1))
    assert hand.board.folds.lanes == {"Q"}
    places = list(view.places(view.frame()))
    assert [(place.machine, place.strip) for place in places] == [(1, 0), (1, 1)]
    top, height = view.frame().lane_box(1)
    assert places[0].y == pytest.approx(top + height)
    assert readers.selection == Selection()
    assert readers.undo_stack.count() == 0
    # between 1.1 s and 5.1 s the link is full
    at = strip_of(hand, 1)
    image = hand.viewport.grab().toImage()
    assert image.pixelColor(at) == theme().cause(causes.LINK_SHARING)
    hand.click(mark(hand, 1))
    assert hand.board.folds.lanes == frozenset()


def test_the_bars_keep_out_of_the_strips(readers: Document, show: Show) -> None:
    hand = show(readers)
    view = hand.board.schedule
    hand.click(mark(hand, 1))
    lowest = max(view.item_rect(view.item_of(task)).bottom() for task in (1, 2, 3, 4))
    assert lowest <= min(place.y for place in view.places(view.frame()))
    assert view.lane_at(strip_of(hand, 1).toPointF()) == 1  # still a place to drop


def test_a_click_on_the_heading_unfolds_the_section_with_what_moved(
    qapp: object, show: Show
) -> None:
    hand = show(Document(lab()))
    view = hand.board.schedule
    hand.click(heading(hand))
    assert hand.board.folds.section
    assert view.loads is not None
    names = [view.loads.strips[p.strip].use.name for p in view.places(view.frame())]
    assert names == ["hub→P", "disk→hub", "hub"]
    assert view.frame().footer > view.frame().section > 60
    hand.click(heading(hand))
    assert list(view.places(view.frame())) == []


def test_l_unfolds_the_lane_in_focus_and_shift_l_the_section(readers: Document, show: Show) -> None:
    hand = show(readers)
    hand.key(Qt.Key.Key_Right)  # the focus is on A, on P
    hand.key(Qt.Key.Key_L)
    assert hand.board.folds.lanes == {"P"}
    hand.key(Qt.Key.Key_L, modifiers=SHIFT)
    assert hand.board.folds.section
    assert hand.board.load_box.isChecked()
    assert hand.board._status.text() == "Links, switches, stores: unfolded."
    hand.key(Qt.Key.Key_L)
    hand.key(Qt.Key.Key_L, modifiers=SHIFT)
    assert not hand.board.load_box.isChecked()


def test_the_box_unfolds_and_folds_everything(readers: Document, show: Show) -> None:
    hand = show(readers)
    hand.board.load_box.click()
    assert (hand.board.folds.section, hand.board.folds.lanes) == (True, {"P", "Q"})
    hand.viewport.grab()
    hand.board.load_box.click()
    assert (hand.board.folds.section, hand.board.folds.lanes) == (False, frozenset())


def test_a_strip_says_its_load_at_the_pointer_and_a_click_selects_its_link(
    readers: Document, show: Show
) -> None:
    hand = show(readers)
    hand.click(heading(hand))
    at = strip_of(hand, -1)
    words = hand.board.schedule.tip_at(at.toPointF())
    assert words.startswith("P→Q (link)\n100 B/s; 400 B moved, ")
    time = re.search(r"\nat ([\d.]+) s: 100 %", words)
    assert time is not None
    assert float(time[1]) == pytest.approx(3.0, abs=0.02)  # a pixel
    assert words.endswith(": 100 % of its capacity in use")
    hand.click(at)
    assert readers.selection == Selection(link=0)


def test_what_is_unfolded_is_remembered_and_no_step_of_undo(readers: Document, show: Show) -> None:
    settings = Settings()
    settings.clear()
    hand = show(readers)
    hand.board.folds.remember(settings)
    hand.click(mark(hand, 1))
    hand.click(heading(hand))
    hand.board.network_box.click()
    assert readers.undo_stack.count() == 0
    again = show(Document(four_readers(file=False)))
    again.board.folds.remember(Settings())
    assert (again.board.folds.section, again.board.folds.lanes) == (True, {"Q"})
    assert again.board.network.isVisible()
    again.click(mark(again, 1))
    again.click(heading(again))
    third = show(Document(two_machines()))
    third.board.folds.remember(Settings())
    assert not third.board.folds.section
    settings.clear()


def test_where_each_transfer_is_alone_there_is_no_section(readers: Document, show: Show) -> None:
    readers.load(replace(readers.project, sharing=NONE))
    hand = show(readers)
    view = hand.board.schedule
    assert view.frame().section == 0.0
    hand.key(Qt.Key.Key_Right)
    hand.key(Qt.Key.Key_L)
    assert not hand.board.folds.section


def test_a_new_plan_shows_its_own_loads(readers: Document, show: Show) -> None:
    hand = show(readers)
    view = hand.board.schedule
    readers.move_tasks(frozenset((1, 2, 3, 4)), 0)
    hand.wait_until_current()
    assert view.loads is not None
    assert view.loads.ranked == ()
    hand.board.load_box.click()
    hand.viewport.grab()
