"""What a mapping costs: hop-bytes, its busiest channel, and the LoGPC time of an exchange."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.messages.mapping.bounds import busiest_bound, hop_bytes_bound
from advisor.messages.mapping.communication import Communication
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.problem import MappingProblem
from machines.arrays import Flags, Floats
from machines.errors import InputError
from machines.loggp import LogGP

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

    def value(self, objective: str) -> float:
        """The objective of that name, one of `OBJECTIVES`."""
        return {
            HOP_BYTES: self.hop_bytes,
            BUSIEST: self.busiest_bytes,
            LOGPC: self.logpc_time,
        }[objective]

    def rank(self, objective: str) -> tuple[float, float, float]:
        """What sorts mappings: the objective, then what else is saved where it is equal."""
        return self.value(objective), self.busiest_bytes, self.hop_bytes


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
    )


def process_times(
    communication: Communication,
    costs: LogGP,
    memory: LogGP | None = None,
    inside: Flags | None = None,
) -> Floats:
    """How long each process handles its messages, without contention; (processes,).

    Σ over what it sends of n · max(g, o_s + (B − 1) G) + Σ over what it receives of n · o_r, for
    flows of n messages of B bytes. Moritz & Frank 2001, Eq. (1), of one message after the other.
    The flows `inside` a node, (flows,), have the costs of its memory.
    """
    flows = communication
    send, receive = _handling(flows, costs)
    if memory is not None and inside is not None:
        in_memory = _handling(flows, memory)
        send, receive = (
            np.where(inside, there, here)
            for there, here in zip(in_memory, (send, receive), strict=True)
        )
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
    """`logpc_time` under a mapping: flows inside a node cost what its memory does.

    The cores of a node share its way into the network, so that G · bytes that leave or reach a node
    are a bound, too. The latency is the network's where anything leaves a node, else the memory's.
    """
    flows = problem.communication
    if problem.memory is None or problem.cores == 1 or not len(flows.sources):
        return logpc_time(flows, costs, busiest_bytes)
    inside = problem.inside(mapping)
    busy = float(process_times(flows, costs, problem.memory, inside).max())
    latency = problem.memory.L if inside.all() else costs.L
    return latency + max(busy, costs.G * max(busiest_bytes, _through(problem, mapping, inside)))


def _through(problem: MappingProblem, mapping: Mapping, inside: Flags) -> float:
    """The most bytes that leave a node, or reach one."""
    flows, node = problem.communication, np.asarray(mapping) // problem.cores
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
    pairs = zip(_handling(flows, costs), _handling(flows, memory), strict=True)
    send, receive = (np.minimum(one, other) for one, other in pairs)
    busy = float(_by_process(flows, send, receive).max())
    latency = min(memory.L, costs.L)
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
    return least_time(problem, costs, busiest)
