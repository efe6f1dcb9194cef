"""What one message of an overlay costs between any two machines, and which links it takes.

Read from a platform once for a size of message. As the executed timeline has it: the startups of
a route's links add up, with those of the networks inside both machines, and its bytes pass at the
rate of the slowest place. Within a machine there is no way: both ends have what they would have
at the quickest link of the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.models.process_tree import ranges
from machines.arrays import Floats, Ints
from machines.errors import InputError
from machines.hops import graph_of
from machines.platform import Platform
from machines.routes import routes
from machines.sharing import Resource, inner_bandwidth, inner_startup_s, resources
from machines.walks import Routes

_PROCESSORS = 0.5  # share of a startup that is assumed to be overhead, at both ends together
ASSUMED_OVERHEAD = _PROCESSORS / 2.0


@dataclass(frozen=True, eq=False)
class Ways:
    """Routes and costs of messages of one size.

    `startup_s`, `per_byte_s`: shape (hops,); of every link and direction, by
        `machines.hops.Hop.code`.
    `inner_s`, `inner_per_byte_s`: shape (machines,); of the networks inside.
    `local_s`: shape (machines,); startup of the quickest link of each machine; 0 without any.
    """

    platform: Platform
    table: Routes
    resources: tuple[Resource, ...]  # all that messages share
    startup_s: Floats
    per_byte_s: Floats
    target: Ints  # shape (hops,); where each leads, as a vertex of `machines.hops.Graph`
    inner_s: Floats
    inner_per_byte_s: Floats
    local_s: Floats

    def costs(self, source: Ints, target: Ints) -> tuple[Floats, Floats]:
        """(startup, seconds a byte) of messages between machines by position.

        Within a machine: what the quickest link takes, and nothing for the bytes.
        """
        startup, per_byte = self.local_s[source], np.zeros(source.size)
        apart = np.flatnonzero(source != target)
        if not apart.size:
            return startup, per_byte
        codes, first = self._hops(source[apart], target[apart])
        ends = source[apart], target[apart]
        startup[apart] = np.add.reduceat(self.startup_s[codes], first)
        startup[apart] += self.inner_s[ends[0]] + self.inner_s[ends[1]]
        inside = np.maximum(self.inner_per_byte_s[ends[0]], self.inner_per_byte_s[ends[1]])
        slowest = np.maximum.reduceat(self.per_byte_s[codes], first)
        per_byte[apart] = np.maximum(slowest, inside)
        return startup, per_byte

    def crossed(self, source: Ints, target: Ints, amount: Floats) -> Floats:
        """What passes each of `resources` if so much goes from machines to machines."""
        apart = np.flatnonzero(source != target)
        source, target, amount = source[apart], target[apart], amount[apart]
        by_code, inside = np.zeros(self.startup_s.size), np.zeros(self.inner_s.size)
        if apart.size:
            codes, first = self._hops(source, target)
            lengths = np.diff(np.append(first, codes.size))
            by_code = summed(codes, np.repeat(amount, lengths), by_code.size)
            inside = summed(source, amount, inside.size) + summed(target, amount, inside.size)
        hosts = len(self.platform.hosts)
        vertices = hosts + len(self.platform.switches)
        by_switch = summed(self.target, by_code, vertices)[hosts:]
        return np.array([_passing(one, by_code, by_switch, inside) for one in self.resources])

    def _hops(self, source: Ints, target: Ints) -> tuple[Ints, Ints]:
        """(codes of the hops of all pairs, where those of each begin)."""
        cell = source * self.table.hosts + target
        begin = self.table.begin[cell].astype(np.int64)
        lengths = self.table.begin[cell + 1].astype(np.int64) - begin
        if not lengths.all():
            lost = int(np.flatnonzero(lengths == 0)[0])
            names = self.platform.hosts
            raise InputError(
                f"no route from {names[source[lost]]} to {names[target[lost]]}",
                where=f'platform "{self.platform.name}"',
                remedy="Join them by links, or place the overlay's processes elsewhere",
            )
        codes = self.table.codes[ranges(begin, lengths)].astype(np.int64)
        return codes, np.cumsum(lengths) - lengths


@lru_cache(maxsize=4)
def ways(platform: Platform, message_bytes: float) -> Ways:
    """Routes and costs of messages of that size on a platform."""
    graph = graph_of(platform)
    pieces = [
        way.at(message_bytes) for link in platform.links for way in (link.to_first, link.to_second)
    ]
    startup, bandwidth = np.array(pieces, dtype=np.float64).reshape(-1, 2).T
    through = np.full(graph.vertices, np.inf)
    for at, switch in enumerate(platform.switches):
        through[graph.hosts + at] = switch.bandwidth or np.inf
    inner = [inner_bandwidth(machine) or np.inf for machine in platform.machines]
    local = np.full(graph.hosts, np.inf)
    # of a startup in either direction, to or from the host
    for ends in (graph.source, graph.target):
        at_host = ends < graph.hosts
        np.minimum.at(local, ends[at_host], startup[at_host])
    return Ways(
        platform,
        routes(platform),
        resources(platform),
        startup,
        np.maximum(1.0 / bandwidth, 1.0 / through[graph.target]),
        graph.target,
        np.array([inner_startup_s(machine) for machine in platform.machines]),
        1.0 / np.array(inner),
        np.where(np.isinf(local), 0.0, local)[: graph.machines],
    )


def summed(places: Ints, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts at each of so many places."""
    return np.asarray(np.bincount(places, amounts, minlength=size), dtype=np.float64)


def _passing(one: Resource, by_code: Floats, by_switch: Floats, inside: Floats) -> float:
    """What passes one resource."""
    if one.switch is not None:
        return float(by_switch[one.switch])
    if one.machine is not None:
        return float(inside[one.machine])
    assert one.link is not None
    back, there = 2 * one.link, 2 * one.link + 1
    if one.forward is None:
        return float(by_code[back] + by_code[there])
    return float(by_code[there if one.forward else back])
