"""The inspector's section of a parallel task: the program that runs inside it.

Every kind declares its fields (`advisor.programs.program.Entry`); those that the others do not ask
for are left out.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from advisor.allocation.workload import Task
from advisor.programs.kinds import kind_of, known
from advisor.programs.program import Entry, Program, ProgramKind, obstacle
from advisor.project import edits
from advisor.project.project import Project
from gui.inspector import values
from gui.inspector.sheet import Field, Slider, editable, with_field
from machines import InfeasibleError, Machine

NONE = "none"


def program_fields(task: Task, position: int) -> tuple[Field, ...]:
    """The kind of program, and its fields where there is one."""
    program, kinds = task.program, known()
    about = "; ".join(f"{name}: {kind.about}" for name, kind in kinds.items())
    chosen = editable(
        "program",
        "Program",
        f"What runs inside a parallel task. {about}. It takes the place of the work; stated times "
        "stay",
        NONE if program is None else kind_of(program).name,
        lambda project, value: _with_kind(project, position, str(value)),
        str,
        choices=(NONE, *kinds),
        heading="Program",
    )
    if program is None:
        return (chosen,)
    kind = kind_of(program)
    hints = typing.get_type_hints(kind.record)
    asked = [entry for entry in kind.entries if entry.asked(program)]
    return (chosen, *(_field(program, position, entry, hints[entry.name]) for entry in asked))


def program_notes(task: Task, machines: tuple[Machine, ...]) -> tuple[str, ...]:
    """The program in words, and where it can't run and why."""
    if task.program is None:
        return ()
    stated = {name for name, _ in task.seconds}
    reasons = {
        machine.name: obstacle(task.program, machine)
        for machine in machines
        if machine.name not in stated
    }
    return (
        task.program.words(),
        *(f"Can't run on {name}: {reason}" for name, reason in reasons.items() if reason),
    )


def _field(program: Program, position: int, entry: Entry, hint: object) -> Field:
    value, write = getattr(program, entry.name), _writer(position, entry.name)
    found = editable(
        f"program.{entry.name}",
        entry.label,
        entry.help,
        value,
        write,
        _parser(hint, entry.unit),
        entry.unit,
        placeholder=entry.placeholder,
        slider=entry.slides and Slider(*entry.slides, log=entry.log),
        choices=entry.choices,
    )
    return found if entry.named is None else _by_name(found, entry, entry.named())


def _by_name(field: Field, entry: Entry, named: typing.Mapping[str, object]) -> Field:
    """The field as a choice of names; a value without a name is one, too, and stays."""
    present = next((name for name in named if named[name] == field.value), entry.unnamed)

    def write(project: Project, name: object) -> Project:
        return project if name == entry.unnamed else field.write(project, named[str(name)])

    choices = (*named, entry.unnamed) if present == entry.unnamed else tuple(named)
    parameter = replace(field.parameter, reads=str, shows=str, choices=choices)
    return replace(field, parameter=parameter, value=present, write=write)


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
        stays = not obstacle(task.program, machine)
        if stays and (reason := obstacle(changed, machine)):
            raise InfeasibleError(f"it could not run on {machine.name}: {reason}")
        return edits.with_task(project, position, replace(task, program=changed))

    return write


def _with_kind(project: Project, position: int, name: str) -> Project:
    task = project.workload.tasks[position]
    before = task.program
    if name == NONE:
        if before is None:
            return project
        work = None if task.seconds else 1.0  # one of the two must be there
        return edits.with_task(project, position, replace(task, program=None, work=work))
    kind = known()[name]
    if isinstance(before, kind.record):
        return project
    program = _first(kind, before)
    if not task.seconds:
        _refuse_nowhere(program, kind, project.platform.machines)
    return edits.with_task(project, position, replace(task, program=program, work=None))


def _first(kind: ProgramKind, before: Program | None) -> Program:
    """A new program of that kind, with what the one before it leaves."""
    first: Any = kind.first()
    shared = [entry.name for entry in kind.entries if entry.kept and hasattr(before, entry.name)]
    kept = {name: getattr(before, name) for name in shared}
    return replace(first, **kept)  # type: ignore[no-any-return]


def _refuse_nowhere(program: Program, kind: ProgramKind, machines: tuple[Machine, ...]) -> None:
    reasons = {machine.name: obstacle(program, machine) for machine in machines}
    if all(reasons.values()):
        name, reason = next(iter(reasons.items()))
        raise InfeasibleError(
            f"no machine can run a program {kind.family}",
            value=f"{name}: {reason}",
            remedy=f"Give a machine {kind.needs} in its own sheet first",
        )
