"""What transfers share: the resources of a platform, and those that a route crosses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from machines.hops import Route
from machines.platform import FREE, SHARED, Direction, Link, Platform


@dataclass(frozen=True)
class Resource:
    """One thing whose bandwidth concurrent transfers share.

    Attributes
    ----------
    name : str
        "n1–rack1" of a link that both directions share, "n1→rack1" of one direction, else the
        switch's name.
    capacity : float
        Bytes/s.
    link : int or None
        Position of the link that it belongs to.
    forward : bool or None
        The direction, from the link's first end to its second; ``None``: both, or no link.
    switch : int or None
        Position of the switch that it is.
    """

    name: str
    capacity: float
    link: int | None = None
    forward: bool | None = None
    switch: int | None = None


def resources(platform: Platform) -> tuple[Resource, ...]:
    """All that transfers share: links in order, then the switches with a bandwidth.

    A "duplex" link is two resources, to its second end and back; a "shared" one is one; a "free"
    one none. The capacity is the largest bandwidth of the link's pieces that way.
    """
    found: list[Resource] = []
    for position, link in enumerate(platform.links):
        found.extend(_of_link(position, link))
    for position, switch in enumerate(platform.switches):
        if switch.bandwidth is not None:
            found.append(Resource(switch.name, switch.bandwidth, switch=position))
    return tuple(found)


def crossed(platform: Platform, found: Sequence[Resource], route: Route) -> tuple[int, ...]:
    """Positions in `found` (of `resources`) of what a route crosses, each once, as it goes."""
    links = {(one.link, one.forward): at for at, one in enumerate(found) if one.link is not None}
    switches = {
        platform.switches[one.switch].name: at
        for at, one in enumerate(found)
        if one.switch is not None
    }
    order: dict[int, None] = {}
    for hop in route:
        both = links.get((hop.link, None))
        at = links.get((hop.link, hop.forward)) if both is None else both
        if at is not None:
            order[at] = None
        after = switches.get(hop.ends(platform)[1])
        if after is not None:
            order[after] = None
    return tuple(order)


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
