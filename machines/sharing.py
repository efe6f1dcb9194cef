"""What transfers share: the resources of a platform, and those that a route crosses.

A machine with a network inside (`Machine.network`) joins it to the outer one at a gateway: all
that goes to or from such a machine enters or leaves through one of its nodes. So a transfer's
startup grows by the inner latency L, and all transfers of the machine share what one node moves,
1/G bytes a unit of time, of long messages (LogGP; Alexandrov et al. 1995). Programs on the
machine's nodes do not share it: their messages are priced by their own model. What a machine
relays passes its gateway only, and costs nothing inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from machines.arrays import Indices, Ints
from machines.hops import Route, graph_of
from machines.platform import FREE, SHARED, Direction, Link, Machine, Platform
from machines.walks import Routes

_LEAST_S = 1e-300  # seconds of a byte: less is no limit


@dataclass(frozen=True)
class Resource:
    """One thing whose bandwidth concurrent transfers share.

    Attributes
    ----------
    name : str
        "n1–rack1" of a link that both directions share, "n1→rack1" of one direction, else the
        switch's name, or "<machine> network".
    capacity : float
        Bytes/s.
    link : int or None
        Position of the link that it belongs to.
    forward : bool or None
        The direction, from the link's first end to its second; ``None``: both, or no link.
    switch, machine : int or None
        Position of the switch that it is, or of the machine that it is inside.
    """

    name: str
    capacity: float
    link: int | None = None
    forward: bool | None = None
    switch: int | None = None
    machine: int | None = None


def resources(platform: Platform) -> tuple[Resource, ...]:
    """All that transfers share: links in order, switches with a bandwidth, inner networks.

    A "duplex" link is two resources, to its second end and back; a "shared" one is one; a "free"
    one none. The capacity is the largest bandwidth of the link's pieces that way.
    """
    found: list[Resource] = []
    for position, link in enumerate(platform.links):
        found.extend(_of_link(position, link))
    for position, switch in enumerate(platform.switches):
        if switch.bandwidth is not None:
            found.append(Resource(switch.name, switch.bandwidth, switch=position))
    for position, machine in enumerate(platform.machines):
        capacity = inner_bandwidth(machine)
        if capacity is not None:
            found.append(Resource(f"{machine.name} network", capacity, machine=position))
    return tuple(found)


def inner_startup_s(machine: Machine) -> float:
    """Seconds that a transfer to or from the machine starts later for its inner network."""
    inner = machine.network
    return 0.0 if inner is None else inner.long.L * inner.unit_s


def inner_bandwidth(machine: Machine) -> float | None:
    """Bytes/s of one node's way into the inner network; ``None``: none, or not limited."""
    inner = machine.network
    byte_s = 0.0 if inner is None else inner.long.G * inner.unit_s
    return 1.0 / byte_s if byte_s > _LEAST_S else None


def crossed(platform: Platform, found: Sequence[Resource], route: Route) -> tuple[int, ...]:
    """Positions in `found` (of `resources`) of what a route crosses, each once, as it goes."""
    places = _Places(found)
    names = [route[0].ends(platform)[0], *(hop.ends(platform)[1] for hop in route)]
    order = [places.inner(platform, names[0])]
    switches = {each.name: at for at, each in enumerate(platform.switches)}
    for hop, after in zip(route, names[1:], strict=True):
        order.append(places.link(hop.link, hop.forward))
        order.append(places.switch.get(switches.get(after, -1), -1))
    order.append(places.inner(platform, names[-1]))
    return tuple(dict.fromkeys(at for at in order if at >= 0))


def crossings(
    platform: Platform, found: Sequence[Resource], table: Routes
) -> tuple[Indices, Indices]:
    """What the routes of all pairs of hosts cross, in one go.

    Parameters
    ----------
    platform : Platform
    found : sequence of Resource
        Its `resources`.
    table : Routes
        Its `machines.routes.routes`.

    Returns
    -------
    (first, passed) : int32 arrays of shape (hosts² + 1,) and (crossings,)
        The pair (p, q) crosses ``found[i]`` for i in ``passed[first[j] : first[j + 1]]``,
        j = p hosts + q, in the order of `crossed`.
    """
    places = _Places(found)
    graph = graph_of(platform)
    by_hop = np.array(
        [places.link(code // 2, code % 2 == 1) for code in range(graph.source.size)], dtype=np.int64
    )
    by_vertex = np.full(graph.vertices, -1)
    for switch, at in places.switch.items():
        by_vertex[graph.hosts + switch] = at
    inside = np.full(graph.hosts, -1)
    for machine, at in places.machine.items():
        inside[machine] = at
    return _laid_out(table, by_hop, by_vertex[graph.target], inside)


def _laid_out(table: Routes, by_hop: Ints, behind: Ints, inside: Ints) -> tuple[Indices, Indices]:
    """(first, passed) of hops that cross a link and what is behind it, of hosts what is inside."""
    kinds = [by_hop, behind] if behind.max(initial=-1) >= 0 else [by_hop]
    begin = table.begin * len(kinds)
    content = np.empty(table.codes.size * len(kinds), dtype=np.int32)
    for place, kind in enumerate(kinds):
        content[place :: len(kinds)] = kind[table.codes]
    if inside.max(initial=-1) >= 0:
        begin, content = _with_ends(table, begin, content, inside)
    kept = content >= 0
    if kept.all():
        return begin.astype(np.int32), content
    before = np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)
    return before[begin], content[kept]


def _with_ends(table: Routes, begin: Ints, content: Indices, inside: Ints) -> tuple[Ints, Indices]:
    """The same with what is inside source and target before and behind the hops of each pair."""
    cells = np.flatnonzero(np.diff(begin))
    places = np.stack([begin[cells], begin[cells + 1]], axis=1).ravel()
    ends = np.stack(np.divmod(cells, table.hosts), axis=1).ravel()
    wider = np.zeros(begin.size, dtype=np.int64)
    wider[cells + 1] = 2
    longer: Indices = np.insert(content, places, inside[ends].astype(np.int32))
    return begin + np.cumsum(wider), longer


class _Places:
    """Where links, switches and machines are among resources; −1 or absent where they are none."""

    def __init__(self, found: Sequence[Resource]) -> None:
        self.links: dict[tuple[int, bool], int] = {}
        self.switch: dict[int, int] = {}
        self.machine: dict[int, int] = {}
        for at, one in enumerate(found):
            if one.link is not None:
                for forward in (False, True) if one.forward is None else (one.forward,):
                    self.links[one.link, forward] = at
            elif one.switch is not None:
                self.switch[one.switch] = at
            elif one.machine is not None:
                self.machine[one.machine] = at

    def link(self, link: int, forward: bool) -> int:
        """A link taken that way; a free one is no resource."""
        return self.links.get((link, forward), -1)

    def inner(self, platform: Platform, name: str) -> int:
        """The network inside a machine of that name."""
        return self.machine.get(platform.index.get(name, -1), -1)


def _of_link(position: int, link: Link) -> tuple[Resource, ...]:
    there, back = _largest(link.to_second), _largest(link.to_first)
    if link.sharing == FREE:
        return ()
    if link.sharing == SHARED:
        return (Resource(link.name, max(there, back), link=position),)
    return (
        Resource(f"{link.first}→{link.second}", there, link=position, forward=True),
        Resource(f"{link.second}→{link.first}", back, link=position, forward=False),
    )


def _largest(way: Direction) -> float:
    return way.bandwidth if way.above is None else max(way.bandwidth, way.above.bandwidth)
