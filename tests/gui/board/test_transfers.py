"""Transfers on the board: as long as they take, from where they set out to where they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QColor, QPainterPath

from advisor.allocation.plan import Plan
from gui.basics.theme import theme
from gui.board.transfer_curves import ways
from gui.document.document import Document, Selection
from machines.runtime import Runtime
from tests.gui.board.conftest import Hand
from tests.gui.board.networks import four_readers, lab

Show = Callable[[Document], Hand]


class Way(NamedTuple):
    left: QPointF
    arrived: QPointF
    end: QPointF
    curve: QPainterPath


def drawn(hand: Hand) -> list[Way]:
    view = hand.board.schedule
    assert view.picture is not None
    assert view._arcs is not None
    found = ways(view.picture, view._arcs, np.arange(view._arcs.edge.size))
    return [
        Way(*(QPointF(*getattr(found, name)[arc]) for name in Way._fields[:3]), one.curves)
        for arc in range(view._arcs.edge.size)
        for one in (found.only(np.array([arc])),)
    ]


def test_a_curve_begins_when_data_set_out_and_ends_when_they_are_there(
    qapp: object, show: Show
) -> None:
    hand = show(Document(four_readers(file=False)))
    frame = hand.board.schedule.frame()
    for one in drawn(hand):
        assert one.left.x() == pytest.approx(frame.x(1.0))
        assert one.arrived.x() == pytest.approx(frame.x(5.1))
        assert frame.lane_at(one.left.y()) == 0
        assert frame.lane_at(one.arrived.y()) == 1
    ends = sorted(one.end.x() for one in drawn(hand))
    assert ends == pytest.approx([frame.x(t) for t in (5.1, 6.1, 7.1, 8.1)])


def test_a_copy_that_several_read_is_one_curve(qapp: object, show: Show) -> None:
    hand = show(Document(four_readers(file=True)))
    assert len({(one.arrived.x(), one.arrived.y()) for one in drawn(hand)}) == 1


def test_what_lies_in_a_store_comes_from_below_the_lanes(qapp: object, show: Show) -> None:
    hand = show(Document(lab()))
    view = hand.board.schedule
    (one,), frame = drawn(hand), view.frame()
    assert one.left.y() == pytest.approx(frame.height - frame.footer)
    assert (one.left.x(), one.arrived.x()) == pytest.approx((frame.x(0.0), frame.x(1.0)))
    at = one.curve.pointAtPercent(0.5)
    tip = view.tip_at(at)
    assert "raw, 100 B, disk → P" in tip
    assert "departs at 0 s, arrives at 1.00 s" in tip
    hand.click(at.toPoint())
    assert hand.board.document.selection == Selection(tasks=frozenset((0,)))


def test_a_click_on_a_curve_selects_its_flow(qapp: object, show: Show) -> None:
    document = Document(four_readers(file=False))
    hand = show(document)
    at = drawn(hand)[2].curve.pointAtPercent(0.5)
    hand.click(at.toPoint())
    assert document.selection.flow is not None
    tip = hand.board.schedule.tip_at(at)
    assert "transferring 1.10 s + sharing the link 3.00 s" in tip
    hand.viewport.grab()


def test_a_task_that_fetches_in_its_slot_shows_it_before_its_bar(qapp: object, show: Show) -> None:
    hand = show(Document(lab()))
    view = hand.board.schedule
    assert view.lanes is not None
    assert view.picture is not None
    bar = view.item_of(0)
    assert (view.lanes.taken_s[bar], view.lanes.start_s[bar]) == pytest.approx((0.0, 1.0))
    frame, rect = view.frame(), view.item_rect(bar)
    assert view.picture.boxes.taken[bar] == pytest.approx(frame.x(0.0))
    assert rect.left() == pytest.approx(frame.x(1.0))
    before = QPoint(round(frame.x(0.5)), round(rect.top()) + 6)
    assert view.item_at(before.toPointF()) == bar
    colour = hand.viewport.grab().toImage().pixelColor(before)
    assert colour.name() == view.ink.faded(theme().cause("transferring"), 0.25).name()
    assert colour != QColor(theme().colours.board)
    text = view.describe(bar)
    assert "holds its cores for 1.00 s before, while data come: transferring 1.00 s" in text
    assert text.startswith("X on P: 4.00 s")


def test_tasks_that_fetch_do_not_lie_on_one_another(qapp: object, show: Show) -> None:
    project = four_readers(file=False, runtime=Runtime(fetch="slot"))
    machines = tuple(replace(machine, cores=2) for machine in project.platform.machines)
    platform = replace(project.platform, machines=machines)
    hand = show(Document(replace(project, platform=platform, plan=Plan((0, 1, 1, 1, 1)))))
    lanes = hand.board.schedule.lanes
    assert lanes is not None
    for row in range(int(lanes.rows[1])):
        mine = np.flatnonzero((lanes.lane == 1) & (lanes.row == row))
        order = mine[np.argsort(lanes.taken_s[mine])]
        assert (lanes.taken_s[order][1:] >= lanes.end_s[order][:-1] - 1e-9).all()
    assert int(lanes.rows[1]) == 2
