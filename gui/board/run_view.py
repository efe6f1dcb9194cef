"""The board's schedule with what happened beside what was predicted: two bars a task.

Takes one run after the other, whole or growing while it goes on; without one it is the schedule as
it always is.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import duration, number, size
from advisor.basics.units import durations
from advisor.runs.actual import Actual
from advisor.runs.growing import Coming
from gui.basics.background_jobs import LatestWins
from gui.board.arcs import Arcs
from gui.board.bar_painting import Picture
from gui.board.board_folds import Folds
from gui.board.carrying import Carrying
from gui.board.frame import Boxes, Frame
from gui.board.lanes import Lanes
from gui.board.offers import Offers
from gui.board.run_bars import Happened, RunBars, predicted_there, run_bars
from gui.board.run_painter import (
    lower,
    paint_gone,
    paint_gone_names,
    paint_key,
    paint_makespans,
    paint_pairs,
    upper,
)
from gui.board.schedule_layout import Shown
from gui.board.schedule_painter import paint_lanes, paint_selection
from gui.board.schedule_view import ScheduleView
from gui.document.document import Document, Outcome
from machines.errors import visible


class RunView(ScheduleView):
    """The schedule, beside a run.

    `run`: what is drawn of `happened`.
    """

    def __init__(
        self,
        document: Document,
        offers: Offers,
        carrying: Carrying,
        folds: Folds,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, offers, carrying, folds, parent)
        self.run: RunBars | None = None
        self._planned: Lanes | None = None  # as without a run
        self._bars: tuple[Frame | None, Picture | None] = (None, None)
        self._following = LatestWins(self, "run layout")
        self._following.done.connect(self._take_run)

    @property
    def caught_up(self) -> bool:
        """Whether what was shown last is drawn: more of a run may come."""
        return not self._following.is_busy

    def show_happened(self, happened: Happened | None) -> None:
        """Show a run, or more of the one that goes on; None: the plan alone."""
        if happened is self.happened:
            return
        self.happened = happened
        self._lay_run_out()

    def forget(self) -> None:
        """Another project was opened."""
        self._following.cancel()
        self.happened = self.run = self._planned = None
        super().forget()

    def close_jobs(self) -> None:
        """End the worker threads."""
        self._following.close()
        super().close_jobs()

    def _lay_run_out(self) -> None:
        """Lay out the run alone: the plan's bars are there."""
        happened, lanes, kinds, outcome = self.happened, self._planned, self.kinds, self.outcome
        if lanes is None or kinds is None or outcome is None:
            return  # it comes with them
        if happened is None or happened.actual.ran.size != lanes.bar_of.size:
            self._following.cancel()
            self._take_run((lanes, happened, None))
            return
        self._following.request(
            lambda stop: (
                lanes, happened, run_bars(happened, lanes, outcome, kinds, stop)
            )
        )  # fmt: skip

    def _take_run(self, result: object) -> None:
        assert isinstance(result, tuple)
        planned, _, run = result
        if planned is not self._planned:
            return
        first = (run is None) != (self.run is None)
        self._set_run(run)
        if first or (self._fitted and self.needs_fit()):
            self.fit()
        self.renew()

    def _set_run(self, run: RunBars | None) -> None:
        """Draw these bars beside the plan's, in lanes that have room for both."""
        self.run, planned = run, self._planned
        assert planned is not None
        if run is None:
            self.lanes = planned
        else:
            # no bar lies over others where each shares its row with another
            plain = np.zeros(len(planned.lane), dtype=np.bool_)
            self.lanes = replace(planned, rows=run.lanes.rows, critical=plain)

    def _arrive(self, result: object) -> None:
        assert isinstance(result, Shown)
        self._following.cancel()
        self._planned, self.run = result.lanes, result.run
        if result.run is not None:
            self._set_run(result.run)
            assert self.lanes is not None
            result = replace(result, lanes=self.lanes)
        super()._arrive(result)
        if (None if self.run is None else self.run.happened) is not self.happened:
            self._lay_run_out()

    def _boxes_before(self, outcome: Outcome, lanes: Lanes) -> Boxes | None:
        """Two bars a task do not settle: their order is another."""
        return None if self.run is not None else super()._boxes_before(outcome, lanes)

    # Where things are ---------------------------------------------------------------------

    @property
    def span_s(self) -> float:
        """Until the later one of both makespans."""
        return max(super().span_s, 0.0 if self.run is None else self.run.last_s)

    def _make_picture(self, frame: Frame) -> Picture | None:
        picture = super()._make_picture(frame)
        if picture is None or self.run is None:
            return picture
        return replace(picture, boxes=upper(picture.boxes))

    def _run_picture(self, frame: Frame) -> Picture | None:
        """The bars of what happened; those of the last frame are kept."""
        if self.run is None:
            return None
        picture = self._bars[1]
        if self._bars[0] is not frame or picture is None or picture.lanes is not self.run.lanes:
            picture = self._picture_of(self.run.lanes, frame)
            self._bars = frame, picture
        if picture is None or picture.by_kind == self.by_kind:
            return picture
        return replace(picture, by_kind=self.by_kind)

    def _picture_of(self, lanes: Lanes | None, frame: Frame) -> Picture | None:
        """Bars below those of the plan."""
        if lanes is None or self.kinds is None or self.outcome is None:
            return None
        workload, cores = self.outcome.project.workload, self.outcome.costs.task_cores
        boxes = lower(frame.boxes(lanes))
        return Picture(workload, lanes, self.kinds, frame, boxes, cores, self.by_kind)

    def item_at(self, position: QPointF) -> int | None:
        """The bar under a point; that of the plan, also where the run's bar of its task is."""
        if self.run is None or self.lanes is None:
            return super().item_at(position)
        frame = self.frame()
        lane = frame.lane_at(position.y())
        if lane is None or position.x() < frame.header:
            return None
        row, time = frame.row_at(lane, position.y()), frame.time(position.x())
        near = 3.0 / frame.px_per_s
        for lanes in (self.run.lanes, self.run.coming):
            found = None if lanes is None else lanes.bar_at(lane, row, time, near)
            if lanes is None or found is None:
                continue
            picture = self._picture_of(lanes, frame)
            if picture is not None and position.y() >= picture.boxes.y[found]:
                return int(self.lanes.bar_of[lanes.members[found]])
        return self.lanes.bar_at(lane, row, time, near)

    def describe(self, item: int) -> str:
        """The bar in words, with what happened to its task."""
        text = super().describe(item)
        if self.run is None or self.lanes is None or self.outcome is None:
            return text
        tasks = self.lanes.tasks(item)
        if tasks.size != 1:
            return text
        return f"{text}\n{happened_to(self.outcome, self.run.happened, int(tasks[0]))}"

    # Painting -----------------------------------------------------------------------------

    def _paint_all(self, painter: QPainter, picture: Picture, arcs: Arcs) -> None:
        happened = self._run_picture(picture.frame)
        if self.run is None or happened is None:
            super()._paint_all(painter, picture, arcs)
            return
        frame = picture.frame
        paint_lanes(painter, self.ink, frame)
        self.paint_loads(painter, frame)
        paint_gone(painter, self.ink, frame, self.run)
        coming = self._picture_of(self.run.coming, frame)
        paint_pairs(painter, self.ink, (picture, happened, coming), self.run)
        left = paint_makespans(painter, self.ink, frame, picture.lanes.makespan_s, self.run)
        paint_key(painter, self.ink, frame, self.run, left)

    def paint_top(self, painter: QPainter) -> None:
        """Also what happened to what is selected."""
        picture = self.picture
        if self.run is not None and picture is not None and self.ready:
            happened = self._run_picture(picture.frame)
            tasks = np.fromiter(self.document.selection.tasks, dtype=np.int64)
            bars = np.unique(self.run.lanes.bar_of[tasks])
            if happened is not None:
                paint_selection(painter, self.ink, happened, bars[bars >= 0], None)
        super().paint_top(painter)
        if self.run is not None and picture is not None:
            paint_gone_names(painter, self.ink, picture.frame, self.run)


