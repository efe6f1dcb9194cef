"""Study: which allocation is best where, over two load parameters that the user picks.

A grid over both ranges, computed from coarse to fine; every point holds the best allocation
there and its value. Between the points borders are solved for. Exact for chains and few tasks, else
among a pool of candidate plans.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from advisor.advice.contest import (
    candidates,
    contestants_at,
    contestants_on,
    distinct,
    exact_judge,
    pool_judge,
    values_in,
    values_on,
)
from advisor.advice.judged_plan import Judge, PlanVerdict
from advisor.advice.kept_decisions import (
    alike,
    at_best_decisions,
    deciding_as,
    keeping,
    too_many_variants,
)
from advisor.advice.known import best_known
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.rounding import ALIKE
from advisor.basics.shards import each
from advisor.basics.stop_rule import ShouldStop
from advisor.search import advise
from advisor.studies.decision_map.map_axes import (
    Axes,
    DecisionMapParameters,
    Loads,
    asked_axes,
    axes_of,
)
from advisor.studies.decision_map.map_odds import odds_of
from advisor.studies.decision_map.map_picture import UNKNOWN, Cell, DecisionMap
from advisor.studies.decision_map.map_sentences import answer, names_of
from advisor.studies.decision_map.plan_borders import Borders
from advisor.studies.study import OnProgress, StudyProgress, StudyResult
from machines import InfeasibleError
from machines.arrays import Floats, Indices
from machines.stopping import Stopped, ask, stoppable

_STRIDES = (8, 4, 2, 1)
_FEWEST = 5  # points on an axis, however large the workload
_LOOKS = 2  # for axes, each with the plans that are best there before
_TOLD = 16  # points between two reports
_NEVER = 10.0  # times the worst of those that run: a plan that can't run
_PAINTED = 0.85  # of the progress; the rest is for borders


def run(
    parameters: DecisionMapParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Compute the map, coarse first, at last its borders.

    `on_progress`: gets a partial result with a filled-in coarse map after each refinement.
    `should_stop`: asked before every grid point and every cell of a border.
    Returns: its picture is the `DecisionMap`; not complete when stopped.
    """
    stop = should_stop or (lambda: False)
    tell = on_progress or (lambda _progress: None)
    tell(StudyProgress(0.0, "searching plans"))
    parameters, axes, judge, best, present_s, pool = _keeping_decisions(parameters, stop, tell)
    points = min(parameters.points, max(_FEWEST, math.isqrt(int(parameters.seconds / judge.cost))))
    painter = _Painter(parameters, axes, judge, best, points, present_s, pool)
    done = 0

    def counted(number: int) -> str:
        return f"{number:,} of {points**2:,} points"

    def tell_points(more: int) -> None:
        if (done + more) % _TOLD == 0:
            share = _PAINTED * (done + more) / points**2
            tell(StudyProgress(share, counted(done + more)))

    tell_points(0)
    for stride in _STRIDES:
        fresh = list(_fresh(points, stride))
        painter.paint(fresh, stop, tell_points)
        if stop():
            return answer(parameters, painter.map(stride, complete=False), judge)
        done += len(fresh)
        share = _PAINTED * done / points**2
        coarse = answer(parameters, painter.map(stride, complete=False), judge)
        text = counted(done) if stride > 1 else "solving borders"
        tell(StudyProgress(share, text, coarse))

    def tell_border(share: float) -> None:
        tell(StudyProgress(_PAINTED + (1.0 - _PAINTED) * share, "solving borders"))

    cells = painter.cells(stop, tell_border)
    odds = painter.odds(stop)
    return answer(parameters, painter.map(1, complete=not stop(), cells=cells, odds=odds), judge)


def _keeping_decisions(
    parameters: DecisionMapParameters, stop: ShouldStop, tell: OnProgress
) -> tuple[DecisionMapParameters, Axes, Judge, Plan, float, _Pool]:
    """As `_judged`; plans decide all but places, order and variants as the best at present."""
    asked, known = parameters.problem, parameters.known
    problem, kept = at_best_decisions(
        asked, parameters.objective, parameters.seconds / 8.0, stop, known,
        open_variants=not too_many_variants(asked),
    )  # fmt: skip
    if kept is not None and problem.workload.variable:
        known = alike(known, kept)
    else:
        known = tuple(plan.bare() for plan in known)
    settled = replace(parameters, problem=problem, known=known)
    axes, judge, best, present_s, pool = _judged(settled, stop, tell)
    if problem.workload.variable:
        best = replace(best, variants=problem.variants_of(best))
    if kept is not None:
        pool = replace(pool, plans=tuple(deciding_as(one, kept) for one in pool.plans))
    return settled, axes, *keeping(kept, judge, best), present_s, pool


