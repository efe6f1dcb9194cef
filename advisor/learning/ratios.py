"""How many times as long machines take for the same tasks: from medians, with their spread."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from advisor.learning.run_evidence import Evidence
from machines.arrays import Flags, Floats
from machines.stopping import ask

_LEAST = 3  # tasks, or entries of a kind, on both machines that make a ratio
_ODD = 0.10  # a kind's ratio that far from the machine's is another one
BY_TASKS, BY_KINDS, BY_STATED = "tasks", "kinds", "stated"
_ORDER = (BY_STATED, BY_KINDS, BY_TASKS)  # what is believed more, last
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


@dataclass(frozen=True, eq=False)
class Ratios:
    """What is known of a platform's machines against one of them."""

    reference: int
    known: tuple[Ratio, ...]  # one for every other machine that was reached
    factor: Floats  # shape (machines,); time over that of the reference; nan: not learnt
    unreached: tuple[int, ...]  # machines with entries, but none that can be compared


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
    pairs = {reference: _compared(times, reference, places)}
    while best := _best(pairs, factor, reference):
        factor[best.machine] = factor[best.against] * best.factor
        known.append(replace(best, to_reference=float(factor[best.machine])))
        left = [place for place in places if np.isnan(factor[place])]
        if not any(one.by == BY_TASKS and one.machine in left for one in pairs[reference]):
            for base in (one.machine for one in known if one.machine not in pairs):
                pairs[base] = _compared(times, base, left)
    unreached = tuple(place for place in places if np.isnan(factor[place]))
    return Ratios(reference, tuple(sorted(known, key=_machine)), factor, unreached)


def _compared(measured: _Measured, base: int, others: list[int]) -> list[Ratio]:
    """The machines that can be compared with one of them."""
    scaled = _Scaled(measured, base)
    found = (_ratio(scaled, other) for other in others if other != base)
    return [one for one in found if one is not None]


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
    """`median_s` of the entries that are long against their clock."""
    cells = evidence.median_s
    clear = np.zeros(cells.shape, np.bool_)
    rows = evidence.clear
    clear[evidence.task[rows], evidence.machine[rows]] = True
    return np.where(clear & (cells > 0.0), cells, np.nan)


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


def _ratio(scaled: _Scaled, other: int) -> Ratio | None:
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


def _by_kind(scaled: _Scaled, other: int) -> Ratio | None:
    """The median ratio of kinds that ran on both machines, each by its median task.

    Its range is that of single tasks against the median of their kind.
    """
    ours, theirs = scaled.kinds(scaled.base), scaled.kinds(other)
    both = [kind for kind in scaled.measured.evidence.kinds if kind in ours and kind in theirs]
    if not both:
        return None
    found, single = [], []
    for kind in both:
        here, there = ours[kind], theirs[kind]
        typical = np.median(here)
        found.append(math.log(np.median(there) / typical))
        single.append(np.log(there / typical))
    spread = _of(np.concatenate(single), scaled.base, other, BY_KINDS, ())
    return replace(spread, factor=math.exp(np.median(found)), count=len(found))


def _finite(values: Floats) -> Floats:
    kept: Flags = np.isfinite(values)
    return values[kept]
