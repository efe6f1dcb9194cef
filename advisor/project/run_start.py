"""A project from the log of a run alone: its tasks, the machines that it saw, the plan as it ran.

Durations become reference seconds. Where tasks of one kind ran on several machines, the speeds of
these are fitted: ln t = kind − ln speed, least squares, the first machine at 1. What no log tells,
data between tasks and machines that were idle, is absent, and that is said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.ordering import after_needs
from advisor.basics.quantities import count, percent
from advisor.project.answers import Answers
from advisor.project.sources.site import EQUALLY_FAST, Node, Site
from advisor.project.sources.source import plain, quantity
from advisor.runs.run_record import OK, Run, TaskRun
from machines import InputError, Platform
from machines.uncertain import LOGNORMAL, Spread, Uncertain

_NUMBERS = re.compile(r"(?<![\s_.:#([{-])[\s_.:#([{-]*+\d+[\s)\]}]*")
_TUPLE = re.compile(r"\(['\"]([^'\"]+)['\"],")
_DIGEST = re.compile(r"[-_](?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})\Z")
AS_RUN = "as run"  # the strategy of a plan that a run carried out
_ONLY_PLACE = "this machine"
_FEW_EACH = 3  # tasks of kinds that others ran, too: fewer tell no speed
_LEAST_S = 1e-6
_NINETY = 1.645  # standard errors on either side of 90 %
_ROUGH = 0.15  # by which tasks of one kind differ
_BLUR = 0.1  # of a task: the end of one may overlap the next one's start


def plan_as_run(platform: Platform, ran_on: Sequence[str]) -> Plan | None:
    """The plan that has every task where it ran; None: a place is not told or not on the platform.

    `ran_on`: the machine of every task.
    """
    places = [platform.index.get(name) for name in ran_on]
    machines = tuple(place for place in places if place is not None)
    return Plan(machines, strategy=AS_RUN) if ran_on and len(machines) == len(places) else None


@dataclass(frozen=True)
class Start:
    """What a run alone begins a project with; `runs` are those of the same tasks."""

    workload: Workload
    site: Site
    runs: tuple[Run, ...]
    notes: tuple[str, ...]

    def plan(self, workload: Workload, platform: Platform) -> Plan | None:
        """The run as a plan; None: a machine of it is not on the platform."""
        last = {one.task: one for one in ended(self.runs[-1])}
        ran = [last[task.name] for task in workload.tasks]
        plan = plan_as_run(platform, [one.machine for one in ran])
        order = after_needs([one.taken_s for one in ran], workload.ends())
        return None if plan is None else replace(plan, order=order)


def start_of(runs: Sequence[Run], answers: Answers) -> Start:
    """The tasks and machines of the last run; earlier runs of the same tasks stand beside it.

    Raises
    ------
    InputError
        No run has a task that ended well.
    """
    told = [(run, names) for run in runs if (names := {one.task for one in ended(run)})]
    if not told:
        raise InputError("no task of these logs ended well", remedy="Give the log of another run")
    _, names = max(told, key=lambda one: len(one[1]))
    kept = tuple(_placed(run) for run, found in told if found == names)
    last = kept[-1]
    tasks = ended(last)
    speeds, notes = _speeds(tasks)
    known = {one.task for one in tasks}
    called = {one.task: plain(one.task) for one in tasks}
    sizes = {one.task: one.made_bytes for one in tasks}
    if len(set(called.values())) < len(called):
        raise InputError("two tasks of the log have one name", where=f'run "{last.name}"')
    workload = Workload(
        plain(last.name) or "run",
        tuple(
            Task(called[one.task], work=(one.end_s - one.start_s) * speeds[one.machine],
                 kind=kind_of(one.task))
            for one in tasks
        ),
        tuple(
            Flow(called[before], called[one.task], ((1, made),) if (made := sizes[before]) else ())
            for one in tasks for before in dict.fromkeys(one.after)
            if before in known and before != one.task
        ),
    )  # fmt: skip
    if not workload.flows and len(tasks) > 1:
        notes.append("The log tells no dependencies: its tasks are taken as independent. Open it "
                     "together with the workflow's graph or its file")  # fmt: skip
    elif workload.flows and not any(flow.data_sets for flow in workload.flows):
        notes.append("The log tells no sizes of data: transfers cost no time")
    failed = {one.task for one in last.tasks} - known
    if failed:
        notes.append(f"{count(len(failed), 'task')} never ended well: left out ({min(failed)})")
    if len(told) > len(kept):
        notes.append(f"The logs hold {len(told)} runs: those of the largest one's tasks are read")
    nodes = _machines(tasks, speeds, last.timed, answers)
    site = Site("machines of the run", nodes)
    return Start(workload, site, kept, (*last.notes, *notes))


def ended(run: Run) -> list[TaskRun]:
    """Of every task the last try that ended well, in the order in which tasks began."""
    found = {one.task: one for one in run.tasks if one.status == OK}
    return sorted(found.values(), key=lambda one: (one.taken_s, one.task))


def _placed(run: Run) -> Run:
    """The run with a machine for each task: the only one there is, where the log tells none."""
    told = {one.machine for one in run.tasks if one.machine}
    if not any(not one.machine for one in run.tasks):
        return run
    name = next(iter(told)) if len(told) == 1 else _ONLY_PLACE
    return replace(
        run, tasks=tuple(one if one.machine else replace(one, machine=name) for one in run.tasks)
    )


def kind_of(task: str) -> str:
    """What tasks of one kind share of their names: all but numbers; of `RULE (tag)` the rule.

    Of Dask's keys less the digest, and of tuples (`('add-1f2e…', 0, 1)`) the first part.
    """
    part = _TUPLE.match(task)
    named = part[1] if part else task.rpartition(":")[2].partition(" (")[0]
    named = _DIGEST.sub("", named) or named
    return plain(_NUMBERS.sub("", named)) or plain(named)


def _speeds(tasks: Sequence[TaskRun]) -> tuple[dict[str, float], list[str]]:
    """The speed of every machine, and what is to be said of it."""
    names = list(dict.fromkeys(one.machine for one in tasks))
    equal = dict.fromkeys(names, 1.0)
    if len(names) == 1:
        return equal, []
    unknown = (
        f"Assumed: the machines are {EQUALLY_FAST}; too few kinds of tasks ran on several of them"
    )
    where: dict[str, set[str]] = {}
    for one in tasks:
        where.setdefault(kind_of(one.task), set()).add(one.machine)
    rows = [one for one in tasks if len(where[kind_of(one.task)]) > 1 and one.end_s > one.start_s]
    each = {name: sum(one.machine == name for one in rows) for name in names}
    if min(each.values()) < _FEW_EACH:
        return equal, [unknown]
    kinds = list(dict.fromkeys(kind_of(one.task) for one in rows))
    columns = np.zeros((len(rows), len(kinds) + len(names) - 1))
    for at, one in enumerate(rows):
        columns[at, kinds.index(kind_of(one.task))] = 1.0
        if one.machine != names[0]:
            columns[at, len(kinds) + names.index(one.machine) - 1] = -1.0
    logs = np.log([max(one.end_s - one.start_s, _LEAST_S) for one in rows])
    found, _, rank, _ = np.linalg.lstsq(columns, logs, rcond=None)
    if rank < columns.shape[1]:
        return equal, [unknown]
    left = logs - columns @ found
    variance = float(left @ left) / max(len(rows) - columns.shape[1], 1)
    errors = np.sqrt(variance * np.diag(np.linalg.inv(columns.T @ columns)))[len(kinds) :]
    speeds = {names[0]: 1.0} | {
        name: _ranged(math.exp(value), width)
        for name, value, width in zip(
            names[1:], found[len(kinds) :], np.exp(_NINETY * errors).tolist(), strict=True
        )
    }
    ranges = ", ".join(f"{name} {_in_words(speeds[name])}" for name in names[1:])
    many = f"{count(len(rows), 'task')} of {count(len(kinds), 'kind')}"
    said = [
        f"Speeds are fitted to {many} as if tasks of one kind were equal, with 90 % ranges: "
        f"{names[0]} 1, {ranges}"
    ]
    if math.sqrt(variance) > _ROUGH:
        said.append(
            f"These speeds are rough: tasks of one kind differ by {percent(math.sqrt(variance))} "
            "on one machine, and the larger ones may have run on one of them"
        )
    return speeds, said


def _ranged(speed: float, width: float) -> float:
    """A speed whose 90 % range reaches `width` times to either side."""
    low, middle, high = (float(f"{one:.4g}") for one in (speed / width, speed, speed * width))
    if not low < middle < high:
        return middle
    return Uncertain(middle, Spread(low, high, kind=LOGNORMAL, source="measured"))


def _in_words(speed: float) -> str:
    if not isinstance(speed, Uncertain):
        return f"{speed:.3g}"
    low, high = speed.range_90
    return f"{speed:.3g} ({low:.2g} to {high:.2g})"


def _machines(
    tasks: Sequence[TaskRun], speeds: dict[str, float], timed: bool, answers: Answers
) -> tuple[Node, ...]:
    """The machines with as many cores as tasks ran at once, of which there may be more."""
    cores = {name: _at_once([one for one in tasks if one.machine == name]) if timed else 1
             for name in speeds}  # fmt: skip
    if len(cores) == 1:
        ((name, seen),) = cores.items()
        text = f"How many tasks does {name} run at once? The run had up to {seen}."
        cores[name] = answers.ask("cores", text, str(seen), _cores)
    return tuple(Node(name, seen, speed=speeds[name]) for name, seen in cores.items())


def _cores(text: str) -> int:
    return max(int(quantity(text, "cores", "")), 1)


def _at_once(tasks: Sequence[TaskRun]) -> int:
    """The most tasks that ran at one time; what clocks and whole seconds blur is no overlap."""
    steps = [(one.start_s, 1) for one in tasks]
    steps += [(one.end_s - _BLUR * (one.end_s - one.start_s), -1) for one in tasks]
    steps.sort()
    most = now = 0
    for _, step in steps:
        now += step
        most = max(most, now)
    return max(most, 1)