def _verdict(
    problem: Problem, axes: Axes, judge: Judge, best: Plan, pool: _Pool, loads: Loads
) -> PlanVerdict:
    """What is best under these loads; of one that was stopped nothing is kept.

    `pool`: what competes where the workload varies, or what fits.
    """
    if axes.of_platform:
        verdict = judge(axes.platform(problem, loads), best)
    else:
        verdict = pool(axes.problem(problem, loads))
    ask()
    return verdict


@dataclass(frozen=True, eq=False)
class _Pool:
    """Plans that compete in any problem of the same tasks; the first is kept where none is better.

    A plan keeps its order.
    """

    objective: str
    plans: tuple[Plan, ...] = ()

    def __call__(self, problem: Problem) -> PlanVerdict:
        """Which is best there; none where nothing can run."""
        values = values_in(problem, self.objective, self.plans)
        place = int(np.argmax(values <= values.min() * (1.0 + ALIKE)))
        return PlanVerdict(float(values[0]), self.plans[place], float(values[place]))


@dataclass(frozen=True, eq=False)
class _ValuesAt:
    """What plans reach at a point of the map."""

    problem: Problem
    objective: str
    axes: Axes
    plans: tuple[Plan, ...]
    last: int  # step of the grid

    def __call__(self, point: tuple[float, float]) -> Floats:
        column, row = (share / self.last for share in point)
        loads = (self.axes.x.value(column), self.axes.y.value(row))
        if not self.axes.of_platform:
            values = values_in(self.axes.problem(self.problem, loads), self.objective, self.plans)
            runs = np.isfinite(values)  # borders are looked for between finite values
            return values if runs.all() or not runs.any() else np.where(
                runs, values, _NEVER * values[runs].max()
            )  # fmt: skip
        there = self.axes.platform(self.problem, loads)
        return values_on(self.problem, self.objective, there, self.plans)


class _Painter:
    """The grid while it is being filled."""

    def __init__(
        self,
        parameters: DecisionMapParameters,
        axes: Axes,
        judge: Judge,
        best: Plan,
        points: int,
        present_s: float,
        pool: _Pool,
    ) -> None:
        self._pool = pool
        self._parameters, self._axes, self._judge, self._best = parameters, axes, judge, best
        self._present_s = present_s
        self._plans = {(best.allocation, best.variants): 0}
        self._kept = [best]
        self._values = [np.linspace(axis.low, axis.high, points) for axis in (axes.x, axes.y)]
        self._region = np.full((points, points), UNKNOWN, dtype=np.int32)
        self._values_s = np.full((points, points), np.nan)

    def paint(
        self, points: Sequence[tuple[int, int]], stop: ShouldStop, tell: Callable[[int], None]
    ) -> None:
        """Find what is best at some points, (row, column), and tell how many are done.

        They are taken over in their order, whichever was answered first.
        """
        problem = self._parameters.problem
        verdict_on = partial(_verdict, problem, self._axes, self._judge, self._best, self._pool)
        found: dict[int, PlanVerdict] = {}
        with stoppable(stop), suppress(Stopped):
            for place, verdict in each(verdict_on, [self._loads(*point) for point in points]):
                found[place] = verdict
                tell(len(found))
        for place in sorted(found):
            self._take(*points[place], found[place])

    def _loads(self, row: int, column: int) -> Loads:
        return float(self._values[0][column]), float(self._values[1][row])

    def _take(self, row: int, column: int, verdict: PlanVerdict) -> None:
        if not math.isfinite(verdict.best_s):
            return
        which = verdict.best.allocation, verdict.best.variants
        if which not in self._plans:
            self._plans[which] = len(self._kept)
            self._kept.append(verdict.best)
        self._region[row, column] = self._plans[which]
        self._values_s[row, column] = verdict.best_s

    def cells(self, stop: ShouldStop, tell: Callable[[float], None]) -> tuple[Cell, ...]:
        """Where the plans of the finished grid give way to one another."""
        return Borders(self._region, self._values_at(), stop, tell).cells()

    def odds(self, stop: ShouldStop) -> Floats | None:
        """How sure what is best is at each point; of a makespan."""
        if self._parameters.objective != MAKESPAN:
            return None
        return odds_of(self._parameters.problem, self._kept, self._region, self._values_at(), stop)

    def _values_at(self) -> _ValuesAt:
        problem, objective = self._parameters.problem, self._parameters.objective
        last = max(self._region.shape[0] - 1, 1)
        return _ValuesAt(problem, objective, self._axes, tuple(self._kept), last)

    def map(
        self,
        stride: int,
        complete: bool,
        cells: tuple[Cell, ...] = (),
        odds: Floats | None = None,
    ) -> DecisionMap:
        """The map so far; points not yet computed take their coarse neighbour's region."""
        problem, x, y = self._parameters.problem, self._axes.x.load, self._axes.y.load
        region = self._region.copy()
        if not complete:
            _fill(region, stride)
        reading, platform = problem.reading, problem.platform
        return DecisionMap(
            objective=self._parameters.objective,
            x=x,
            y=y,
            x_values=self._values[0],
            y_values=self._values[1],
            region=region,
            plans=tuple(self._kept),
            labels=names_of(problem, self._kept),
            values_s=self._values_s.copy(),
            present=(x.value(platform, reading), y.value(platform, reading)),
            exact=self._judge.exact,
            complete=complete,
            sharing=problem.sharing,
            present_s=self._present_s,
            cells=cells,
            unmoved=self._axes.unmoved,
            odds=odds,
        )


