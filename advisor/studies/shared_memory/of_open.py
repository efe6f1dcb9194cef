"""What the shared-memory study takes from the open project: counts of a task, a network."""

from __future__ import annotations

from advisor.allocation.workload import Workload
from advisor.programs.shared_memory_program import SharedMemoryProgram
from advisor.shared_memory.network_file import NetworkPreset
from advisor.shared_memory.phases import Application
from advisor.shared_memory.shared_memory_costs import network_of
from machines import InputError, Platform
from machines.formats.fields import suggestion


def application_of_task(workload: Workload | None, name: str) -> Application:
    """The counts of a task's program."""
    tasks = () if workload is None else workload.tasks
    known = {
        task.name: task.program.application
        for task in tasks
        if isinstance(task.program, SharedMemoryProgram)
    }
    if name not in known:
        remedy = suggestion(name, known) if known else "Open a project with such a task"
        raise InputError(
            "no open project has this shared-memory task", where="setting task", value=name,
            remedy=remedy,
        )  # fmt: skip
    return known[name]


def network_of_machine(platform: Platform | None, name: str) -> NetworkPreset:
    """The network of a machine's workstations."""
    machines = () if platform is None else platform.machines
    known = {one.name: one.shared_memory for one in machines if one.shared_memory is not None}
    memory = known.get(name)
    if memory is None:
        remedy = suggestion(name, known) if known else "Open a project with such a machine"
        raise InputError(
            "no open project has this machine of workstations", where="setting machine",
            value=name, remedy=remedy,
        )  # fmt: skip
    return NetworkPreset(memory.network, network_of(memory), memory.source, memory.assumed)
