"""The schedule as figures: lanes are machines, time runs to the right, bars are coloured by cause.

What has no room for a bar of its own is merged into how many tasks run at a time, so that a
figure stays small whatever it is of; many lanes are parted into figures that fit a sheet of paper.

What the lanes of a schedule hold: tasks in rows, or how many run at a time where they are many.

Seconds and cores come from a prediction; nothing is drawn here.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np

from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import FETCHING, TaskCauses
from advisor.basics.causes import CAUSES, COLOURS
from advisor.basics.quantities import clock, count, percent
from advisor.basics.units import Unit, durations
from advisor.export.report_page.page_blocks import Figure
from advisor.export.report_page.svg_drawing import (
    GROUND,
    INK,
    MUTED,
    NARROW_PX,
    TEXT_PX,
    WIDE_PX,
    Box,
    Drawing,
    Profile,
    Rule,
    Shape,
    Word,
    readable_on,
    shortened,
    text_px,
)
from machines.arrays import Floats, Ints

_MOST_LANES = 36
_SHEET_PX = 720.0  # that a figure may be high on paper
_TOP_PX, _LABEL_PX, _GAP_PX = 20.0, 18.0, 10.0
_ROW_PX, _MERGED_PX = 20.0, 44.0
_FEW_LANES, _LOW_PX = 8, 16.0  # of more lanes merged ones are lower
_LEAST = 1.0 / 400.0  # of the axis: a bar that is narrower is drawn so wide


def schedule_figures(
    problem: Problem,
    prediction: Prediction,
    causes: TaskCauses,
    title: str,
    until_s: float | None = None,
) -> tuple[Figure, ...]:
    """The schedule of a plan; one figure unless its lanes need more than a sheet.

    Parameters
    ----------
    title : str
        Above each.
    until_s : float, optional
        Where the axis ends: that of two plans is one. Left out, at the makespan.
    """
    end_s = prediction.makespan_s if until_s is None else until_s
    if end_s <= 0.0:
        return ()
    every = lanes(prediction, causes, end_s)
    busiest = sorted(every, key=lambda lane: (-lane.busy, lane.machine))[:_MOST_LANES]
    shown = [lane for lane in every if lane in busiest]
    merged_px = _MERGED_PX if len(shown) <= _FEW_LANES else _LOW_PX
    sheets = _sheets(shown, merged_px)
    said = _caption(problem, every, len(every) - len(shown))
    figures = []
    for place, sheet in enumerate(sheets):
        part = f" ({place + 1} of {len(sheets)})" if len(sheets) > 1 else ""
        drawing = _Picture(problem, prediction, end_s, merged_px)
        figures.append(
            Figure(
                title=f"{title}{part}",
                drawing=drawing.of(sheet),
                caption=said if place == len(sheets) - 1 else "",
                says=_says(problem, prediction, sheet),
                legend=tuple((cause, COLOURS[cause]) for cause in CAUSES if cause in drawing.seen),
            )
        )
    return tuple(figures)


class _Picture:
    """Draws lanes, and remembers which causes were seen."""

    def __init__(
        self, problem: Problem, prediction: Prediction, end_s: float, merged_px: float
    ) -> None:
        self._problem, self._prediction, self._end_s = problem, prediction, end_s
        self._tasks = problem.workload.tasks
        self._unit = Unit.of_times(prediction.start_s, prediction.end_s)
        self._merged_px = merged_px
        self.seen: set[str] = set()

    def of(self, sheet: list[Lane]) -> Drawing:
        """The drawing of some lanes, with the axis and the makespan."""
        shapes: list[Shape] = []
        y = _TOP_PX
        for lane in sheet:
            shapes += self._lane(lane, y)
            y += _height(lane, self._merged_px)
        y -= _GAP_PX / 2
        makespan_s = self._prediction.makespan_s
        share = makespan_s / self._end_s
        text = f"makespan {self._unit.text(makespan_s)}"
        ends = share * NARROW_PX > text_px(text)
        shapes.append(Rule(share, _TOP_PX - 4.0, y, strong=True))
        shapes.append(Word(share, TEXT_PX + 1.0, text, end=ends, bold=True))
        return with_axis(shapes, _TOP_PX, y, self._end_s)

    def _lane(self, lane: Lane, y: float) -> list[Shape]:
        name = self._problem.platform.machines[lane.machine].name
        busy = f"{count(lane.tasks, 'task')} · {percent(lane.busy)} utilised"
        base = y + TEXT_PX
        room = NARROW_PX - text_px(busy)
        shapes: list[Shape] = [
            Word(0.0, base, shortened(name, room - TEXT_PX), bold=True),
            Word(1.0, base, busy, MUTED, end=True),
        ]
        y += _LABEL_PX
        if lane.bars:
            for bar in lane.bars:
                shapes += self._bar(bar, y + bar.row * _ROW_PX, name)
            return shapes
        self.seen.update(cause for cause, heights in lane.profile if any(heights))
        layers = tuple((COLOURS[cause], heights) for cause, heights in lane.profile)
        return [*shapes, Profile(0.0, 1.0, y, self._merged_px, layers)]

    def _bar(self, bar: Bar, y: float, machine: str) -> list[Shape]:
        task, end_s = self._tasks[bar.task], self._end_s
        times = [self._unit.text(one) for one in (bar.begin_s, self._prediction.end_s[bar.task])]
        says = f"{task.name} on {machine}, {times[0]} to {times[1]}"
        height = _ROW_PX - 3.0
        shapes: list[Shape] = []
        at, widest = bar.begin_s, (0.0, 0.0, "")
        for cause, seconds in bar.segments:
            self.seen.add(cause)
            x0 = min(at / end_s, 1.0 - _LEAST)
            x1 = min(1.0, max((at + seconds) / end_s, x0 + _LEAST))
            part = f"{says}: {cause} {self._unit.text(seconds)}"
            shapes.append(Box(x0, x1, y, height, COLOURS[cause], part))
            widest = max(widest, (x1 - x0, x0, COLOURS[cause]))
            at += seconds
        first = min(bar.begin_s / end_s, 1.0 - _LEAST)
        last = min(1.0, max(at / end_s, first + _LEAST))
        edge = INK if self._prediction.critical[bar.task] else GROUND
        shapes.append(Box(first, last, y, height, "none", edge=edge))
        width, x, colour = widest
        needed = text_px(task.name) + 8.0
        if width * WIDE_PX >= needed:
            ink, roomy = readable_on(colour), width * NARROW_PX < needed
            shapes.append(Word(x, y + height - 4.5, task.name, ink, dx=4.0, roomy=roomy))
        return shapes


def _sheets(shown: list[Lane], merged_px: float) -> list[list[Lane]]:
    """Lanes one after the other, as many on each sheet as it has room for."""
    sheets: list[list[Lane]] = [[]]
    used = 0.0
    for lane in shown:
        height = _height(lane, merged_px)
        if sheets[-1] and used + height > _SHEET_PX:
            sheets.append([])
            used = 0.0
        sheets[-1].append(lane)
        used += height
    return sheets


def _height(lane: Lane, merged_px: float) -> float:
    inside = lane.rows * _ROW_PX if lane.bars else merged_px
    return _LABEL_PX + inside + _GAP_PX


def _caption(problem: Problem, every: tuple[Lane, ...], left_out: int) -> str:
    """What the figure can't say itself."""
    words = ["Each lane is a machine; tasks of the critical path are outlined."]
    if any(not lane.bars for lane in every):
        words.append("Where there are too many bars, the height is how many tasks run at a time.")
    if left_out:
        words.append(
            f"Shown are the {_MOST_LANES} busiest machines; {count(left_out, 'more', 'more')} "
            "with tasks are left out."
        )
    idle = len(problem.platform.machines) - len(every)
    if idle:
        words.append(
            f"{count(idle, 'machine')} without tasks {'is' if idle == 1 else 'are'} not drawn."
        )
    return " ".join(words)


