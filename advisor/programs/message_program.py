"""What all programs of messages share: a network, where the processes are, what a style needs.

Their dedicated time is LoGPC's, with the route-aware estimate of contention. Inside times are in
the network's unit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from advisor.messages.mapping.orders import Mapping
from advisor.messages.network_load import ROUTE_AWARE, NetworkLoad, network_load
from advisor.messages.networks import RANDOM, placed
from advisor.messages.patterns import (
    ALL_TO_ALL,
    NEIGHBOURS,
    Pattern,
    check_pattern,
    destinations,
)
from advisor.messages.styles import (
    ASYNCHRONOUS,
    COMPLETIONS,
    SHORT,
    TRANSPORTS,
    Message,
    Style,
    style_cost,
)
from advisor.models.logpc import channel_occupancy
from advisor.programs.choices.mapping_choice import (
    MAPPING_NAMES,
    OPTIMISED,
    mapping_from,
    mapping_table,
    optimised_mapping,
)
from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.program import Held, ProgramCost, check_numbers
from machines import InputError, Interconnect, Machine
from machines.arrays import Floats
from machines.formats.fields import place
from machines.network import Network
from machines.parameters import parameter
from machines.traffic import routes_of

MOST_NODES = 4096
FAMILY, NEEDS = "of messages", "a network"
PAPER = "Moritz & Frank 2001"
# the load of messages that never meet
_ALONE = NetworkLoad(k_d=1.0, dimensions=1, channel=0.0, receiver=1.0, given=0.0)

# what a task keeps when its program becomes another of messages
KEPT = ("completion", "transport", "mapping", "seed", "processes", "threads")


def completion_field() -> Any:
    """Whether the sender waits."""
    return parameter(
        ASYNCHRONOUS,
        title="Completion",
        choices=(*COMPLETIONS, CHOOSE),
        help="synchronous: the sender waits for a reply; asynchronous: it continues; choose: the "
        "plan's choice, asynchronous until it has one "
        f"({PAPER}, sec. 5.1)",
    )


def transport_field() -> Any:
    """Who moves the bytes."""
    return parameter(
        SHORT,
        title="Transport",
        choices=(*TRANSPORTS, CHOOSE),
        help="short: the processor writes the bytes, many messages for many bytes; long: a DMA "
        "engine moves them, and the processor waits for it (blocking) or computes meanwhile "
        "(non-blocking); choose: the plan's choice, short until it has one "
        f"({PAPER}, sec. 2.2)",
    )


def short_bytes_field(default: float) -> Any:
    """What one short message carries."""
    return parameter(
        default,
        title="Short message",
        unit="B",
        low=1.0,
        only={"transport": (SHORT, CHOOSE)},
        help="Most bytes of one short message; a larger one is cut into equal pieces",
    )


def bytes_per_value_field() -> Any:
    """What a value takes in a message."""
    return parameter(
        8.0,
        title="Bytes per value",
        unit="B",
        low=0.0,
        above=True,
        help="A message has at least one byte",
    )


def mapping_field() -> Any:
    """Where the processes are."""
    return parameter(
        CHOOSE,
        title="Mapping",
        help="The node of each process. row-major, snake (every other row backwards), gray, "
        "hilbert (near processes stay near), random; optimised: by swaps, so that the busiest "
        "channel carries least; choose: the plan's choice, row-major until it has one",
    )


def _names() -> dict[str, object]:
    return {name: name for name in (CHOOSE, *MAPPING_NAMES)}


# a mapping may also be the node of every process, which no form gives
HELD = {"mapping": Held(mapping_from, mapping_table, _names, "own nodes")}


def seed_field(**also: tuple[str, ...]) -> Any:
    """What is drawn; `also` names other fields and their values that draw."""
    return parameter(
        0,
        title="Seed",
        low=0,
        only={"mapping": (RANDOM,), **also},
        help="Number from which the permutation or the random order is drawn",
    )


def processes_field() -> Any:
    """How many processes there are."""
    return parameter(
        None,
        title="Processes P",
        low=2,
        empty="one on each node",
        help="How many; at most one a node",
    )


def threads_field() -> Any:
    """What each process has of its node."""
    return parameter(
        1,
        title="Threads a process",
        low=1,
        high=1024,
        help="Cores of its node that each process takes; times of computing are with all of them",
    )


class MessageProgram(ABC):
    """A program of messages; a subclass says how many processes fit and what they spend."""

    __slots__ = ()

    mapping: str | Mapping
    seed: int
    processes: int | None
    threads: int

    @property
    def order(self) -> str | Mapping:
        """Where its processes are as long as no plan says so."""
        return "row-major" if self.mapping == CHOOSE else self.mapping

    @property
    def swaps_matter(self) -> bool:
        """Whether a search by swaps may find what no order has."""
        return True

    @abstractmethod
    def sends(self, net: Interconnect, P: int) -> Floats:
        """How much each of P processes sends each other, shape (P, P), for swaps to begin with."""

    def places(self, net: Interconnect) -> Mapping:
        """The node of every process on a network where they fit."""
        P = net.network.size if self.processes is None else self.processes
        return seating(net.network, self.order, self.seed, P, lambda: self.sends(net, P))

    @abstractmethod
    def fitted(self, net: Interconnect, units: float) -> int:
        """Its processes on a network; refuses what can't run before anything is solved.

        `units`: of the network's time in a second of reference work.
        """

    @abstractmethod
    def spent(self, net: Interconnect, P: int, units: float, contended: bool) -> tuple[float, ...]:
        """Time by the causes of a program of messages, in the network's unit."""

    @abstractmethod
    def words(self) -> str:
        """What it does, with how many, and where its processes are."""

    def check(self, machine: Machine) -> None:
        """Refuse a machine without a network on which its processes and messages are possible."""
        net = network_of(machine)
        self.fitted(net, units_of(net, machine.speed))

    def cost(self, machine: Machine, contended: bool = True) -> ProgramCost:
        """Dedicated seconds on a machine; its messages never meet unless `contended`."""
        return _cost(self, network_of(machine), machine.speed, contended)

    def caveats(self, machine: Machine) -> tuple[str, ...]:  # noqa: ARG002
        """None beyond those of its style."""
        return ()


