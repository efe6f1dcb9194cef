"""A run matched onto the tasks and machines of a problem: who is who, which try counts, what lacks.

By name, then by the patterns of `advisor.runs.name_patterns`; where a log has no names of its own,
by the dependencies that it tells. Nothing is guessed in silence: what was matched by pattern, what
fits nothing and what lacks is all in the result.

Parsl's monitoring tells of a task its number, its function and the numbers that it waited for. Both
graphs, the log's and the workload's, are coloured together: tasks get one colour at first (or that
of their kind, where all functions are kinds), then that of their colour and of the colours before
and behind them, until no more colours come (Weisfeiler & Leman 1968). Unlike colours mean another
workload. A colour that one task of each graph has tells who that is, whatever the order.

Tasks of one colour are alike (a branch and its twin): they are taken in the order of their numbers
for those of the workload in its order, if all dependencies then agree, and that is said. Alike
tasks that nothing depends on, either way, stay unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, few
from advisor.basics.slugs import slug
from advisor.runs.actual import Actual
from advisor.runs.clocks import clocks_of
from advisor.runs.name_patterns import NUMBERED, found_names
from advisor.runs.run_record import OK, Run, TaskRun
from machines.arrays import Flags, Floats, Ints
from machines.errors import InputError, readable

_LEAST_SHARE = 0.2  # of the log's names or of the tasks: with less of both it is another workload
_NAMED = 3  # examples in a note


@dataclass(frozen=True)
class _Tries:
    """Which line of a run counts for which task."""

    chosen: dict[int, TaskRun]
    notes: tuple[str, ...]


def matched(run: Run, problem: Problem) -> Actual:
    """What the run tells of the problem's tasks, on one clock."""
    run = run.from_zero()
    tasks = problem.workload.tasks
    names = tuple(dict.fromkeys(one.task for one in run.tasks))
    known = {task.name: place for place, task in enumerate(tasks)}
    places = found_names(names, known)
    more, notes = by_structure(run, places, problem.workload)
    places |= more
    _refuse_other(run, names, places, [task.name for task in tasks], notes)
    tries = _tries(run, places)
    clock_notes: tuple[str, ...] = ()
    if run.timed:
        run, clock_notes = _on_one_clock(run, tries, problem)
        run = _from_first(run, places)
        tries = _tries(run, places)
    notes = (*run.notes, *notes, *tries.notes, *clock_notes)
    return _actual(run, problem, places, tries.chosen, notes)


def matched_runs(
    runs: Iterable[Run], problem: Problem
) -> tuple[tuple[Actual, ...], tuple[str, ...]]:
    """What those of several runs tell that are of this workload, and what was said of the others.

    Logs that grow from run to run (Slurm's, Parsl's) hold those of other workloads, too.
    """
    found: list[Actual] = []
    refused: list[InputError] = []
    for run in runs:
        try:
            found.append(matched(run, problem))
        except InputError as error:
            refused.append(error)
    if refused and not found:
        raise refused[0]
    if not found:
        raise InputError("there are no runs", remedy="Give the log of a run, or a folder of logs")
    return tuple(found), tuple(f"{error.where} left out: {error.what}" for error in refused)


def _from_first(run: Run, places: dict[str, int]) -> Run:
    """The run with the first slot that a task of the workload took at 0."""
    first_s = min(one.taken_s for one in run.tasks if one.task in places)
    moved = (one.shifted(-first_s) if first_s else one for one in run.tasks)
    return replace(run, tasks=tuple(sorted(moved, key=lambda one: (one.end_s, one.task))))


def _refuse_other(
    run: Run,
    names: Sequence[str],
    places: dict[str, int],
    tasks: Sequence[str],
    notes: tuple[str, ...],
) -> None:
    where = f'run "{run.name}"'
    if not names:
        raise InputError("no task is in this run", where=where, remedy="Is the log cut?")
    found = len(set(places.values()))
    if found and found >= _LEAST_SHARE * min(len(names), len(tasks)):
        return
    unlike = [name for name in names if name not in places]
    raise InputError(
        f"the log of another workload: {found} of its {len(names):,} tasks are known",
        where=where,
        value=", ".join(unlike[:_NAMED]),
        remedy="; ".join((*notes, f"The workload has tasks such as {_examples(tasks)}")),
    )


def _tries(run: Run, places: dict[str, int]) -> _Tries:
    """The last try of each task that ended well; else its last."""
    chosen: dict[int, TaskRun] = {}
    several: dict[int, int] = {}
    for one in run.tasks:  # by their ends
        place = places.get(one.task)
        if place is None:
            continue
        several[place] = several.get(place, 0) + 1
        if place not in chosen or one.status == OK or chosen[place].status != OK:
            chosen[place] = one
    again = [chosen[place].task for place, count in several.items() if count > 1]
    if not again:
        return _Tries(chosen, ())
    many = f"{len(again)} tasks appear several times" if len(again) > 1 else (
        "1 task appears several times"
    )  # fmt: skip
    return _Tries(chosen, (f"{many} ({_examples(again)}): the last that ended well counts",))


