"""Work in turns: one piece a turn of the event loop, the newest work, and no more after its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
import shiboken6
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from gui.basics.event_loop_slices import EventLoopSlices


@pytest.fixture
def owner() -> QObject:
    return QObject()


def work(log: list[str], name: str, pieces: int = 3) -> Iterator[None]:
    for piece in range(pieces):
        log.append(f"{name}{piece}")
        yield


def test_works_of_two_owners_are_done_one_after_the_other_with_other_events_between_all_pieces(
    qtbot: QtBot, owner: QObject
) -> None:
    log: list[str] = []
    one, other = EventLoopSlices(owner), EventLoopSlices(owner)
    turn = QTimer(owner, interval=0)
    turn.timeout.connect(lambda: log.append("turn"))
    turn.start()
    one.start(work(log, "a"))
    other.start(work(log, "b"))
    qtbot.waitUntil(lambda: not one.is_busy and not other.is_busy)
    assert [said for said in log if said != "turn"] == ["a0", "a1", "a2", "b0", "b1", "b2"]
    done = [place for place, said in enumerate(log) if said != "turn"]
    assert all(later - sooner > 1 for sooner, later in pairwise(done))


def test_newer_work_takes_the_place_of_what_is_left(qtbot: QtBot, owner: QObject) -> None:
    log: list[str] = []
    turns = EventLoopSlices(owner)
    turns.start(work(log, "old"))
    turns.step()
    turns.start(work(log, "new"))
    qtbot.waitUntil(lambda: not turns.is_busy)
    assert log == ["old0", "new0", "new1", "new2"]


def test_work_that_gives_newer_work_is_followed_by_it(qtbot: QtBot, owner: QObject) -> None:
    log: list[str] = []
    turns = EventLoopSlices(owner)

    def first() -> Iterator[None]:
        turns.start(work(log, "new", 1))
        yield
        log.append("never")

    turns.start(first())
    qtbot.waitUntil(lambda: not turns.is_busy)
    assert log == ["new0"]


def test_work_can_be_finished_at_once_and_given_up(qtbot: QtBot, owner: QObject) -> None:
    log: list[str] = []
    turns = EventLoopSlices(owner)
    turns.start(work(log, "a"))
    turns.finish()
    assert log == ["a0", "a1", "a2"]
    turns.start(work(log, "b"))
    turns.drop()
    other = EventLoopSlices(owner)
    other.start(work(log, "c", 1))
    qtbot.waitUntil(lambda: not other.is_busy)
    assert log[3:] == ["c0"]


def test_who_is_gone_is_passed_over(qtbot: QtBot, owner: QObject) -> None:
    log: list[str] = []
    other = QObject()
    gone, there = EventLoopSlices(other), EventLoopSlices(owner)
    gone.start(work(log, "gone"))
    there.start(work(log, "there", 1))
    shiboken6.delete(other)
    qtbot.waitUntil(lambda: not there.is_busy)
    assert log == ["there0"]
