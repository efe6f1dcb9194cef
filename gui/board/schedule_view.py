"""The schedule view: lanes are machines, time runs to the right, a task is a bar.

Bars are laid out off the window's thread; zooming, scrolling and dragging only change a `Frame`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEasingCurve, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from advisor.allocation.task_causes import task_causes
from advisor.allocation.workload import Workload
from advisor.basics.stopping import ShouldStop
from gui.basics.jobs import LatestWins
from gui.board import describe, walk
from gui.board.bars import Picture
from gui.board.carrying import Carrying
from gui.board.curves import flow_at, flows_to_draw, paint_flows
from gui.board.frame import Boxes, Frame
from gui.board.lanes import Kinds, Lanes, lay_out
from gui.board.offers import Offer, Offers
from gui.board.schedule_painter import (
    Ghost,
    ground_rect,
    paint_cards,
    paint_ground,
    paint_offers,
    paint_selection,
)
from gui.board.time_view import TimeView
from gui.document.document import Document, Outcome, Selection
from machines.arrays import Ints

SETTLE_MS = 120
_MOST_SETTLING = 2000
_NO_FLOWS = np.zeros(0, dtype=np.int64)


class ScheduleView(TimeView):
    """The board as a schedule."""

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.setObjectName("schedule-view")
        self.setAccessibleName("Schedule board: machines as lanes, tasks as bars over time")
        self.kinds: Kinds | None = None
        self.grouped = self.by_kind = False
        self.animated = True
        self._picture: Picture | None = None
        self._flows = _NO_FLOWS
        self._settling: tuple[Boxes, float] | None = None
        self._jobs = LatestWins(self, "schedule layout")
        self._jobs.done.connect(self._arrive)
        self._settler = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=SETTLE_MS)
        self._settler.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._settler.valueChanged.connect(self._settle)
        self._settler.finished.connect(self._settled)

    # Contents -----------------------------------------------------------------------------

    def show_outcome(self, outcome: Outcome) -> None:
        """Lay `outcome` out in the background and show it."""
        grouped, known = self.grouped, (self.outcome, self.kinds)

        def job(should_stop: ShouldStop) -> object:
            kinds = _kinds(outcome.project.workload, *known)
            machines, prediction = len(outcome.project.platform.machines), outcome.prediction
            causes = task_causes(outcome.costs, prediction)
            lanes = lay_out(prediction, causes, machines, kinds, grouped, should_stop)
            return outcome, kinds, lanes

        self._jobs.request(job)

    def set_grouped(self, grouped: bool) -> None:
        """Join consecutive tasks of a kind on a machine to one block, or take them apart."""
        if grouped != self.grouped:
            self.grouped = grouped
            if self.outcome is not None:
                self.show_outcome(self.outcome)

    def set_by_kind(self, by_kind: bool) -> None:
        """Colour bars by kind of task, or by cause."""
        self.by_kind = by_kind
        self.renew()

    def forget(self) -> None:
        """Another project was opened."""
        self._jobs.cancel()
        self.lanes = self.kinds = self._picture = None
        self._settling = None
        super().forget()

    def close_jobs(self) -> None:
        """End the worker thread."""
        self._settler.stop()
        self._jobs.close()

    def _arrive(self, result: object) -> None:
        assert isinstance(result, tuple)
        outcome, kinds, lanes = result
        before = self._boxes_before(outcome, lanes)
        first = self.lanes is None
        self.kinds, self.lanes = kinds, lanes
        self.take(outcome)
        if first or (self._fitted and self.needs_fit()):
            self.fit()
        self.renew()
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
        return Picture(workload, self.lanes, self.kinds, frame, boxes, cores, self.by_kind, moving)

    def item_at(self, position: QPointF) -> int | None:
        """The bar under a point, give or take 3 px."""
        frame = self.frame()
        lane = frame.lane_at(position.y())
        if self.lanes is None or lane is None or position.x() < frame.header:
            return None
        row = frame.row_at(lane, position.y())
        time = frame.time(position.x())
        return self.lanes.bar_at(lane, row, time, 3.0 / frame.px_per_s)

    def items_in(self, rect: QRectF) -> Ints:
        """Bars that touch a rectangle."""
        if self.lanes is None:
            return _NO_FLOWS
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
            return describe.task(self.outcome, int(tasks[0]))
        picture = self.picture
        assert picture is not None
        return describe.block(self.outcome, picture.label(item), tasks)

    def click_ground(self, position: QPointF, keep: bool) -> None:
        """Select the flow under the pointer, or nothing."""
        picture = self.picture
        flow = flow_at(picture, self._shown_flows(), position) if picture is not None else None
        if flow is not None:
            self.document.select(Selection(flow=flow))
        elif not keep:
            self.document.select(Selection())

    def tip_at(self, position: QPointF) -> str:
        """As everywhere, and flows."""
        text = super().tip_at(position)
        picture, outcome = self.picture, self.outcome
        if text or picture is None or outcome is None or position.x() < picture.frame.header:
            return text
        flow = flow_at(picture, self._shown_flows(), position)
        return "" if flow is None else describe.flow(outcome, flow)

    def renew(self) -> None:
        """The frame has changed: everything has another place."""
        self._picture = None
        self.redraw()

    def redraw(self) -> None:
        """Choose the flows worth drawing and paint anew."""
        self._flows = _NO_FLOWS
        if self.outcome is not None:
            self._flows = flows_to_draw(
                self.outcome.project.workload, self.outcome.prediction, frozenset()
            )
        super().redraw()

    # Painting -----------------------------------------------------------------------------

    def paint_ground(self, painter: QPainter) -> None:
        """Lanes, grid, bars, flows."""
        picture = self.picture
        if picture is not None and self.outcome is not None:
            paint_ground(painter, self.ink, picture, self.outcome, self._flows)

    def paint_top(self, painter: QPainter) -> None:
        """Cards, selection, focus; the offers while tasks are in hand."""
        picture, outcome = self.picture, self.outcome
        if picture is None or outcome is None or self.lanes is None:
            return
        tasks = self.document.selection.tasks if self.ready else frozenset()
        chosen = np.unique(self.lanes.bar_of[np.fromiter(tasks, dtype=np.int64)])
        focus = self.current if self.hasFocus() and self.ready else None
        ring = None if focus is None else self.item_of(focus)
        paint_selection(painter, self.ink, picture, chosen, ring)
        self._paint_flows(painter, picture, outcome, tasks)
        carrying = self.carrying.active and self.ready and self.carrying.lead is not None
        aimed = self.carrying.target if carrying else None
        offers = [self.machine_offer(lane) for lane in range(len(self.facts))]
        if carrying:
            paint_offers(painter, self.ink, picture.frame, offers, self._ghost(outcome), aimed)
        selected = self.document.selection.machine
        paint_cards(painter, self.ink, picture.frame, self.facts, offers, selected, aimed)

    def _shown_flows(self) -> Ints:
        """Flows on screen: those of the ground and the selection's."""
        assert self.outcome is not None
        tasks = self.document.selection.tasks if self.ready else frozenset()
        outcome = self.outcome
        return flows_to_draw(outcome.project.workload, outcome.prediction, tasks)

    def _paint_flows(
        self, painter: QPainter, picture: Picture, outcome: Outcome, tasks: frozenset[int]
    ) -> None:
        """The selection's flows in full colour."""
        flow, workload = self.document.selection.flow, outcome.project.workload
        if flow is not None and self.ready:
            strong = np.array([flow], dtype=np.int64)
        elif tasks:
            shown, chosen = self._shown_flows(), np.fromiter(tasks, dtype=np.int64)
            mine = np.isin(workload.sources[shown], chosen)
            strong = shown[mine | np.isin(workload.targets[shown], chosen)]
        else:
            return
        painter.save()
        painter.setClipRect(ground_rect(picture.frame))
        paint_flows(
            painter, self.ink, picture, outcome.prediction, strong, frozenset(strong.tolist())
        )
        painter.restore()

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
        frame = self.frame_of(rect.width(), rect.height(), 1.0)
        frame = replace(frame, px_per_s=self.fitting(frame.ground_width))
        # all lanes must fit, whatever the zoom on screen
        frame = replace(
            frame, tops=frame.tops * min(1.0, frame.ground_height / float(frame.tops[-1]))
        )
        picture = self._make_picture(frame)
        if picture is None or self.outcome is None:
            return
        painter.save()
        painter.translate(rect.topLeft())
        painter.setClipRect(QRectF(0, 0, rect.width(), rect.height()))
        paint_ground(painter, self.ink, picture, self.outcome, self._flows)
        offers = [Offer("pending")] * len(self.facts)
        paint_cards(painter, self.ink, frame, self.facts, offers, None, None)
        painter.restore()


def _kinds(workload: Workload, shown: Outcome | None, kinds: Kinds | None) -> Kinds:
    """The workload's kinds; those already known when it is still the same."""
    if shown is not None and kinds is not None and shown.project.workload is workload:
        return kinds
    return Kinds.of([task.group for task in workload.tasks])