def _on_one_clock(run: Run, tries: _Tries, problem: Problem) -> tuple[Run, tuple[str, ...]]:
    """The run with the clocks of its machines put right, and what there is to say of it."""
    names = tuple(dict.fromkeys(one.machine for one in tries.chosen.values() if one.machine))
    index = {name: place for place, name in enumerate(names)}
    count = len(problem.workload.tasks)
    machine = np.full(count, -1, dtype=np.int64)
    start_s, end_s = np.full(count, np.nan), np.full(count, np.nan)
    for place, one in tries.chosen.items():
        if one.status == OK:
            machine[place] = index.get(one.machine, -1)
            start_s[place], end_s[place] = one.start_s, one.end_s
    edges = _edges(problem)
    clocks = clocks_of(names, machine, start_s, end_s, edges, run.resolution_s)
    if not clocks.offset_s.any():
        return run, clocks.notes
    by = {name: -float(clocks.offset_s[place]) for name, place in index.items()}
    moved = tuple(one.shifted(by.get(one.machine, 0.0)) for one in run.tasks)
    return replace(run, tasks=moved), clocks.notes


def _edges(problem: Problem) -> tuple[Ints, Ints]:
    workload = problem.workload
    return workload.sources.astype(np.int64), workload.targets.astype(np.int64)


def _actual(
    run: Run,
    problem: Problem,
    places: dict[str, int],
    chosen: dict[int, TaskRun],
    notes: tuple[str, ...],
) -> Actual:
    tasks, machines = problem.workload.tasks, problem.platform.machines
    count = len(tasks)
    told = tuple(dict.fromkeys(one.machine for one in chosen.values()))
    known = {machine.name: place for place, machine in enumerate(machines)}
    machine_of = found_names(filter(None, told), known, alone=False)
    machine = np.full(count, -1, dtype=np.int32)
    taken_s, start_s, end_s, bytes_in, peak_bytes = (np.full(count, np.nan) for _ in range(5))
    ran = np.zeros(count, dtype=np.bool_)
    for place, one in chosen.items():
        machine[place] = machine_of.get(one.machine, -1)
        taken_s[place], start_s[place], end_s[place] = one.taken_s, one.start_s, one.end_s
        bytes_in[place] = np.nan if one.bytes_in is None else one.bytes_in
        peak_bytes[place] = np.nan if one.peak_bytes is None else one.peak_bytes
        ran[place] = one.status == OK
    missing = tuple(place for place in range(count) if place not in chosen)
    failed = tuple(place for place in sorted(chosen) if not ran[place])
    unknown = tuple(dict.fromkeys(one.task for one in run.tasks if one.task not in places))
    renamed = tuple((name, place) for name, place in places.items() if name != tasks[place].name)
    notes += _machine_notes(told, machine_of, [one.name for one in machines])
    notes += _task_notes([task.name for task in tasks], renamed, unknown, failed, missing)
    ready_s = _ready(problem, chosen, ran, end_s, run.timed)
    return Actual(
        run, machine, ready_s, taken_s, start_s, end_s, bytes_in, ran,
        failed, missing, unknown, renamed, tuple(dict.fromkeys(notes)), peak_bytes,
    )  # fmt: skip


def _ready(
    problem: Problem, chosen: dict[int, TaskRun], ran: Flags, end_s: Floats, timed: bool
) -> Floats:
    """When the last that a task needs had ended; 0 for what needs nothing; else what is told.

    Without start times it is not known.
    """
    if not timed:
        return np.full(len(ran), np.nan)
    sources, targets = _edges(problem)
    needed_s = np.where(ran, end_s, np.nan)[sources]
    ready_s = np.zeros(len(ran))
    with np.errstate(invalid="ignore"):
        np.maximum.at(ready_s, targets, needed_s)  # nan stays nan
    for place, one in chosen.items():
        if np.isnan(ready_s[place]) and one.ready_s is not None:
            ready_s[place] = one.ready_s
    ready_s[[place for place in range(len(ran)) if place not in chosen]] = np.nan
    return ready_s


def _machine_notes(
    told: Sequence[str], machine_of: dict[str, int], machines: Sequence[str]
) -> tuple[str, ...]:
    notes = []
    unknown = [name for name in told if name and name not in machine_of]
    if "" in told:
        notes.append("The log does not say where some tasks ran")
    if unknown:
        notes.append(
            f"Machines that the platform does not have: {_examples(unknown)} (it has "
            f"{_examples(machines)})"
        )
    other = [name for name, place in machine_of.items() if name != machines[place]]
    if other:
        pairs = [f"{name} is {machines[machine_of[name]]}" for name in other]
        notes.append(f"Machines matched by pattern: {_examples(pairs)}")
    return tuple(notes)


