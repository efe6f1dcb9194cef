"""What a prediction rests on, as numbers that can be varied one by one.

Times of tasks, sizes of data, speeds, bandwidths, startups, contenders, overheads and memory. Each
is varied by the same factor down and up, so that their effects can be compared; contenders from
none on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.allocation.loads import (
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    LoadParameter,
    all_parameters,
)
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.basics.quantities import duration, number, size
from machines import Machine

TIME, DATA, MEMORY = "task time", "data", "memory"
_MOST_CONTENDERS = 2.0  # at least so many are tried on every machine
_CRITICAL = 8  # tasks of the critical path with a bar of their own


@dataclass(frozen=True, eq=False)
class Assumption:
    """One figure that the prediction rests on.

    `present`, `low`, `high`: its value now, and the ends between which it is varied; multiples of
        what is stated where it stands for several figures.
    `applied`: the problem with the figure set.
    `load`: the same as a load of the platform, which a decision map can show; None: it has none.
    """

    kind: str
    subject: str
    title: str
    unit: str
    present: float
    low: float
    high: float
    applied: Callable[[Problem, float], Problem]
    load: LoadParameter | None = None

    @property
    def key(self) -> str:
        """What tells it from the others: "speed:M1"."""
        return f"{self.kind}:{self.subject}"

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
        if self.unit == "s":
            return duration(value)
        return number(value, self.unit) if self.unit else f"{value:.3g}"


def assumptions_of(
    problem: Problem, prediction: Prediction, factor: float
) -> tuple[Assumption, ...]:
    """All assumptions of a prediction, each from 1/factor of its value to factor times it."""
    return (
        *_task_times(problem, prediction, factor),
        *_data(problem, factor),
        *_loads(problem, factor),
        *_memory(problem, factor),
    )


def _multiple(
    kind: str,
    subject: str,
    title: str,
    factor: float,
    change: Callable[[Workload, float], Workload],
) -> Assumption:
    def applied(problem: Problem, value: float) -> Problem:
        return problem.about(change(problem.workload, value))

    return Assumption(kind, subject, title, "", 1.0, 1.0 / factor, factor, applied)


def _task_times(problem: Problem, prediction: Prediction, factor: float) -> Iterator[Assumption]:
    """Of every kind of task, and of the longest tasks on the critical path."""
    kinds: dict[str, list[int]] = {}
    stated = [
        place
        for place, task in enumerate(problem.workload.tasks)
        if task.work is not None or task.seconds
    ]
    for place in stated:
        kinds.setdefault(problem.workload.tasks[place].group, []).append(place)
    for kind, places in kinds.items():
        if len(places) > 1:
            title = f"time of all {kind} tasks"
            yield _multiple(TIME, kind, title, factor, _slower(places))
    critical = [place for place in stated if prediction.critical[place]]
    critical.sort(key=lambda place: -float(prediction.task_s[place]))
    for place in critical[:_CRITICAL]:
        name = problem.workload.tasks[place].name
        yield _multiple(TIME, name, f"time of {name}", factor, _slower([place]))


def _slower(places: Sequence[int]) -> Callable[[Workload, float], Workload]:
    """The workload with the times of some tasks multiplied."""

    def change(workload: Workload, value: float) -> Workload:
        tasks = list(workload.tasks)
        for place in places:
            one = tasks[place]
            tasks[place] = replace(
                one,
                work=None if one.work is None else one.work * value,
                seconds=tuple((name, seconds * value) for name, seconds in one.seconds),
            )
        return replace(workload, tasks=tuple(tasks))

    return change


def _data(problem: Problem, factor: float) -> Iterator[Assumption]:
    workload = problem.workload
    if workload.files or any(flow.data_sets for flow in workload.flows):
        yield _multiple(DATA, "all", "sizes of all data", factor, _larger)


def _larger(workload: Workload, value: float) -> Workload:
    flows = tuple(
        replace(flow, data_sets=tuple((many, value * each) for many, each in flow.data_sets))
        for flow in workload.flows
    )
    files = tuple(replace(one, size_bytes=one.size_bytes * value) for one in workload.files)
    return replace(workload, flows=flows, files=files)


def _loads(problem: Problem, factor: float) -> Iterator[Assumption]:
    """Contenders, speeds, bandwidths, startups and the overhead of tasks."""
    for load in all_parameters(problem.platform):
        present = load.value(problem.platform, problem.reading)
        low, high = present / factor, present * factor
        if load.kind == CONTENDERS:
            low, high = 0.0, min(max(_MOST_CONTENDERS, math.ceil(high)), load.high)
        elif load.kind in {MACHINE_SLOWDOWN, LINK_SLOWDOWN}:
            continue  # slowdowns say again what these say
        shown = replace(load, low=low, high=high)
        yield Assumption(
            load.kind, load.subject, load.title, load.unit, present, low, high, _set(load), shown
        )


def _set(load: LoadParameter) -> Callable[[Problem, float], Problem]:
    return lambda problem, value: problem.on(load.applied(problem.platform, value, problem.reading))


def _memory(problem: Problem, factor: float) -> Iterator[Assumption]:
    """Of machines that limit it, where tasks need some."""
    if not any(task.memory_bytes for task in problem.workload.tasks):
        return
    for place, machine in enumerate(problem.platform.machines):
        now = machine.memory_bytes
        if now:
            yield Assumption(
                MEMORY, machine.name, f"memory of {machine.name}", "B", now, now / factor,
                now * factor, _sized(place),
            )  # fmt: skip


def _sized(place: int) -> Callable[[Problem, float], Problem]:
    def applied(problem: Problem, value: float) -> Problem:
        machines: list[Machine] = list(problem.platform.machines)
        machines[place] = replace(machines[place], memory_bytes=round(value))
        return problem.on(replace(problem.platform, machines=tuple(machines)))

    return applied
