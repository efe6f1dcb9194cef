"""The inspector's section of a parallel task: the program that runs inside it.

Its record declares its fields (`machines.parameters`); those that the others make unused are left
out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from advisor.allocation.workload import Task
from advisor.programs.kinds import kind_of, known
from advisor.programs.program import Held, Program, ProgramKind, obstacle
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.inspector.sheet import NONE, Field, beside_none, editable, slider_of, with_field
from machines import InfeasibleError, Machine
from machines.parameters import Parameter, parameters_of


def program_fields(task: Task, position: int) -> tuple[Field, ...]:
    """The kind of program, and its fields where there is one."""
    program, kinds = task.program, known()
    about = "; ".join(f"{name}: {kind.about}" for name, kind in kinds.items())
    chosen = editable(
        "program",
        "Program",
        f"The program of a parallel task. {about}. It takes the place of the work; stated times "
        "stay",
        NONE if program is None else kind_of(program).name,
        lambda project, value: _with_kind(project, position, str(value)),
        str,
        choices=(NONE, *kinds),
        titled=beside_none(),
        heading="Program",
    )
    if program is None:
        return (chosen,)
    kind = kind_of(program)
    declared = parameters_of(kind.record)
    values = {one.name: getattr(program, one.name) for one in declared}
    used = [one for one in declared if not one.unused(values)]
    return (chosen, *(_field(kind, position, one, values[one.name]) for one in used))


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


def _field(kind: ProgramKind, position: int, one: Parameter, value: object) -> Field:
    named = replace(one, name=f"program.{one.name}")
    found = Field(named, value, _writer(position, one.name), slider_of(one))
    held = kind.held.get(one.name)
    return found if held is None else _by_name(found, held)


def _by_name(field: Field, held: Held) -> Field:
    """The field as a choice of names; a value without a name is one, too, and stays."""
    named = held.named()
    present = next((name for name in named if named[name] == field.value), held.unnamed)

    def write(project: Project, name: object) -> Project:
        return project if name == held.unnamed else field.write(project, named[str(name)])

    choices = (*named, held.unnamed) if present == held.unnamed else tuple(named)
    parameter = replace(field.parameter, reads=str, shows=str, choices=choices, titled=held.titled)
    return replace(field, parameter=parameter, value=present, write=write)


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
    shared = [name for name in kind.kept if hasattr(first, name) and hasattr(before, name)]
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
