"""What a parallel task's program takes on a machine, split by cause.

Its dedicated time: LoGPC for the pattern, style, mapping and blocks of messages, with the
route-aware estimate of contention; `advisor.shared_memory.costs` for programs that share memory.
Contention by other users multiplies it like any task's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.basics.causes import (
    COMPUTING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    PROCESSOR_WAIT,
    SHARED_MEMORY_OVERHEAD,
    TRANSFERRING,
)
from advisor.messages.diamond import Diamond, least, stripes_load
from advisor.messages.network_load import ROUTE_AWARE, NetworkLoad, network_load
from advisor.messages.networks import placed
from advisor.messages.patterns import Pattern, check_pattern, destinations
from advisor.messages.styles import Message, StyleCost, style_cost
from advisor.models.logpc import channel_occupancy, em3d_messages
from advisor.programs.records import (
    DiamondDag,
    Em3d,
    MessageProgram,
    Program,
    Remap,
    SharedMemoryProgram,
)
from advisor.shared_memory.costs import program_notes, split_s
from machines import InputError, Interconnect, Machine
from machines.network import Network
from machines.traffic import routes_of

MOST_NODES = 4096
PROGRAM_CAUSES = (
    COMPUTING,
    PROCESSOR_WAIT,
    TRANSFERRING,
    NETWORK_CONTENTION,
    MESSAGE_OVERHEAD,
    SHARED_MEMORY_OVERHEAD,
)


@dataclass(frozen=True)
class ProgramCost:
    """Dedicated seconds of a program on a machine.

    Attributes
    ----------
    parts_s : tuple of float
        Seconds of each of `PROGRAM_CAUSES`; processor contention among its own messages is
        waiting for the processor, latency and gap are transferring. Of a shared-memory program
        all but computing is its overhead, waiting for the slowest processor included.
    """

    parts_s: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """All of them."""
        return sum(self.parts_s)


def program_cost(program: Program, machine: Machine, contended: bool = True) -> ProgramCost:
    """Dedicated seconds of a program on a machine, by cause.

    Parameters
    ----------
    contended : bool
        Without it the program's messages never meet: known at once, whatever the network's size.

    Raises
    ------
    InputError
        The machine has no network, fewer nodes than processes, or the program can't run on it.
    """
    if isinstance(program, SharedMemoryProgram):
        computing, overhead = split_s(program.application, machine)
        return ProgramCost((computing, 0.0, 0.0, 0.0, 0.0, overhead))
    return _cost(program, _network(machine), machine.speed, contended)


def obstacle(program: Program, machine: Machine, priced: bool = True) -> str:
    """Why a program can't run on a machine, in words; empty if it can.

    Without `priced` only what is known without solving the network, which may take seconds: good
    enough wherever a person waits, as its price is computed later anyway.
    """
    try:
        if priced or isinstance(program, SharedMemoryProgram):
            program_cost(program, machine)
        else:
            _check(program, _network(machine))
    except InputError as error:
        return error.what if error.value is None else f"{error.what} ({error.value})"
    return ""


def caveats(program: Program, machine: Machine) -> tuple[str, ...]:
    """What to know before believing a program's cost on a machine where it can run."""
    if isinstance(program, SharedMemoryProgram):
        return program_notes(program.application, machine)
    return ()


def _network(machine: Machine) -> Interconnect:
    if machine.network is None:
        raise InputError(
            "the machine has no network for a parallel program",
            where=f'machine "{machine.name}"',
            remedy="Give it a network, or state the task's seconds there",
        )
    return machine.network


def _processes(program: MessageProgram, net: Interconnect) -> int:
    P = net.network.size if program.processes is None else program.processes
    if P < 2:
        raise InputError("a parallel program needs at least two nodes", value=P)
    if net.network.size > MOST_NODES:
        raise InputError(
            "the network is too large to follow a program's routes",
            value=net.network.size,
            remedy=f"At most {MOST_NODES} nodes",
        )
    return P