def _says(problem: Problem, prediction: Prediction, sheet: list[Lane]) -> str:
    """The figure in a sentence."""
    machines = problem.platform.machines
    told = [
        f"{machines[lane.machine].name} {count(lane.tasks, 'task')}, {percent(lane.busy)} utilised"
        for lane in sheet[:8]
    ]
    more = [f"{len(sheet) - 8} more"] if len(sheet) > 8 else []
    (makespan,) = durations(prediction.makespan_s)
    return f"Schedule over time until the makespan, {makespan}: {'; '.join([*told, *more])}."


# The axis of time below a drawing: few round times, all in one unit.

AXIS_PX = 20.0
_MOST = 4  # ticks beyond 0: as many as have room on a phone
_LONG_S = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)


def ticks(end_s: float) -> tuple[float, ...]:
    """Round times from 0 to the end, seconds."""
    if end_s <= 0.0:
        return (0.0,)
    power = 10.0 ** math.floor(math.log10(end_s / _MOST))
    steps = [power * one for one in (1, 2, 5, 10)]
    if end_s >= 120.0:
        days = math.ceil(end_s / _MOST / 86400.0)
        steps = [*_LONG_S, 86400.0 * 10.0 ** math.ceil(math.log10(max(days, 1)))]
    step = next((one for one in steps if end_s / one <= _MOST + 1e-9), steps[-1])
    return tuple(step * place for place in range(math.floor(end_s / step + 1e-9) + 1))


def with_axis(shapes: list[Shape], top: float, height: float, end_s: float) -> Drawing:
    """The shapes before quiet lines of time, from `top` down to `height`, and their labels."""
    times = ticks(end_s)
    unit = Unit.of_times(*times)
    base, free_px = height + TEXT_PX + 3.0, 0.0
    lines: list[Shape] = []
    labels: list[Shape] = []
    for time in times:
        share = min(time / end_s, 1.0) if end_s > 0.0 else 0.0
        lines.append(Rule(share, top, height))
        text = _said(time, unit, end_s)
        long_px = text_px(text)
        # a label lies behind its line, or before it where it would stick out
        ends = share * NARROW_PX + long_px > NARROW_PX
        begins_px = share * NARROW_PX - ends * long_px
        if begins_px >= free_px:
            labels.append(Word(share, base, text, MUTED, end=ends, dx=0.0 if ends else 2.0))
            free_px = begins_px + long_px + TEXT_PX / 2
    return Drawing(height + AXIS_PX, (*lines, *shapes, *labels))


