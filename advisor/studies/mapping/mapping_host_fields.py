"""Nodes of several cores in the mapping study: messages in memory, and what stays there."""

from __future__ import annotations

import re

from advisor.basics.quantities import count, percent, size
from advisor.basics.rounding import ALIKE
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.process_communication import Communication
from advisor.studies.mapping.parameters import MappingParameters, communication_of
from advisor.studies.study import ASSUMED, STATED, Note
from machines import InputError, Interconnect, LogGP
from machines.checks import number
from machines.interconnect import switched
from machines.multicore import with_cores
from machines.traffic import fits_tables

USUAL = (0.1, 0.1, 0.1)
"""L and o in µs, G in ns per byte (10 GB/s): about what MPI does between cores of one socket."""

_MICRO, _NANO = 1e-6, 1e-9


def problem_of(parameters: MappingParameters, net: Interconnect) -> MappingProblem:
    """The communication that the parameters describe, on the cores of the network's nodes."""
    network = with_cores(net.network, parameters.places)
    fits_tables(network)  # before so many processes are made
    flows: Communication = communication_of(parameters, network.size)
    memory = memory_of(parameters, net) if parameters.places > 1 else None
    return mapping_problem(flows, network, memory)


def memory_of(parameters: MappingParameters, net: Interconnect) -> LogGP:
    """What messages between cores of a node cost, in the unit of the network's costs."""
    latency, overhead, per_byte = _given(parameters.memory)
    micro = _MICRO / net.unit_s
    return LogGP(
        L=latency * micro, o_s=overhead * micro, o_r=overhead * micro,
        G=per_byte * _NANO / net.unit_s,
    )  # fmt: skip


def _given(text: str) -> tuple[float, float, float]:
    """L, o and G as the setting gives them."""
    if not text.strip():
        return USUAL
    where = "setting memory"
    try:
        values = [float(value) for value in re.split(r"[\s,;]+", text.strip())]
    except ValueError:
        values = []
    if len(values) != 3:
        raise InputError(
            "memory needs three numbers: L and o in µs, G in ns per byte",
            where=where,
            value=text,
            remedy="For example 0.1, 0.1, 0.1",
        )
    latency, overhead, per_byte = (
        number(name, value, where=where) for name, value in zip("LoG", values, strict=True)
    )
    return latency, overhead, per_byte


def between_reason(picture: MappingPicture) -> str:
    """How much goes between nodes, against row-major; nothing to say with one core a node."""
    problem = picture.problem
    if problem.cores == 1:
        return ""
    total = problem.communication.total_bytes
    after, before = (
        problem.between_nodes(one.mapping) for one in (picture.chosen, picture.orders[0])
    )
    less = f", {percent(1 - after / before)} less" if after < before * (1 - ALIKE) else ""
    if abs(after - before) <= ALIKE * before:
        return f"{size(after)} of {size(total)} go between nodes, as in row-major order."
    return (
        f"{size(after)} of {size(total)} go between nodes instead of {size(before)} in row-major "
        f"order{less}; the rest stays in memory."
    )


def core_notes(parameters: MappingParameters, net: Interconnect) -> tuple[Note, ...]:
    """What is assumed of nodes of several cores, and of networks of switches."""
    notes = []
    if parameters.places > 1:
        latency, overhead, per_byte = _given(parameters.memory)
        given = "as set" if parameters.memory.strip() else "assumed, not measured"
        notes.append(
            Note(
                bool(parameters.memory.strip()),
                f"Between cores of a node: L = {latency:g} µs, o = {overhead:g} µs, "
                f"G = {per_byte:g} ns per byte, {given}. Every pair copies as fast as if it were "
                "alone; the cores share the node's way into the network",
                kind=STATED if parameters.memory.strip() else ASSUMED,
            )
        )
    if parameters.threads > 1:
        left = parameters.cores - parameters.places * parameters.threads
        idle = f"; {count(left, 'core')} of each stay idle" if left else ""
        notes.append(
            Note(
                not left,
                f"{count(parameters.places, 'process', 'processes')} of {parameters.threads} "
                f"threads on each node of {count(parameters.cores, 'core')}{idle}. Export with "
                f"{parameters.threads} threads a process, too",
                kind=STATED,
            )
        )
    if switched(net.network):
        notes.append(
            Note(
                True,
                "Hops count the channels through switches, and that between a host and its switch; "
                "routes are D-mod-k in a fat tree and minimal in a dragonfly: adaptive routing "
                "spreads loads more evenly",
            )
        )
    return tuple(notes)
