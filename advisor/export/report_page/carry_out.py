"""How the plan is carried out: files for other programs, and the commands that write them."""

from __future__ import annotations

from pathlib import PurePath

from advisor.allocation.instructions import steps
from advisor.basics.quantities import count
from advisor.export.export import Export
from advisor.export.planned import PLAN, Planned
from advisor.export.registry import exports_of
from advisor.export.report_page.blocks import Block, Code, Section, Table, Text
from advisor.export.report_page.subject import Reported
from advisor.export.report_page.tables import command
from machines.errors import PlacewiseError

_TASKS = 60  # of a plan whose files may be short enough to be shown
_LETTERS, _LINES = 6000, 80  # of a file that is shown
_MOVES = 40


def _blocks(reported: Reported) -> tuple[Block, ...]:
    found: list[Block] = []
    if reported.changes:
        found.append(_moves(reported))
        found.append(
            Text(
                "The files below hold the project's plan. To get those of the advised one, open "
                "the project, choose Advise, then Apply recommendation, and save."
            )
        )
    found.append(Text("In the folder of the project's file, these commands write the plan:"))
    for export in exports_of(PLAN).values():
        found += _written(reported, export)
    return tuple(found)


def _moves(reported: Reported) -> Table:
    """What to change, task by task."""
    plan, advised = reported.project.plan, reported.explanation.advised
    workload, platform = reported.project.workload, reported.project.platform
    before, after = plan.counts(workload), advised.counts(workload)
    moved = {task: step.machine for step in steps(advised, plan) for task in step.tasks}
    names = [task.name for task in workload.tasks]
    changed = [
        place for place, name in enumerate(names)
        if place in moved or before.get(name) != after.get(name)
    ]  # fmt: skip
    rows: tuple[tuple[str, ...], ...] = tuple(
        (
            names[task],
            platform.machines[plan.allocation[task]].name,
            platform.machines[advised.allocation[task]].name,
            _processors(before.get(names[task]), after.get(names[task])),
        )
        for task in changed[:_MOVES]
    )
    left_out = len(changed) - len(rows)
    more = f"… and {count(left_out, 'more task', 'more tasks')}." if left_out else ""
    if not rows:
        more = "No task moves: they start in another order."
    columns: tuple[str, ...] = ("task", "from", "to", "processors")
    if not workload.scalable:
        columns, rows = columns[:3], tuple(row[:3] for row in rows)
    return Table("What to change", columns, rows, "lllr", more)


def _processors(before: int | None, after: int | None) -> str:
    if after is None:
        return ""
    return f"{after:,}" if before == after else f"{before:,} → {after:,}"


def _written(reported: Reported, export: Export[Planned]) -> list[Block]:
    """The command of one export, and what it writes where that is short."""
    stem = PurePath(reported.given.file).stem or "plan"
    file = f"{stem}-{export.name}{export.suffix}"
    found: list[Block] = [Code(export.title, command(reported, export.name, file))]
    if len(reported.project.workload.tasks) > _TASKS:
        return found
    planned = Planned(reported.problem, reported.project.plan, reported.prediction)
    try:
        text = export.text(planned)
    except PlacewiseError as error:
        return [Text(f"{export.title}: {error}")]
    if len(text) <= _LETTERS and text.count("\n") <= _LINES:
        found.append(Code(file, text.rstrip("\n"), folded=True))
    return found


SECTION = Section("carry-out", "Carry it out", _blocks)
