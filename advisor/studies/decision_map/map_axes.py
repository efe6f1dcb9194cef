"""The axes of a decision map: loads that were asked for, or those that change which plan is best.

Where nothing was asked for, loads are varied one by one over their ranges, then in pairs, and those
are shown on which the best plan depends most evenly; a range ends not far beyond the last change.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from advisor.advice.assumptions import (
    DATA,
    MEMORY,
    TIME,
    UNITS,
    Assumption,
    find_assumption,
    map_assumptions,
)
from advisor.advice.judged_plan import Judge
from advisor.allocation.loads import (
    BANDWIDTH,
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    SPEED,
    LoadParameter,
    find_parameter,
    parameters_of,
)
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.basics.stop_rule import ShouldStop
from advisor.studies.parameters import parameter
from machines import InputError, Platform

Loads = tuple[float, float]
Varied = LoadParameter | Assumption  # what an axis shows
# allocation and variants of what is best somewhere; None: nothing can run
Best = tuple[tuple[int, ...], tuple[int, ...] | None] | None

_STEPS = (0.0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0)  # shares of a range that are looked at …
_BESIDE = (0.2, 0.5, 0.8)  # … and of the first axis, while the second is looked for
_NEAR, _BEYOND = 0.2, 2.5  # a last change below that share: the range ends so many times further
_EVEN = 0.5  # entropy of a fifth against the rest: a load that divides well
_FEWEST, _MOST = 60, 1500  # verdicts that looking for axes may take
_LOOKED = 0.25  # of the effort, for looking
_ACROSS = ((CONTENDERS,), (LINK_SLOWDOWN, BANDWIDTH), (MACHINE_SLOWDOWN, SPEED))
_UP = ((LINK_SLOWDOWN,), (CONTENDERS,), (BANDWIDTH,), (MACHINE_SLOWDOWN, SPEED))
_ROUND = (1.0, 1.5, 2.0, 3.0, 5.0, 7.5, 10.0)


@dataclass(frozen=True)
class Axis:
    """A load and the range that is shown of it."""

    load: Varied
    low: float
    high: float

    def value(self, share: float) -> float:
        """The load at a share of the axis."""
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True)
class Axes:
    """Both axes of a map.

    `unmoved`: so many loads were varied over their ranges, and none of them changed what is best;
        0: one did, or none was looked at because both axes were asked for.
    """

    x: Axis
    y: Axis
    unmoved: int = 0

    @property
    def of_platform(self) -> bool:
        """Whether both are loads of the platform: the workload stays, and what fits where."""
        return all(isinstance(one.load, LoadParameter) for one in (self.x, self.y))

    def platform(self, problem: Problem, loads: Loads) -> Platform:
        """The problem's platform under these loads."""
        platform, _ = changed(self.x.load, problem.platform, problem.workload, loads[0], problem)
        platform, _ = changed(self.y.load, platform, problem.workload, loads[1], problem)
        return platform

    def problem(self, problem: Problem, loads: Loads) -> Problem:
        """The problem under these loads."""
        platform, workload = problem.platform, problem.workload
        for one, value in zip((self.x, self.y), loads, strict=True):
            platform, workload = changed(one.load, platform, workload, value, problem)
        here = problem if workload is problem.workload else problem.about(workload)
        return here.on(platform)

    def places(self) -> list[Loads]:
        """The corners of the map, its middle and the middle of its edges."""
        along = [(one.low, one.high, 0.5 * (one.low + one.high)) for one in (self.x, self.y)]
        return [(x, y) for x in along[0] for y in along[1]]


def changed(
    load: Varied, platform: Platform, workload: Workload, value: float, problem: Problem
) -> tuple[Platform, Workload]:
    """Platform and workload with one of the loads set."""
    if isinstance(load, LoadParameter):
        return load.applied(platform, value, problem.reading), workload
    return load.changed(platform, workload, value, problem.reading)


