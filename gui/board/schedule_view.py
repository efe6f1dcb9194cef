"""The schedule view: lanes are machines, time runs to the right, a task is a bar.

Bars are laid out off the window's thread; zooming, scrolling and dragging only change a `Frame`.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEasingCurve, QPointF, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins
from gui.board import describe, walk
from gui.board.arcs import Arcs
from gui.board.bar_painting import Picture
from gui.board.board_folds import Folds
from gui.board.carrying import Carrying
from gui.board.frame import Boxes, Frame
from gui.board.lanes import Kinds, Lanes
from gui.board.load_view import LoadView
from gui.board.network_layout import NetworkLayout
from gui.board.offers import Offer, Offers
from gui.board.run_bars import Happened
from gui.board.schedule_layout import Known, Shown, laid_out
from gui.board.schedule_painter import (
    Ghost,
    ground_rect,
    paint_cards,
    paint_lanes,
    paint_makespan,
    paint_offers,
    paint_selection,
    paint_work,
)
from gui.board.slack_tails import paint_tails
from gui.board.transfer_curves import arc_at, paint_arcs
from gui.document.document import Document, Outcome, Selection
from machines.arrays import Floats, Ints

SETTLE_MS = 120
_MOST_SETTLING = 2000
_NO_ARCS = np.zeros(0, dtype=np.int64)


class ScheduleView(LoadView):
    """The board as a schedule."""

    arrived = Signal(object)  # Shown: a new layout is on screen

    def __init__(
        self,
        document: Document,
        offers: Offers,
        carrying: Carrying,
        folds: Folds,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, offers, carrying, folds, parent)
        self.setObjectName("schedule-view")
        self.setAccessibleName("Schedule board: machines as lanes, tasks as bars over time")
        self.kinds: Kinds | None = None
        self.grouped = self.by_kind = False
        self.animated = True
        self.happened: Happened | None = None  # a run to show beside the plan
        self._picture: Picture | None = None
        self._arcs: Arcs | None = None
        self._network: NetworkLayout | None = None
        self.slack_s: Floats | None = None
        self._shown_arcs = _NO_ARCS
        self._settling: tuple[Boxes, float] | None = None
        self._jobs = LatestWins(self, "schedule layout")
        self._jobs.done.connect(self._arrive)
        folds.changed.connect(self.show_extras)
        self._settler = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=SETTLE_MS)
        self._settler.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._settler.valueChanged.connect(self._settle)
        self._settler.finished.connect(self._settled)

    # Contents -----------------------------------------------------------------------------

    def show_outcome(self, outcome: Outcome) -> None:
        """Lay `outcome` out in the background and show it."""
        grouped, slack, happened = self.grouped, self.folds.slack, self.happened
        known = Known(self.outcome, self.kinds, self._network)

        def job(should_stop: ShouldStop) -> object:
            return laid_out(outcome, known, grouped, slack, happened, should_stop)

        self._jobs.request(job)

    def set_grouped(self, grouped: bool) -> None:
        """Join consecutive tasks of a kind on a machine to one block, or take them apart."""
        if grouped != self.grouped:
            self.grouped = grouped
            if self.outcome is not None:
                self.show_outcome(self.outcome)

    def show_extras(self) -> None:
        """Slack and utilisation were asked for, or are not wanted any more."""
        if self.folds.slack != (self.slack_s is not None) and self.outcome is not None:
            self.show_outcome(self.outcome)
        self.viewport().update()

    def set_by_kind(self, by_kind: bool) -> None:
        """Colour bars by kind of task, or by cause."""
        self.by_kind = by_kind
        self.renew()

    def forget(self) -> None:
        """Another project was opened."""
        self._jobs.cancel()
        self.lanes = self.kinds = self.loads = self._picture = self._arcs = None
        self._settling = None
        super().forget()

    def close_jobs(self) -> None:
        """End the worker thread."""
        self._settler.stop()
        self._jobs.close()

    def _arrive(self, result: object) -> None:
        assert isinstance(result, Shown)
        before = self._boxes_before(result.outcome, result.lanes)
        first, section = self.lanes is None, self.frame().section
        rows = () if self.lanes is None else self.lanes.rows
        self.kinds, self.lanes = result.kinds, result.lanes
        self._arcs, self.loads, self._network = result.arcs, result.loads, result.network
        self.slack_s, self.stand_for = result.slack_s, result.stand_for
        self.take(result.outcome)
        other = not np.array_equal(rows, result.lanes.rows)
        if first or (self._fitted and (self.needs_fit() or (other and self.overflows()))):
            self.fit()
        elif self.frame().section != section:
            self.refit()
        self.renew()
        self.arrived.emit(result)
        if before is not None and self.isVisible():
            self._settling = (before, 0.0)
            self._settler.start()

    def _boxes_before(self, outcome: Outcome, lanes: Lanes) -> Boxes | None:
        """Where the new bars' tasks are now; None when there is nothing to settle from."""
        old, shown = self.lanes, self.outcome
        few = len(lanes.lane) <= _MOST_SETTLING
        if not (self.animated and few and old is not None and shown is not None):
            return None
        if shown.project.workload is not outcome.project.workload or len(old.rows) != len(
            lanes.rows
        ):
            return None
        from_bars = old.bar_of[lanes.members[lanes.member_from[:-1]]]
        return Boxes(*(edge[from_bars] for edge in self.frame().boxes(old)))

    def _settle(self, share: object) -> None:
        if self._settling is not None and isinstance(share, float):
            self._settling = (self._settling[0], share)
            self.renew()

    def _settled(self) -> None:
        self._settling = None
        self.renew()

    # Where things are ---------------------------------------------------------------------

    @property
    def picture(self) -> Picture | None:
        """What is on screen; None before the first prediction."""
        if self._picture is None and self.lanes is not None:
            self._picture = self._make_picture(self.frame())
        return self._picture

    def _make_picture(self, frame: Frame) -> Picture | None:
        if self.lanes is None or self.kinds is None or self.outcome is None:
            return None
        boxes, moving = frame.boxes(self.lanes), self._settling is not None
        if self._settling is not None and len(self._settling[0].x0) == len(boxes.x0):
            boxes = self._settling[0].mixed(boxes, self._settling[1])
        workload = self.outcome.project.workload
        cores = self.outcome.costs.task_cores
        by_kind, guessed = self.by_kind, self.guesses.times(self.outcome)
        return Picture(
            workload, self.lanes, self.kinds, frame, boxes, cores, by_kind, guessed, moving
        )

    def item_at(self, position: QPointF) -> int | None:
        """The bar under a point, give or take 3 px."""
        frame = self.frame()
        lane = frame.lane_at(position.y())
        if self.lanes is None or lane is None or position.x() < frame.header:
            return None
        raised = None if self.picture is None else self.picture.critical_at(lane, position)
        if raised is not None:
            return raised
        row = frame.row_at(lane, position.y())
        time = frame.time(position.x())
        return self.lanes.bar_at(lane, row, time, 3.0 / frame.px_per_s)

    def picked_lane(self, position: QPointF, hovering: bool = False) -> int | None:
        """The free ground of another lane: no bar, load or transfer lies under the point.

        Transfers are looked for at a click only: each curve has to be asked.
        """
        lead, lane = self.carrying.lead, self.lane_at(position)
        if not (self.carrying.light and self.ready) or lead is None or lane is None:
            return None
        if (
            lane == self.document.project.plan.allocation[lead]
            or self.card_at(position) is not None
        ):
            return None
        if self.item_at(position) is not None or self.place_at(position) is not None:
            return None
        return lane if hovering or self._arc_at(position) is None else None

    def items_in(self, rect: QRectF) -> Ints:
        """Bars that touch a rectangle."""
        if self.lanes is None:
            return _NO_ARCS
        box = self.frame().boxes(self.lanes)
        across = (box.x1 >= rect.left()) & (box.x0 <= rect.right())
        return np.flatnonzero(
            across & (box.y + box.height >= rect.top()) & (box.y <= rect.bottom())
        )

    def item_rect(self, item: int) -> QRectF:
        """A bar's rectangle."""
        picture = self.picture
        return picture.rect(item) if picture is not None else QRectF()

    def item_tasks(self, item: int) -> Ints:
        """The bar's tasks by start."""
        assert self.lanes is not None
        return self.lanes.tasks(item)

    def item_of(self, task: int) -> int:
        """The bar that holds a task."""
        assert self.lanes is not None
        return int(self.lanes.bar_of[task])

    def first_item(self) -> int:
        """The bar that starts first."""
        assert self.lanes is not None
        return int(np.argmin(self.lanes.start_s))

    def neighbour(self, item: int, key: Qt.Key) -> int | None:
        """Left and right by time within the lane, up and down to the nearest in another lane."""
        return None if self.lanes is None else walk.neighbour(self.lanes, item, key)

    def describe(self, item: int) -> str:
        """The bar in words."""
        assert self.lanes is not None
        assert self.outcome is not None
        tasks = self.lanes.tasks(item)
        if tasks.size == 1:
            words = describe.task(self.outcome, int(tasks[0]), self.slack_s)
            return words + self.guesses.line(self.outcome, int(tasks[0]))
        picture = self.picture
        assert picture is not None
        return describe.block(self.outcome, picture.label(item), tasks)

    def click_ground(self, position: QPointF, keep: bool) -> None:
        """Select the flow under the pointer, the reader of an outside file, or nothing."""
        arc = self._arc_at(position)
        if arc is not None and self._arcs is not None:
            edge, reader = int(self._arcs.edge[arc]), int(self._arcs.target[arc])
            read = frozenset((reader,))
            self.document.select(Selection(flow=edge) if edge >= 0 else Selection(tasks=read))
        elif not keep:
            self.document.select(Selection())

    def tip_at(self, position: QPointF) -> str:
        """As everywhere, and transfers."""
        text = super().tip_at(position)
        if text or self.outcome is None or position.x() < self.frame().header:
            return text
        arc = self._arc_at(position)
        if arc is None or self._arcs is None:
            return ""
        return describe.arc(self.outcome, self._arcs, arc)

    def _arc_at(self, position: QPointF) -> int | None:
        picture = self.picture
        if picture is None or self._arcs is None:
            return None
        return arc_at(picture, self._arcs, self._arcs_shown(self._arcs), position)

    def renew(self) -> None:
        """The frame has changed: everything has another place."""
        self._picture = None
        self.redraw()

    def redraw(self) -> None:
        """Choose the transfers worth drawing and paint anew."""
        self._shown_arcs = _NO_ARCS if self._arcs is None else self._arcs.to_draw(frozenset())
        super().redraw()

    # Painting -----------------------------------------------------------------------------

    def paint_ground(self, painter: QPainter) -> None:
        """Lanes, grid, bars, transfers, loads."""
        picture = self.picture
        if picture is not None and self._arcs is not None:
            self._paint_all(painter, picture, self._arcs)

    def _paint_all(self, painter: QPainter, picture: Picture, arcs: Arcs) -> None:
        paint_lanes(painter, self.ink, picture.frame)
        self.paint_loads(painter, picture.frame)
        if self.slack_s is not None:
            paint_tails(painter, self.ink, picture, self.slack_s)
        paint_work(painter, self.ink, picture, arcs, self._shown_arcs)
        end_s = picture.lanes.makespan_s
        paint_makespan(painter, self.ink, picture.frame, end_s, band=self.band)

    def paint_top(self, painter: QPainter) -> None:
        """Cards, selection, focus; the offers while tasks are in hand."""
        picture, outcome = self.picture, self.outcome
        if picture is None or outcome is None or self.lanes is None:
            return
        tasks = self.document.selection.tasks if self.ready else frozenset()
        outlined = tasks | self.pointed if self.ready else tasks
        chosen = np.unique(self.lanes.bar_of[np.fromiter(outlined, dtype=np.int64)])
        focus = self.current if self.hasFocus() and self.ready else None
        ring = None if focus is None else self.item_of(focus)
        paint_selection(painter, self.ink, picture, chosen, ring)
        if self._arcs is not None:
            self._paint_arcs(painter, picture, self._arcs, tasks)
        carrying = self.carrying.offering and self.ready and self.carrying.lead is not None
        aimed = self.carrying.target if carrying else None
        offers = [self.machine_offer(lane) for lane in range(len(self.facts))]
        if carrying:
            paint_offers(painter, self.ink, picture.frame, offers, self._ghost(outcome), aimed)
        selected = self.document.selection
        paint_cards(
            painter,
            self.ink,
            picture.frame,
            self.facts,
            offers,
            selected.machine,
            aimed,
            self.opening,
            self.folds.utilisation,
            selected.overlay,
        )
        self.paint_marks(painter, picture.frame)

    def _arcs_shown(self, arcs: Arcs) -> Ints:
        """Transfers on screen: those of the ground and the selection's."""
        return arcs.to_draw(self.document.selection.tasks if self.ready else frozenset())

    def _paint_arcs(
        self, painter: QPainter, picture: Picture, arcs: Arcs, tasks: frozenset[int]
    ) -> None:
        """The selection's transfers in full colour."""
        flow = self.document.selection.flow
        if flow is not None and self.ready:
            strong = np.flatnonzero(arcs.between(*self._ends(flow)))
        elif tasks:
            shown = self._arcs_shown(arcs)
            strong = shown[arcs.touching(tasks)[shown]]
        else:
            return
        painter.save()
        painter.setClipRect(ground_rect(picture.frame))
        paint_arcs(painter, self.ink, picture, arcs, strong, strong=True)
        painter.restore()

    def _ends(self, edge: int) -> tuple[int, int]:
        """The tasks that an edge joins."""
        workload = self.document.project.workload
        return int(workload.sources[edge]), int(workload.targets[edge])

    def _ghost(self, outcome: Outcome) -> Ghost:
        """Where the leading task would lie: exact once offers are in."""
        lead = self.carrying.lead or 0
        name = outcome.project.workload.tasks[lead].name
        home = outcome.prediction.plan.allocation[lead]
        preview = self.offers.preview
        if preview is not None:
            return Ghost(name, preview.start_s, preview.end_s, home)
        here = np.full(len(self.facts), float(outcome.prediction.start_s[lead]))
        return Ghost(name, here, here + outcome.costs.task_s[lead], home)

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the whole schedule into `rect`."""
        frame = self.whole(rect.width(), rect.height())
        picture = self._make_picture(frame)
        if picture is None or self._arcs is None:
            return
        painter.save()
        painter.translate(rect.topLeft())
        painter.setClipRect(QRectF(0, 0, rect.width(), rect.height()))
        self._paint_all(painter, picture, self._arcs)
        offers = [Offer("pending")] * len(self.facts)
        busy = self.folds.utilisation
        paint_cards(painter, self.ink, frame, self.facts, offers, None, None, (), busy)
        painter.restore()
