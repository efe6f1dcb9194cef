"""The inspector's sheet of one task, or of what several selected tasks have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any, cast

from advisor.allocation.pair_costs import machine_position
from advisor.allocation.task import Held, Variant
from advisor.allocation.workload import Flow, Task
from advisor.basics.quantities import size
from advisor.programs.program import obstacle
from advisor.project import project_edits as edits
from advisor.project.file_edits import orphaned
from advisor.project.held_words import held_read, held_shown, variants_read, variants_shown
from advisor.project.project import Project
from advisor.project.variant_edits import may_vary, with_variants
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.program_sheet import program_fields, program_notes
from gui.inspector.scaling_sheet import scaling_fields, scaling_notes
from gui.inspector.sheet import VARIOUS, Action, Field, Sheet, editable, with_field
from machines import Machine

_MOST_LINKS = 12
_FEW_NAMES = 3
_COMMAND_LINES = 4
_COMMAND = (
    "The command of a run: /bin/sh in the folder of the run, with PLACEWISE_TASK, "
    "PLACEWISE_MACHINE and PLACEWISE_CORES among its variables. Exports to engines hold it"
)
_WORK = "Seconds on a machine of reference speed; divided by the machine's speed. Any machine"


def task_sheet(project: Project, positions: tuple[int, ...]) -> Sheet:
    """The sheet of the tasks at `positions` (one or more)."""
    tasks = [project.workload.tasks[position] for position in positions]
    one = len(tasks) == 1
    return Sheet(
        identity=("task", positions),
        title=tasks[0].name if one else f"{len(tasks)} tasks",
        subtitle=f"Task on {_home(project, positions[0])}" if one else "Tasks",
        fields=(
            *(_single_fields(project, positions[0]) if one else ()),
            *_common_fields(tasks, positions),
            *(_section_fields(project, positions[0]) if one else ()),
        ),
        notes=_notes(project, positions[0]) if one else (),
        actions=_actions(project, positions),
        links=_flow_links(project, positions[0]) if one else (),
    )


def _section_fields(project: Project, position: int) -> tuple[Field, ...]:
    """What runs inside the task, and how it scales; only one of the two can be there."""
    task = project.workload.tasks[position]
    if task.variants:
        return ()
    programs = () if task.scaling is not None else program_fields(task, position)
    return (*scaling_fields(project, position), *programs)


def _notes(project: Project, position: int) -> tuple[str, ...]:
    task = project.workload.tasks[position]
    programs = program_notes(task, project.platform.machines)
    return (*scaling_notes(project, position), *programs, *_file_notes(project, position))


def _file_notes(project: Project, position: int) -> tuple[str, ...]:
    """What the task reads and writes, with sizes, and where what no task makes lies."""
    workload, task = project.workload, project.workload.tasks[position]
    files = {file.name: file for file in workload.files} if task.reads or task.writes else {}
    found = []
    for verb, names in (("Reads", task.reads), ("Writes", task.writes)):
        some = [files[name] for name in names[:_FEW_NAMES]]
        shown = [
            f"{file.name} ({size(file.size_bytes)}{f', on {file.at}' if file.at else ''})"
            for file in some
        ]
        more = [f"{len(names) - len(some)} more"] if len(names) > len(some) else []
        if shown:
            found.append(f"{verb} {', '.join([*shown, *more])}.")
    return tuple(found)


def _home(project: Project, position: int) -> str:
    return project.platform.machines[project.plan.allocation[position]].name


def _change(
    positions: tuple[int, ...], alter: Callable[[Task, object], Task]
) -> Callable[[Project, object], Project]:
    def write(project: Project, value: object) -> Project:
        for position in positions:
            changed = alter(project.workload.tasks[position], value)
            for name in changed.allowed or ():
                machine_position(name, project.platform, f'task "{changed.name}"')
            project = edits.with_task(project, position, changed)
        return project

    return write


def _single_fields(project: Project, position: int) -> tuple[Field, ...]:
    task = project.workload.tasks[position]
    name = editable(
        "name",
        "Name",
        "Unique among the tasks",
        task.name,
        _change((position,), lambda before, value: replace(before, name=cast("str", value))),
        values.name,
    )
    if task.variants:
        return (name, _variants_field(task, position))
    if task.work is not None:
        return (name,)
    return (name, *(_seconds_field(task, position, m) for m in project.platform.machines))


def _variants_field(task: Task, position: int) -> Field:
    """Its variants, a line each; without any it takes what the first of them states."""

    def alter(before: Task, value: object) -> Task:
        given = cast("tuple[Variant, ...]", value)
        return replace(before, variants=given) if given else before.in_variant(0)

    return editable(
        "variants",
        "Variants",
        "Ways to run it, one a line, of which the plan chooses: cpu: 10 min work, 8 cores. "
        "gpu: 40 s on node, 1 core, 1 gpu, 12 GB. Empty: it runs in the first alone",
        task.variants,
        _change((position,), alter),
        variants_read,
        show=lambda value: variants_shown(cast("tuple[Variant, ...]", value)),
        lines=_COMMAND_LINES,
    )


def _seconds_field(task: Task, position: int, on: Machine) -> Field:
    machine = on.name
    absent, empty = "can't run here", "can't run there"
    if task.program is not None:
        reason = obstacle(task.program, on)
        absent, empty = (absent, reason) if reason else ("from its program", "as its program takes")

    def alter(before: Task, value: object) -> Task:
        table = dict(before.seconds)
        if value is None:
            table.pop(machine, None)
        else:
            table[machine] = cast("float", value)
        return replace(before, seconds=tuple(table.items()))

    return editable(
        f"seconds.{machine}",
        f"Time on {machine}",
        f"Dedicated seconds on {machine}, measured alone; ≥ 0. Empty: {empty}",
        dict(task.seconds).get(machine),
        _change((position,), alter),
        values.optional(values.in_unit("s")),
        "s",
        placeholder=absent,
    )


def _common_fields(tasks: list[Task], positions: tuple[int, ...]) -> tuple[Field, ...]:
    def common(name: str) -> object:
        values = set(map(attrgetter(name), tasks))
        return values.pop() if len(values) == 1 else VARIOUS

    def field(
        name: str, label: str, text: str, parse: Callable[[str], object], **more: Any
    ) -> Field:
        write = _change(positions, lambda before, value: with_field(before, name, value))
        return editable(name, label, text, common(name), write, parse, **more)

    scalable = any(task.scaling is not None for task in tasks)
    cores = field("cores", "Cores", "Cores that it holds while it runs; ≥ 1", values.count)
    by_work = all(task.work is not None for task in tasks)
    work = field("work", "Work", _WORK, values.in_unit("s"), unit="s")
    allowed = field(
        "allowed",
        "Allowed on",
        "Names of the machines that may run it, separated by commas. Empty: any",
        values.names,
        show=values.shown_names,
        placeholder="any machine",
    )
    command = field(
        "command",
        "Command",
        _COMMAND,
        str,
        show=str,
        placeholder="Not stated: it can't be run, and exports have a place marked for it",
        lines=_COMMAND_LINES,
    )
    free = scalable or any(task.variants for task in tasks)  # then the plan says how many
    times = (*((work,) if by_work else ()), *(() if free else (cores,)))
    holds = _holds_field(common("holds"), positions)
    return (*times, *_memory_fields(field), holds, allowed, command)


def _memory_fields(field: Callable[..., Field]) -> tuple[Field, ...]:
    """What it holds and moves of memory."""
    return (
        field(
            "memory_bytes",
            "Memory",
            "Working set, held while it runs; it waits until its machine has as much. Empty: not "
            "counted",
            values.optional(values.whole_bytes),
            unit="B",
            placeholder="not counted",
        ),
        field(
            "memory_bandwidth",
            "Memory bandwidth",
            "What it moves to and from memory while it computes alone (of work: at speed 1). Tasks "
            "of a machine that states its memory bandwidth share that. Empty: not counted",
            values.optional(values.in_unit("B/s")),
            unit="B/s",
            placeholder="not counted",
        ),
    )


def _holds_field(common: object, positions: tuple[int, ...]) -> Field:
    def alter(before: Task, value: object) -> Task:
        units, memory = cast("tuple[Held, Held]", value or ((), ()))
        return replace(before, resources=units, unit_memory=memory)

    return editable(
        "resources",
        "Holds",
        "Units of resources that it holds while it runs, beside cores and memory, and what it "
        "needs of the memory of each: 1 gpu of 20 GB, 1 licence",
        common,
        _change(positions, alter),
        held_read,
        show=lambda value: held_shown(*cast("tuple[Held, Held]", value)),
        placeholder="nothing else",
    )


def _actions(project: Project, positions: tuple[int, ...]) -> tuple[Action, ...]:
    tasks = project.workload.tasks
    actions = [
        Action(
            "remove_tasks",
            "Remove task" if len(positions) == 1 else f"Remove {len(positions)} tasks",
            _what_goes(project, positions),
            lambda before: edits.remove_tasks(before, positions),
            lambda _after: Selection(),
        )
    ]
    if len(positions) == 2:
        for first, second in (positions, positions[::-1]):
            flow = Flow(tasks[first].name, tasks[second].name)
            actions.append(
                Action(
                    f"flow_{first}_{second}",
                    f"Flow {flow.name}",
                    "The second waits for the first; give the data in the flow's own sheet",
                    lambda before, flow=flow: edits.add_flow(before, flow),  # type: ignore[misc]
                    lambda after: Selection(flow=len(after.workload.flows) - 1),
                )
            )
    if len(positions) == 1 and tasks[positions[0]].work is not None:
        actions.append(_by_machine(positions[0]))
    if len(positions) == 1 and may_vary(tasks[positions[0]]):
        actions.append(_with_variants(positions[0]))
    return tuple(actions)


def _what_goes(project: Project, positions: tuple[int, ...]) -> str:
    """What removing the tasks does to flows and files."""
    lost = orphaned(project.workload, positions)
    if not lost:
        return "With the flows that touch them"
    few = ", ".join(lost[:_FEW_NAMES]) + (", …" if len(lost) > _FEW_NAMES else "")
    return f"With the flows that touch them. What others read comes from outside then: {few}"


def _by_machine(position: int) -> Action:
    def run(project: Project) -> Project:
        task = project.workload.tasks[position]
        scaling = task.scaling  # what is stated of a scalable task is its time on one processor
        alone = task if scaling is None else replace(task, scaling=None, cores=scaling.least)
        table = tuple(
            (machine.name, seconds)
            for machine in project.platform.machines
            if (seconds := edits.seconds_on(alone, machine)) is not None
        )
        return edits.with_task(project, position, replace(task, work=None, seconds=table))

    return Action(
        "by_machine", "State a time for each machine", "Instead of work divided by speed", run
    )


def _with_variants(position: int) -> Action:
    def run(project: Project) -> Project:
        return with_variants(project, position)

    return Action(
        "add_variant",
        "Add a variant",
        "Another way to run it, such as on a GPU; edit both above",
        run,
    )


def _flow_links(project: Project, position: int) -> tuple[tuple[str, Selection], ...]:
    workload = project.workload
    touching = ((workload.sources == position) | (workload.targets == position)).nonzero()[0]
    return tuple(
        (f"Flow {workload.edges[flow].name}", Selection(flow=flow))
        for flow in touching[:_MOST_LINKS].tolist()
    )
