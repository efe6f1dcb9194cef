"""Study: which allocation is best where, over two load parameters that the user picks.

A grid over both ranges, computed from coarse to fine; every point holds the best allocation
there and its value. Exact for chains and few tasks, else among a pool of candidate plans.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from advisor.advice.contest import (
    Judge,
    at_best_counts,
    candidates,
    contestants_at,
    distinct,
    exact_judge,
    keeping,
    pool_judge,
)
from advisor.allocation.labels import label
from advisor.allocation.loads import (
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    LoadParameter,
    find_parameter,
    parameters_of,
)
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, duration
from advisor.basics.stopping import ShouldStop
from advisor.search import advise
from advisor.studies.parameters import parameter
from advisor.studies.questions import QUESTIONS
from advisor.studies.study import Note, OnProgress, Study, StudyProgress, StudyResult, Table
from machines import InfeasibleError, InputError, Platform
from machines.arrays import Floats, Indices

_STRIDES = (8, 4, 2, 1)
_FEWEST = 5  # points on an axis, however large the workload
_UNKNOWN = -1


@dataclass(frozen=True)
class DecisionMapParameters:
    """What the decision map asks for."""

    problem: Problem
    objective: str = parameter(MAKESPAN, choices=OBJECTIVES, help="What is to be smallest.")
    x: str = parameter("", help="Horizontal load, e.g. contenders:M1; empty: the first there is.")
    y: str = parameter("", help="Vertical load, e.g. link slowdown:M1-M2.")
    x_low: float | None = parameter(None, help="Left end; auto: the load's own range.")
    x_high: float | None = parameter(None, help="Right end.")
    y_low: float | None = parameter(None, help="Lower end.")
    y_high: float | None = parameter(None, help="Upper end.")
    points: int = parameter(41, low=2, high=401, help="Grid points on either axis.")
    seconds: float = parameter(
        4.0,
        unit="s",
        low=0.01,
        high=3600.0,
        help="Rough effort; large workloads get a coarser grid.",
    )


@dataclass(frozen=True, eq=False)
class DecisionMap:
    """The best allocation at every point of a grid of two loads.

    Attributes
    ----------
    x, y : LoadParameter
        The axes.
    x_values : array (columns,)
    y_values : array (rows,)
        The loads at the grid points.
    region : int32 array (rows, columns)
        Position in `plans` of what is best there; −1 where nothing can run or nothing is known yet.
    plans, labels : tuples of equal length
        The distinct allocations that are best somewhere, the present best first.
    values_s : array (rows, columns)
        The objective of the best; NaN where unknown.
    present : (float, float)
        The present loads.
    exact : bool
        All allocations were compared, not a pool of candidates.
    complete : bool
        Every point was computed.
    """

    objective: str
    x: LoadParameter
    y: LoadParameter
    x_values: Floats
    y_values: Floats
    region: Indices
    plans: tuple[Plan, ...]
    labels: tuple[str, ...]
    values_s: Floats
    present: tuple[float, float]
    exact: bool
    complete: bool

    def at(self, x: float, y: float) -> tuple[Plan, str, float] | None:
        """(plan, its label, its value) at the grid point nearest to (x, y); None where unknown."""
        column = int(np.argmin(np.abs(self.x_values - x)))
        row = int(np.argmin(np.abs(self.y_values - y)))
        region = int(self.region[row, column])
        if region == _UNKNOWN:
            return None
        return self.plans[region], self.labels[region], float(self.values_s[row, column])

    def shares(self) -> tuple[float, ...]:
        """Share of the known points at which each plan is best."""
        known = self.region[self.region != _UNKNOWN]
        counts = np.bincount(known, minlength=len(self.plans))
        return tuple((counts / max(known.size, 1)).tolist())


def run(
    parameters: DecisionMapParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Compute the map, coarse first.

    Parameters
    ----------
    parameters : DecisionMapParameters
    on_progress : callable, optional
        Gets a partial result with a filled-in coarse map after each refinement.
    should_stop : callable, optional
        Asked before every grid point.

    Returns
    -------
    StudyResult
        its picture is the `DecisionMap`; not complete when stopped.

    Raises
    ------
    InputError
        Unknown or conflicting load parameters, an empty range.
    InfeasibleError
        No plan can run at the present load.
    """
    stop = should_stop or (lambda: False)
    asked, effort = parameters.problem, parameters.seconds / 8.0
    problem, counts = at_best_counts(asked, parameters.objective, effort, stop)
    parameters = replace(parameters, problem=problem)
    axes = _axes(problem.platform, parameters.x, parameters.y)
    judge, best = keeping(counts, *_judge(parameters, axes, stop))
    points = min(parameters.points, max(_FEWEST, math.isqrt(int(parameters.seconds / judge.cost))))
    painter = _Painter(parameters, axes, judge, best, points)
    done = 0
    for stride in _STRIDES:
        for row, column in _fresh(points, stride):
            if stop():
                return _result(parameters, painter.map(stride, complete=False), judge)
            if on_progress is not None and done % 16 == 0:
                text = f"{done} of {points * points} points"
                on_progress(StudyProgress(done / points**2, text))
            painter.paint(row, column, stop)
            done += 1
        if on_progress is not None and stride > 1:
            partial = _result(parameters, painter.map(stride, complete=False), judge)
            on_progress(StudyProgress(done / points**2, f"every {stride}th point", partial))
    return _result(parameters, painter.map(1, complete=True), judge)


