"""What the tasks of a workload send each other, as the communication that a mapping places."""

from __future__ import annotations

from advisor.allocation.workload import Workload
from advisor.messages.mapping.process_communication import Communication, communication
from machines.errors import InputError


def from_workload(workload: Workload) -> Communication:
    """The tasks of a workload as processes, its flows as what they send.

    Flows whose seconds are stated, without data sets, have no bytes and are left out.

    Raises
    ------
    InputError
        Too many tasks, or no flow that carries bytes.
    """
    sizes = [flow.size_bytes for flow in workload.edges]
    if not any(sizes):
        raise InputError(
            "no flow of the workload has bytes",
            where=f'workload "{workload.name}"',
            remedy="Give data_sets to its flows, or bytes to its files",
        )
    counts = [sum(count for count, _ in flow.data_sets) for flow in workload.edges]
    names = tuple(task.name for task in workload.tasks)
    return communication(
        workload.name, len(names), workload.sources, workload.targets, sizes, counts, names
    )
