"""The contention-free schedule as a constraint program of CP-SAT, part of OR-Tools: an extra.

Every task is an optional interval on each machine that can run it; cores, memory and resources
limit what runs at a time; transfers are delays between machines. Seconds become whole ticks,
rounded down: starts rounded down then make a schedule in ticks of every schedule in seconds, as
floor(a) + floor(b) <= floor(a + b), so that the bound in ticks never exceeds the optimum.

Sources: P. Laborie and J. Rogerie, Reasoning with Conditional Time-Intervals, FLAIRS 2008;
L. Perron, F. Didier and S. Gay, The CP-SAT-LP Solver, CP 2023.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from advisor.allocation.bounds import Reach, reach_of
from advisor.allocation.timeline import Instance
from machines.arrays import Floats, Indices, Ints

_MOST_PLACES, _MOST_DELAYS = 2_000, 60_000  # tasks · machines, edges · machines²: a model in 1 s
_FINEST = 2.0**36  # ticks in the makespan: what rounding takes off a bound is less than ties differ
_UNITS = 2.0**20  # of memory and resources in a room
_PER_S = (1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 16.0, 100.0, 1e3, 1e4, 1e6)  # ticks that may be exact
_UP = 1.0 + 1e-12  # floating-point sums err by less: all seconds are taken so much longer


@cache
def installed() -> bool:
    """Whether OR-Tools is here (``pip install placewise[proof]``)."""
    return find_spec("ortools") is not None


def small_enough(instance: Instance) -> bool:
    """Whether the program is built within a second or so."""
    tasks, machines = instance.task_s.shape
    few = tasks * machines <= _MOST_PLACES
    return bool(few and instance.source.size * machines**2 <= _MOST_DELAYS)


class Known(NamedTuple):
    """A schedule that can run: machines and starts of tasks, shape (tasks,), and its makespan."""

    allocation: Indices
    start_s: Floats
    makespan_s: float


@dataclass
class ScheduleProgram:
    """The program of an instance, in which only makespans up to that of a known schedule count.

    Attributes
    ----------
    instance : Instance
    known : Known
        The schedule from which the solver begins.
    beside_s : array
        Other seconds that are to be whole numbers of ticks.
    """

    instance: Instance
    known: Known
    beside_s: Floats = field(default_factory=lambda: np.zeros(0))
    model: Any = field(init=False)
    makespan: Any = field(init=False)
    starts: list[Any] = field(init=False)
    places: dict[tuple[int, int], Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        from ortools.sat.python import cp_model  # noqa: PLC0415 - an extra, slow to import

        allocation, start, upper_s = self.known
        self.per_s = _ticks_per_s(self.instance, self.beside_s, upper_s)
        reach = reach_of(self.instance)
        within = reach.head + reach.tail <= upper_s * _UP
        self._reach = Reach(reach.head, reach.tail, reach.usable & within)
        self.model = cp_model.CpModel()
        most = int(self.ticks(upper_s))
        self.makespan = self.model.new_int_var(0, most, "makespan")
        self.starts = [self.model.new_int_var(0, most, f"start {t}") for t in range(start.size)]
        self._tasks()
        self._flows()
        self._rooms()
        self.model.minimize(self.makespan)
        self._hint(self.ticks(start).tolist(), allocation.tolist())

    def at_least(self, least: int) -> None:
        """Count only makespans of `least` ticks and more: none is below."""
        self.model.add(self.makespan >= least)

    def begin_from(self, starts: list[int], allocation: list[int], makespan: int) -> None:
        """Begin from a schedule in ticks, and count only what takes no longer."""
        self.model.add(self.makespan <= makespan)
        self._hint(starts, allocation)

    def ticks(self, seconds: Floats | float) -> Ints:
        """Whole ticks, rounded down."""
        return np.floor(np.asarray(seconds) * (self.per_s * _UP)).astype(np.int64)

    def bound_s(self, ticks: float) -> float:
        """Seconds that no schedule undercuts, from ticks that none does."""
        return ticks / (self.per_s * _UP) * (1.0 - 1e-15)

    def schedule_in(self, solver: Any) -> tuple[list[int], list[int]]:
        """The start in ticks and the machine of every task, as a solver found them."""
        chosen = sorted(key for key, place in self.places.items() if solver.boolean_value(place))
        return [solver.value(start) for start in self.starts], [on for _, on in chosen]

    @property
    def earliest_ends(self) -> list[int]:
        """Ticks of the earliest end of every task."""
        ends = np.where(self._reach.usable, self._reach.head, np.inf).min(axis=1)
        return [int(one) for one in self.ticks(ends)]

    @property
    def least_rests(self) -> list[int]:
        """Ticks from the start of every task to the last end, at least."""
        rests = np.where(self._reach.usable, self.instance.task_s + self._reach.tail, np.inf)
        return [int(one) for one in self.ticks(rests.min(axis=1))]

    def first_end(self, tasks: list[int]) -> Any:
        """When the first of some tasks ends."""
        return self._extreme(tasks, self.model.add_min_equality, self.ends)

    def last_start(self, tasks: list[int]) -> Any:
        """When the last of some tasks starts."""
        return self._extreme(tasks, self.model.add_max_equality, self.starts)

    def _extreme(self, tasks: list[int], equal: Any, of: list[Any]) -> Any:
        if len(tasks) == 1:
            return of[tasks[0]]
        found = self.model.new_int_var(0, int(self.ticks(self.known.makespan_s)), "")
        equal(found, [of[task] for task in tasks])
        return found

    def order_of(self, starts: list[int]) -> Indices:
        """The order of placement of a schedule in ticks."""
        place = np.empty(len(starts), np.int64)
        place[self.instance.topological_order] = np.arange(len(starts))
        return np.lexsort((place, np.array(starts))).astype(np.int32)

    def _tasks(self) -> None:
        """Each task on one machine, from the earliest start there to what must follow it."""
        model, usable = self.model, self._reach.usable
        begin, rest = (np.where(usable, one, 0.0) for one in self._reach[:2])
        seconds = np.where(usable, self.instance.task_s, 0.0)
        lasts, follow = self.ticks(seconds), self.ticks(rest)
        begin = self.ticks(np.maximum(begin - seconds, 0.0))
        self.intervals, self.ends = {}, []
        for task, start in enumerate(self.starts):
            here = self.where(task)
            for on in here:
                place = self.places[task, on] = model.new_bool_var(f"{task} on {on}")
                self.intervals[task, on] = model.new_optional_fixed_size_interval_var(
                    start, int(lasts[task, on]), place, ""
                )
            model.add_exactly_one(self.places[task, on] for on in here)
            self.ends.append(start + self._there(task, lasts))
            model.add(start >= self._there(task, begin))
            model.add(self.ends[-1] + self._there(task, follow) <= self.makespan)

    def _there(self, task: int, ticks: Ints) -> Any:
        """The value (tasks, machines) of a task where it is placed."""
        return sum(int(ticks[task, on]) * self.places[task, on] for on in self.where(task))

    def _flows(self) -> None:
        """A task starts when its inputs are where it runs."""
        for edge in range(self.instance.source.size):
            source, target = int(self.instance.source[edge]), int(self.instance.target[edge])
            self.model.add(self.starts[target] >= self.ends[source])
            seconds = _edge_s(self.instance, edge)
            for one in self.where(source):
                self._leaving(source, one, target, seconds[one])

    def _leaving(self, source: int, one: int, target: int, seconds: Floats) -> None:
        """The delays of an edge from machine `one`: the least to any other, and those above it."""
        model, here = self.model, self.places[source, one]
        apart = [other for other in self.where(target) if other != one]
        joined = [other for other in apart if np.isfinite(seconds[other])]
        for other in set(apart) - set(joined):
            model.add_bool_or([~here, ~self.places[target, other]])
        if not joined:
            return
        delay = dict(zip(joined, self.ticks(seconds[joined]).tolist(), strict=True))
        least, start = min(delay.values()), self.starts[target]
        if least:
            away = [~self.places[target, one]] if (target, one) in self.places else []
            model.add(start >= self.ends[source] + least).only_enforce_if([here, *away])
        for other, ticks in delay.items():
            if ticks > least:
                both = [here, self.places[target, other]]
                model.add(start >= self.ends[source] + ticks).only_enforce_if(both)

    def where(self, task: int) -> list[int]:
        """The machines on which a task may be."""
        return np.flatnonzero(self._reach.usable[task]).tolist()

    def _rooms(self) -> None:
        """Cores, memory and resources; memory that is reserved holds all that is placed there."""
        instance = self.instance
        lasts = self.ticks(np.where(self._reach.usable, instance.task_s, 0.0))
        for on, cores in enumerate(instance.machine_cores.tolist()):
            self._held([on], instance.task_cores.astype(float), float(cores))
            work = sum(
                int(lasts[task, on] * instance.task_cores[task]) * place
                for (task, at), place in self.places.items()
                if at == on
            )
            self.model.add(work <= cores * self.makespan)
            if instance.limited:
                amounts, most = _units(instance.task_memory, float(instance.machine_memory[on]))
                there = [key for key in self.places if key[1] == on]
                kept = sum(amounts[task] * self.places[task, on] for task, _ in there)
                if most is not None:
                    self.model.add(kept <= most)
        for kind, place in enumerate(instance.place):
            for room in np.unique(place).tolist():
                on_machines = np.flatnonzero(place == room).tolist()
                self._held(on_machines, instance.amount[:, kind], float(instance.room[room]))

    def _held(self, machines: list[int], amount: Floats, room: float) -> None:
        """What runs on the machines at a time holds no more than there is."""
        amounts, most = _units(amount, room)
        keys = [key for key in self.intervals if key[1] in machines and amounts[key[0]] > 0]
        if most is None or not keys:
            return
        intervals, held = [self.intervals[key] for key in keys], [amounts[key[0]] for key in keys]
        if most < 2 * min(held):
            self.model.add_no_overlap(intervals)
        else:
            self.model.add_cumulative(intervals, held, most)

    def _hint(self, starts: list[int], allocation: list[int]) -> None:
        self.model.clear_hints()
        for start, ticks in zip(self.starts, starts, strict=True):
            self.model.add_hint(start, ticks)
        for (task, on), place in self.places.items():
            self.model.add_hint(place, int(allocation[task] == on))


def _ticks_per_s(instance: Instance, beside_s: Floats, upper_s: float) -> float:
    """The fewest in which all seconds are whole; else the finest."""
    found = [instance.task_s.ravel(), instance.outside_s.ravel(), beside_s]
    found += [_edge_s(instance, edge).ravel() for edge in range(instance.source.size)]
    seconds = np.concatenate(found)
    seconds = seconds[np.isfinite(seconds) & (seconds <= upper_s)]
    for per_s in _PER_S:
        ticks = seconds * per_s
        if upper_s * per_s < _FINEST and (np.abs(ticks - np.rint(ticks)) <= 1e-14 * ticks).all():
            return per_s
    return _FINEST / upper_s if upper_s > 0.0 else 1.0


def _edge_s(instance: Instance, edge: int) -> Floats:
    """Seconds of an edge between all machines; 0 on one, inf without a route."""
    if instance.table[edge] >= 0:
        return np.asarray(instance.tables[instance.table[edge]])
    seconds = np.zeros(instance.startup_s.shape[1:])
    for size in np.flatnonzero(instance.messages[edge] > 0).tolist():
        seconds += instance.messages[edge, size] * instance.startup_s[size]
        seconds += instance.size_bytes[edge, size] * instance.per_byte_s[size]
    return seconds


def _units(amount: Floats, room: float) -> tuple[list[int], int | None]:
    """Amounts and the room in whole units, rounded down; None: not limited.

    Whatever fits in truth fits in units: a sum of floors is no more than the floor of the sum.
    """
    if not np.isfinite(room):
        return [0] * amount.size, None
    unit = room / _UNITS
    if room == round(room) and (amount == np.rint(amount)).all():
        unit = max(unit, math.gcd(int(room), *map(int, amount.tolist())))
    unit = unit or 1.0
    return [int(one * _UP // unit) for one in amount.tolist()], int(room * _UP // unit)