def axes_of(asked: DecisionMapParameters, judge: Judge, best: Plan, stop: ShouldStop) -> Axes:
    """The axes that were asked for; those that were not are looked for.

    `judge`: says what is best on a platform. `best`: the best plan at the present load. `stop`:
    ends the looking; the loads that matter most often are taken then.
    """
    x = _axis(asked.problem, asked.x, asked.x_low, asked.x_high)
    y = _axis(asked.problem, asked.y, asked.y_low, asked.y_high)
    looking = _Looking(asked.problem, judge, best, stop, asked.seconds)
    if x is None:
        x = looking.first() if y is None else looking.second(y)
    if y is None:
        y = looking.second(x)
    _check_apart(x.load, y.load)
    unmoved = 0 if looking.moved else len(looking.looked)
    return Axes(
        _within(x, asked.x_low, asked.x_high), _within(y, asked.y_low, asked.y_high), unmoved
    )


def asked_axes(asked: DecisionMapParameters) -> Axes | None:
    """Both axes, where tasks, data or memory vary on one of them; None: loads, or to be looked for.

    Raises
    ------
    InputError
        There is no such load, or only one axis is given.
    """
    keys = (asked.x, asked.y)
    if not any(key.partition(":")[0] in {TIME, DATA, MEMORY, UNITS} for key in keys):
        return None
    if not all(keys):
        raise InputError(
            "beside tasks, data, memory or units the other axis has to be given, too",
            where="decision map",
            value=asked.x or asked.y,
            remedy="Name both axes, e.g. x=data:all and y=contenders:M1",
        )
    x = _axis(asked.problem, asked.x, asked.x_low, asked.x_high)
    y = _axis(asked.problem, asked.y, asked.y_low, asked.y_high)
    assert x is not None
    assert y is not None
    _check_apart(x.load, y.load)
    return Axes(x, y)


def _axis(problem: Problem, key: str, low: float | None, high: float | None) -> Axis | None:
    """The axis of a load that was asked for; None: it is to be looked for."""
    if not key:
        return None
    platform = problem.platform
    found = find_assumption(platform, problem.workload, key)
    if found is None and key.partition(":")[0] in {TIME, DATA, MEMORY, UNITS}:
        known = (one.key for one in map_assumptions(platform, problem.workload))
        raise InputError(
            "there is no such assumption",
            where="decision map",
            value=key,
            remedy=f"Known: {', '.join([f'{TIME}:TASK', *known])}",
        )
    load = found or find_parameter(platform, key)
    return _within(Axis(load, load.low, load.high), low, high)


def _within(axis: Axis, low: float | None, high: float | None) -> Axis:
    """The axis with the ends that were asked for."""
    start = axis.low if low is None else low
    end = axis.high if high is None else high
    if not start < end:
        raise InputError(
            "the range is empty",
            where=axis.load.key,
            value=(start, end),
            remedy="The lower end must be below the upper one",
        )
    return Axis(axis.load, start, end)


def _check_apart(one: Varied, other: Varied) -> None:
    if _conflicting(one, other):
        raise InputError(
            "the two axes set the same load",
            where="decision map",
            value=f"{one.key}, {other.key}",
            remedy="Choose two different machines or links",
        )


def _conflicting(one: Varied, other: Varied) -> bool:
    """Whether setting one undoes the other."""
    same = one.kind == other.kind or {one.kind, other.kind} == {CONTENDERS, MACHINE_SLOWDOWN}
    return one.subject == other.subject and same


