"""A schedule to look at beside another: the same lanes, bars and loads, and nothing to move.

Two of them share one time axis: what one shows, zoomed or scrolled, the other shows too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gui.basics.snapshots import snapshot_of
from gui.basics.theme import GRID
from gui.board.arcs import Arcs
from gui.board.bar_painting import Picture
from gui.board.board_folds import Folds
from gui.board.carrying import Carrying
from gui.board.lanes import Lanes
from gui.board.offers import Offers
from gui.board.schedule_painter import (
    paint_changed,
    paint_lanes,
    paint_makespan,
    paint_moved,
    paint_work,
)
from gui.board.schedule_view import ScheduleView
from gui.board.slack_tails import paint_tails
from gui.document.document import Document
from machines.arrays import Ints

_NONE = np.zeros(0, dtype=np.int64)
_SAID = 3  # tasks of one bar whose changes the tooltip has


class NoOffers(Offers):
    """Nothing can be moved, so that nothing is asked."""

    def ask(self, _tasks: tuple[int, ...]) -> None:
        """Not this."""


class PlanView(ScheduleView):
    """One of two plans; the selection is the document's, so that both mark the same tasks.

    `title`, `value`: the plan's name at the axis, and its makespan as the sentence above writes it.
    """

    movable = False
    lowest = 0.15  # two have to fit where one does

    def __init__(self, document: Document, folds: Folds, name: str, parent: QWidget) -> None:
        offers = NoOffers(document)
        super().__init__(document, offers, Carrying(document, offers), folds, parent)
        offers.setParent(self)
        self.carrying.setParent(self)
        self.setObjectName(name)
        self.title = self.value = ""
        self._moved = _NONE  # tasks
        self._changes: Mapping[int, str] = {}  # task: what is decided otherwise about it
        self._outlined: tuple[object, Ints] = (None, _NONE)  # bars, and of which lanes
        self._folded: tuple[object, Ints] = (None, _NONE)
        self._other: PlanView | None = None
        self._following = False
        self.setMinimumHeight(18 * GRID)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def link(self, other: PlanView) -> None:
        """Share the time axis with `other`."""
        self._other, other._other = other, self

    def still(self) -> Self:
        """As everywhere, beside the other as it is now."""
        made = super().still()
        made._other = None if self._other is None else snapshot_of(self._other)
        return made

    def describe_plan(self, title: str, value: str, moved: Ints) -> None:
        """Its name, its makespan in words, and the tasks that lie elsewhere in the other plan."""
        self.title, self.value, self._moved = title, value, moved
        self._outlined = (None, _NONE)
        self.setAccessibleName(f"Schedule of {title}: makespan {value}")
        self.redraw()

    def describe_changes(self, changes: Mapping[int, str]) -> None:
        """What the other plan decides otherwise about tasks, beside where they run."""
        self._changes = changes
        self._folded = (None, _NONE)
        self.redraw()

    def describe(self, item: int) -> str:
        """The bar in words, with what the other plan decides otherwise."""
        assert self.lanes is not None
        tasks = self.lanes.tasks(item).tolist()
        changes = [self._changes[task] for task in tasks if task in self._changes]
        return "\n".join([super().describe(item), *changes[:_SAID]])

    @property
    def span_s(self) -> float:
        """Until the later one of both makespans."""
        own = super().span_s
        other = self._other.lanes if self._other is not None else None
        return own if other is None else max(own, other.makespan_s)

    def renew(self) -> None:
        """The frame has changed, and so has that of the other."""
        super().renew()
        other = self._other
        if other is not None and other.lanes is not None and not self._following:
            other.follow(self.px_per_s, self.horizontalScrollBar().value(), self._fitted)

    def follow(self, px_per_s: float, scroll: int, fitted: bool) -> None:
        """Show the part of the time axis that the other one shows."""
        self._following = True
        self.px_per_s, self._fitted = px_per_s, fitted
        self._stretch()
        self.horizontalScrollBar().setValue(scroll)
        self._following = False

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old plan dimmed until the new one comes."""
        self.dimmed = dimmed
        self.viewport().update()

    def _document_changed(self, _project: object) -> None:
        """Whose plans these are says the page: `set_dimmed`."""

    def _paint_all(self, painter: QPainter, picture: Picture, arcs: Arcs) -> None:
        frame, lanes = picture.frame, picture.lanes
        paint_lanes(painter, self.ink, frame, self.title)
        self.paint_loads(painter, frame)
        if self.slack_s is not None:
            paint_tails(painter, self.ink, picture, self.slack_s)
        paint_work(painter, self.ink, picture, arcs, self._shown_arcs)
        if self._outlined[0] is not lanes:
            self._outlined = (lanes, _bars_of(lanes, self._moved))
        if self._folded[0] is not lanes:
            self._folded = (lanes, _bars_of(lanes, np.array(sorted(self._changes), np.int64)))
        paint_moved(painter, self.ink, picture, self._outlined[1])
        paint_changed(painter, self.ink, picture, self._folded[1])
        paint_makespan(painter, self.ink, frame, lanes.makespan_s, self.value)


def _bars_of(lanes: Lanes, tasks: Ints) -> Ints:
    """The bars that hold any of some tasks, ascending both."""
    held = np.zeros(len(lanes.lane), dtype=np.bool_)
    if tasks.size and tasks[-1] < lanes.bar_of.size:
        held[lanes.bar_of[tasks]] = True
    return np.flatnonzero(held)
