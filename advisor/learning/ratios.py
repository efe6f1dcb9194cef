"""How many times as long machines take for the same tasks: from medians, with their spread.

Where no task ran on both, tasks of a kind stand for each other. What these differ by then looks
like a machine: the ratio is drawn towards what the platform states, the more the larger its doubt,
and with too much doubt none is taken (`Unclear`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from advisor.learning.run_evidence import CLEAR, Evidence
from machines.arrays import Flags, Floats
from machines.stopping import ask

_LEAST = 3  # tasks, or entries of a kind, on both machines that make a ratio
_ODD = 0.10  # a kind's ratio that far from the machine's is another one
BY_TASKS, BY_KINDS, BY_STATED = "tasks", "kinds", "stated"
_ORDER = (BY_STATED, BY_KINDS, BY_TASKS)  # what is believed more, last
STATED = 0.3  # standard deviation of ln of a stated ratio of speeds
_DOUBT = 0.2  # of ln of a ratio from unlike tasks, above which it is left as stated
_ALIKE = 0.15  # scatter about what is stated, up to which that may stand for the same tasks


@dataclass(frozen=True)
class Ratio:
    """A machine against the reference: its time over that of the reference.

    `machine`, `against`: positions; `against` is the machine that it was compared with.
    `factor`, `low`, `high`: median, and 5th and 95th percentile over what was compared.
    `count`: tasks on both, kinds on both, or the fewer of the tasks on either, that were compared.
    `odd`: kinds whose own factor is another one, and that factor.
    `to_reference`: the machine's time over that of the reference machine, along all comparisons.
    """

    machine: int
    against: int
    factor: float
    low: float
    high: float
    count: int
    by: str  # {"tasks", "kinds", "stated"}
    odd: tuple[tuple[str, float], ...] = ()
    to_reference: float = 1.0


@dataclass(frozen=True)
class Unclear:
    """Machines of which nobody can say whether one is slow or had the larger tasks.

    `apart`: how many times as long tasks of a kind take on one machine (90 % of them).
    `swap`: the shortest tasks that would tell it, each with the machine on which it has not run.
    """

    machine: int
    against: int
    apart: float
    swap: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Ratios:
    """What is known of a platform's machines against one of them."""

    reference: int
    known: tuple[Ratio, ...]  # one for every other machine that was reached
    factor: Floats  # shape (machines,); time over that of the reference; nan: not learnt
    unreached: tuple[int, ...]  # machines with entries, but none that can be compared
    unclear: tuple[Unclear, ...] = ()  # of them, those whose tasks differ too much


def ratios(evidence: Evidence) -> Ratios:
    """Machines against the reference, each by the comparison of most tasks that leads there.

    The ratio of two machines is the median over tasks measured on both of time over time; where
    these are fewer than three, over kinds on both, of times over what the workload states; where
    there is none, of all tasks on either over what the workload states, if it is right but for one
    factor a machine. The reference is the first machine of the platform's reference speed that was
    measured, else the one with most tasks; machines without three tasks in common with it are
    reached by the comparisons of most tasks along others (Prim 1957).
    """
    times = _Measured(evidence)
    measured = np.isfinite(times.cells).sum(axis=0)
    reference = _reference(evidence, measured)
    places = np.flatnonzero(measured).tolist()
    factor = np.full(measured.size, np.nan)
    factor[reference] = 1.0
    known: list[Ratio] = []
    unclear: dict[tuple[int, int], Unclear] = {}
    pairs = {reference: _compared(times, reference, places, unclear)}
    while best := _best(pairs, factor, reference):
        factor[best.machine] = factor[best.against] * best.factor
        known.append(replace(best, to_reference=float(factor[best.machine])))
        left = [place for place in places if np.isnan(factor[place])]
        if not any(one.by == BY_TASKS and one.machine in left for one in pairs[reference]):
            for base in (one.machine for one in known if one.machine not in pairs):
                pairs[base] = _compared(times, base, left, unclear)
    unreached = tuple(place for place in places if np.isnan(factor[place]))
    doubts = tuple(one for one in unclear.values() if one.machine in unreached)
    return Ratios(reference, tuple(sorted(known, key=_machine)), factor, unreached, doubts)