class _Painter:
    """The grid while it is being filled."""

    def __init__(
        self,
        parameters: DecisionMapParameters,
        axes: tuple[LoadParameter, LoadParameter],
        judge: Judge,
        best: Plan,
        points: int,
    ) -> None:
        self._parameters, self._axes, self._judge, self._best = parameters, axes, judge, best
        self._plans = {best.allocation: 0}
        self._kept = [best]
        low_high = (
            (parameters.x_low, parameters.x_high),
            (parameters.y_low, parameters.y_high),
        )
        self._values = [
            _values(axis, low, high, points)
            for axis, (low, high) in zip(axes, low_high, strict=True)
        ]
        self._region = np.full((points, points), _UNKNOWN, dtype=np.int32)
        self._values_s = np.full((points, points), np.nan)

    def paint(self, row: int, column: int, stop: ShouldStop) -> None:
        """Find what is best at one point; nothing is kept of one that was stopped."""
        problem = self._parameters.problem
        loads = (float(self._values[0][column]), float(self._values[1][row]))
        verdict = self._judge(_loaded(problem, self._axes, loads), self._best)
        if not math.isfinite(verdict.best_s) or stop():
            return
        allocation = verdict.best.allocation
        if allocation not in self._plans:
            self._plans[allocation] = len(self._kept)
            self._kept.append(verdict.best)
        self._region[row, column] = self._plans[allocation]
        self._values_s[row, column] = verdict.best_s

    def map(self, stride: int, complete: bool) -> DecisionMap:
        """The map so far; points not yet computed take their coarse neighbour's region."""
        problem, (x, y) = self._parameters.problem, self._axes
        region = self._region.copy()
        if not complete:
            _fill(region, stride)
        reading, platform = problem.reading, problem.platform
        reference = self._best.allocation
        return DecisionMap(
            objective=self._parameters.objective,
            x=x,
            y=y,
            x_values=self._values[0],
            y_values=self._values[1],
            region=region,
            plans=tuple(self._kept),
            labels=tuple(
                label(problem, plan.allocation, reference if index else None)
                for index, plan in enumerate(self._kept)
            ),
            values_s=self._values_s.copy(),
            present=(x.value(platform, reading), y.value(platform, reading)),
            exact=self._judge.exact,
            complete=complete,
        )


def _fill(region: Indices, stride: int) -> None:
    """Give unknown points the region of the computed one up to `stride` before them."""
    for axis in (0, 1):
        view = region if axis == 0 else region.T
        for index in range(1, len(view)):
            if index % stride:
                line, before = view[index], view[index - 1]
                line[line == _UNKNOWN] = before[line == _UNKNOWN]


def _fresh(points: int, stride: int) -> Iterator[tuple[int, int]]:
    """The grid points of this stride that no coarser one had."""
    coarser = 2 * stride
    for row in range(0, points, stride):
        for column in range(0, points, stride):
            seen = stride < _STRIDES[0] and row % coarser == 0 and column % coarser == 0
            if not seen:
                yield row, column


