"""An export of ours to SimGrid, read back: names of links tell their ends and their sharing.

"A→B" and "B→A" are one link, each direction its own (FATPIPE: free); "A–B" is what both share. A
link that is named as no pair is a switch's bandwidth. What the export has folded in stays so:
contenders are slower hosts or links, stores are hosts, switches without bandwidth appear by name.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from advisor.project.sites.simgrid_parts import rate, seconds
from advisor.project.sources.dax import local
from machines import Direction, InputError, Link, Machine, Platform, Switch
from machines.platform import DUPLEX, FREE, SHARED

ZONE = "placewise"
_CORE_FLOPS = 1e9
_ONE_WAY, _BOTH = "→", "–"


def platform(zone: Element, where: str) -> Platform:
    """The platform that the zone of an export describes."""
    machines = tuple(
        Machine(
            one.get("id") or "", int(one.get("core") or "1"),
            rate((one.get("speed") or "").split(",")[0], "speed", where) / _CORE_FLOPS,
        )
        for one in zone if local(one) == "host"
    )  # fmt: skip
    ways: dict[tuple[str, str], tuple[Direction, bool]] = {}
    both: dict[tuple[str, str], Direction] = {}
    limits: dict[str, float] = {}
    for one in (each for each in zone if local(each) == "link"):
        name = one.get("id") or ""
        way = Direction(seconds(one.get("latency"), "latency", where),
                        rate(one.get("bandwidth"), "bandwidth", where))  # fmt: skip
        first, arrow, second = name.partition(_ONE_WAY)
        if arrow:
            ways[first, second] = way, one.get("sharing_policy") == "SHARED"
            continue
        first, dash, second = name.partition(_BOTH)
        if dash:
            both[first, second] = way
        elif name.endswith(" network"):
            raise InputError("a network inside a machine does not come back", where=where,
                             value=name, remedy="Open the project that was exported")  # fmt: skip
        else:
            limits[name] = way.bandwidth
    links = [*_one_way(ways, both), *_both(ways, both)]
    hosts = {one.name for one in machines}
    ends = dict.fromkeys(end for link in links for end in (link.first, link.second))
    switches = tuple(Switch(one, limits.get(one)) for one in ends if one not in hosts)
    return Platform(ZONE, machines, tuple(links), switches)


def _one_way(
    ways: dict[tuple[str, str], tuple[Direction, bool]], both: dict[tuple[str, str], Direction]
) -> list[Link]:
    found: list[Link] = []
    for (first, second), (there, shared) in ways.items():
        back = ways.get((second, first))
        if back is None or (first, second) in both or (second, first) in both:
            continue
        if not any({first, second} == link.ends for link in found):
            sharing = DUPLEX if shared else FREE
            found.append(Link(first, second, there, back[0], sharing=sharing))
    return found


def _both(
    ways: dict[tuple[str, str], tuple[Direction, bool]], both: dict[tuple[str, str], Direction]
) -> list[Link]:
    found = []
    for (first, second), way in both.items():
        there, back = ways.get((first, second)), ways.get((second, first))
        to_second, to_first = (way if one is None else one[0] for one in (there, back))
        found.append(Link(first, second, to_second, to_first, sharing=SHARED))
    return found