def _compared(
    measured: _Measured, base: int, others: list[int], unclear: dict[tuple[int, int], Unclear]
) -> list[Ratio]:
    """The machines that can be compared with one of them; those that can't go to `unclear`."""
    scaled, found = _Scaled(measured, base), []
    for other in others:
        one = _ratio(scaled, other) if other != base else None
        if isinstance(one, Unclear):
            unclear[base, other] = one
        elif one is not None:
            found.append(one)
    return found


def _best(pairs: dict[int, list[Ratio]], factor: Floats, reference: int) -> Ratio | None:
    """What leads to a machine that is not reached yet: by tasks on the reference, if there are."""
    reach = (one for some in pairs.values() for one in some if np.isnan(factor[one.machine]))
    return max(
        reach,
        key=lambda one: (
            _ORDER.index(one.by), one.by == BY_TASKS and one.against == reference, one.count,
            -one.machine,
        ),
        default=None,
    )  # fmt: skip


def _machine(ratio: Ratio) -> int:
    return ratio.machine


def _clear(evidence: Evidence) -> Floats:
    """`median_s` where it is long against the clocks of the entries that it is of."""
    cells, rows = evidence.median_s, evidence.typical
    told = np.zeros(cells.shape)  # what entries tell, as 1 / variance
    steps = np.array([actual.run.resolution_s for actual in evidence.actuals])
    with np.errstate(divide="ignore"):
        np.add.at(
            told, (evidence.task[rows], evidence.machine[rows]), steps[evidence.run[rows]] ** -2.0
        )
        least_s = CLEAR / np.sqrt(told)
    return np.where((cells > 0.0) & (cells >= least_s), cells, np.nan)


def _reference(evidence: Evidence, measured: Floats) -> int:
    platform = evidence.problem.platform
    for place, machine in enumerate(platform.machines):
        if machine.speed == 1.0 and measured[place]:
            return place
    return max(range(measured.size), key=lambda place: (measured[place], -place))


class _Measured:
    """Median times by task and machine, and whose they are."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.cells = evidence, _clear(evidence)

    @cached_property
    def tasks(self) -> tuple[dict[str, list[int]], ...]:
        """By machine and kind, the tasks that were measured, where they are enough."""
        groups, found = self.evidence.groups, []
        for own in self.cells.T:
            by_kind: dict[str, list[int]] = {}
            for task in np.flatnonzero(np.isfinite(own)).tolist():
                by_kind.setdefault(groups[task], []).append(task)
            found.append({kind: some for kind, some in by_kind.items() if len(some) >= _LEAST})
        return tuple(found)


class _Scaled:
    """Times over what the workload states for one machine."""

    def __init__(self, measured: _Measured, base: int) -> None:
        self.measured, self.cells, self.base = measured, measured.cells, base
        self._kinds: dict[int, dict[str, Floats]] = {}

    @cached_property
    def values(self) -> Floats:
        """Shape (tasks, machines); nan: not measured, or nothing is stated."""
        stated = self.measured.evidence.here.costs.task_dedicated_s[:, self.base]
        known = np.where(np.isfinite(stated) & (stated > 0.0), stated, np.nan)
        return np.asarray(self.cells / known[:, None])

    def stated(self, machine: int) -> float:
        """The logarithm of how many times as long a machine takes, as the platform has it."""
        machines = self.measured.evidence.problem.platform.machines
        return math.log(machines[self.base].speed / machines[machine].speed)

    def of(self, machine: int) -> Floats:
        """Those of a machine."""
        return _finite(self.values[:, machine])

    def kinds(self, machine: int) -> dict[str, Floats]:
        """The same by kind, of kinds that have enough of them."""
        if machine not in self._kinds:
            own = self.values[:, machine]
            found = {
                kind: _finite(own[some]) for kind, some in self.measured.tasks[machine].items()
            }
            self._kinds[machine] = {kind: one for kind, one in found.items() if one.size >= _LEAST}
        return self._kinds[machine]


def _ratio(scaled: _Scaled, other: int) -> Ratio | Unclear | None:
    ask()
    cells, base = scaled.cells, scaled.base
    both = np.isfinite(cells[:, base]) & np.isfinite(cells[:, other])
    if both.sum() >= _LEAST:
        logs = np.log(cells[both, other] / cells[both, base])
        kinds = [scaled.measured.evidence.groups[task] for task in np.flatnonzero(both).tolist()]
        return _of(logs, base, other, BY_TASKS, _odd(logs, kinds))
    if (by_kind := _by_kind(scaled, other)) is not None:
        return by_kind
    return _by_stated(np.log(scaled.of(base)), np.log(scaled.of(other)), base, other)


def _by_stated(here: Floats, there: Floats, base: int, other: int) -> Ratio | None:
    """The ratio of times over stated ones, if these scatter little on either machine."""
    if min(here.size, there.size) < _LEAST:
        return None
    middle = float(np.median(here))
    scatter = max(float(np.median(np.abs(one - np.median(one)))) for one in (here, there))
    if scatter > _ALIKE:
        return None
    found = _of(there - middle, base, other, BY_STATED, ())
    return replace(found, count=min(here.size, there.size))


def _of(logs: Floats, base: int, other: int, by: str, odd: tuple[tuple[str, float], ...]) -> Ratio:
    low, middle, high = np.exp(np.quantile(logs, (0.05, 0.5, 0.95))).tolist()
    return Ratio(other, base, middle, low, high, logs.size, by, odd)


def _odd(logs: Floats, kinds: list[str]) -> tuple[tuple[str, float], ...]:
    """Kinds whose median ratio is more than 10 % off the machine's."""
    middle = float(np.median(logs))
    places: dict[str, list[int]] = {}
    for place, kind in enumerate(kinds):
        places.setdefault(kind, []).append(place)
    found = []
    for kind, own_places in places.items():
        own = float(np.median(logs[own_places]))
        if abs(math.expm1(own - middle)) > _ODD:
            found.append((kind, math.exp(own)))
    return tuple(found)


