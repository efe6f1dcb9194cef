"""Slack behind bars and utilisation beside the names of machines, where they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.project.project import Project
from gui.basics.settings import Settings
from gui.board.board_folds import Folds
from gui.board.slack_tails import gaps
from gui.document.document import Document
from machines import Machine, Platform
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]


@pytest.fixture
def three(qapp: QApplication) -> Document:
    """P: B 2 s, then A 1 s; Q: C 10 s. A and B may end 7 s later."""
    tasks = tuple(Task(name, work=s) for name, s in zip("ABC", (1.0, 2.0, 10.0), strict=True))
    platform = Platform("two", (Machine("P"), Machine("Q")))
    return Document(Project(platform, Workload("three", tasks), Plan((0, 0, 1))))


def test_slack_is_shown_when_asked_for_and_gone_when_not(three: Document, show: Show) -> None:
    hand = show(three)
    view = hand.board.schedule
    plain = hand.viewport.grab().toImage()
    assert view.slack_s is None
    hand.board.folds.set_extras(slack=True, utilisation=False)
    hand.qtbot.waitUntil(lambda: view.slack_s is not None)
    assert view.slack_s == pytest.approx([7.0, 7.0, 0.0])
    assert "slack: could end 7.00 s later" in view.describe(view.item_of(0))
    assert "slack" not in view.describe(view.item_of(2))
    image = hand.viewport.grab().toImage()
    frame, rect = view.frame(), view.item_rect(view.item_of(1))
    y = round(rect.center().y())
    inside, outside = (round(frame.x(time_s)) for time_s in (6.7, 10.2))
    assert image.pixelColor(inside, y) != plain.pixelColor(inside, y)
    assert image.pixelColor(outside, y) == plain.pixelColor(outside, y)
    hand.board.folds.set_extras(slack=False, utilisation=False)
    hand.qtbot.waitUntil(lambda: view.slack_s is None)
    assert hand.viewport.grab().toImage() == plain


def test_tails_end_at_the_next_bar_of_the_row(three: Document, show: Show) -> None:
    hand = show(three)
    view = hand.board.schedule
    assert view.picture is not None
    begin, end = gaps(view.picture, np.array([7.0, 7.0, 0.0]))
    frame, first, second = view.frame(), view.item_of(1), view.item_of(0)
    assert end[first] == begin[first]  # A follows B at once
    assert (begin[second], end[second]) == pytest.approx((frame.x(3.0), frame.x(10.0)))


def test_the_slack_of_a_block_is_the_least_of_its_tasks(three: Document, show: Show) -> None:
    from gui.board.slack_tails import bar_slack

    hand = show(three)
    picture = hand.board.schedule.picture
    assert picture is not None
    assert sorted(bar_slack(picture, np.array([3.0, 7.0, 0.0])).tolist()) == [0.0, 3.0, 7.0]


def test_utilisation_stands_beside_the_names(three: Document, show: Show) -> None:
    hand = show(three)
    plain = hand.viewport.grab().toImage()
    hand.board.folds.set_extras(slack=False, utilisation=True)
    assert hand.viewport.grab().toImage() != plain


def test_both_are_kept_in_the_settings(qapp: QApplication) -> None:
    settings = Settings()
    settings.clear()
    folds = Folds()
    folds.remember(settings)
    folds.set_extras(slack=True, utilisation=True)
    folds.set_all(unfolded=True, names=frozenset(("P",)))
    again = Folds()
    again.remember(settings)
    assert (again.slack, again.utilisation, again.section) == (True, True, True)
    assert again.lanes == {"P"}
    settings.clear()


def test_slack_waits_for_no_edit(three: Document, show: Show) -> None:
    hand = show(three)
    view = hand.board.schedule
    hand.board.folds.set_extras(slack=True, utilisation=False)
    hand.qtbot.waitUntil(lambda: view.slack_s is not None)
    three.apply(replace(three.project, plan=Plan((1, 0, 1))), "Move A to Q")
    hand.wait_until_current()
    # Q: A then C, 11 s in a row; B may end 9 s later
    assert view.slack_s is not None
    assert view.slack_s == pytest.approx([0.0, 9.0, 0.0])
