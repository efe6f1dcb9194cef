"""What a traffic pattern asks of a network, and what a message then waits for channels.

The patterns say who sends to whom, the routes which channels that takes; the reading chooses the
model of contention. Rates are per message that a process sends, so that one value serves any
interval, size and style.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.models.logpc import channel_occupancy, contention_closed, contention_open
from machines.arrays import Floats, Ints
from machines.checks import number
from machines.errors import InputError
from machines.interconnect import switched
from machines.network import Network
from machines.stopping import ask
from machines.traffic import Routes, busiest, channel_loads

if TYPE_CHECKING:
    from advisor.messages.route_waits import RouteWaits

PUBLISHED = "published"
ROUTE_AWARE = "route-aware"
NETWORK_MODELS = (ROUTE_AWARE, PUBLISHED)
SOURCE = "Moritz & Frank 2001, sec. 3"

_ROWS = 256  # of traffic that are weighed between two looks whether to stop
_HOP_ROUNDING = 1e-9  # a mean of one hop may come out just below 1, where the model ends


@dataclass(frozen=True)
class NetworkLoad:
    """The traffic of a program as the models of contention see it.

    `receiver`: messages to the busiest receiver, per message that a process sends; ≥ 1 where all
        send.
    `reading`: "published": Moritz & Frank's closed model of a mean channel; "route-aware": the real
        channels and receivers (`advisor.models.wormhole`).
    `occupancy`: "bytes" or "physical" (`advisor.models.logpc.channel_occupancy`); the route-aware
        estimate knows the physical one alone.
    `shape`: kind of a network that the published model is not of, a fat tree or a dragonfly; else
        empty.
    """

    k_d: float  # mean hops of a message per dimension
    dimensions: int  # dimensions of more than one node
    channel: float  # messages over the busiest channel, per message that a process sends
    receiver: float
    reading: str = PUBLISHED
    occupancy: str = "physical"
    given: float | None = None  # measured contention per message, in place of the model's
    waits: RouteWaits | None = None  # the route-aware estimate
    shape: str = ""

    def occ(self, B: float, G: float) -> float:
        """Time that a message of B bytes occupies a channel of gap G per byte."""
        known = self.occupancy if self.waits is None else "physical"
        return channel_occupancy(B, G, known)

    def contention(self, T: float, occ: float, terms: float = 1.0) -> float:
        """C_n of senders that wait for it: the interval is T + terms C_n.

        Moritz & Frank 2001, Eq. (7), or the route-aware estimate. Zero where the published model
        does not apply: k_d < 1.

        `T`: interval between messages of a process without contention, ≥ 0. `occ`: time that a
        message occupies a channel, > 0. `terms`: messages' worth of contention per interval.
        """
        if self.given is not None:
            return self.given
        if self.waits is not None:
            # the interval is T or longer; scaling may round it to a hair less
            return max(0.0, occ * self.waits.closed(T / occ, terms) - T) / terms
        if not self.applies:
            return 0.0
        return contention_closed(T, occ, self.k_d, self.dimensions, terms)

    def contention_at(self, T_c: float, occ: float) -> float:
        """C_n of messages whose interval is T_c, whatever they wait.

        Moritz & Frank 2001, Eq. (6), at m = 1/T_c, or the route-aware estimate.
        """
        if self.given is not None:
            return self.given
        if self.waits is not None:
            return occ * self.waits.wait(T_c / occ)
        if not self.applies:
            return 0.0
        return contention_open(1.0 / T_c, occ, self.k_d, self.dimensions)

    def caveats(self, T: float, T_c: float, occ: float, unit: str) -> tuple[str, ...]:
        """Why C_n should be taken with care, one sentence each; none for a given one.

        `T`, `T_c`: interval between messages of a process without and with contention. `occ`: time
        that a message occupies a channel. `unit`: their unit.
        """
        if self.given is not None or self.waits is not None:
            return ()
        if self.shape:
            return (
                f"The published model is of meshes and tori: on a {self.shape} no contention is "
                "assumed; the route-aware model knows its channels.",
            )
        if not self.applies:
            return (
                f"Messages go k_d = {self.k_d:.3g} hops per dimension, fewer than 1: no contention "
                "is assumed, the published model is not applicable.",
            )
        from advisor.models.wormhole import doubts  # noqa: PLC0415 - scipy is slow to import

        # the doubt about short intervals is of the physical reading
        interval = T if self.occupancy == "physical" else max(T, 3.0 * occ)
        cycle, given_T_c = (1.0 if unit == "cycle" else 0.0), T_c * (1.0 + _HOP_ROUNDING)
        found = list(
            doubts(interval, occ, k_d=self.k_d, T_c=given_T_c, guard=self.floor(occ), cycle=cycle)
        )
        if self.occupancy == "bytes" and unit != "cycle":
            found.append(f'The variant "bytes" takes one {unit} for a byte: use "physical" here.')
        elif self.occupancy == "bytes" and 10.0 * occ > T:
            found.append(
                f"Messages follow one another at {T / occ:.3g} occupancies: below 10 the variant "
                '"bytes" is pessimistic by 5 to 30 %.'
            )
        if occ * self.k_d >= 2.0 * T:
            found.append("Without contention the channels would be saturated: they set the rate.")
        return tuple(found)

    def floor(self, occ: float) -> float:
        """Least interval at which the busiest channel and the busiest receiver keep up.

        occ · max(channel, receiver); for a share f of all messages to one of P nodes the second
        is 1 + (P − 2) f. The published model does not know it.
        """
        return occ * max(self.channel, self.receiver)

    @property
    def handled(self) -> float:
        """Messages that the busiest receiver handles per message sent; the published model: 1."""
        return 1.0 if self.reading == PUBLISHED else max(self.receiver, 1.0)

    @property
    def applies(self) -> bool:
        """Whether the reading describes such traffic at all."""
        return self.waits is not None or (self.k_d >= 1.0 and not self.shape)


def network_load(
    routes: Routes,
    traffic: Floats,
    mapping: Sequence[int],
    reading: str = PUBLISHED,
    occupancy: str = "physical",
    given: float | None = None,
) -> NetworkLoad:
    """The load that the traffic of processes puts on a network.

    `routes`: of the network.
    `traffic`: shape (processes, processes); messages from i to j per message that each process
        sends: destination probabilities.
    `mapping`: node of each process.
    `reading`, `occupancy`, `given`: as `NetworkLoad`.
    Raises `Stopped`: told to stop (`machines.stopping`) while a large network was solved.
    """
    if reading not in NETWORK_MODELS:
        raise InputError(
            "unknown contention model",
            value=reading,
            remedy="Variants: " + ", ".join(NETWORK_MODELS),
        )
    nodes = np.asarray(mapping)
    measured = None if given is None else number("contention", given)
    between = _placed(traffic, nodes, routes.network.size)
    k_d = _hops(routes, between) / float(traffic.sum()) / dimensions(routes.network)
    waits = _solved(routes, between) if reading == ROUTE_AWARE and given is None else None
    return NetworkLoad(
        k_d=1.0 if abs(k_d - 1.0) < _HOP_ROUNDING else k_d,
        dimensions=dimensions(routes.network),
        channel=waits.channel if waits else busiest(routes, channel_loads(routes, between))[1],
        receiver=float(traffic.sum(axis=0).max()),
        reading=reading,
        occupancy=occupancy,
        given=measured,
        waits=waits,
        shape=routes.network.kind if switched(routes.network) else "",
    )


def _hops(routes: Routes, between: Floats) -> float:
    """Hops of all messages."""
    total = 0.0
    for begin in range(0, len(between), _ROWS):
        if begin:
            ask()
        rows = slice(begin, begin + _ROWS)
        total += float((between[rows] * routes.hops[rows]).sum())
    return total


def _placed(traffic: Floats, nodes: Ints, size: int) -> Floats:
    """The traffic of processes between the nodes that they are on, (size, size)."""
    if np.array_equal(nodes, np.arange(size)):
        return traffic
    between = np.zeros((size, size))
    between[np.ix_(nodes, nodes)] = traffic
    return between


def _solved(routes: Routes, between: Floats) -> RouteWaits:
    from advisor.messages.route_waits import RouteWaits  # noqa: PLC0415 - scipy is slow to import

    return RouteWaits.of(routes, between)


def dimensions(network: Network) -> int:
    """Dimensions of more than one node, at least 1; the levels of switches are none."""
    if switched(network):
        return 1
    return max(1, sum(k > 1 for k in network.dims))
