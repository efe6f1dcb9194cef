"""How the plan is carried out: files for other programs, and the commands that write them."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from advisor.basics.host_list import plain_host
from advisor.basics.quantities import count
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.registry import differing
from advisor.export.everything import ALL
from advisor.export.export_options import Options
from advisor.export.export_record import PLAN, Export, Planned
from advisor.export.of_plan import PARTS
from advisor.export.registry import exports_of
from advisor.export.report_page.page_blocks import Block, Code, Section, Table, Text
from advisor.export.report_page.subject import Reported
from advisor.export.report_page.tables import command
from machines.errors import PlacewiseError

_TASKS = 60  # of a plan whose files may be short enough to be shown
_LETTERS, _LINES = 6000, 80  # of a file that is shown
_MOVES = 40
_PARTS = 10  # tasks or overlays of a kind


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
    return (*found, *_parts(reported))


def _parts(reported: Reported) -> list[Block]:
    """The commands that write mappings and trees of the plan, and those that write everything."""
    stem, found = _stem(reported), list[Block]()
    planned = Planned(reported.problem, reported.project.plan, reported.prediction)
    for part in PARTS:
        names = part.names(reported.problem, reported.project.plan)
        for name in names[:_PARTS]:
            lines = [
                command(reported, export.name, f"{plain_host(name)}-{export.name}{export.suffix}",
                        part.flag, name)
                for export in exports_of(part.kind).values()
                if _fits(export, part.source(planned, name))
            ]  # fmt: skip
            title = f"{part.kind.name.capitalize()} of the {part.of} “{name}”"
            found.append(Code(title, "\n".join(lines)))
        if len(names) > _PARTS:
            found.append(Text(f"… and of {count(len(names) - _PARTS, f'more {part.of}')}."))
    everything = command(reported, ALL, f"{stem}-files")
    return [*found, Code("Everything, into a folder with a list", everything)]


def _fits(export: Export[Any], source: object) -> bool:
    """Whether a format can hold this: Flux no two processes on a host."""
    try:
        export.text(export.kind.place(source, Options()))
    except PlacewiseError:
        return False
    return True


def _stem(reported: Reported) -> str:
    return PurePath(reported.given.file).stem or "plan"


def _moves(reported: Reported) -> Table:
    """What to change: which task goes where, then all else that is decided otherwise."""
    problem, plan = reported.problem, reported.project.plan
    advised = reported.explanation.advised
    rows = []
    for kind in differing(problem, plan, advised):
        before, after = kind.values(problem, plan), kind.values(problem, advised)
        rows += [
            (
                kind.subject(problem, one),
                "machine" if kind is ALLOCATION else kind.title.lower(),
                kind.words(problem, one, before[one]),
                kind.words(problem, one, after[one]),
            )
            for one in kind.differing(problem, plan, advised)
        ]
    left_out = len(rows) - _MOVES
    more = f"… and {count(left_out, 'more change', 'more changes')}." if left_out > 0 else ""
    if not rows:
        more = "Only the order in which tasks start."
    return Table("What to change", ("of", "what", "from", "to"), tuple(rows[:_MOVES]), "", more)


def _written(reported: Reported, export: Export[Planned]) -> list[Block]:
    """The command of one export, and what it writes where that is short."""
    file = f"{_stem(reported)}-{export.name}{export.suffix}"
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


SECTION = Section("carry-out", "Run it", _blocks)