class StyledProgram(MessageProgram):
    """Messages of one size in one pattern and one style, with computing between them."""

    __slots__ = ()

    completion: str
    transport: str

    @property
    @abstractmethod
    def traffic(self) -> Pattern:
        """Communication pattern."""

    @abstractmethod
    def sent(self, P: int) -> float:
        """Messages of each of P processes, all in all."""

    @abstractmethod
    def message(self, P: int, units: float) -> Message:
        """One of them, where there are any."""

    @property
    def style(self) -> Style:
        """How it sends as long as no plan says so."""
        default = Style()
        return Style(
            default.completion if self.completion == CHOOSE else self.completion,
            default.transport if self.transport == CHOOSE else self.transport,
        )

    @property
    def swaps_matter(self) -> bool:
        """Not where all send to all, nor where the nodes themselves say who sends to whom."""
        return self.traffic.kind not in {ALL_TO_ALL, NEIGHBOURS}

    def sends(self, net: Interconnect, P: int) -> Floats:
        """The probabilities of its pattern, its processes one node after the other."""
        return destinations(self.traffic, routes_of(net.network).hops[:P, :P])

    def fitted(self, net: Interconnect, units: float) -> int:
        """Its processes, if the pattern suits them and its numbers the models."""
        P = seated(net, self.order, self.seed, self.processes)
        check_pattern(self.traffic, P)
        if self.sent(P) > 0:
            message = self.message(P, units)
            if self.style.transport == SHORT:
                message.cut()
        return P

    def spent(self, net: Interconnect, P: int, units: float, contended: bool) -> tuple[float, ...]:
        """What its style takes a message, so many times."""
        load = _ALONE
        if contended:
            load = _load(net.network, self.traffic, self.order, self.seed, P)
        cost, sent = style_cost(self.style, net, load, self.message(P, units)), self.sent(P)
        waited = cost.latency + cost.gap
        parts = (cost.computing, cost.processor, waited, cost.network, cost.overhead)
        return tuple(sent * part for part in parts)