def _fill(region: Indices, stride: int) -> None:
    """Give unknown points the region of the computed one up to `stride` before them."""
    for axis in (0, 1):
        view = region if axis == 0 else region.T
        for index in range(1, len(view)):
            if index % stride:
                line, before = view[index], view[index - 1]
                line[line == UNKNOWN] = before[line == UNKNOWN]


def _fresh(points: int, stride: int) -> Iterator[tuple[int, int]]:
    """The grid points of this stride that no coarser one had."""
    coarser = 2 * stride
    for row in range(0, points, stride):
        for column in range(0, points, stride):
            seen = stride < _STRIDES[0] and row % coarser == 0 and column % coarser == 0
            if not seen:
                yield row, column


def _judged(
    parameters: DecisionMapParameters, stop: ShouldStop, tell: OnProgress
) -> tuple[Axes, Judge, Plan, float, _Pool]:
    """The axes, the judge of the map, the best plan at the present load and what it reaches."""
    problem, objective = parameters.problem, parameters.objective
    nothing = _Pool(objective)
    axes = asked_axes(parameters)
    if axes is not None:
        return _judged_anywhere(parameters, axes, stop)
    judge = exact_judge(problem, objective)
    if judge is not None:
        anything = Plan((0,) * len(problem.workload.tasks))
        verdict = judge(problem.platform, anything)
        if not math.isfinite(verdict.best_s):
            raise InfeasibleError("no allocation can run", where=problem.workload.name)
        axes = axes_of(parameters, judge, verdict.best, stop)
        return axes, judge, verdict.best, verdict.best_s, nothing
    effort = parameters.seconds / 8.0
    found = advise(problem, objective, seconds=effort, should_stop=stop)
    recommendation = best_known(problem, found, parameters.known)
    pool = list(candidates(problem, recommendation, None, parameters.known))
    tell(StudyProgress(0.0, "searching for relevant loads"))
    judge = pool_judge(problem, objective, distinct(pool), stop)
    axes = axes_of(parameters, judge, recommendation.plan, stop)
    for look in range(_LOOKS + 1):
        places = [axes.platform(problem, loads) for loads in axes.places()]
        pool += contestants_on(problem, places, objective, effort / 16, stop, distinct(pool))
        judge = pool_judge(problem, objective, distinct(pool), stop)
        if look == _LOOKS:  # enough: the places of these axes are searched
            break
        # with the plans that are best there other loads or ranges may matter
        looked, axes = axes, axes_of(parameters, judge, recommendation.plan, stop)
        if axes == looked:
            break
    verdict = judge(problem.platform, recommendation.plan)
    return axes, judge, verdict.best, verdict.best_s, nothing


def _judged_anywhere(
    parameters: DecisionMapParameters, axes: Axes, stop: ShouldStop
) -> tuple[Axes, Judge, Plan, float, _Pool]:
    """As `_judged`, where tasks, data or memory vary: plans are compared in changed problems."""
    problem, objective = parameters.problem, parameters.objective
    effort = parameters.seconds / 8.0
    found = advise(problem, objective, seconds=effort, should_stop=stop)
    first = best_known(problem, found, parameters.known).plan
    plans = distinct([first, *candidates(problem, found, None, parameters.known)])
    for loads in axes.places():
        if stop():
            break
        here = axes.problem(problem, loads)
        better = contestants_at(here, here.platform, objective, effort / 16, stop)
        plans = distinct([*plans, *better])
    pool = _Pool(objective, plans)
    verdict = pool(problem)
    pool = replace(pool, plans=distinct([verdict.best, *plans]))
    judge = pool_judge(problem, objective, pool.plans, stop)
    return axes, replace(judge, cost=2.0 * judge.cost), verdict.best, verdict.best_s, pool