class _Looking:
    """Looks for loads on which the best plan depends.

    `looked`: the keys of the loads that were varied. `moved`: whether any of them changed what is
    best.
    """

    def __init__(
        self, problem: Problem, judge: Judge, best: Plan, stop: ShouldStop, seconds: float
    ) -> None:
        self._problem, self._judge, self._best, self._stop = problem, judge, best, stop
        self._loads = parameters_of(problem.platform)
        self._left = int(min(max(_LOOKED * seconds / judge.cost, _FEWEST), _MOST))
        self.looked: set[str] = set()
        self.moved = False

    def first(self) -> Axis:
        """The load across: of contenders, if any changes what is best."""

        def seen(load: LoadParameter) -> list[list[Best]]:
            return [self._along(self._problem.platform, load)]

        return self._chosen(self._loads, _ACROSS, seen, self._left // 2)

    def second(self, other: Axis) -> Axis:
        """The load beside another one; it should change what is best at some value of that."""
        fitting = [one for one in self._loads if not _conflicting(other.load, one)]

        def seen(load: LoadParameter) -> list[list[Best]]:
            found = []
            for beside in _BESIDE:
                platform, workload = self._problem.platform, self._problem.workload
                at, _ = changed(other.load, platform, workload, other.value(beside), self._problem)
                found.append(self._along(at, load))
            return found

        return self._chosen(fitting, _UP, seen, self._left)

    def _chosen(
        self,
        loads: Sequence[LoadParameter],
        groups: Iterable[tuple[str, ...]],
        seen: Callable[[LoadParameter], list[list[Best]]],
        verdicts: int,
    ) -> Axis:
        """The load that divides most evenly, of the first group with one that does so well."""
        until = self._left - verdicts
        grouped = [[one for one in loads if one.kind in group] for group in groups]
        load = next(one for group in grouped for one in group)
        chosen, most, last = load, 0.0, 0.0
        for group in grouped:
            for load in group:
                if self._left <= until or self._stop():
                    break
                lines = seen(load)
                self.looked.add(load.key)
                if (even := _evenness(lines)) > most:
                    chosen, most, last = load, even, _last_change(lines)
            if most >= _EVEN:
                break
        if not last:
            return Axis(chosen, chosen.low, chosen.high)
        self.moved = True
        return Axis(chosen, chosen.low, self._end(chosen, last))

    def _along(self, platform: Platform, load: LoadParameter) -> list[Best]:
        """What is best along a load's range: a plan stays until another one is better."""
        found: list[Best] = []
        plan = self._best
        for share in _STEPS:
            self._left -= 1
            value = load.low + share * (load.high - load.low)
            verdict = self._judge(load.applied(platform, value, self._problem.reading), plan)
            plan = verdict.best
            runs = math.isfinite(verdict.best_s)
            found.append((plan.allocation, plan.variants) if runs else None)
        return found

    def _end(self, load: LoadParameter, last: float) -> float:
        """Where the axis ends: not far beyond the last change, and beyond the present load."""
        whole = load.high - load.low
        if last > _NEAR:
            return load.high
        present = load.value(self._problem.platform, self._problem.reading) - load.low
        return load.low + min(whole, _rounded(max(_BEYOND * last * whole, 1.25 * present)))


def _evenness(lines: list[list[Best]]) -> float:
    """How evenly plans share what was seen, as the entropy of their shares; 0: one plan."""
    counts = Counter(one for line in lines for one in line)
    total = sum(counts.values())
    return -sum(many / total * math.log(many / total) for many in counts.values())


def _last_change(lines: list[list[Best]]) -> float:
    """The share of the range by which the best plan has changed for the last time; 0: never."""
    places = [
        place for line in lines for place in range(1, len(line)) if line[place] != line[place - 1]
    ]
    return _STEPS[max(places)] if places else 0.0


def _rounded(value: float) -> float:
    """The next round number."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(one for one in _ROUND if one * power >= value * (1.0 - 1e-9)) * power


# The parameters of the decision map.


@dataclass(frozen=True)
class DecisionMapParameters:
    """What the decision map asks for."""

    problem: Problem
    objective: str = parameter(MAKESPAN, choices=OBJECTIVES, help="What is to be smallest.")
    x: str = parameter(
        "", help="Horizontal load, e.g. contenders:M1 or data:all; empty: a relevant one."
    )
    y: str = parameter("", help="Vertical load, e.g. link slowdown:M1-M2; empty: a relevant one.")
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
        help="Approximate time; large workloads get a coarser grid.",
    )
    known: tuple[Plan, ...] = ()  # contestants from elsewhere: the present plan, pins, the answer
