"""Nodes of several cores in the mapping study: messages in memory, and what stays there."""

from __future__ import annotations

import re

from advisor.basics.quantities import count, percent, size
from advisor.basics.rounding import ALIKE
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.process_communication import Communication
from advisor.studies.mapping.parameters import MappingParameters, communication_of
from advisor.studies.mapping.work_fields import computing_of
from advisor.studies.study import ASSUMED, STATED, Note
from machines import InputError, Interconnect, LogGP
from machines.checks import number
from machines.interconnect import switched
from machines.multicore import with_cores
from machines.network import Network
from machines.traffic import fits_places

USUAL = (0.1, 0.1, 0.1)
"""L and o in µs, G in ns per byte (10 GB/s): about what MPI does between cores of one socket."""

FARTHER = (0.2, 0.1, 0.2)
"""The same between sockets of a node: about twice the latency and half the bandwidth."""

_MICRO, _NANO = 1e-6, 1e-9


def problem_of(parameters: MappingParameters, net: Interconnect) -> MappingProblem:
    """The communication that the parameters describe, on the cores of the network's nodes."""
    network = _with_places(parameters, net)
    fits_places(network)  # before so many processes are made
    sharing = parameters.per_core
    flows: Communication = communication_of(parameters, network.size // sharing)
    computing = computing_of(parameters, net, network, flows.processes)
    if max(parameters.places) == 1:
        return mapping_problem(flows, network, computing=computing)
    if parameters.sockets > (fewest := min(parameters.places) // sharing):
        raise InputError(
            f"a node takes {fewest} processes, fewer than it has sockets",
            where="setting sockets", value=parameters.sockets,
            remedy="Give fewer sockets, or fewer threads a process",
        )  # fmt: skip
    memory = memory_of(parameters, net)
    across = None if parameters.sockets == 1 else memory_of(parameters, net, across=True)
    return mapping_problem(flows, network, memory, parameters.sockets, across, sharing, computing)


def _with_places(parameters: MappingParameters, net: Interconnect) -> Network:
    """The network with the processes that its nodes take."""
    nodes, places = net.network.size, parameters.places
    if len(places) not in {1, nodes}:
        raise InputError(
            f"{count(len(places), 'node')} have cores, and the network has {nodes}",
            where="setting cores", value=parameters.cores,
            remedy=f"Give one number for all, or {nodes}; or set dims=\"{len(places)} crossbar\"",
        )  # fmt: skip
    return with_cores(net.network, places[0] if len(places) == 1 else places)


def memory_of(parameters: MappingParameters, net: Interconnect, *, across: bool = False) -> LogGP:
    """What messages between cores of a node cost, in the unit of the network's costs.

    `across`: between those of different sockets.
    """
    latency, overhead, per_byte = _given(parameters, across=across)
    micro = _MICRO / net.unit_s
    return LogGP(
        L=latency * micro, o_s=overhead * micro, o_r=overhead * micro,
        G=per_byte * _NANO / net.unit_s,
    )  # fmt: skip


def _given(parameters: MappingParameters, *, across: bool) -> tuple[float, float, float]:
    """L, o and G as the setting gives them."""
    text = parameters.across if across else parameters.memory
    if not text.strip():
        return FARTHER if across else USUAL
    where = "setting across" if across else "setting memory"
    try:
        values = [float(value) for value in re.split(r"[\s,;]+", text.strip())]
    except ValueError:
        values = []
    if len(values) != 3:
        raise InputError(
            f"{where.split()[1]} needs three numbers: L and o in µs, G in ns per byte",
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


def _threaded(cores: int, threads: int) -> str:
    """How many processes of so many threads a node of so many cores takes, and what is left."""
    places, left = divmod(cores, threads)
    idle = f", of which {left} {'stays' if left == 1 else 'stay'} idle" if left else ""
    took = f"{count(places, 'process', 'processes')} of {threads} threads"
    return f"{took} on each node of {count(cores, 'core')}{idle}"


def _level_note(
    between: str, parameters: MappingParameters, *, across: bool, more: str = ""
) -> Note:
    """What messages inside a node are taken to cost."""
    latency, overhead, per_byte = _given(parameters, across=across)
    known = bool((parameters.across if across else parameters.memory).strip())
    given = "as set" if known else "assumed, not measured"
    text = (
        f"Between {between}: L = {latency:g} µs, o = {overhead:g} µs, G = {per_byte:g} ns per "
        f"byte, {given}{more}"
    )
    return Note(known, text, kind=STATED if known else ASSUMED)


def core_notes(parameters: MappingParameters, net: Interconnect) -> tuple[Note, ...]:
    """What is assumed of nodes of several cores, and of networks of switches."""
    notes = []
    if max(parameters.places) > 1:
        more = ". Every pair copies as fast as if it were alone; the cores share the node's way "
        more += "into the network"
        notes.append(_level_note("cores of a node", parameters, across=False, more=more))
        if parameters.sockets > 1:
            notes.append(_level_note("sockets of a node", parameters, across=True))
    if parameters.per_core > 1:
        text = f"Up to {parameters.per_core} processes share a core: they take turns, so that what "
        notes.append(Note(True, text + "they compute and their messages add up"))
    if parameters.threads > 1:
        left = any(cores % parameters.threads for cores in parameters.counts)
        each = "; ".join(
            _threaded(cores, parameters.threads) for cores in dict.fromkeys(parameters.counts)
        )
        notes.append(Note(not left, each, kind=STATED))
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
