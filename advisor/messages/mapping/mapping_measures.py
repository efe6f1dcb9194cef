"""What a mapping costs: hop-bytes, its busiest channel, and the LoGPC time of an exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.near_places import nearest_hops
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.process_communication import Communication
from machines.arrays import Flags, Floats, Indices
from machines.errors import InputError
from machines.interconnect import LogGP
from machines.multicore import node_at, nodes_of

HOP_BYTES, BUSIEST, LOGPC = "hop-bytes", "busiest", "logpc"
OBJECTIVES = (HOP_BYTES, BUSIEST, LOGPC)


@dataclass(frozen=True, eq=False)
class Measures:
    """All objectives of one mapping."""

    hop_bytes: float
    mean_hops: float  # of a byte
    busiest_bytes: float  # over the most loaded channel
    shared_channels: int  # channels on the routes of two flows or more
    logpc_time: float  # in the unit of the message costs; see `exchange_time`
    loads: Floats  # shape (channels,); bytes over every channel, in the order of `network.channels`
    socket_bytes: float = 0.0  # between sockets of a node
    computing: float = 0.0  # the longest of any core, in the unit of the message costs
    least_computing: float = 0.0  # what no mapping can beat

    @property
    def time(self) -> float:
        """Of a step: computing, then the exchange."""
        return self.computing + self.logpc_time

    def value(self, objective: str) -> float:
        """The objective of that name, one of `OBJECTIVES`."""
        return {
            HOP_BYTES: self.hop_bytes,
            BUSIEST: self.busiest_bytes,
            LOGPC: self.time,
        }[objective]

    def rank(self, objective: str) -> tuple[float, float, float, float]:
        """What sorts mappings: the objective, then what else is saved where it is equal.

        Times are often equal, the busiest process's: fewer hop-bytes then mean fewer waits.
        """
        first, second = self.busiest_bytes, self.hop_bytes
        value = self.value(objective)
        if objective == LOGPC:
            first, second = second, first
            # as exact as without computing, where that is the same under all mappings
            value = self.logpc_time + (self.computing - self.least_computing)
        return value, first, second, self.socket_bytes


def measure(problem: MappingProblem, costs: LogGP, mapping: Mapping) -> Measures:
    """All objectives of a mapping that fits the problem (see `orders.checked`)."""
    sent, at = problem.communication, np.asarray(mapping)
    loads, flows = problem.routes.loads(at[sent.sources], at[sent.targets], sent.size_bytes)
    loads.flags.writeable = False
    hop_bytes = problem.hop_bytes(mapping)
    busiest = float(loads.max(initial=0.0))
    total = problem.communication.total_bytes
    return Measures(
        hop_bytes=hop_bytes,
        mean_hops=hop_bytes / total if total else 0.0,
        busiest_bytes=busiest,
        shared_channels=int((flows > 1).sum()),
        logpc_time=exchange_time(problem, costs, mapping, busiest),
        loads=loads,
        socket_bytes=problem.between_sockets(mapping),
        computing=problem.computing_time(mapping),
        least_computing=problem.least_computing,
    )


def process_times(
    communication: Communication, costs: LogGP, levels: Sequence[tuple[LogGP, Flags]] = ()
) -> Floats:
    """How long each process handles its messages, without contention; (processes,).

    Σ over what it sends of n · max(g, o_s + (B − 1) G) + Σ over what it receives of n · o_r, for
    flows of n messages of B bytes. Moritz & Frank 2001, Eq. (1), of one message after the other.
    `levels`: which flows, (flows,), have other costs, those of a node's memory; the last counts.
    """
    flows = communication
    send, receive = _handling(flows, costs)
    for level, which in levels:
        there = _handling(flows, level)
        send, receive = np.where(which, there[0], send), np.where(which, there[1], receive)
    return _by_process(flows, send, receive)


def _handling(flows: Communication, costs: LogGP) -> tuple[Floats, Floats]:
    """What each flow costs its sender and its receiver, (flows,) each."""
    size = np.maximum(flows.size_bytes / flows.messages, 1.0)
    send = flows.messages * np.maximum(costs.g, costs.o_s + (size - 1.0) * costs.G)
    return send, flows.messages * costs.o_r


def _by_process(flows: Communication, send: Floats, receive: Floats) -> Floats:
    count = flows.processes
    sending = np.bincount(flows.sources, send, count)
    receiving = np.bincount(flows.targets, receive, count)
    return np.asarray(sending + receiving, dtype=np.float64)


def logpc_time(communication: Communication, costs: LogGP, busiest_bytes: float) -> float:
    """How long an exchange takes at least in which every process sends all its messages.

    L + max(max over the processes of `process_times`, G · bytes of the busiest channel): the
    route-aware form of LoGPC's network contention. It ends neither before the busiest process
    has handled its messages nor before the busiest channel has carried its bytes, for a message
    holds every channel of its route for B·G (the physical reading of occupancy).

    `costs`: of long messages; any unit of time. `busiest_bytes`: of the most loaded channel under
    the mapping. Returns: in the unit of `costs`; 0 where nobody sends.
    """
    if not len(communication.sources):
        return 0.0
    busy = float(process_times(communication, costs).max())
    return costs.L + max(busy, costs.G * busiest_bytes)


def exchange_time(
    problem: MappingProblem, costs: LogGP, mapping: Mapping, busiest_bytes: float
) -> float:
    """`logpc_time` under a mapping: flows inside a node cost what its memory or its sockets do.

    Processes that share a core handle their messages one after the other. The cores of a node share
    its way into the network, so that G · bytes that leave or reach a node are a bound, too. The
    latency is the network's where anything leaves a node, else the memory's.
    """
    flows = problem.communication
    if problem.memory is None or problem.cores == 1 or not len(flows.sources):
        return logpc_time(flows, costs, busiest_bytes)
    inside = problem.inside(mapping)
    levels, latency = [(problem.memory, inside)], problem.memory.L
    if problem.across is not None:
        apart = problem.apart(mapping)
        levels.append((problem.across, apart))
        latency = problem.across.L if apart.any() else latency
    times = process_times(flows, costs, levels)
    if problem.sharing > 1:
        times = np.bincount(problem.core_of(mapping), times).astype(np.float64)
    busy = float(times.max())
    latency = latency if inside.all() else costs.L
    return latency + max(busy, costs.G * max(busiest_bytes, _through(problem, mapping, inside)))


def _through(problem: MappingProblem, mapping: Mapping, inside: Flags) -> float:
    """The most bytes that leave a node, or reach one."""
    flows, node = problem.communication, node_at(problem.network, mapping)
    away = ~inside
    return max(
        float(np.bincount(node[ends[away]], flows.size_bytes[away], 1).max())
        for ends in (flows.sources, flows.targets)
    )


def least_time(problem: MappingProblem, costs: LogGP, busiest_bytes: float) -> float:
    """What no mapping can beat, if its busiest channel carries so many bytes at least.

    With several cores a node every flow is taken as cheap as the cheaper of network and memory.
    """
    flows, memory = problem.communication, problem.memory
    if memory is None or problem.cores == 1 or not len(flows.sources):
        return logpc_time(flows, costs, busiest_bytes)
    levels = [costs, memory, *([] if problem.across is None else [problem.across])]
    send, receive = np.array([_handling(flows, level) for level in levels]).min(axis=0)
    times = _by_process(flows, send, receive)
    cores = problem.network.size // problem.sharing
    busy = max(float(times.max()), float(times.sum()) / cores)
    latency = min(level.L for level in levels)
    return latency + max(busy, costs.G * busiest_bytes)


def bound(problem: MappingProblem, costs: LogGP, objective: str) -> float:
    """What no mapping can beat in an objective; InputError: no such objective."""
    if objective not in OBJECTIVES:
        raise InputError(
            "unknown objective", value=objective, remedy="Allowed: " + ", ".join(OBJECTIVES)
        )
    if objective == HOP_BYTES:
        return hop_bytes_bound(problem)
    busiest = busiest_bound(problem)
    if objective == BUSIEST:
        return busiest
    return problem.least_computing + least_time(problem, costs, busiest)


# What no mapping can beat: cheap lower bounds of hop-bytes and of the busiest channel.


def hop_bytes_bound(problem: MappingProblem) -> float:
    """Bytes · hops that every mapping needs at least.

    The partners of a process sit at best on the nearest nodes around it, the heaviest first; a
    flow counts half at either end. With few partners that is Σ bytes: each flow takes a hop.
    """
    land = problem.landscape
    weights = land.sent + land.received
    most = int(np.diff(land.first).max(initial=0))
    nearest = nearest_hops(problem.routes, land.near.begin, most)
    owner = np.repeat(np.arange(len(land.first) - 1), np.diff(land.first))
    by_weight = np.lexsort((-weights, owner))
    rank = np.arange(len(weights)) - land.first[owner]
    return float(weights[by_weight] @ nearest[rank]) / 2.0


def busiest_bound(problem: MappingProblem) -> float:
    """Bytes that the busiest channel carries at least.

    The most of: the largest flow, which is not split; what a process sends or receives, over the
    channels of a node; and all hop-bytes, over all channels. On a node of c cores the c − 1
    heaviest flows of a process stay inside.
    """
    flows, network = problem.communication, problem.network
    ends = np.array(network.channels).reshape(-1, 2)
    if not len(flows.sources) or not len(ends):
        return 0.0
    nodes = nodes_of(network).size  # the other ends are switches
    ways = max(int(np.bincount(ends[:, side])[:nodes].max()) for side in (0, 1))
    inside, amounts = problem.cores - 1, flows.size_bytes
    through = max(_most(each, amounts, inside) for each in (flows.sources, flows.targets))
    spread = hop_bytes_bound(problem) / len(ends)
    largest = 0.0 if inside else float(amounts.max())
    return max(largest, through / ways, spread)


def _most(owners: Indices, amounts: Floats, inside: int) -> float:
    """The most of any owner, its heaviest amounts left out."""
    order = np.lexsort((-amounts, owners))
    sorted_owners = owners[order]
    rank = np.arange(len(order)) - np.searchsorted(sorted_owners, sorted_owners)
    return float(np.bincount(sorted_owners, amounts[order] * (rank >= inside)).max())
