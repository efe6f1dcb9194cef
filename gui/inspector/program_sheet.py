"""The inspector's section of a parallel task: the program that runs inside it.

Of messages, or an application that shares memory. Fields are those of the program's record
(`advisor.programs.records`); those that a pattern or an order does not ask for are left out.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from advisor.allocation.workload import Task
from advisor.messages.networks import ORDER_NAMES, RANDOM
from advisor.messages.patterns import ALL_TO_ALL, EM3D, HOTSPOT, NEIGHBOURS, PERMUTATION, SHIFT
from advisor.messages.patterns import KINDS as PATTERNS
from advisor.messages.styles import COMPLETIONS, SHORT, TRANSPORTS
from advisor.programs.costs import obstacle
from advisor.programs.records import (
    KINDS,
    DiamondDag,
    Em3d,
    MessageProgram,
    Program,
    Remap,
    SharedMemoryProgram,
    kind_of,
)
from advisor.programs.words import in_words
from advisor.project import edits
from advisor.project.project import Project
from advisor.shared_memory.application_file import application_names, shipped_application
from gui.inspector import values
from gui.inspector.program_help import HELP, PLACEHOLDERS, Label
from gui.inspector.sheet import Field, Slider, editable, with_field
from machines import InfeasibleError, Machine

NONE, OWN = "none", "own counts"
_FIRST: dict[type[Program], Program] = {
    Remap: Remap(messages=1000, message_bytes=1024.0),
    Em3d: Em3d(nodes=3200, degree=32),
    DiamondDag: DiamondDag(n=1024, element_s=1e-6),
    SharedMemoryProgram: SharedMemoryProgram(shipped_application("water")),
}
_CHOICES = {
    "pattern": PATTERNS,
    "completion": COMPLETIONS,
    "transport": TRANSPORTS,
    "mapping": ORDER_NAMES,
}
_SLIDERS = {
    "message_bytes": Slider(1.0, 1e6, log=True),
    "share": Slider(0.0, 1.0),
    "nonlocal_share": Slider(0.0, 1.0),
}
# what stays when the kind changes
_KEPT = ("completion", "transport", "mapping", "seed", "processes")
# fields that only some patterns ask for
_OF_PATTERNS = {"reach": (SHIFT, NEIGHBOURS, EM3D), "share": (HOTSPOT,), "node": (HOTSPOT,)}


def program_fields(task: Task, position: int) -> tuple[Field, ...]:
    """The kind of program, and its fields where there is one."""
    program = task.program
    kind = editable(
        "program",
        "Program",
        "What runs inside a parallel task. remap: every process sends messages in a pattern; em3d: "
        "an irregular graph whose values cross between processors; diamond: a wavefront in blocks "
        "(Moritz & Frank 2001, sec. 5); shared-memory: an application on workstations that share "
        "memory through software (Parsons et al. 1997). It takes the place of the work; stated "
        "times stay",
        NONE if program is None else kind_of(program),
        lambda project, value: _with_kind(project, position, str(value)),
        str,
        choices=(NONE, *KINDS),
        heading="Program",
    )
    if program is None:
        return (kind,)
    if isinstance(program, SharedMemoryProgram):
        return (kind, _application_field(program, position))
    hints = typing.get_type_hints(type(program))
    names = [field.name for field in fields(program) if _asked(program, field.name)]
    return (kind, *(_field(program, position, name, hints[name]) for name in names))


def program_notes(task: Task, machines: tuple[Machine, ...]) -> tuple[str, ...]:
    """The program in words, and where it can't run and why."""
    if task.program is None:
        return ()
    stated = {name for name, _ in task.seconds}
    reasons = {
        machine.name: obstacle(task.program, machine, priced=False)
        for machine in machines
        if machine.name not in stated
    }
    return (
        in_words(task.program),
        *(f"Can't run on {name}: {reason}" for name, reason in reasons.items() if reason),
    )


def _asked(program: MessageProgram, name: str) -> bool:
    """Whether the program's pattern and order ask for a field."""
    pattern = program.pattern if isinstance(program, Remap) else ALL_TO_ALL
    if name == "seed":
        return program.mapping == RANDOM or pattern == PERMUTATION
    if name == "short_bytes":
        return not isinstance(program, DiamondDag) and program.transport == SHORT
    return name not in _OF_PATTERNS or pattern in _OF_PATTERNS[name]


def _field(program: Program, position: int, name: str, hint: object) -> Field:
    known = HELP.get(name, Label(name.replace("_", " ")))
    return editable(
        f"program.{name}",
        known.label,
        known.help,
        getattr(program, name),
        _writer(position, name),
        _parser(hint, known.unit),
        known.unit,
        placeholder=PLACEHOLDERS.get(name, ""),
        slider=_SLIDERS.get(name),
        choices=_CHOICES.get(name, ()),
    )


def _application_field(program: SharedMemoryProgram, position: int) -> Field:
    """Which application: one that ships, or counts that came with the file."""
    names = application_names()
    present = next((n for n in names if shipped_application(n) == program.application), OWN)
    write = _writer(position, "application")
    return editable(
        "program.application",
        HELP["application"].label,
        HELP["application"].help,
        present,
        lambda project, name: (
            project if name == OWN else write(project, shipped_application(str(name)))
        ),
        str,
        choices=(*names, OWN) if present == OWN else names,
    )


def _parser(hint: object, unit: str) -> Callable[[str], object]:
    if hint is float:
        return values.in_unit(unit)
    if hint is int:
        return values.count
    return str if hint is str else values.optional(values.count)


def _writer(position: int, name: str) -> Callable[[Project, object], Project]:
    def write(project: Project, value: object) -> Project:
        task = project.workload.tasks[position]
        if task.program is None:
            return project
        changed: Any = with_field(task.program, name, value)
        machine = project.platform.machines[project.plan.allocation[position]]
        stays = not obstacle(task.program, machine, priced=False)
        if stays and (reason := obstacle(changed, machine, priced=False)):
            raise InfeasibleError(f"it could not run on {machine.name}: {reason}")
        return edits.with_task(project, position, replace(task, program=changed))

    return write


def _with_kind(project: Project, position: int, kind: str) -> Project:
    task = project.workload.tasks[position]
    before = task.program
    if kind == NONE:
        if before is None:
            return project
        work = None if task.seconds else 1.0  # one of the two must be there
        return edits.with_task(project, position, replace(task, program=None, work=work))
    record = KINDS[kind]
    if isinstance(before, record):
        return project
    first: Any = _FIRST[record]
    shared = [name for name in _KEPT if hasattr(before, name) and hasattr(first, name)]
    program = replace(first, **{name: getattr(before, name) for name in shared})
    if not task.seconds:
        _refuse_nowhere(program, project.platform.machines)
    return edits.with_task(project, position, replace(task, program=program, work=None))


def _refuse_nowhere(program: Program, machines: tuple[Machine, ...]) -> None:
    reasons = {machine.name: obstacle(program, machine, priced=False) for machine in machines}
    if all(reasons.values()):
        name, reason = next(iter(reasons.items()))
        what, needed = "of messages", "a network"
        if isinstance(program, SharedMemoryProgram):
            what, needed = "that shares memory", "shared memory"
        raise InfeasibleError(
            f"no machine can run a program {what}",
            value=f"{name}: {reason}",
            remedy=f"Give a machine {needed} in its own sheet first",
        )