def _said(time_s: float, unit: Unit, end_s: float) -> str:
    """Whole minutes without their seconds."""
    if not time_s:
        return "0"
    return clock(time_s, 60.0) if end_s >= _LONG_S[1] else unit.text(time_s)


COLUMNS = 240  # of a lane whose tasks are merged
_MOST_BARS, _MOST_ROWS, _MOST_TASKS = 60, 6, 600  # one by one: in a lane, and of all lanes


@dataclass(frozen=True)
class Bar:
    """One task: its position, the row that it lies in, and its causes in the order of time."""

    task: int
    row: int
    begin_s: float
    segments: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Lane:
    """What one machine does.

    Attributes
    ----------
    machine : int
    tasks : int
    busy : float
        Of its cores until the makespan.
    bars : tuple of Bar
        Empty where the tasks are merged.
    rows : int
        In which bars lie; the most tasks at a time where they are merged.
    profile : tuple of (cause, heights)
        Where they are merged: mean tasks at a time by cause, in hundredths of `rows`.
    """

    machine: int
    tasks: int
    busy: float
    bars: tuple[Bar, ...]
    rows: int
    profile: tuple[tuple[str, tuple[int, ...]], ...]


def lanes(prediction: Prediction, causes: TaskCauses, until_s: float) -> tuple[Lane, ...]:
    """The lanes of all machines that have tasks, in their order.

    Parameters
    ----------
    until_s : float
        Where the axis ends: the columns of merged tasks lie between 0 and this.
    """
    place = np.array(prediction.plan.allocation)
    begin = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    found = []
    for machine in np.unique(place).tolist():
        tasks = np.flatnonzero(place == machine)
        tasks = tasks[np.argsort(begin[tasks], kind="stable")]
        rows, most = _rows(begin[tasks], prediction.end_s[tasks])
        bars: tuple[Bar, ...] = ()
        profile: tuple[tuple[str, tuple[int, ...]], ...] = ()
        if place.size <= _MOST_TASKS and tasks.size <= _MOST_BARS and most <= _MOST_ROWS:
            bars = tuple(
                Bar(task, row, float(begin[task]), causes.segments(task))
                for task, row in zip(tasks.tolist(), rows, strict=True)
            )
        else:
            profile = _profile(begin, causes, tasks, until_s, most)
        busy = float(prediction.utilisation[machine])
        found.append(Lane(machine, tasks.size, busy, bars, most, profile))
    return tuple(found)


def _rows(begin: Floats, end: Floats) -> tuple[list[int], int]:
    """The row of every task, none over another, and how many rows that takes."""
    free: list[int] = []
    running: list[tuple[float, int]] = []
    rows = []
    most = 0
    for first, last in zip(begin.tolist(), end.tolist(), strict=True):
        while running and running[0][0] <= first + 1e-9 * abs(first):
            heapq.heappush(free, heapq.heappop(running)[1])
        if not free:
            free, most = [most], most + 1
        row = heapq.heappop(free)
        heapq.heappush(running, (last, row))
        rows.append(row)
    return rows, most


def _profile(
    begin: Floats, causes: TaskCauses, tasks: Ints, until_s: float, most: int
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Mean tasks at a time by cause, in hundredths of the most."""
    edges = np.linspace(0.0, until_s, COLUMNS + 1)
    at = begin[tasks].copy()
    shares: list[tuple[str, Floats]] = []
    fetched = dict(zip(FETCHING, causes.fetched[:, tasks], strict=True))
    rest = dict(zip(causes.causes, causes.seconds[:, tasks], strict=True))
    for cause in (*FETCHING, *CAUSES):
        seconds = fetched.pop(cause, None)
        if seconds is None:
            seconds = rest.get(cause)
        elif cause in rest:
            rest[cause] = rest[cause] - seconds
        if seconds is None or not seconds.any():
            continue
        shares.append((cause, np.diff(_covered(at, at + seconds, edges)) * COLUMNS / until_s))
        at = at + seconds
    found: list[tuple[str, tuple[int, ...]]] = []
    below, reached = np.zeros(COLUMNS), np.zeros(COLUMNS, dtype=np.int64)
    for cause in dict.fromkeys(cause for cause, _ in shares):
        below = below + sum(share for name, share in shares if name == cause)
        above = np.clip(np.rint(100.0 * below / most), 0, 100).astype(np.int64)
        found.append((cause, tuple((above - reached).tolist())))
        reached = above
    return tuple(found)


def _covered(begin: Floats, end: Floats, at: Floats) -> Floats:
    """Seconds of all intervals together that have passed at each time."""

    def ramps(starts: Floats) -> Floats:
        ordered = np.sort(starts)
        passed = np.searchsorted(ordered, at)
        sums = np.concatenate(([0.0], np.cumsum(ordered)))
        found: Floats = passed * at - sums[passed]
        return found

    return ramps(begin) - ramps(end)