def _task_notes(
    tasks: Sequence[str],
    renamed: Sequence[tuple[str, int]],
    unknown: Sequence[str],
    failed: Sequence[int],
    missing: Sequence[int],
) -> tuple[str, ...]:
    pairs = [f"{name} is {tasks[place]}" for name, place in renamed]
    listed = (
        ("Matched by pattern", pairs),
        ("In the log, but no task of the workload, or of several", unknown),
        ("Never ended well", [tasks[place] for place in failed]),
        ("Not in the log, which is cut or of a run that broke off",
         [tasks[place] for place in missing]),
    )  # fmt: skip
    return tuple(f"{said}: {_examples(names)}" for said, names in listed if names)


def _examples(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    return few(names, _NAMED, readable)


Edges = Sequence[tuple[int, int]]
_MOST_ROUNDS = 50  # of colouring


def by_structure(
    run: Run, found: dict[str, int], workload: Workload
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Positions of names that are numbers alone, and what to say of it; none where unsure.

    `run`: whose names end in a number after `NUMBERED`. `found`: what was matched by name: then
    there is nothing to do.
    """
    after = {one.task: one.after for one in run.tasks}
    if found or not after or any(NUMBERED not in name for name in after):
        return {}, ()
    names = sorted(after, key=_number)
    said = f"{count(len(names), 'task')} have numbers instead of names"
    if len(names) != len(workload.tasks):
        return {}, (f"{said}; the workload has {len(workload.tasks)}, so that dependencies can't "
                    "tell which is which",)  # fmt: skip
    place = {name: at for at, name in enumerate(names)}
    told = [(place[one], place[name]) for name in names for one in after[name] if one in place]
    stated = list(workload.ends())
    mine, theirs = _colours(_kinds(names, workload), told, stated)
    if sorted(mine) != sorted(theirs):
        return {}, (f"{said}, and they do not depend on each other as the workload's do",)
    position, alike = _paired(mine, theirs, told, stated)
    matched = {names[at]: position[at] for at in sorted(position)}
    return matched, (f"{said}: {len(matched)} are known by their dependencies{alike}",)


def _kinds(names: Sequence[str], workload: Workload) -> tuple[list[Hashable], list[Hashable]]:
    """The first colours: kinds, where every function is one; else one for all."""
    functions = [slug(name.rpartition(NUMBERED)[0]).lower() for name in names]
    groups = [slug(task.group).lower() for task in workload.tasks]
    if set(functions) == set(groups):
        return list(functions), list(groups)
    return [0] * len(names), [0] * len(groups)


def _colours(
    first: tuple[list[Hashable], list[Hashable]], told: Edges, stated: Edges
) -> tuple[list[int], list[int]]:
    """Colours of the tasks of both graphs, one numbering for both."""
    size = len(first[0])
    before: list[list[int]] = [[] for _ in range(2 * size)]
    behind: list[list[int]] = [[] for _ in range(2 * size)]
    for shift, edges in ((0, told), (size, stated)):
        for source, target in set(edges):
            before[target + shift].append(source + shift)
            behind[source + shift].append(target + shift)
    colours, kinds = _numbered([*first[0], *first[1]])
    for _ in range(_MOST_ROUNDS):
        finer, more = _numbered([
            (colours[at], tuple(sorted(colours[one] for one in before[at])),
             tuple(sorted(colours[one] for one in behind[at])))
            for at in range(2 * size)
        ])  # fmt: skip
        if more == kinds:
            break
        colours, kinds = finer, more
    return colours[:size], colours[size:]


def _numbered(values: Sequence[Hashable]) -> tuple[list[int], int]:
    """Each value's number, and how many different ones there are."""
    numbers: dict[Hashable, int] = {}
    found = [numbers.setdefault(value, len(numbers)) for value in values]
    return found, len(numbers)


def _paired(
    mine: Sequence[int], theirs: Sequence[int], told: Edges, stated: Edges
) -> tuple[dict[int, int], str]:
    """The task of the workload for tasks of the log, and words on those that are alike."""
    ranks: dict[int, list[int]] = defaultdict(list)
    for at, colour in enumerate(theirs):
        ranks[colour].append(at)
    members: dict[int, list[int]] = defaultdict(list)
    for at, colour in enumerate(mine):
        members[colour].append(at)
    sure = {own[0]: ranks[colour][0] for colour, own in members.items() if len(own) == 1}
    every = {
        at: ranks[colour][rank] for colour, own in members.items() for rank, at in enumerate(own)
    }
    joined = {at for edge in told for at in edge}
    likely = {at: place for at, place in every.items() if at in joined or at in sure}
    if len(likely) == len(sure):
        return sure, ""
    if {(every[source], every[target]) for source, target in told} != set(stated):
        return sure, ", the others can't be distinguished"
    return likely, (
        f", {len(likely) - len(sure)} of which can't be distinguished and take the workload's order"
    )


def _number(name: str) -> tuple[int, str]:
    digits = name.rpartition(NUMBERED)[2]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0, name)