def seated(net: Interconnect, mapping: str | Mapping, seed: int, processes: int | None) -> int:
    """The processes of a program, if they have their nodes in that order."""
    P = net.network.size if processes is None else processes
    if P < 2:
        raise InputError("a parallel program needs at least two nodes", value=P)
    if net.network.size > MOST_NODES:
        raise InputError(
            "the network is too large to follow a program's routes",
            value=net.network.size,
            remedy=f"At most {MOST_NODES} nodes",
        )
    _nodes(net.network, mapping, P, seed)
    channel_occupancy(1.0, net.long.G, "physical")
    return P


def seating(
    network: Network, order: str | Mapping, seed: int, P: int, sends: Callable[[], Floats]
) -> Mapping:
    """The node of each of P processes in an order, or as swaps find them for what they send."""
    if order == OPTIMISED:
        return optimised_mapping(network, sends(), seed)
    return placed(network, order, P, seed)


def check_program(program: MessageProgram, where: str) -> None:
    """Refuse a number out of its range, and an order that no network has."""
    check_numbers(program, where)
    with place(where):
        nodes = mapping_from(program.mapping)
        if isinstance(nodes, tuple) and program.processes not in {None, len(nodes)}:
            raise InputError(
                f"the mapping is not of {program.processes} processes", where="mapping",
                value=len(nodes), remedy="Give one node for each process",
            )  # fmt: skip


def seats(program: MessageProgram) -> str:
    """How many processes there are, and where: the end of a program's sentence."""
    mapping, processes, threads = program.order, program.processes, program.threads
    each = f" of {threads} threads" if threads > 1 else ""
    many = f"a process{each} on each node" if processes is None else f"{processes} processes{each}"
    if isinstance(mapping, str):
        return f"{many} in {mapping} order."
    return f"{many} on nodes of their own."


# solving a network takes long; sizes, styles, computations and costs of messages leave it as it is
@lru_cache(maxsize=64)
def _load(
    network: Network, pattern: Pattern, order: str | Mapping, seed: int, P: int
) -> NetworkLoad:
    routes = routes_of(network)
    mapping = seating(network, order, seed, P, lambda: destinations(pattern, routes.hops[:P, :P]))
    traffic = destinations(pattern, routes.hops[np.ix_(mapping, mapping)])
    return network_load(routes, traffic, mapping, ROUTE_AWARE)


def network_of(machine: Machine) -> Interconnect:
    """What joins the nodes of a machine; refuses one without."""
    if machine.network is None:
        raise InputError(
            "the machine has no network for a parallel program",
            where=f'machine "{machine.name}"',
            remedy="Give it a network, or state the task's seconds there",
        )
    return machine.network


def units_of(net: Interconnect, speed: float) -> float:
    """Of the network's time in a second of reference work on a machine of that speed."""
    return 1.0 / (speed * net.unit_s)


# an edit elsewhere on the platform leaves a program's cost as it is
@lru_cache(maxsize=256)
def _cost(program: MessageProgram, net: Interconnect, speed: float, contended: bool) -> ProgramCost:
    units = units_of(net, speed)
    parts = program.spent(net, program.fitted(net, units), units, contended)
    return ProgramCost((*(part * net.unit_s for part in parts), 0.0))  # no shared memory


# a curve through thousands of nodes takes 50 ms, and whether it exists is asked while one drags
@lru_cache(maxsize=64)
def _nodes(network: Network, order: str | Mapping, P: int, seed: int) -> Mapping:
    if order == OPTIMISED:  # it always exists
        order = "row-major"
    return placed(network, order, P, seed)
