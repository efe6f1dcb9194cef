"""SimGrid's platforms, XML 4.1: hosts and clusters, links, routes; an export of ours comes back.

A route of several links between hosts is one link of their summed latency and least bandwidth,
unless the routes of one link each lead the same way: then those are the network. Disks, profiles
and state changes are left out.
"""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

from advisor.project.sites import simgrid_own
from advisor.project.sites.simgrid_parts import Parts, cluster, rate, seconds
from advisor.project.sources.dax import local, root_of
from advisor.project.sources.source import Graph, plain
from machines import Direction, InputError, Link, Machine, Platform, Switch
from machines.platform import DUPLEX, FREE, SHARED

_SHARING = {"FATPIPE": FREE, "SPLITDUPLEX": DUPLEX}
_Ways = dict[str, tuple[Direction, str]]
_Row = tuple[str, str, list[str]]


def read(text: str, where: str) -> Graph:
    """The platform of an XML text."""
    root = root_of(text, where)
    if root.get("version") not in {"4", "4.1"}:
        raise InputError("this version of SimGrid's XML is not read", where=where,
                         value=root.get("version"), remedy="simgrid_update_xml")  # fmt: skip
    zone = next((one for one in root if local(one) in {"zone", "AS"}), None)
    if zone is not None and zone.get("id") == simgrid_own.ZONE:
        return Graph(None, simgrid_own.platform(zone, where))
    parts, ways, rows = Parts(), _Ways(), list[_Row]()
    _gather(root, parts, ways, rows, where)
    if not parts.hosts:
        raise InputError("the platform has no hosts", where=where)
    _join(parts, ways, rows, where)
    return Graph(None, _platform(parts, plain(zone.get("id") or "") if zone is not None else ""),
                 _notes(parts))  # fmt: skip


def _gather(zone: Element, parts: Parts, ways: _Ways, rows: list[_Row], where: str) -> None:
    """All parts of a zone and of the zones inside."""
    pending = [zone]
    while pending:
        outer = pending.pop()
        for one in outer:
            kind, ident = local(one), one.get("id") or ""
            place = f'{where}, {kind} "{ident}"'
            if kind in {"zone", "AS"}:
                pending.append(one)
            elif kind == "host":
                parts.host(ident, one, place)
            elif kind == "router":
                parts.switches.setdefault(ident, None)
            elif kind == "cluster":
                cluster(one, parts, place)
            elif kind == "link":
                way = Direction(seconds(one.get("latency"), "latency", place),
                                rate(one.get("bandwidth"), "bandwidth", place))  # fmt: skip
                ways[ident] = way, _SHARING.get(one.get("sharing_policy") or "", SHARED)
            elif kind in {"route", "zoneRoute", "ASroute"}:
                keys = ("src", "dst") if kind == "route" else ("gw_src", "gw_dst")
                ends = [one.get(key) or "" for key in keys]
                links = [each.get("id") or "" for each in one if local(each) == "link_ctn"]
                rows.append((ends[0], ends[1], links))
            elif kind in {"disk", "storage", "peer", "trace", "trace_connect", "bypassRoute"}:
                parts.notes[f"{kind} is left out"] = None
        _cabinets(outer, parts, where)


def _cabinets(zone: Element, parts: Parts, where: str) -> None:
    """The cabinets of a zone of routing Cluster: one cluster with the zone's router."""
    cabinets = [one for one in zone if local(one) == "cabinet"]
    router = next((one for one in zone if local(one) == "router"), None)
    backbone = next((one for one in zone if local(one) == "backbone"), None)
    for one in cabinets:
        one.set(
            "router_id",
            (router.get("id") if router is not None else "") or f"{zone.get('id')} router",
        )
        if backbone is not None:
            one.set("bb_bw", backbone.get("bandwidth") or "")
            one.set("bb_lat", backbone.get("latency") or "")
        cluster(one, parts, where)


def _join(parts: Parts, ways: _Ways, rows: list[_Row], where: str) -> None:
    """The links that routes make: single ones first, which longer routes may be made of."""
    known = parts.hosts.keys() | parts.switches.keys()
    pairs: dict[frozenset[str], _Row] = {}
    used: dict[str, int] = {}
    for row in rows:
        for end in row[:2]:
            if end not in known:
                raise InputError("a route has an unknown end", where=where, value=end)
        if row[0] == row[1]:
            continue
        for name in row[2]:
            if name not in ways:
                raise InputError("a route crosses an unknown link", where=where, value=name)
        pairs.setdefault(frozenset(row[:2]), row)
    single: dict[str, list[frozenset[str]]] = {}
    for ends, row in pairs.items():
        if len(row[2]) == 1:
            single.setdefault(row[2][0], []).append(ends)
    for row in pairs.values():
        if len(row[2]) > 1 and _same_way(row, single):
            continue
        for name in row[2]:
            used[name] = used.get(name, 0) + 1
        crossed = [ways[name] for name in row[2]]
        startup = sum(way.startup_s for way, _ in crossed)
        startup += sum(parts.behind.get(end, 0.0) for end in row[:2])
        narrow = min(
            crossed, key=lambda one: one[0].bandwidth, default=(Direction(0.0, 1e15), FREE)
        )
        parts.link(row[0], row[1], Direction(startup, narrow[0].bandwidth), narrow[1])
    many = [name for name, times in used.items() if times > 1]
    if many:
        some = ", ".join(many[:3]) + (" …" if len(many) > 3 else "")
        parts.notes["Routes that share a link have one of their own each, so transfers of other "
                    f"pairs do not slow each other there: {some}"] = None  # fmt: skip


def _same_way(row: _Row, single: dict[str, list[frozenset[str]]]) -> bool:
    """Whether the routes of one link each lead over the same links from end to end."""
    at = row[0]
    for name in row[2]:
        ends = next((one for one in single.get(name, ()) if at in one), None)
        if ends is None:
            return False
        (at,) = ends - {at}
    return at == row[1]


def _platform(parts: Parts, name: str) -> Platform:
    slowest = min(speed for speed, _ in parts.hosts.values())
    machines = tuple(
        Machine(host, cores, speed / slowest) for host, (speed, cores) in parts.hosts.items()
    )
    links = _leading_somewhere(parts)
    used = {end for link in links for end in link.ends}
    switches = tuple(
        Switch(one, bandwidth) for one, bandwidth in parts.switches.items() if one in used
    )
    return Platform(name or "SimGrid platform", machines, links, switches)


def _leading_somewhere(parts: Parts) -> tuple[Link, ...]:
    """The links without those to routers behind which there is no host."""
    links = list(parts.links.values())
    while True:
        degree = Counter(end for link in links for end in link.ends)
        dead = {one for one in parts.switches if degree[one] == 1}
        if not dead:
            return tuple(links)
        links = [link for link in links if not link.ends & dead]


def _notes(parts: Parts) -> tuple[str, ...]:
    slowest = min(speed for speed, _ in parts.hosts.values())
    speeds = f"Speeds are relative to the slowest host ({slowest:g} flop/s)"
    return (speeds, *parts.notes)
