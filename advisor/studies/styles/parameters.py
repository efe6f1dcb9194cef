"""What the styles study asks for, and the search that answers it step by step.

A case is the parameters resolved: network, routes and the load of the pattern. The words and
pictures of the answer are in `advisor.studies.styles.run`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from advisor.basics.quantities import percent, size
from advisor.basics.rounding import ROUNDING
from advisor.messages.crossings import Crossing, crossings
from advisor.messages.mapping.orders import Mapping
from advisor.messages.network_load import (
    NETWORK_MODELS,
    PUBLISHED,
    ROUTE_AWARE,
    NetworkLoad,
    network_load,
)
from advisor.messages.networks import ORDER_NAMES, RANDOM, Clock, placed
from advisor.messages.patterns import (
    ALL_TO_ALL,
    EM3D,
    HOTSPOT,
    KINDS,
    NEIGHBOURS,
    PERMUTATION,
    SHIFT,
    Pattern,
    destinations,
)
from advisor.messages.styles import (
    STYLES,
    Advice,
    Message,
    Style,
    StyleCost,
    advice,
    alike,
    model_error,
    style_cost,
)
from advisor.models.logpc import OCCUPANCIES
from advisor.studies.network_settings import ShapedNetworkSettings, network_unit
from advisor.studies.network_source import network_of_settings, processors_on
from advisor.studies.parameters import parameter
from advisor.studies.study import Note
from machines import Interconnect
from machines.arrays import Floats
from machines.traffic import Routes, routes_of

_SIZES = 120
_SHARES = 21
_SWEPT = 128  # nodes
MOST_SHARE = 0.5
"""Hotspot shares are varied up to here."""


@dataclass(frozen=True)
class StylesParameters(ShapedNetworkSettings):
    """What the styles study asks for; times in the network's unit."""

    processors: int | None = parameter(
        None, low=2, high=4096, help="Processes, one a node; auto: one on each node."
    )
    pattern: str = parameter(ALL_TO_ALL, choices=KINDS, help="Communication pattern.")
    reach: int = parameter(
        1,
        low=1,
        high=4096,
        help="Shift distance, hops of neighbours, or span of EM3D.",
        only={"pattern": (SHIFT, NEIGHBOURS, EM3D)},
    )
    hotspot_share: float = parameter(
        0.1,
        low=0.0,
        high=1.0,
        help="Share of all messages that go to one node (hotspot).",
        only={"pattern": (HOTSPOT,)},
    )
    nonlocal_share: float = parameter(
        1.0,
        low=0.0,
        high=1.0,
        help="Share of the bytes that leave their processor (EM3D).",
        only={"pattern": (EM3D,)},
    )
    message_bytes: int = parameter(1000, unit="B", low=1, high=10**9, help="Size of a message.")
    computation: float = parameter(
        0.0, unit_of=network_unit, low=0.0, high=1e15,
        help="Computation between two messages, in the network's unit.",
    )  # fmt: skip
    total_bytes: float = parameter(
        1e6, unit="B", low=0.0, high=1e18, help="Bytes that each process has to send."
    )
    short_bytes: float = parameter(
        16.0, unit="B", low=1.0, high=1e6, help="Most bytes that one short message carries."
    )
    largest_bytes: int = parameter(
        100_000, unit="B", low=2, high=10**9, help="Right end of the curves."
    )
    mapping: str = parameter(
        "row-major", choices=ORDER_NAMES, help="Order in which processes take the nodes."
    )
    seed: int = parameter(
        0,
        low=0,
        high=2**31 - 1,
        help="Of random patterns and mappings.",
        only={"pattern": (PERMUTATION,), "mapping": (RANDOM,)},
    )
    contention: str = parameter(
        ROUTE_AWARE, choices=NETWORK_MODELS, help="Model of network contention."
    )
    occupancy: str = parameter(
        "physical",
        choices=OCCUPANCIES,
        help='Time that B bytes occupy a channel: "physical" B·G; "bytes" B, as printed.',
        only={"contention": (PUBLISHED,)},
    )
    measured_contention: float | None = parameter(
        None, low=0.0, high=1e15, help="C_n per message as measured; auto: from the model."
    )

    @property
    def prices_bytes(self) -> bool:
        """A channel is taken for the time of a message's bytes."""
        return True

    @property
    def message_sizes(self) -> tuple[float, float]:
        """Bytes of a short message and of a long one."""
        return self.short_bytes, float(self.message_bytes)


