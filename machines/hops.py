"""Links as steps of a route, and their costs in whole steps that add up exactly."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats, Ints
from machines.platform import Direction, Platform

# Costs are compared as whole steps, 2^45 to the largest, so that equal sums are equal in any
# order of addition and no route can turn in a circle.
_STEPS = 2.0**45
UNREACHABLE = 2**61

Pair = tuple[int, int]


@dataclass(frozen=True)
class Hop:
    """One link of a route.

    Attributes
    ----------
    link : int
        Position in the platform's links.
    forward : bool
        From the link's first end to its second.
    """

    link: int
    forward: bool

    @property
    def code(self) -> int:
        """The hop as a number: 2 link + forward."""
        return 2 * self.link + self.forward

    def direction(self, platform: Platform) -> Direction:
        """The way of the link that this hop takes."""
        link = platform.links[self.link]
        return link.to_second if self.forward else link.to_first

    def ends(self, platform: Platform) -> tuple[str, str]:
        """Names of where it comes from and where it goes."""
        link = platform.links[self.link]
        return (link.first, link.second) if self.forward else (link.second, link.first)


Route = tuple[Hop, ...]


@dataclass(frozen=True, eq=False)
class Graph:
    """A platform as arrays; vertices are the hosts, then the switches.

    Attributes
    ----------
    machines, hosts, vertices : int
        How many there are; machines are the first hosts, hosts the first vertices.
    source, target : ndarray of int, shape (hops,)
        Where each hop comes from and goes, by its code.
    startup, per_byte : ndarray of int, shape (hops,)
        Its startup, and its time per byte (at least 1), in whole steps.
    """

    machines: int
    hosts: int
    vertices: int
    source: Ints
    target: Ints
    startup: Ints
    per_byte: Ints


def graph_of(platform: Platform) -> Graph:
    """The platform as arrays; a hop into a switch goes no faster than the switch."""
    switches = {switch.name: switch for switch in platform.switches}
    names = (*platform.hosts, *switches)
    position_of = {name: position for position, name in enumerate(names)}
    first = [position_of[link.first] for link in platform.links]
    second = [position_of[link.second] for link in platform.links]
    source = np.array([second, first], dtype=np.int64).T.ravel()
    target = np.array([first, second], dtype=np.int64).T.ravel()
    ways = [way for link in platform.links for way in (link.to_first, link.to_second)]
    through = np.array(
        [*[np.inf] * len(platform.hosts), *(each.bandwidth or np.inf for each in switches.values())]
    )
    bandwidth = np.minimum([way.bandwidth for way in ways], through[target])
    with np.errstate(over="ignore"):
        per_byte = np.minimum(1.0 / bandwidth, sys.float_info.max)
    return Graph(
        machines=len(platform.machines),
        hosts=len(platform.hosts),
        vertices=len(names),
        source=source,
        target=target,
        startup=_steps(np.array([way.startup_s for way in ways], dtype=np.float64), least=0),
        per_byte=_steps(per_byte, least=1),
    )


def _steps(costs: Floats, least: int) -> Ints:
    """Costs in whole steps, `_STEPS` to the largest."""
    largest = costs.max(initial=0.0)
    if largest <= 0.0:
        return np.full(costs.size, least, dtype=np.int64)
    steps: Ints = np.maximum(np.rint(costs / largest * _STEPS).astype(np.int64), least)
    return steps
