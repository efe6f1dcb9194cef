"""What a shared-memory program takes on a machine of workstations: computing, and all the rest.

The dedicated time of such a task: the counts of its application on as many workstations as they
were taken on, at what messages cost on the machine (`machines.shared_memory`).
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING

from advisor.models.dvsm import ApplicationTime, Technology, application_time
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.models.dvsm_domain import domain_notes
from advisor.shared_memory.phases import Application, application_notes
from machines import InputError, Machine, SharedMemory

if TYPE_CHECKING:
    from advisor.shared_memory.network_file import NetworkPreset

_US = 1e-6
_SHARED_FIELDS = tuple(field.name for field in fields(DvsmNetwork) if field.name != "name")


def workstations_of(application: Application, machine: Machine) -> SharedMemory:
    """The machine's shared memory, if the application runs on it."""
    memory = machine.shared_memory
    where = f'machine "{machine.name}"'
    if memory is None:
        raise InputError(
            "the machine has no shared memory for a shared-memory program",
            where=where,
            remedy="Give it [machine.shared_memory], or state the task's seconds there",
        )
    if memory.workstations < application.processors:
        raise InputError(
            f"the program's counts are for {application.processors} workstations",
            where=where,
            value=memory.workstations,
            remedy="Give the machine as many, or count the program on fewer",
        )
    return memory


def dedicated_time(application: Application, machine: Machine) -> ApplicationTime:
    """Execution time on the machine, whose speed is the processor factor."""
    return _time(application, workstations_of(application, machine), machine.speed)


def split_s(application: Application, machine: Machine) -> tuple[float, float]:
    """(seconds of computing, of everything else): they sum to the execution time.

    Computing is the mean over the processors; the rest is faults, locks, barriers, serving
    others, and waiting for the slowest.
    """
    found = dedicated_time(application, machine)
    busy = found.breakdown["busy"]
    return busy * _US, (found.time - busy) * _US


def program_notes(application: Application, machine: Machine) -> tuple[str, ...]:
    """What to know before believing the time of an application on a machine."""
    return _notes(application, workstations_of(application, machine), machine.speed)


def network_of(memory: SharedMemory) -> DvsmNetwork:
    """The model's network of a machine's shared memory."""
    return DvsmNetwork(memory.network, **{name: getattr(memory, name) for name in _SHARED_FIELDS})


def technology_of(memory: SharedMemory, speed: float) -> Technology:
    """The model's technology: processors of that speed, and the machine's factors."""
    return Technology(
        processor=speed,
        system_benefit=memory.system_benefit,
        protocol=memory.protocol,
        fault=memory.fault,
        lock=memory.lock,
    )


def shared_memory_of(preset: NetworkPreset, workstations: int) -> SharedMemory:
    """The shared memory of workstations on a network, to put into a machine."""
    return SharedMemory(
        network=preset.key,
        workstations=workstations,
        **{name: getattr(preset.network, name) for name in _SHARED_FIELDS},
        source=preset.source,
        assumed=preset.assumed,
    )


# an edit elsewhere on the platform leaves a program's cost as it is
@lru_cache(maxsize=256)
def _time(application: Application, memory: SharedMemory, speed: float) -> ApplicationTime:
    counts = application.counted(memory.network)
    return application_time(network_of(memory), counts, technology_of(memory, speed))


@lru_cache(maxsize=256)
def _notes(application: Application, memory: SharedMemory, speed: float) -> tuple[str, ...]:
    counts, technology = application.counted(memory.network), technology_of(memory, speed)
    return (
        *application_notes(application, memory.network),
        *domain_notes(network_of(memory), counts, technology),
    )
