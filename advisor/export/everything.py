"""Every file of a plan: all exports of it, of its tasks' mappings and of its overlays' trees.

The texts are complete, and read back where that can be, before the first is written. A list says
what is in which file, how it is used, and what was left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from advisor.basics.host_list import plain_host
from advisor.basics.quantities import duration
from advisor.export.export_options import Options
from advisor.export.export_record import PLAN, Export, Lines, Planned
from advisor.export.of_plan import PARTS
from advisor.export.registry import exports_of
from machines.errors import PlacewiseError, readable

ALL = "all"
CONTENTS = "contents.txt"


@dataclass(frozen=True)
class ExportedFile:
    """One file: its name, what it is, its text, how it is used, what to know of it."""

    name: str
    about: str
    text: str
    commands: Lines
    notes: Lines


@dataclass(frozen=True)
class Everything:
    """The files of a plan, and sentences about those that can't be made."""

    title: str
    files: tuple[ExportedFile, ...]
    left_out: Lines

    @property
    def contents(self) -> str:
        """The list of what is there."""
        lines = [self.title, ""]
        width = max(len(one.name) for one in self.files)
        for one in self.files:
            lines.append(f"{one.name:{width}}  {one.about}")
            lines += [f"{'':{width}}    {command}" for command in one.commands]
        notes = dict.fromkeys(note for one in self.files for note in one.notes)
        for heading, sentences in (("Notes", notes), ("Left out", self.left_out)):
            if sentences:
                lines += ["", f"{heading}:", *(f"- {one}" for one in sentences)]
        return "\n".join(readable(line, _LONGEST) for line in lines) + "\n"

    @property
    def texts(self) -> dict[str, str]:
        """{name: text} of all, with the list."""
        return {CONTENTS: self.contents, **{one.name: one.text for one in self.files}}


_LONGEST = 2000


def everything(planned: Planned) -> Everything:
    """All files of a plan; hosts that nobody names are called after their machine."""
    files: list[ExportedFile] = []
    left_out: list[str] = []
    taken = {CONTENTS}
    for export, source, of in _exported(planned):
        about = f"{export.title}{f', {of}' if of else ''}"
        try:
            subject = export.kind.place(source, Options())
            text = export.text(subject)
        except PlacewiseError as error:
            left_out.append(f"{about}: {error}")
            continue
        name = _free(export, of, taken)
        files.append(
            ExportedFile(name, about, text, export.commands(subject, name), export.said(subject))
        )
    takes = duration(planned.prediction.makespan_s)
    title = f"The plan of “{planned.problem.workload.name}”: makespan {takes}."
    return Everything(title, tuple(files), tuple(left_out))


def _exported(planned: Planned) -> Iterator[tuple[Export[Any], Any, str]]:
    """(export, source, whose it is) of all, those of the plan itself first."""
    for export in exports_of(PLAN).values():
        yield export, planned, ""
    for part in PARTS:
        for name in part.names(planned.problem, planned.plan):
            source = part.source(planned, name)
            for export in exports_of(part.kind).values():
                yield export, source, f"{part.of} {name}"


def _free(export: Export[Any], of: str, taken: set[str]) -> str:
    """A name for the file that no other has, also where letters of either case are one."""
    owner = plain_host(of.partition(" ")[2])[:80] if of else ""
    stem = "-".join(filter(None, (owner, export.stem or export.name)))
    name, number = f"{stem}{export.suffix}", 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}{export.suffix}"
    taken.add(name.casefold())
    return name