@dataclass(frozen=True, eq=False)
class StyleCase:
    """The parameters resolved: the network, its routes and the load of the pattern."""

    asked: StylesParameters
    net: Interconnect
    routes: Routes
    load: NetworkLoad
    origin: tuple[Note, ...] = ()

    @classmethod
    def of(cls, asked: StylesParameters) -> StyleCase:
        """Resolve the parameters; InputError where they name nothing that exists."""
        found = network_of_settings(asked)
        processors_on(found.net, asked, asked.processors)
        routes = routes_of(found.net.network)
        load = _load(asked, routes, asked.hotspot_share)
        return cls(asked, found.net, routes, load, found.notes)

    @property
    def clock(self) -> Clock:
        """How its times are shown."""
        return Clock.of(self.net)

    def cost(self, style: Style, message_bytes: int, load: NetworkLoad | None = None) -> StyleCost:
        """Cost of a message; `load` replaces that of the pattern."""
        asked = self.asked
        message = Message(float(message_bytes), asked.computation, asked.short_bytes)
        return style_cost(style, self.net, self.load if load is None else load, message)

    def time(self, style: Style, message_bytes: int) -> float:
        """Time per message, in the network's unit."""
        return self.cost(style, message_bytes).time

    @property
    def error(self) -> float:
        """The relative error of its times with contention; below it there is no difference."""
        return model_error(self.load, fixed=self.asked.pattern in (SHIFT, PERMUTATION))

    def alike(self, one: Style, other: Style, message_bytes: int) -> bool:
        """Whether two styles differ by no more than that error."""
        return alike(self.cost(one, message_bytes), self.cost(other, message_bytes), self.error)

    def at_share(self, share: float) -> dict[Style, float]:
        """Time per message by style with another share of the hotspot."""
        load = _load(self.asked, self.routes, share)
        return {style: self.cost(style, self.asked.message_bytes, load).time for style in STYLES}

    @property
    def sweeps_shares(self) -> bool:
        """Whether other shares of the hotspot are tried; each solves the network anew."""
        return self.asked.pattern == HOTSPOT and self.net.network.size <= _SWEPT

    def probabilities(self) -> Floats:
        """Of the destination (column) of a message of each node (row)."""
        mapping, traffic = _traffic(self.asked, self.routes, self.asked.hotspot_share)
        between = np.zeros_like(self.routes.hops, np.float64)
        between[np.ix_(mapping, mapping)] = traffic
        return between

    @property
    def messages(self) -> int:
        """Messages of the program that each process sends."""
        sent = self.asked.total_bytes
        if self.asked.pattern == EM3D:
            sent *= self.asked.nonlocal_share
        return math.ceil(sent / self.asked.message_bytes * (1.0 - ROUNDING))


def _load(asked: StylesParameters, routes: Routes, share: float) -> NetworkLoad:
    mapping, traffic = _traffic(asked, routes, share)
    given = asked.measured_contention
    return network_load(routes, traffic, mapping, asked.contention, asked.occupancy, given)


def _traffic(asked: StylesParameters, routes: Routes, share: float) -> tuple[Mapping, Floats]:
    """(node of each process, destination probabilities of each process)."""
    network = routes.network
    P = network.size if asked.processors is None else asked.processors
    mapping = placed(network, asked.mapping, P, asked.seed)
    pattern = Pattern(asked.pattern, asked.reach, share, seed=asked.seed)
    return mapping, destinations(pattern, routes.hops[np.ix_(mapping, mapping)])


@dataclass(eq=False)
class StyleFindings:
    """What the study has found so far."""

    costs: dict[Style, StyleCost]
    sizes: list[int] = field(default_factory=list)
    curves: dict[Style, list[float]] = field(default_factory=lambda: {one: [] for one in STYLES})
    crossings: list[Crossing] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    by_share: dict[Style, list[float]] = field(default_factory=lambda: {one: [] for one in STYLES})
    complete: bool = False

    @property
    def ranked(self) -> list[Style]:
        """The styles, the fastest first."""
        return sorted(STYLES, key=lambda style: self.costs[style].time)

    def advised(self, case: StyleCase) -> Advice:
        """Which style to use."""
        return advice(self.costs, case.error)


def search(case: StyleCase, found: StyleFindings) -> Iterator[tuple[float, str]]:
    """Fill `found` step by step; yields (share done, what comes next) before each."""
    sizes = _sizes(case.asked.largest_bytes)
    shares = _shares(case)
    steps = len(sizes) + len(shares)
    for done, message_bytes in enumerate(sizes):
        yield done / steps, size(message_bytes)
        for style in STYLES:
            found.curves[style].append(case.time(style, message_bytes))
        found.sizes.append(message_bytes)
    for crossing in crossings(sizes, found.curves, case.time, case.alike):
        found.crossings.append(crossing)
        yield len(sizes) / steps, "Crossovers"
    for done, share in enumerate(shares, len(sizes)):
        yield done / steps, f"hotspot share {percent(share)}"
        for style, time in case.at_share(share).items():
            found.by_share[style].append(time)
        found.shares.append(share)


def _sizes(largest: int) -> list[int]:
    return sorted(set(np.geomspace(1, largest, _SIZES).round().astype(int).tolist()))


def _shares(case: StyleCase) -> list[float]:
    """Shares of a hotspot to try, the present one among them."""
    asked = case.asked
    if not case.sweeps_shares:
        return []
    most = max(MOST_SHARE, asked.hotspot_share)
    return sorted({*np.linspace(0.0, most, _SHARES).tolist(), asked.hotspot_share})