def _by_kind(scaled: _Scaled, other: int) -> Ratio | Unclear | None:
    """The median ratio of kinds that ran on both machines, each by its median task.

    Its range is that of single tasks against the median of their kind. With s the deviation of ln
    of times within kind and machine, its doubt is s √(1/n + 1/m) of n tasks here and m there, the
    mean over kinds: what several kinds work on may differ alike. ln ratio is that of the stated
    speeds and of the measured, weighed by 1/0.3² and 1/doubt².
    """
    ours, theirs = scaled.kinds(scaled.base), scaled.kinds(other)
    both = [kind for kind in scaled.measured.evidence.kinds if kind in ours and kind in theirs]
    if not both:
        return None
    found, single, within, counts = [], [], [], []
    for kind in both:
        here, there = ours[kind], theirs[kind]
        typical = np.median(here)
        found.append(math.log(np.median(there) / typical))
        single.append(np.log(there / typical))
        within += [np.log(one / np.median(one)) for one in (here, there)]
        counts.append(1.0 / here.size + 1.0 / there.size)
    deviations = np.concatenate(within)
    deviation = float(np.sqrt((deviations**2).sum() / (deviations.size - len(within))))
    doubt = deviation * math.sqrt(float(np.mean(counts)))
    if doubt > _DOUBT:
        return _unclear(scaled, other, both, deviations)
    stated = scaled.stated(other)
    weight = STATED**2 / (STATED**2 + doubt**2)
    middle = stated + weight * (float(np.median(found)) - stated)
    spread = _of(np.concatenate(single), scaled.base, other, BY_KINDS, ())
    return replace(spread, factor=math.exp(middle), count=len(found))


def _unclear(scaled: _Scaled, other: int, kinds: list[str], deviations: Floats) -> Unclear:
    """With the shortest tasks that would tell, if each ran on the other machine, too."""
    base, cells = scaled.base, scaled.cells
    measured = [
        (float(cells[task, machine]), task, swapped)
        for machine, swapped in ((base, other), (other, base))
        for kind in kinds
        for task in scaled.measured.tasks[machine][kind]
    ]
    swap = tuple((task, machine) for _, task, machine in sorted(measured)[:_LEAST])
    low, high = np.quantile(deviations, (0.05, 0.95)).tolist()
    return Unclear(other, base, math.exp(high - low), swap)


def _finite(values: Floats) -> Floats:
    kept: Flags = np.isfinite(values)
    return values[kept]
