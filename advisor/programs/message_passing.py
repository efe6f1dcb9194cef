"""A shared-memory program as one of messages: what the same computing takes with messages between.

The user says how many messages each processor would send and how large they are; LoGPC prices
them (`advisor.messages.styles`), on the same workstations or on a network of the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.messages.patterns import ALL_TO_ALL
from advisor.messages.styles import ASYNCHRONOUS, SHORT, STYLES, SYNCHRONOUS, Style
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.models.dvsm import OperationCounts, Technology
from advisor.models.dvsm_network import message_costs
from advisor.programs.costs import ProgramCost
from advisor.programs.remap import Remap
from machines import Crossbar, Interconnect, LogGP, Machine
from machines.checks import number, whole

SAME_NETWORK = "the same"
# the processor writes every byte through its sockets: no DMA engine does it for the program
SOCKET_STYLES = (Style(SYNCHRONOUS, SHORT), Style(ASYNCHRONOUS, SHORT))

_US = 1e-6


@dataclass(frozen=True)
class Messages:
    """The messages of a program that shares no memory."""

    count: int  # messages that each processor sends in the whole run
    size: float  # bytes of each
    pattern: str = ALL_TO_ALL  # who sends to whom (`advisor.messages.patterns.KINDS`)

    def __post_init__(self) -> None:
        whole("messages", self.count, low=1)
        number("message_bytes", self.size, low=1.0)


def computing_s(application: OperationCounts) -> float:
    """Seconds that the slowest processors compute, phase by phase: all that is left of it."""
    return float(application.repeats @ application.busy.max(axis=1)) * _US


def on_network(
    messages: Messages, application: OperationCounts, net: Interconnect, speed: float = 1.0
) -> dict[Style, ProgramCost]:
    """What each style of sending takes on a network of a multicomputer.

    `application`: whose computing lies between them, spread evenly.
    `net`: with at least as many nodes as the application has processors.
    `speed`: of its processors, relative to those that the computing was measured on.
    """
    return _priced(messages, application, net, speed, STYLES, 16.0)


def on_workstations(
    messages: Messages, application: OperationCounts, net: DvsmNetwork, technology: Technology
) -> dict[Style, ProgramCost]:
    """What sending takes on the network that the memory is shared over, with the same software.

    S of a message is the overhead o on either side, the hardware's latency L, the wire G.
    """
    costs = message_costs(net, technology)
    overhead = costs.software(messages.size)
    each = LogGP(L=costs.latency, o_s=overhead, o_r=overhead, G=costs.wire_per_byte)
    nodes = Crossbar(application.processors)
    inside = Interconnect(net.name, nodes, each, each, "µs", _US)
    speed = technology.processor
    return _priced(messages, application, inside, speed, SOCKET_STYLES, messages.size)


def _priced(
    messages: Messages,
    application: OperationCounts,
    net: Interconnect,
    speed: float,
    styles: tuple[Style, ...],
    short_bytes: float,
) -> dict[Style, ProgramCost]:
    machine = Machine(net.name, speed=speed, network=net)
    between_s = computing_s(application) / messages.count
    return {
        style: Remap(
            messages.count,
            messages.size,
            between_s,
            messages.pattern,
            completion=style.completion,
            transport=style.transport,
            short_bytes=short_bytes,
            processes=application.processors,
        ).cost(machine)
        for style in styles
    }