def _check(program: MessageProgram, net: Interconnect) -> int:
    """The processes of a program; refuses what can't run before anything is solved."""
    P = _processes(program, net)
    placed(net.network, program.mapping, P, program.seed)
    channel_occupancy(1.0, net.long.G, "physical")
    if isinstance(program, DiamondDag):
        diamond = Diamond(net, program.n, P, program.element_s, program.bytes_per_value)
        diamond.most()
        if program.blocks is not None:
            diamond.steps(program.blocks)
    else:
        check_pattern(program.traffic, P)
    return P


# an edit elsewhere on the platform leaves a program's cost as it is
@lru_cache(maxsize=256)
def _cost(program: MessageProgram, net: Interconnect, speed: float, contended: bool) -> ProgramCost:
    units = 1.0 / (speed * net.unit_s)  # of the network in a second of reference work
    P = _check(program, net)
    if isinstance(program, DiamondDag):
        parts = _diamond(program, net, P, units, contended)
    elif isinstance(program, Em3d):
        parts = _em3d(program, net, P, units, contended)
    else:
        message = Message(program.message_bytes, program.computation_s * units, program.short_bytes)
        load = _load_of(program, net, P, contended)
        parts = _by_cause(style_cost(program.style, net, load, message), program.messages)
    return ProgramCost((*(part * net.unit_s for part in parts), 0.0))  # no shared memory


def _em3d(
    program: Em3d, net: Interconnect, P: int, units: float, contended: bool
) -> tuple[float, ...]:
    """Every iteration: its messages, and its edges' computation spread between them."""
    count = em3d_messages(
        program.nodes, program.degree, program.nonlocal_share, P, program.values_per_message
    )
    computing = program.nodes * program.degree / P * program.edge_s * units
    if count == 0:
        return (program.iterations * computing, 0.0, 0.0, 0.0, 0.0)
    message = Message(program.message_bytes, computing / count, program.short_bytes)
    load = _load_of(program, net, P, contended)
    cost = style_cost(program.style, net, load, message)
    return _by_cause(cost, program.iterations * count)


def _diamond(
    program: DiamondDag, net: Interconnect, P: int, units: float, contended: bool
) -> tuple[float, ...]:
    """Eq. (15) with contention, term by term along its critical path."""
    diamond = Diamond(
        net, program.n, P, program.element_s * units, program.bytes_per_value,
        program.aggregation_s * units,
    )  # fmt: skip
    load = _stripes(net, program.mapping, program.seed, P) if contended else None
    b = program.blocks
    if b is None:
        b, _ = least(lambda blocks: diamond.makespan(blocks, load), diamond.most())
    steps = diamond.steps(b)
    computing = (P + b - 1) * steps.work
    overhead = (b - 1) * net.long.o_s
    return (
        computing,
        0.0,
        steps.makespan(P, b) - computing - overhead,
        max(0.0, diamond.makespan(b, load) - diamond.makespan(b)),  # rounding is no contention
        overhead,
    )


def _by_cause(cost: StyleCost, messages: float) -> tuple[float, ...]:
    waited = cost.latency + cost.gap
    parts = (cost.computing, cost.processor, waited, cost.network, cost.overhead)
    return tuple(messages * part for part in parts)


def _load_of(program: Remap | Em3d, net: Interconnect, P: int, contended: bool) -> NetworkLoad:
    if not contended:
        return NetworkLoad(k_d=1.0, dimensions=1, channel=0.0, receiver=1.0, given=0.0)
    return _load(net.network, program.traffic, program.mapping, program.seed, P)


# solving a network takes long; sizes, styles, computations and costs of messages leave it as it is
@lru_cache(maxsize=64)
def _load(network: Network, pattern: Pattern, order: str, seed: int, P: int) -> NetworkLoad:
    routes = routes_of(network)
    mapping = placed(network, order, P, seed)
    traffic = destinations(pattern, routes.hops[np.ix_(mapping, mapping)])
    return network_load(routes, traffic, mapping, ROUTE_AWARE)


@lru_cache(maxsize=64)
def _stripes(net: Interconnect, order: str, seed: int, P: int) -> NetworkLoad:
    return stripes_load(net, routes_of(net.network), P, order, seed, ROUTE_AWARE)
