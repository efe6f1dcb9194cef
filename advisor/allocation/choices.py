"""What a plan chooses about the programs inside tasks, by task: style, mapping, blocks, technology.

What there is to choose is a kind's business (`advisor.programs.choices`). A workload whose
programs have their choices put in is an ordinary workload (`chosen`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from advisor.allocation.workload import Task, Workload
from advisor.programs.choices.program_choice import ProgramChoice
from advisor.programs.kinds import choices_of
from advisor.programs.program import obstacle
from machines import InputError, Machine
from machines.formats.fields import place, suggestion


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """One choice about the program of one task.

    Attributes
    ----------
    task : int
        Position.
    name : str
        Of the `ProgramChoice`: "style".
    value : object
        As that reads it; hashable.
    """

    task: int
    name: str
    value: Hashable


Choices = tuple[TaskChoice, ...]


def choosable(task: Task) -> tuple[ProgramChoice, ...]:
    """What a plan may choose about a task."""
    return () if task.program is None else choices_of(task.program)


def open_choices(task: Task) -> tuple[ProgramChoice, ...]:
    """Of these, what the task's program leaves to the plan."""
    return tuple(one for one in choosable(task) if one.is_open(task.program))


def ordered(choices: Iterable[TaskChoice]) -> Choices:
    """As a plan holds them: by task and name, the last of several for one."""
    last = {(one.task, one.name): one for one in choices}
    return tuple(last[key] for key in sorted(last))


def of_task(choices: Choices, task: int) -> dict[str, Hashable]:
    """{name: value} of what is chosen about a task."""
    return {one.name: one.value for one in choices if one.task == task}


def with_choice(choices: Choices, task: int, name: str, value: Hashable | None) -> Choices:
    """With another value, or without one: what the program says then holds."""
    rest = [one for one in choices if (one.task, one.name) != (task, name)]
    return ordered(rest if value is None else (*rest, TaskChoice(task, name, value)))


def chosen_task(task: Task, choices: Mapping[str, Hashable]) -> Task:
    """The task whose program does what was chosen.

    Raises
    ------
    InputError
        A task without a program, a choice that its kind does not have, or a value that its
        program refuses.
    """
    if not choices:
        return task
    known = {one.name: one for one in choosable(task)}
    program = task.program
    with place(f'task "{task.name}"'):
        for name, value in choices.items():
            program = _known(known, task, name).applied(program, value)
    return replace(task, program=program)


def chosen(workload: Workload, choices: Choices) -> Workload:
    """The workload whose programs do what was chosen; itself if nothing was."""
    if not choices:
        return workload
    tasks = list(workload.tasks)
    for position, group in groupby(choices, key=lambda one: one.task):
        tasks[position] = chosen_task(tasks[position], {one.name: one.value for one in group})
    return workload.repriced(tuple(tasks), workload.flows)


def choices_from(value: object, workload: Workload) -> Choices:
    """The choices that a file gives: {task: {name: value}}.

    Raises
    ------
    InputError
        An unknown task, one without a program, a name or a value that it does not have.
    """
    if not isinstance(value, Mapping):
        raise InputError("choices must be a table task → choices", where="choices", value=value)
    found = []
    for name, row in value.items():
        if name not in workload.index:
            remedy = suggestion(str(name), workload.index)
            raise InputError("unknown task", where="choices", value=name, remedy=remedy)
        position = workload.index[name]
        task = workload.tasks[position]
        with place(f'choices, task "{name}"'):
            if not isinstance(row, Mapping):
                raise InputError("this must be a table of keys and values", value=row)
            known = {one.name: one for one in choosable(task)}
            given = {key: _known(known, task, key).read(one) for key, one in row.items()}
        _ = chosen_task(task, given)
        found += [TaskChoice(position, key, one) for key, one in given.items()]
    return ordered(found)


def check_chosen(choices: Choices, workload: Workload, machines: Sequence[Machine]) -> None:
    """Refuse a choice that alone keeps a task from running where it is put.

    Parameters
    ----------
    choices, workload
        What is chosen, and about what.
    machines : sequence of Machine, length tasks
        Where every task runs.

    Raises
    ------
    InputError
        Naming the task, the choice and the machine, where the program itself could run there.
    """
    for one in choices:
        task, machine = workload.tasks[one.task], machines[one.task]
        if task.program is None or obstacle(task.program, machine):
            continue
        with place(f'choices, task "{task.name}": {one.name} on {machine.name}'):
            changed = chosen_task(task, {one.name: one.value}).program
            assert changed is not None
            changed.check(machine)


def choices_table(choices: Choices, workload: Workload) -> dict[str, dict[str, object]]:
    """What a file holds of them: {task: {name: value}}."""
    result: dict[str, dict[str, object]] = {}
    for one in choices:
        task = workload.tasks[one.task]
        write = next(kind.write for kind in choosable(task) if kind.name == one.name)
        result.setdefault(task.name, {})[one.name] = write(one.value)
    return result


def kept_choices(choices: Choices, position: int, task: Task) -> Choices:
    """The choices that still make sense when the task at a position becomes another one."""

    def fits(one: TaskChoice) -> bool:
        try:
            chosen_task(task, {one.name: one.value})
        except InputError:
            return False
        return True

    return tuple(one for one in choices if one.task != position or fits(one))


def reindexed(choices: Choices, place: Mapping[int, int]) -> Choices:
    """The choices about tasks that stay, {old position: new position}."""
    return tuple(replace(one, task=place[one.task]) for one in choices if one.task in place)


def _known(known: Mapping[str, ProgramChoice], task: Task, name: object) -> ProgramChoice:
    if name in known:
        return known[str(name)]
    if task.program is None:
        remedy = "Only parallel tasks with a program have choices"
        raise InputError("the task has no program", value=name, remedy=remedy)
    remedy = suggestion(str(name), known)
    raise InputError("its program has no such choice", value=name, remedy=remedy)
