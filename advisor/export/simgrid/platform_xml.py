"""A platform as SimGrid's XML (version 4.1): hosts, what transfers share, and explicit routes.

Every resource of `machines.sharing` is one link of policy SHARED; what only caps a single transfer
is a FATPIPE link. A route lists what it crosses, a switch with a bandwidth once. Links carry what
the empty link gives, divided by its slowdown. The network inside a machine is a link, too, at the
end of its routes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from advisor.models.contention import link_slowdown
from machines import Machine, Platform
from machines.checks import LARGEST
from machines.hops import Hop
from machines.platform import FREE, SHARED, Direction
from machines.routes import Route, routes
from machines.sharing import inner_bandwidth, inner_startup_s

ZONE = "placewise"
CORE_FLOPS = 1e9  # as HOST_SPEED of `simulation`

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- One second of a task's dedicated time is 1e9 flops; rates in bytes per second. -->
<platform version="4.1">
  <zone id="placewise" routing="Full">
"""
_TAIL = "  </zone>\n</platform>\n"

# what XML 1.0 can't hold, or changes in an attribute
_UNFIT = re.compile("[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010fffd]")


@dataclass(frozen=True)
class XmlLink:
    """A link of the platform's XML: bytes/s, seconds, and whether transfers share it."""

    name: str
    bandwidth: float
    latency_s: float
    shared: bool


@dataclass(frozen=True)
class XmlPlatform:
    """What the XML says.

    Attributes
    ----------
    hosts : tuple of str
        Names of machines, then of stores, as the XML holds them.
    cores : tuple of int
    speeds : tuple of tuple of float
        Of every host its speed with 1, 2, … busy cores, of its dedicated one; one entry: always.
    links : tuple of XmlLink
    routes : dict
        (p, q), host positions → positions in `links`.
    """

    hosts: tuple[str, ...]
    cores: tuple[int, ...]
    speeds: tuple[tuple[float, ...], ...]
    links: tuple[XmlLink, ...]
    routes: dict[tuple[int, int], tuple[int, ...]]

    def narrowest(self, pair: tuple[int, int], *, shared: bool = False) -> float:
        """Bytes/s that a transfer can reach alone, or that the shared links of its route leave."""
        crossed = (self.links[at] for at in self.routes[pair])
        among = (link.bandwidth for link in crossed if link.shared or not shared)
        return min(among, default=float("inf"))

    def latency_s(self, pair: tuple[int, int]) -> float:
        """Startup of a route."""
        return sum(self.links[at].latency_s for at in self.routes[pair])


def xml_platform(
    platform: Platform, reading: str, speeds: Sequence[Sequence[float]]
) -> XmlPlatform:
    """What the XML of a platform says.

    Parameters
    ----------
    platform : Platform
    reading : {"exact", "published"}
        Of the links' slowdowns (`advisor.models.contention.link_slowdown`).
    speeds : sequence of sequences of float
        Of every machine, as `XmlPlatform.speeds`.
    """
    links = _Links(platform, reading)
    found = {pair: links.crossed(route) for pair, route in routes(platform).items()}
    stores = len(platform.stores)
    return XmlPlatform(
        fit_names(platform.hosts, (ZONE,)),
        (*(machine.cores for machine in platform.machines), *(1,) * stores),
        (*(tuple(one) for one in speeds), *((1.0,),) * stores),
        links.named(),
        found,
    )


def render(found: XmlPlatform) -> str:
    """The XML text."""
    names = [quoteattr(name) for name in found.hosts]
    links = [quoteattr(link.name) for link in found.links]
    lines = []
    for name, cores, speeds in zip(names, found.cores, found.speeds, strict=True):
        flops = ",".join(f"{speed * CORE_FLOPS!r}f" for speed in speeds)
        lines.append(f'<host id={name} speed="{flops}" core="{cores}"/>')
    for name, link in zip(links, found.links, strict=True):
        policy = "SHARED" if link.shared else "FATPIPE"
        lines.append(
            f'<link id={name} bandwidth="{link.bandwidth!r}Bps" latency="{link.latency_s!r}s" '
            f'sharing_policy="{policy}"/>'
        )
    for (p, q), crossed in sorted(found.routes.items()):
        inside = "".join(f"<link_ctn id={links[at]}/>" for at in crossed)
        lines.append(f'<route src={names[p]} dst={names[q]} symmetrical="NO">{inside}</route>')
    return _HEAD + "".join(f"    {line}\n" for line in lines) + _TAIL


