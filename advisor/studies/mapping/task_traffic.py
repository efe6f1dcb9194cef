"""The communication of the processes of a task's program, whatever nodes they are on."""

from __future__ import annotations

import numpy as np

from advisor.allocation.workload import Workload
from advisor.messages.mapping.communication import Communication, communication
from advisor.messages.patterns import NEIGHBOURS, destinations
from advisor.programs.diamond import DiamondDag
from advisor.programs.message_program import StyledProgram
from machines import InputError
from machines.arrays import Floats
from machines.formats.fields import suggestion


def task_traffic(workload: Workload | None, name: str, processes: int) -> Communication:
    """What the processes of a task's program send each other in its whole run.

    `workload`: of the open project. `name`: of the task.
    """
    program = mapped_program(workload, name, processes)
    if isinstance(program, DiamondDag):
        amount = program.n * program.bytes_per_value * np.eye(processes, k=1)
        return _communication(name, amount, amount / (program.blocks or 1))
    each = program.message(processes, 1.0).size
    amount = destinations(program.traffic, np.zeros((processes, processes), np.int64))
    amount *= program.sent(processes) * each
    return _communication(name, amount, np.full_like(amount, each))


def mapped_program(
    workload: Workload | None, name: str, processes: int
) -> DiamondDag | StyledProgram:
    """The program of a task whose processes send each other the same on any nodes."""
    where = "setting task"
    known = {} if workload is None else {task.name: task.program for task in workload.tasks}
    if name not in known:
        remedy = suggestion(name, known) if known else "Open a project, or choose another pattern"
        raise InputError("no open project has this task", where=where, value=name, remedy=remedy)
    program = known[name]
    if isinstance(program, DiamondDag):
        return program
    if not isinstance(program, StyledProgram):
        raise InputError(
            "the task has no program of messages", where=where, value=name,
            remedy="Choose a task with such a program",
        )  # fmt: skip
    if program.traffic.kind == NEIGHBOURS:
        raise InputError(
            "its processes send to the nodes around them, wherever they are", where=where,
            value=name, remedy="There is nothing to map: choose another task",
        )  # fmt: skip
    if program.sent(processes) <= 0:
        raise InputError("nothing is sent between its processes", where=where, value=name)
    return program


def _communication(name: str, amount: Floats, each: Floats) -> Communication:
    """Of bytes between all pairs, in messages of so many bytes each."""
    sources, targets = np.nonzero(amount)
    sizes = amount[sources, targets]
    messages = np.maximum(1.0, sizes / each[sources, targets])
    return communication(name, len(amount), sources, targets, sizes, messages)