def _axes(platform: Platform, x: str, y: str) -> tuple[LoadParameter, LoadParameter]:
    known = parameters_of(platform)
    links = [one for one in known if one.kind == LINK_SLOWDOWN]
    first = find_parameter(platform, x) if x else known[0]
    if y:
        second = find_parameter(platform, y)
    else:
        second = next(one for one in (*links, *known) if not _conflicting(first, one))
    if _conflicting(first, second):
        raise InputError(
            "the two axes set the same load",
            where="decision map",
            value=f"{first.key}, {second.key}",
            remedy="Choose two different machines or links",
        )
    return first, second


def _conflicting(one: LoadParameter, other: LoadParameter) -> bool:
    """Whether setting one undoes the other."""
    same = one.kind == other.kind or {one.kind, other.kind} == {CONTENDERS, MACHINE_SLOWDOWN}
    return one.subject == other.subject and same


def _values(axis: LoadParameter, low: float | None, high: float | None, points: int) -> Floats:
    start = axis.low if low is None else low
    end = axis.high if high is None else high
    if not start < end:
        raise InputError(
            "the range is empty",
            where=axis.key,
            value=(start, end),
            remedy="The lower end must be below the upper one",
        )
    return np.linspace(start, end, points)


def _loaded(
    problem: Problem, axes: tuple[LoadParameter, LoadParameter], loads: tuple[float, float]
) -> Platform:
    platform = axes[0].applied(problem.platform, loads[0], problem.reading)
    return axes[1].applied(platform, loads[1], problem.reading)


def _judge(
    parameters: DecisionMapParameters,
    axes: tuple[LoadParameter, LoadParameter],
    stop: ShouldStop,
) -> tuple[Judge, Plan]:
    """The judge of the map and the best plan at the present load."""
    problem, objective = parameters.problem, parameters.objective
    judge = exact_judge(problem, objective)
    if judge is not None:
        anything = Plan((0,) * len(problem.workload.tasks))
        verdict = judge(problem.platform, anything)
        if not math.isfinite(verdict.best_s):
            raise InfeasibleError("no allocation can run", where=problem.workload.name)
        return judge, verdict.best
    effort = parameters.seconds / 8.0
    recommendation = advise(problem, objective, seconds=effort, should_stop=stop)
    pool = list(candidates(problem, recommendation, None))
    corners = [
        _loaded(problem, axes, (x, y))
        for x in (axes[0].low, axes[0].high)
        for y in (axes[1].low, axes[1].high)
    ]
    for platform in corners:
        if not stop():
            pool += contestants_at(problem, platform, objective, effort / len(corners))
    return pool_judge(problem, objective, distinct(pool), stop), recommendation.plan


def _result(parameters: DecisionMapParameters, found: DecisionMap, judge: Judge) -> StudyResult:
    best = f"{found.labels[0]} is best at the present load"
    others = len(found.plans) - 1
    verb = "is" if others == 1 else "are"
    tail = ", and everywhere on this map"
    if others:
        tail = f"; {count(others, 'other allocation')} {verb} best elsewhere on this map"
    rows = tuple(
        (name, 100.0 * share, *_span(found, index))
        for index, (name, share) in enumerate(zip(found.labels, found.shares(), strict=True))
    )
    notes = []
    if not found.exact:
        text = f"Best among {judge.contestants}, not among all allocations."
        notes.append(Note(False, text))
    points = len(found.x_values)
    if points < parameters.points:
        notes.append(Note(False, f"The workload is large: {points} points an axis."))
    notes += [Note(False, text) for text in parameters.problem.costs.warnings]
    x, y = (
        f"{axis.sentence(value)}"
        for axis, value in zip((found.x, found.y), found.present, strict=True)
    )
    return StudyResult(
        sentence=f"{best[0].upper()}{best[1:]} ({x}, {y}){tail}.",
        tables=(
            Table(
                f"Best allocations ({found.objective})",
                (("allocation", ""), ("share", "%"), ("from", "s"), ("to", "s")),
                rows,
            ),
        ),
        reasons=tuple(
            f"{name}: {duration(low)} to {duration(high)}." for name, _, low, high in rows
        ),
        notes=tuple(notes),
        pictures=(found,),
        complete=found.complete,
    )


def _span(found: DecisionMap, index: int) -> tuple[float, float]:
    values_s = found.values_s[(found.region == index) & ~np.isnan(found.values_s)]
    if values_s.size == 0:
        return math.nan, math.nan
    return float(values_s.min()), float(values_s.max())


STUDY = Study(*QUESTIONS["decision-map"], record=DecisionMapParameters, run=run)