def fit_names(names: Iterable[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Names that XML can hold and that differ: other characters become "_", doubles a number."""
    used, found = set(taken), []
    for name in names:
        plain = _UNFIT.sub("_", name).strip() or "_"
        fit, number = plain, 2
        while fit in used:
            fit, number = f"{plain} {number}", number + 1
        used.add(fit)
        found.append(fit)
    return tuple(found)


class _Links:
    """The XML links of a platform, made as its links and switches ask for them."""

    def __init__(self, platform: Platform, reading: str) -> None:
        self._platform = platform
        self._made: list[XmlLink] = []
        # of every link what a hop forward and a hop back cross
        self._ways = [
            self._of_link(position, link_slowdown(platform, link, reading).value)
            for position, link in enumerate(platform.links)
        ]
        self._switches = {
            switch.name: self._add(switch.name, switch.bandwidth, 0.0, shared=True)
            for switch in platform.switches
            if switch.bandwidth is not None
        }

        self._inner = {
            machine.name: self._of_inner(machine)
            for machine in platform.machines
            if machine.network is not None
        }

    def crossed(self, route: Route) -> tuple[int, ...]:
        """What a route crosses, each once, in the order of travel."""
        ends = route[0].ends(self._platform)[0], route[-1].ends(self._platform)[1]
        first, last = ([self._inner[name]] if name in self._inner else [] for name in ends)
        order = dict.fromkeys(first)
        for hop in route:
            order |= dict.fromkeys(self._crossed_by(hop))
        return tuple(order | dict.fromkeys(last))

    def named(self) -> tuple[XmlLink, ...]:
        """All links, under names that XML can hold and that differ."""
        names = fit_names((link.name for link in self._made), ("__loopback__",))
        return tuple(
            XmlLink(name, link.bandwidth, link.latency_s, link.shared)
            for name, link in zip(names, self._made, strict=True)
        )

    def _crossed_by(self, hop: Hop) -> list[int]:
        there, back = self._ways[hop.link]
        switch = self._switches.get(hop.ends(self._platform)[1])
        return [*(there if hop.forward else back), *([] if switch is None else [switch])]

    def _of_inner(self, machine: Machine) -> int:
        """The network inside a machine, which all that goes to or from it shares."""
        bandwidth = inner_bandwidth(machine)
        return self._add(
            f"{machine.name} network", bandwidth or LARGEST, inner_startup_s(machine),
            shared=bandwidth is not None,
        )  # fmt: skip

    def _of_link(self, position: int, slowdown: float) -> tuple[list[int], list[int]]:
        link = self._platform.links[position]
        names = f"{link.first}→{link.second}", f"{link.second}→{link.first}"
        ways = link.to_second, link.to_first
        costs = [(_largest(way) / slowdown, way.startup_s * slowdown) for way in ways]
        if link.sharing != SHARED:
            there, back = (
                self._add(name, *cost, shared=link.sharing != FREE)
                for name, cost in zip(names, costs, strict=True)
            )
            return [there], [back]
        if costs[0] == costs[1]:
            both = [self._add(link.name, *costs[0], shared=True)]
            return both, both
        both = [self._add(link.name, max(costs)[0], 0.0, shared=True)]
        there, back = (
            self._add(name, *cost, shared=False) for name, cost in zip(names, costs, strict=True)
        )
        return [*both, there], [*both, back]

    def _add(self, name: str, bandwidth: float, latency_s: float, *, shared: bool) -> int:
        self._made.append(XmlLink(name, bandwidth, latency_s, shared))
        return len(self._made) - 1


def _largest(way: Direction) -> float:
    """Bytes/s of the wider of a link's pieces."""
    return way.bandwidth if way.above is None else max(way.bandwidth, way.above.bandwidth)
