"""The inspector's section of a machine's shared memory: preset, workstations, what it costs.

A preset is a network with published figures. How many workstations there are and how their system
differs from that of 1997 is not part of it: both stay when another network is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from advisor.basics.quantities import count
from advisor.project import project_edits as edits
from advisor.project.project import Project
from advisor.shared_memory.network_file import DVSM_NETWORKS, dvsm_network, dvsm_network_names
from advisor.shared_memory.shared_memory_costs import shared_memory_of
from gui.inspector import values
from gui.inspector.sheet import NONE, OWN, Field, Slider, beside_none, editable, with_field
from machines import Machine, SharedMemory

_FIRST_WORKSTATIONS = 8
_CHANGED = "Changed from: "
_PAPER = "Parsons, Brorsson & Sevcik 1997"
_US, _PER_BYTE, _BYTES = "µs", "µs/B", "B"
_SIZES = (("software_small", "Small messages"), ("software_large", "Large messages"))
# field, label, unit, help
_COSTS = (
    ("wire_per_byte", "Wire per byte", _PER_BYTE, "1 over the bandwidth: 0.08 is 100 Mbit/s; ≥ 0"),
    ("wire_overhead", "Added on the wire", _BYTES, "Bytes that a message adds on the wire; ≥ 0"),
    ("software_overhead", "Headers", _BYTES, "Bytes of headers that software handles; ≥ 0"),
    ("interface_latency", "Interface latency", _US, "Of one interface; a message meets two; ≥ 0"),
    ("switch_latency", "Switch latency", _US, "Of the switch; 0: there is none; ≥ 0"),
    ("signal", "Signal", _US, "Time to interrupt the serving program; ≥ 0"),
)
_FACTORS = (
    (
        "system_benefit",
        "System benefit",
        "Share of each doubling of the processor's speed that system software gains; > 0 to 1",
    ),
    ("protocol", "Protocol φ", "Time of protocol software over that of 1997; 0 to 1"),
    ("fault", "Faults left", "Share of the page faults that is not prefetched; 0 to 1"),
    ("lock", "Locks", "Time of a lock over that of 1997; 0 to 1"),
)
_NOT_OF_THE_NETWORK = ("workstations", *(name for name, _, _ in _FACTORS))


def shared_memory_fields(machine: Machine, position: int) -> tuple[Field, ...]:
    """Preset, and everything that sharing memory costs where it is offered."""
    memory = machine.shared_memory
    if memory is None:
        return (_preset(None, position),)
    return (
        _preset(memory, position),
        *_naming_fields(memory, position),
        *(field for kind in _SIZES for field in _software_fields(memory, position, *kind)),
        _knee_field(memory, position),
        *(_cost_field(memory, position, *cost) for cost in _COSTS),
        *(_factor_field(memory, position, *factor) for factor in _FACTORS),
    )


def shared_memory_notes(machine: Machine) -> tuple[str, ...]:
    """How many share memory, where the figures come from, and what is assumed."""
    memory = machine.shared_memory
    if memory is None:
        return ()
    network = DVSM_NETWORKS.title(memory.network)
    return (
        f"Shared memory: {count(memory.workstations, 'workstation')} on {network}",
        f"Source: {memory.source}" if memory.source else "Source: your own values",
        *(f"Assumed: {sentence}" for sentence in memory.assumed),
    )


def _preset(memory: SharedMemory | None, position: int) -> Field:
    names = (NONE, *dvsm_network_names())
    present = NONE
    if memory is not None:
        present = next((name for name in names[1:] if _like(memory, name) == memory), OWN)

    def write(project: Project, value: object) -> Project:
        if value == OWN:
            return project
        machine = project.platform.machines[position]
        found = None if value == NONE else _like(machine.shared_memory, cast("str", value))
        return edits.with_machine(project, position, replace(machine, shared_memory=found))

    return editable(
        "shared_memory",
        "Shared memory",
        "Workstations that share memory through software on their network. A task with a "
        "shared-memory program needs it. Choose a published network and change what differs, or "
        "none",
        present,
        write,
        str,
        choices=(*names, OWN) if present == OWN else names,
        titled=beside_none(DVSM_NETWORKS.title),
        heading="Shared memory",
    )


def _like(memory: SharedMemory | None, name: str) -> SharedMemory:
    """The published network with the workstations and factors of `memory`."""
    found = shared_memory_of(dvsm_network(name), _FIRST_WORKSTATIONS)
    if memory is None:
        return found
    kept: Any = {name: getattr(memory, name) for name in _NOT_OF_THE_NETWORK}
    return replace(found, **kept)


def _field(
    memory: SharedMemory,
    position: int,
    name: str,
    *,
    label: str,
    text: str,
    unit: str = "",
    parse: Callable[[str], object] | None = None,
    part: int | None = None,
    **more: Any,
) -> Field:
    """A field of the shared memory, or of one `part` of a pair in it."""

    def write(project: Project, value: object) -> Project:
        machine = project.platform.machines[position]
        before = machine.shared_memory
        if before is None:
            return project
        if part is not None:
            pair = list(getattr(before, name))
            pair[part] = value
            value = tuple(pair)
        changed = _own(before, with_field(before, name, value), name)
        return edits.with_machine(project, position, replace(machine, shared_memory=changed))

    value = getattr(memory, name)
    return editable(
        f"shared_memory.{name}" + ("" if part is None else (".base", ".per_byte")[part]),
        label,
        text,
        value if part is None else value[part],
        write,
        parse or values.in_unit(unit),
        unit,
        **more,
    )


def _own(before: SharedMemory, changed: SharedMemory, name: str) -> SharedMemory:
    """The changed memory, which no longer claims to be published where its network differs."""
    if name in _NOT_OF_THE_NETWORK or changed == before or not changed.source:
        return changed
    if changed.source.startswith(_CHANGED):
        return changed
    return replace(changed, source=_CHANGED + changed.source)


def _naming_fields(memory: SharedMemory, position: int) -> tuple[Field, ...]:
    return (
        _field(
            memory,
            position,
            "workstations",
            label="Workstations",
            text="How many there are; a program runs on as many as its counts are for; ≥ 1",
            parse=values.count,
        ),
        _field(
            memory,
            position,
            "network",
            label="Name",
            text="Applications whose extra times were measured on a network know it by this name",
            parse=values.name,
        ),
    )


def _software_fields(
    memory: SharedMemory, position: int, name: str, heading: str
) -> tuple[Field, ...]:
    base = _field(
        memory,
        position,
        name,
        label="Software",
        text=f"Processor time of either side of a message, of any size; > 0 ({_PAPER}, Table 2)",
        unit=_US,
        part=0,
        heading=heading,
    )
    each = _field(
        memory,
        position,
        name,
        label="Software per byte",
        text=f"Processor time that each byte adds, headers included; ≥ 0 ({_PAPER}, Table 2)",
        unit=_PER_BYTE,
        part=1,
    )
    return base, each


def _knee_field(memory: SharedMemory, position: int) -> Field:
    return _field(
        memory,
        position,
        "knee",
        label="Small up to",
        text="Largest small message, headers included; ≥ 0. Empty: all messages are small",
        unit=_BYTES,
        parse=lambda text: values.real(text, _BYTES) if text.strip() else math.inf,
        show=lambda value: "" if value == math.inf else values.shown(value),
        placeholder="all of them",
    )


def _cost_field(
    memory: SharedMemory, position: int, name: str, label: str, unit: str, text: str
) -> Field:
    heading = "Wire and latency" if name == _COSTS[0][0] else ""
    source = f"{text} ({_PAPER}, Table 2)"
    return _field(memory, position, name, label=label, text=source, unit=unit, heading=heading)


def _factor_field(memory: SharedMemory, position: int, name: str, label: str, text: str) -> Field:
    return _field(
        memory,
        position,
        name,
        label=label,
        text=f"{text} ({_PAPER}, Table 7)",
        parse=values.real,
        slider=Slider(0.01 if name == "system_benefit" else 0.0, 1.0),
        heading="System and protocol" if name == _FACTORS[0][0] else "",
    )
