"""The inspector's section of a machine's network: preset, shape, and what messages cost on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from advisor.basics.quantities import count
from advisor.messages.mapping.program_patterns import grid_of
from advisor.messages.networks import shape
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.inspector import values
from gui.inspector.sheet import NONE, OWN, Field, beside_none, editable, with_field
from machines import InputError, Interconnect, Machine
from machines.catalogue import interconnect, interconnect_names, interconnect_title
from machines.interconnect import KINDS, network_of

_CHANGED = "Changed from: "
_SOURCE = "Moritz & Frank 2001, sec. 2"
_TIME, _PER_BYTE, _BYTES = "{unit}", "{unit}/B", "B"

Net = Interconnect
# field of LogGP, label, unit, help
_COSTS = (
    ("L", "Latency L", _TIME, "Time in the network of {what}"),
    ("o_s", "Send overhead o_s", _TIME, "Processor time to send {one}"),
    ("o_r", "Receive overhead o_r", _TIME, "Processor time to receive {one}"),
    ("g", "Gap g", _TIME, "Least time between two such messages of one processor"),
    ("G", "Gap per byte G", _PER_BYTE, "Time of each byte on the network; 1/G is the bandwidth"),
    (
        "G_m",
        "Memory gap per byte G_m",
        _PER_BYTE,
        "Time of each byte to memory. 0: memory is infinitely fast",
    ),
    (
        "a",
        "Bytes before interrupt a",
        _BYTES,
        "Bytes that arrive before the receiver is interrupted",
    ),
)
_MESSAGES = (
    ("short", "Short messages", "a short message", "a message that the processor writes"),
    ("long", "Long messages", "a long message's head", "a message, with the start of its DMA"),
)


def network_fields(machine: Machine, position: int) -> tuple[Field, ...]:
    """Preset, and everything of the network where there is one."""
    if machine.network is None:
        return (_preset(None, position),)
    return (
        _preset(machine.network, position),
        *_shape_fields(machine.network, position),
        *(field for kind in _MESSAGES for field in _cost_fields(machine.network, position, *kind)),
    )


def network_notes(machine: Machine) -> tuple[str, ...]:
    """What the network is, where its figures come from, and what is assumed."""
    net = machine.network
    if net is None:
        return ()
    nodes = count(net.network.size, "node")
    source = f"Source: {net.source}" if net.source else "Source: your own values"
    assumed = (f"Assumed: {sentence}" for sentence in net.assumed)
    return (f"Network: {shape(net.network)}, {nodes}", source, *assumed)


def _preset(net: Net | None, position: int) -> Field:
    names = (NONE, *interconnect_names())
    present = NONE if net is None else OWN
    if net is not None:
        present = next((name for name in names[1:] if interconnect(name) == net), OWN)
    offered = (*names, OWN) if present == OWN else names

    def write(project: Project, value: object) -> Project:
        if value == OWN:
            return project
        found = None if value == NONE else interconnect(cast("str", value))
        machine = replace(project.platform.machines[position], network=found)
        return edits.with_machine(project, position, machine)

    return editable(
        "network",
        "Network",
        "What is inside a parallel machine: nodes, channels and what messages cost. A task with a "
        "program needs it. Choose a published one and change what differs, or none",
        present,
        write,
        str,
        choices=offered,
        titled=beside_none(interconnect_title),
        heading="Network",
    )


def _write(
    position: int, change: Callable[[Net, Any], Net]
) -> Callable[[Project, object], Project]:
    """A change of the network, which then is no longer as published."""

    def write(project: Project, value: object) -> Project:
        machine = project.platform.machines[position]
        if machine.network is None:
            return project
        changed = change(machine.network, value)
        if (
            changed != machine.network
            and changed.source
            and not changed.source.startswith(_CHANGED)
        ):
            changed = replace(changed, source=_CHANGED + changed.source)
        return edits.with_machine(project, position, replace(machine, network=changed))

    return write


def _shape_fields(net: Net, position: int) -> tuple[Field, ...]:
    def with_dims(before: Net, dims: Any) -> Net:
        return replace(before, network=network_of(before.network.kind, dims))

    return (
        editable(
            "network.name",
            "Name",
            "Name of this network",
            net.name,
            _write(position, lambda before, value: with_field(before, "name", value)),
            values.name,
        ),
        editable(
            "network.kind",
            "Kind",
            "Mesh: nodes in a grid; torus: the grid's ends are joined; hypercube: 2 nodes along "
            "each dimension; crossbar: every pair has a channel of its own, as in a switch; fat "
            "tree: switches in levels; dragonfly: groups of routers that all know each other",
            net.network.kind,
            _write(position, _with_kind),
            str,
            choices=tuple(dict.fromkeys((*KINDS, net.network.kind))),
        ),
        editable(
            "network.dims",
            "Nodes",
            "Nodes along each dimension, e.g. 8 × 4: 2 along each of a hypercube, one number for a "
            "crossbar; of a fat tree hosts a leaf switch, leaf switches …; of a dragonfly hosts a "
            "router, routers a group, groups",
            net.network.dims,
            _write(position, with_dims),
            values.dimensions,
            show=values.shown_dimensions,
        ),
        editable(
            "network.unit",
            "Unit of time",
            "What the times below are counted in, e.g. cycle or µs",
            net.unit,
            _write(position, lambda before, value: with_field(before, "unit", value)),
            values.name,
        ),
        editable(
            "network.unit_s",
            f"One {net.unit}",
            "Seconds of one unit of time; > 0",
            net.unit_s,
            _write(position, lambda before, value: with_field(before, "unit_s", value)),
            values.in_unit("s"),
            "s",
        ),
    )


def _with_kind(net: Net, kind: Any) -> Net:
    """As many nodes in a network of another kind."""
    nodes, dims = net.network.size, net.network.dims
    if kind == "hypercube":
        if nodes & (nodes - 1):
            raise InputError(
                "a hypercube has a power of two of nodes",
                value=nodes,
                remedy="Change the nodes first",
            )
        dims = (2,) * (nodes.bit_length() - 1)
    elif kind == "crossbar":
        dims = (nodes,)
    elif kind == "fat tree":
        dims = grid_of(nodes, 2)
    elif kind == "dragonfly":
        dims = grid_of(nodes, 3)
    elif net.network.kind == "hypercube":
        dims = _grid(nodes)
    return replace(net, network=network_of(kind, dims))


def _grid(nodes: int) -> tuple[int, ...]:
    """The two-dimensional grid of a power of two of nodes that is closest to a square."""
    wide = 2 ** math.ceil((nodes.bit_length() - 1) / 2)
    return (wide, nodes // wide) if nodes > wide else (nodes,)


def _cost_fields(
    net: Net, position: int, kind: str, heading: str, what: str, one: str
) -> tuple[Field, ...]:
    def field(name: str, label: str, unit: str, text: str) -> Field:
        def change(before: Net, value: Any) -> Net:
            return with_field(before, kind, with_field(getattr(before, kind), name, value))

        shown = unit.format(unit=net.unit)
        return editable(
            f"network.{kind}.{name}",
            label,
            f"{text.format(what=what, one=one)}, in {shown}; ≥ 0 ({_SOURCE})",
            getattr(getattr(net, kind), name),
            _write(position, change),
            values.in_unit(shown),
            shown,
            heading=heading if name == "L" else "",
        )

    return tuple(field(*cost) for cost in _COSTS)
