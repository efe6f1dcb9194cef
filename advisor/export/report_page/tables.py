"""Tasks, machines and links in tables; of many, those that count, and where all of them are."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np

from advisor.basics.quantities import count, percent, size, slowdown
from advisor.basics.units import Unit
from advisor.export.json_answer import ratio
from advisor.export.report_page.page_blocks import Block, Section, Table
from advisor.export.report_page.subject import Reported

_ALL_TASKS, _SOME_TASKS = 200, 100
_MACHINES, _LINKS = 60, 40


def _blocks(reported: Reported) -> tuple[Block, ...]:
    found = (_tasks(reported), _machines(reported), _links(reported))
    return tuple(table for table in found if table is not None)


def _tasks(reported: Reported) -> Table:
    prediction, tasks = reported.prediction, reported.here.workload.tasks
    machines = reported.project.platform.machines
    by_start = np.lexsort((np.arange(len(tasks)), prediction.start_s))
    more = "* on the critical path."
    if len(tasks) > _ALL_TASKS:
        by_start = by_start[prediction.critical[by_start]][:_SOME_TASKS]
        more = (
            f"Of {count(len(tasks), 'task')} the first {by_start.size:,} of the critical path; "
            "all: "
            f"{command(reported, 'csv', 'schedule.csv')}"
        )
    times = Unit.of_times(prediction.start_s[by_start], prediction.end_s[by_start])
    alone = Unit.of_times(prediction.task_dedicated_s[by_start])
    rows = []
    for task in by_start.tolist():
        dedicated_s = float(prediction.task_dedicated_s[task])
        rows.append(
            (
                tasks[task].name + (" *" if prediction.critical[task] else ""),
                machines[prediction.plan.allocation[task]].name,
                f"{tasks[task].cores:,}",
                times.text(float(prediction.start_s[task])),
                times.text(float(prediction.end_s[task])),
                alone.text(dedicated_s),
                slowdown(ratio(float(prediction.task_s[task]), dedicated_s)),
            )
        )
    columns = ("task", "machine", "cores", "start", "end", "alone", "slowdown")
    return Table("Tasks", columns, tuple(rows), "llrrrrr", more)


def _machines(reported: Reported) -> Table:
    prediction, machines = reported.prediction, reported.project.platform.machines
    tasks = np.bincount(np.array(prediction.plan.allocation), minlength=len(machines))
    shown = sorted(range(len(machines)), key=lambda one: (-prediction.utilisation[one], one))
    rows = tuple(
        (
            machines[one].name,
            f"{machines[one].cores:,}",
            f"{machines[one].speed:g}",
            "no limit" if memory is None else size(memory),
            f"{tasks[one]:,}",
            percent(float(prediction.utilisation[one])),
        )
        for one in sorted(shown[:_MACHINES])
        for memory in [machines[one].memory_bytes]
    )
    more = _left_out(machines, rows, "machine", "in the project's file.")
    columns = ("machine", "cores", "speed", "memory", "tasks", "busy")
    return Table("Machines", columns, rows, "lrrrrr", more)


def _links(reported: Reported) -> Table | None:
    uses = [use for use in reported.prediction.resources if use.size_bytes > 0.0]
    if not uses:
        return None
    shown = sorted(uses, key=lambda use: -use.busy_share)[:_LINKS]
    moved = Unit.of("B", *(use.size_bytes for use in shown))
    pace = Unit.of("B/s", *(use.capacity for use in shown))
    rows = tuple(
        (use.name, moved.text(use.size_bytes), pace.text(use.capacity), percent(use.busy_share))
        for use in shown
    )
    where = command(reported, "json", "prediction.json")
    more = _left_out(uses, rows, "link", where)
    return Table("Links and switches", ("link", "moved", "bandwidth", "busy"), rows, "lrrr", more)


def _left_out(every: Sequence[object], rows: Sequence[object], what: str, where: str) -> str:
    if len(every) == len(rows):
        return ""
    return f"Of {count(len(every), what)} the {len(rows):,} busiest; all: {where}"


def command(reported: Reported, name: str, output: str, *more: str) -> str:
    """The command that writes an export of the plan; `more` says of which part of it."""
    words = ("placewise", "export", reported.given.file, "--to", name, *more, "--output", output)
    return shlex.join(words)


SECTION = Section("tables", "Tasks, machines and links", _blocks)