_LINES, _WIDEST = 8, 160  # of a failed task's output in a tooltip


def happened_to(outcome: Outcome, happened: Happened, task: int) -> str:
    """Where it ran, how long beside the prediction, from when to when; or that it did not."""
    actual = happened.actual
    start, end, taken = (
        float(times[task]) for times in (actual.start_s, actual.end_s, actual.taken_s)
    )
    machine = int(actual.machine[task])
    place = "" if machine < 0 else f" on {outcome.project.platform.machines[machine].name}"
    if not math.isfinite(start + end):
        begun = math.isfinite(taken) or math.isfinite(start)
        if happened.now_s is not None:
            if begun:
                return f"actual: running{place}"
            return _to_come(outcome, happened.coming, task) or "actual: not begun yet"
        failed = task in actual.failed
        return f"actual: failed{place}" if failed else "actual: not in the run"
    predicted = float(predicted_there(outcome, actual)[task])
    moved = machine >= 0 and machine != outcome.prediction.plan.allocation[task]
    took, planned = durations(end - start, predicted if predicted > 0 else 0.0)
    planned += " there" if moved else ""
    begin, over = durations(start, end)
    ratio = f", ×{number((end - start) / predicted)}" if predicted > 0 else ""
    lines = [f"actual{place}: {took}, predicted {planned}{ratio}", f"from {begin} to {over}"]
    if task in actual.failed:
        lines[0] = f"failed{place} after {took}, predicted {planned}"
        lines += _said_last(actual, outcome.project.workload.tasks[task].name)
    if math.isfinite(taken) and start > taken:
        lines[1] += f", after {duration(start - taken)} of fetching in its slot"
    if actual.bytes_in[task] > 0:
        lines.append(f"fetched {size(float(actual.bytes_in[task]))} from other machines")
    return "\n".join(lines)


def _to_come(outcome: Outcome, coming: Coming | None, task: int) -> str:
    """Where and when a task is to run since the rest was replanned; empty: it was not."""
    if coming is None or task not in coming.task:
        return ""
    at = int(np.flatnonzero(coming.task == task)[0])
    machine = outcome.project.platform.machines[int(coming.machine[at])].name
    begin, over = durations(float(coming.start_s[at]), float(coming.end_s[at]))
    return f"replanned: on {machine}, from {begin} to {over}"


def _said_last(actual: Actual, task: str) -> list[str]:
    """The last lines of what a failed task said, where that is known."""
    said = next((one.output for one in reversed(actual.run.tasks) if one.task == task), "")
    lines = [visible(line) for line in said.splitlines() if line.strip()]
    return [one[:_WIDEST] for one in lines[-_LINES:]]
