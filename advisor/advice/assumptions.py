"""What a prediction rests on, as numbers that can be varied one by one.

Times of tasks, sizes of data, speeds, bandwidths, startups, contenders, overheads and memory. Each
is varied by the same factor down and up, so that their effects can be compared; contenders from
none on, and units of a resource by one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from advisor.allocation.costs import EXACT
from advisor.allocation.loads import (
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    LoadParameter,
    all_parameters,
)
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.task import Task, Variant
from advisor.allocation.workload import Workload, replaced_at
from advisor.basics.quantities import duration, number, size
from machines import Platform
from machines.resources import MOST_UNITS, OUTPUTS, Resource

_Timed = TypeVar("_Timed", Task, Variant)

TIME, DATA, MEMORY, UNITS = "task time", "data", "memory", "units"
_MOST_CONTENDERS = 2.0  # at least so many are tried on every machine
_MAP_FACTOR = 2.0
_TASK = "task"  # what new tasks are called
_TASKS = 12  # with a bar of their own: those of the critical path first, then the longest


@dataclass(frozen=True)
class Assumption:
    """One figure that the prediction rests on.

    `present`, `low`, `high`: its value now, and the ends between which it is varied; multiples of
        what is stated where it stands for several figures.
    `load`: the same as a load of the platform; None: it is one of tasks, data, memory or units.
    `places`: of the tasks that it is the time of.
    `resource`: the kind whose units it counts, of a machine or, without a subject, of the platform.
    """

    kind: str
    subject: str
    title: str
    unit: str
    present: float
    low: float
    high: float
    load: LoadParameter | None = None
    places: tuple[int, ...] = ()
    resource: str = ""

    @property
    def key(self) -> str:
        """What tells it from the others: "speed:M1", "units:server:gpu"."""
        return ":".join(filter(None, (self.kind, self.subject, self.resource)))

    @property
    def is_whole(self) -> bool:
        """Whether its values are whole numbers."""
        return self.kind == UNITS

    @property
    def forbids(self) -> bool:
        """Whether some of its values keep plans from running."""
        return self.kind in {MEMORY, UNITS}

    @property
    def is_multiple(self) -> bool:
        """Whether its values are multiples of what is stated."""
        return self.kind in {TIME, DATA}

    def words(self, value: float) -> str:
        """A value of it: "2.5 MB/s", "1.4 × as stated"."""
        if self.is_multiple:
            return "as stated" if value == 1.0 else f"{value:.3g} × as stated"
        if self.kind == MEMORY:
            return size(value)
        if self.is_whole:
            return f"{round(value):,}"
        if self.unit == "s":
            return duration(value)
        return number(value, self.unit) if self.unit else f"{value:.3g}"

    def sentence(self, value: float) -> str:
        """The assumption at a value: "time of A 1.4 × as stated"."""
        return f"{self.title} {self.words(value)}" if self.load is None else (
            self.load.sentence(value)
        )  # fmt: skip

    def ranging(self, low: float, high: float) -> str:
        """A range in words: "time of A from 0.5 to 2 × as stated"."""
        first = f"{low:.3g}" if self.is_multiple else self.words(low)
        return f"{self.title} from {first} to {self.words(high)}"

    def value(self, platform: Platform, reading: str = EXACT) -> float:
        """What it is there; multiples are always of what is stated."""
        if self.load is not None:
            return self.load.value(platform, reading)
        if self.is_multiple:
            return 1.0
        if self.kind == UNITS:
            holder = platform.machine(self.subject) if self.subject else platform
            return float(next(one.count for one in holder.resources if one.kind == self.resource))
        return float(platform.machine(self.subject).memory_bytes or 0)

    def changed(
        self, platform: Platform, workload: Workload, value: float, reading: str = EXACT
    ) -> tuple[Platform, Workload]:
        """Platform and workload with the figure set."""
        if self.load is not None:
            return self.load.applied(platform, value, reading), workload
        if self.kind == TIME:
            return platform, _slower(workload, self.places, value)
        if self.kind == DATA:
            return platform, _larger(workload, value)
        place = platform.index[self.subject] if self.subject else None
        if self.kind == UNITS:
            return with_units(platform, place, self.resource, round(value)), workload
        assert place is not None  # memory is of a machine
        machine = replace(platform.machines[place], memory_bytes=round(value))
        machines = replaced_at(platform.machines, place, machine)
        return replace(platform, machines=machines), workload

    def applied(self, problem: Problem, value: float) -> Problem:
        """The problem with the figure set."""
        platform, workload = self.changed(
            problem.platform, problem.workload, value, problem.reading
        )
        if workload is not problem.workload:
            problem = problem.about(workload)
        return problem if platform is problem.platform else problem.on(platform)


def with_units(platform: Platform, machine: int | None, kind: str, count: int) -> Platform:
    """The platform with as many units of a resource, on a machine or, with None, of its own."""

    def counted(resources: tuple[Resource, ...]) -> tuple[Resource, ...]:
        return tuple(replace(one, count=count) if one.kind == kind else one for one in resources)

    if machine is None:
        return replace(platform, resources=counted(platform.resources))
    here = platform.machines[machine]
    changed = replace(here, resources=counted(here.resources))
    return replace(platform, machines=replaced_at(platform.machines, machine, changed))


def assumptions_of(
    problem: Problem, prediction: Prediction, factor: float
) -> tuple[Assumption, ...]:
    """All assumptions of a prediction, each from 1/factor of its value to factor times it."""
    workload, platform = problem.workload, problem.platform
    tasks = _stated(workload)
    tasks.sort(key=lambda place: (not prediction.critical[place], -float(prediction.task_s[place])))
    return (
        *_kinds(workload, factor),
        *(_time(workload, place, factor) for place in tasks[:_TASKS]),
        *_data(workload, factor),
        *_loads(platform, problem.reading, factor),
        *_memory(platform, workload, factor),
        *_units(platform, workload),
    )


def map_assumptions(platform: Platform, workload: Workload) -> tuple[Assumption, ...]:
    """What a decision map can vary, beside loads of the platform, from a half to the double."""
    return (
        *_kinds(workload, _MAP_FACTOR),
        *_data(workload, _MAP_FACTOR),
        *_memory(platform, workload, _MAP_FACTOR),
        *_units(platform, workload),
    )


def find_assumption(platform: Platform, workload: Workload, key: str) -> Assumption | None:
    """The assumption of tasks, data or memory of that key; None: there is none."""
    for one in map_assumptions(platform, workload):
        if one.key == key:
            return one
    for place in _stated(workload):
        if key == f"{TIME}:{workload.tasks[place].name}":
            return _time(workload, place, _MAP_FACTOR)
    return None


def _multiple(
    kind: str, subject: str, title: str, factor: float, places: tuple[int, ...] = ()
) -> Assumption:
    return Assumption(kind, subject, title, "", 1.0, 1.0 / factor, factor, places=places)


def _stated(workload: Workload) -> list[int]:
    """The tasks whose times are stated."""
    return [
        place
        for place, task in enumerate(workload.tasks)
        if task.work is not None or task.seconds or task.variants
    ]


def _time(workload: Workload, place: int, factor: float) -> Assumption:
    name = workload.tasks[place].name
    return _multiple(TIME, name, f"time of {name}", factor, (place,))


def _kinds(workload: Workload, factor: float) -> Iterator[Assumption]:
    """The time of every kind of task with several of it."""
    kinds: dict[str, list[int]] = {}
    for place in _stated(workload):
        kinds.setdefault(workload.tasks[place].group, []).append(place)
    for kind, places in kinds.items():
        if len(places) > 1:
            title = f"time of all {kind} tasks" if kind != _TASK else "time of all tasks"
            if kind == _TASK and len(places) < len(workload.tasks):
                title += f" named {kind}"
            yield _multiple(TIME, f"all {kind}", title, factor, tuple(places))


def _slower(workload: Workload, places: Sequence[int], value: float) -> Workload:
    """The workload with the times of some tasks multiplied."""
    tasks = list(workload.tasks)
    for place in places:
        one = _longer(tasks[place], value)
        variants = tuple(_longer(variant, value) for variant in one.variants)
        tasks[place] = replace(one, variants=variants)
    return workload.repriced(tuple(tasks), workload.flows)


def _longer(one: _Timed, value: float) -> _Timed:
    seconds = tuple((name, seconds * value) for name, seconds in one.seconds)
    return replace(one, work=None if one.work is None else one.work * value, seconds=seconds)


def _data(workload: Workload, factor: float) -> Iterator[Assumption]:
    if workload.files or any(flow.data_sets for flow in workload.flows):
        yield _multiple(DATA, "all", "sizes of all data", factor)


def _larger(workload: Workload, value: float) -> Workload:
    flows = tuple(
        replace(flow, data_sets=tuple((many, value * each) for many, each in flow.data_sets))
        for flow in workload.flows
    )
    if not workload.files:
        return workload.repriced(workload.tasks, flows)
    files = tuple(replace(one, size_bytes=one.size_bytes * value) for one in workload.files)
    return replace(workload, flows=flows, files=files)


def _loads(platform: Platform, reading: str, factor: float) -> Iterator[Assumption]:
    """Contenders, speeds, bandwidths, startups and the overhead of tasks."""
    for load in all_parameters(platform):
        present = load.value(platform, reading)
        low, high = present / factor, present * factor
        if load.kind == CONTENDERS:
            low, high = 0.0, min(max(_MOST_CONTENDERS, math.ceil(high)), load.high)
        elif load.kind in {MACHINE_SLOWDOWN, LINK_SLOWDOWN}:
            continue  # slowdowns say again what these say
        shown = replace(load, low=low, high=high)
        yield Assumption(load.kind, load.subject, load.title, load.unit, present, low, high, shown)


def _memory(platform: Platform, workload: Workload, factor: float) -> Iterator[Assumption]:
    """Of machines that limit it, where tasks need some or outputs stay in it."""
    stays = any(machine.holds == OUTPUTS for machine in platform.machines)
    if not stays and not any(task.memory_bytes for task in workload.tasks):
        return
    for machine in platform.machines:
        now = machine.memory_bytes
        if now:
            yield Assumption(
                MEMORY, machine.name, f"memory of {machine.name}", "B", now, now / factor,
                now * factor,
            )  # fmt: skip


def _units(platform: Platform, workload: Workload) -> Iterator[Assumption]:
    """Of resources that tasks hold, one unit less and one more."""
    tasks = workload.tasks
    held = [
        *(one.resources for one in tasks),
        *(v.resources for one in tasks for v in one.variants),
    ]
    used = {kind for resources in held for kind, _ in resources}
    holders = [("", platform.resources), *((one.name, one.resources) for one in platform.machines)]
    for name, resources in holders:
        for one in resources:
            if one.kind in used:
                title = f"{one.kind} units" + (f" of {name}" if name else "")
                low, high = max(1, one.count - 1), min(one.count + 1, MOST_UNITS)
                yield Assumption(UNITS, name, title, "", one.count, low, high, resource=one.kind)
