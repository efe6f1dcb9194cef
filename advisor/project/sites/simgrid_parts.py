"""Parts of a SimGrid platform while it is read: hosts, switches, links, and shapes of clusters.

A cluster is its hosts on a switch; a backbone is what the switch shares. Half of the backbone's
latency lies on each way to it, so that a route through it has the whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from math import prod
from xml.etree.ElementTree import Element

from advisor.basics.host_list import expand_hosts
from machines import Direction, InputError, Link
from machines.platform import DUPLEX, FREE, SHARED

_RATES = {"bps": 1 / 8, "Bps": 1.0, "f": 1.0, "": 1.0}
_TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "Ki": 2.0**10,
             "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}  # fmt: skip
_VALUE = re.compile(r"\s*([0-9.]+(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*\Z")
_NO_LIMIT = 1e15  # bytes/s
MOST_HOSTS = 128


@dataclass
class Parts:
    """`hosts`: name → flop/s, cores. `behind`: switch → latency from it to its middle, seconds."""

    hosts: dict[str, tuple[float, int]] = field(default_factory=dict)
    switches: dict[str, float | None] = field(default_factory=dict)
    links: dict[frozenset[str], Link] = field(default_factory=dict)
    behind: dict[str, float] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def host(self, name: str, element: Element, where: str) -> None:
        """Take a host in; its speed is that of its first state."""
        if not name or name in self.hosts or name in self.switches:
            raise InputError("a host has no name of its own", where=where, value=name)
        speed = rate((element.get("speed") or "").split(",")[0], "speed", where)
        cores = element.get("core") or "1"
        if not cores.isdigit() or not 1 <= int(cores) <= 1_000_000:
            raise InputError("core is no number of cores", where=where, value=cores)
        if len(self.hosts) >= MOST_HOSTS:
            raise InputError(f"the platform has more than {MOST_HOSTS} hosts", where=where,
                             remedy="Keep one cluster of it, or smaller ones")  # fmt: skip
        self.hosts[name] = speed, int(cores)

    def link(self, first: str, second: str, way: Direction, sharing: str) -> None:
        """Join two ends; a second cable between them adds its bandwidth."""
        ends = frozenset((first, second))
        known = self.links.get(ends)
        if known is not None:
            way = Direction(way.startup_s, way.bandwidth + known.to_second.bandwidth)
        self.links[ends] = Link(first, second, way, way, sharing=sharing)


def cluster(element: Element, parts: Parts, where: str) -> None:
    """The hosts of a cluster, and what joins them."""
    names = _members(element, where)
    for name in names:
        parts.host(name, element, where)
    topology = element.get("topology") or "FLAT"
    way = Direction(seconds(element.get("lat"), "lat", where), rate(element.get("bw"), "bw", where))
    sharing = {"SHARED": SHARED, "FATPIPE": FREE}.get(element.get("sharing_policy") or "", DUPLEX)
    if topology == "FLAT":
        _flat(element, names, (way, sharing), parts, where)
        return
    sizes = [
        [int(one) for one in each.split(",") if one.strip().isdigit()]
        for each in (element.get("topo_parameters") or "").split(";")
    ]
    if topology == "TORUS" and prod(sizes[0]) == len(names):
        _torus(names, sizes[0], way, sharing, parts)
    elif topology == "FAT_TREE" and len(sizes) == 4 and prod(sizes[1]) == len(names):
        _fat_tree(str(element.get("id")), names, sizes[1:], way, sharing, parts, where)
    else:
        raise InputError("this shape of cluster is not read", where=where,
                         value=f"{topology} {element.get('topo_parameters') or ''}",
                         remedy="Read: flat, TORUS, FAT_TREE, with as many hosts as they "
                         "have places")  # fmt: skip


def _members(element: Element, where: str) -> tuple[str, ...]:
    prefix, suffix = element.get("prefix") or "", element.get("suffix") or ""
    numbers = expand_hosts(f"n[{element.get('radical') or ''}]", where)
    if len(numbers) > MOST_HOSTS:
        raise InputError(f"the cluster has {len(numbers):,} hosts", where=where,
                         remedy=f"Allowed: {MOST_HOSTS}; shorten its radical")  # fmt: skip
    return tuple(f"{prefix}{int(one[1:])}{suffix}" for one in numbers)


def _flat(
    element: Element, names: tuple[str, ...], each: tuple[Direction, str], parts: Parts, where: str
) -> None:
    prefix, suffix, ident = (element.get(key) or "" for key in ("prefix", "suffix", "id"))
    router = element.get("router_id") or f"{prefix}{ident}_router{suffix}"
    backbone = element.get("bb_bw")
    half = seconds(element.get("bb_lat"), "bb_lat", where) / 2
    parts.switches[router] = rate(backbone, "bb_bw", where) if backbone else None
    if element.get("bb_sharing_policy") == "FATPIPE":
        parts.switches[router] = None
    parts.behind[router] = half
    way = Direction(each[0].startup_s + half, each[0].bandwidth)
    for name in names:
        parts.link(name, router, way, each[1])


def _torus(
    names: tuple[str, ...], sizes: list[int], way: Direction, sharing: str, parts: Parts
) -> None:
    stride = 1
    for size in sizes:
        for place, name in enumerate(names):
            at = place // stride % size
            other = names[place + ((at + 1) % size - at) * stride]
            if other != name and frozenset((name, other)) not in parts.links:
                parts.link(name, other, way, sharing)
        stride *= size


def _fat_tree(
    ident: str, names: tuple[str, ...], sizes: list[list[int]], way: Direction, sharing: str,
    parts: Parts, where: str,
) -> None:  # fmt: skip
    """XGFT of Öhring et al. 1995: per level children m, parents w, cables p."""
    children, parents, cables = sizes
    levels = len(children)
    if not len(parents) == len(cables) == levels or prod(parents) * prod(children) > 4096:
        raise InputError("not the numbers of a fat tree", where=where, value=sizes)
    below = {
        tuple(place // prod(children[:at]) % children[at] for at in reversed(range(levels))): name
        for place, name in enumerate(names)
    }  # digits, the highest level first
    for level in range(levels):
        above: dict[tuple[int, ...], str] = {}
        for digits, name in below.items():
            kept = digits[: levels - level - 1], digits[levels - level :]
            for up in range(parents[level]):
                key = (*kept[0], up, *kept[1])
                switch = above.setdefault(key, f"{ident} {level + 1}-{len(above) + 1}")
                parts.switches[switch] = None
                fast = replace(way, bandwidth=way.bandwidth * cables[level])
                parts.link(name, switch, fast, sharing)
        below = above


def rate(text: str | None, what: str, where: str) -> float:
    """flop/s or bytes/s."""
    return max(min(_quantity(text, _RATES, what, where), _NO_LIMIT), 1e-6)


def seconds(text: str | None, what: str, where: str) -> float:
    """Seconds; none stated: 0."""
    return _quantity(text, _TIMES, what, where) if text else 0.0


def _quantity(text: str | None, units: dict[str, float], what: str, where: str) -> float:
    found = _VALUE.match(text or "")
    number = float(found[1]) if found and found[1].count(".") < 2 and found[1] != "." else None
    if found is not None and number is not None:
        for prefix, factor in _PREFIXES.items():
            unit = found[2].removeprefix(prefix)
            if (
                found[2].startswith(prefix)
                and unit in units
                and (unit or not prefix or units is _RATES)
            ):
                if units is _TIMES and prefix:
                    continue
                return number * factor * units[unit]
    raise InputError(f"{what} is no quantity of SimGrid", where=where, value=text)
