"""What a site's files tell of its machines, put together over several files, then a platform.

A file of a site tells a part: `slurm.conf` and `scontrol` the nodes, `topology.conf` the switches,
`gres.conf` the GPUs. Parts join by the names of nodes. What none of them tells is assumed, and
every assumption is one note: speeds are equal, the network is one of the catalogue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

from advisor.basics.quantities import count, few
from advisor.project.sources.node_loads import Load, contenders_of, differences
from machines import (
    Contender,
    Direction,
    InputError,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Resource,
    Switch,
)
from machines.catalogue.site_networks import DEFAULT, network
from machines.uncertain import Uncertain

MOST_MACHINES = 1600
EQUALLY_FAST = "equally fast"
_FEW = 3


@dataclass(frozen=True)
class Node:
    """A node; None and empty: this file does not tell.

    `processor`: what tells it from nodes of equal cores and memory. `away`: why no task may run.
    """

    name: str
    cores: int | None = None
    memory_bytes: int | None = None
    processor: str = ""
    gpus: int | None = None
    away: str = ""
    speed: float | None = None
    contenders: tuple[Contender, ...] = ()


@dataclass(frozen=True)
class Measured:
    """What a benchmark tells of the network: seconds and bytes/s of a message; None: nothing."""

    title: str
    startup_s: float | None = None
    bandwidth: float | None = None
    above: LinkPiece | None = None  # of larger messages

    @property
    def streams(self) -> bool:
        """Whether many messages under way at once gave the bandwidth."""
        return self.startup_s is None


@dataclass(frozen=True)
class Site:
    """Nodes and switches of a site.

    `above`: (node or switch, switch that it hangs on).
    `now`: a listing of what is there, which beats a configuration of what should be.
    `whole`: it names nodes with their cores, so that it makes a platform alone.
    """

    name: str
    nodes: tuple[Node, ...] = ()
    above: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    now: bool = False
    whole: bool = True
    measured: tuple[Measured, ...] = ()
    loads: tuple[Load, ...] = ()

    def beside(self) -> Site:
        """What a log saw of nodes as a part of another site: their speeds, not their cores."""
        nodes = tuple(replace(one, cores=None) for one in self.nodes)
        return replace(self, nodes=nodes, whole=False)

    @property
    def asks_for_network(self) -> bool:
        """Whether the network is of consequence, and not all of it was measured."""
        startup = any(one.startup_s is not None for one in self.measured)
        rate = any(one.bandwidth is not None for one in self.measured)
        usable = sum(not one.away for one in self.nodes)
        return usable > 1 and not (startup and rate)


def joined(sites: Sequence[Site]) -> Site:
    """One site of all parts: listings beat configurations, the first that tells a fact counts."""
    ordered = sorted(sites, key=lambda one: (not one.now, not one.whole))
    if not any(one.whole for one in ordered):
        raise InputError(
            f"this tells of {ordered[0].name}, not which nodes there are, with how many cores",
            remedy="Open it with slurm.conf or the output of scontrol show node",
        )
    found: dict[str, Node] = {}
    differ: list[str] = []
    for site in ordered:
        for node in site.nodes:
            known = found.get(node.name)
            if known is None and node.contenders and len(found) == 1:
                known = next(iter(found.values()))  # the only host there is
            if known is None:
                if site.whole:
                    found[node.name] = node
                elif node.contenders:
                    raise InputError("this load is of no node of the site", value=node.name,
                                     remedy=f"Nodes: {few(list(found), _FEW)}")  # fmt: skip
                continue
            if known.cores and node.cores and known.cores != node.cores:
                differ.append(node.name)
            found[known.name] = _filled(known, node)
    notes = [note for site in ordered for note in site.notes]
    notes += _loaded(found, [one for site in ordered for one in site.loads])
    if differ:
        notes.append(f"The files differ on the cores of {few(differ, _FEW)}: the listing counts")
    trees = [site.above for site in ordered if site.above]
    title = next(one.name for one in ordered if one.whole)
    above = trees[0] if trees else ()
    measured = tuple(one for site in ordered for one in site.measured)
    return Site(title, tuple(found.values()), above, tuple(dict.fromkeys(notes)), measured=measured)


def _loaded(nodes: dict[str, Node], loads: Sequence[Load]) -> list[str]:
    """Give nodes the contenders that their loads tell; what is assumed of these."""
    passed, notes = differences(loads)
    for load in passed:
        node = nodes.get(load.name) or (next(iter(nodes.values())) if len(nodes) == 1 else None)
        if node is None:
            raise InputError("this load is of no node of the site", value=load.name or "no name",
                             remedy=f"Nodes: {few(list(nodes), _FEW)}")  # fmt: skip
        contenders, note = contenders_of(load, node.name, node.cores)
        nodes[node.name] = _filled(node, Node(node.name, load.cores, contenders=contenders))
        notes.append(note)
    return notes


def platform_of(site: Site, network_name: str = DEFAULT) -> tuple[Platform, tuple[str, ...]]:
    """The platform of a site, and what was left out and assumed, a sentence each."""
    nodes, notes = _usable(site)
    machines = tuple(
        Machine(
            one.name,
            one.cores or 1,
            one.speed or 1.0,
            one.memory_bytes,
            contenders=one.contenders,
            resources=(Resource("gpu", one.gpus),) if one.gpus else (),
        )
        for one in nodes
    )
    unknown = [one.name for one in nodes if not one.cores]
    if unknown:
        notes.append(f"No file tells the cores of {few(unknown, _FEW)}: taken as 1")
    notes += _of_parts(nodes)
    links, switches, said = _network(site, [one.name for one in nodes], network_name)
    return Platform(site.name, machines, links, switches), (*site.notes, *notes, *said)


def _filled(known: Node, other: Node) -> Node:
    """The node with what only the other file tells."""
    names = [one.name for one in fields(Node)]
    lacking = {name: getattr(other, name) for name in names if not getattr(known, name)}
    return replace(known, **lacking)


def _usable(site: Site) -> tuple[list[Node], list[str]]:
    """The nodes that tasks may run on, not too many, and what was left out."""
    notes: list[str] = []
    away = [one for one in site.nodes if one.away]
    here = [one for one in site.nodes if not one.away]
    if not here:
        raise InputError("no node of this site can run anything", where=site.name,
                         value=few([f"{one.name} {one.away}" for one in away], _FEW))  # fmt: skip
    if away:
        why = ", ".join(dict.fromkeys(one.away for one in away))
        notes.append(f"Left out, as {why}: {few([one.name for one in away], _FEW)}")
    if len(here) <= MOST_MACHINES:
        return here, notes
    kinds: dict[object, list[Node]] = {}
    for one in here:
        kinds.setdefault((one.cores, one.memory_bytes, one.processor, one.gpus), []).append(one)
    share = max(MOST_MACHINES // len(kinds), 1)
    kept = [one for some in kinds.values() for one in some[:share]][:MOST_MACHINES]
    notes.append(
        f"Of {len(here):,} nodes of {count(len(kinds), 'kind')}, {len(kept):,} are machines here, "
        f"at most {share} of a kind: list one partition to choose others"
    )
    names = {one.name for one in kept}
    return [one for one in here if one.name in names], notes


def _of_parts(nodes: Sequence[Node]) -> list[str]:
    """What is assumed of speeds, and who has accelerators."""
    notes = []
    if len(nodes) > 1 and not any(one.speed for one in nodes):
        kinds = Counter(one.processor for one in nodes)
        also = " although their processors differ" if len(kinds) > 1 else ""
        notes.append(f"Assumed: all nodes have {EQUALLY_FAST} cores{also}; no file tells speeds")
    gpus = [one.name for one in nodes if one.gpus]
    if gpus:
        notes.append(f"GPUs, for tasks that hold some (resources = gpu): {few(gpus, _FEW)}")
    return notes


def _network(
    site: Site, names: Sequence[str], network_name: str
) -> tuple[tuple[Link, ...], tuple[Switch, ...], list[str]]:
    """The site's switches, else one, with links of a network of the catalogue."""
    if len(names) < 2:
        return (), (), []
    direction, figures = _way(site.measured, network_name)
    above = dict(site.above)
    if any(name in above for name in names):
        free = [name for name in names if name not in above]
        if free:
            top = next(one for one in above.values() if one not in above)
            above |= dict.fromkeys(free, top)
        used: dict[str, None] = {}
        for name in names:
            at = above[name]
            while at and at not in used:
                used[at] = None
                at = above.get(at, "")
        shape = "The file's switches with equal links"
    else:
        above, used = dict.fromkeys(names, _free("switch", names)), {}
        used = dict.fromkeys(above.values())
        shape = "One switch with equal links"
    ends = [one for one in (*names, *used) if above.get(one) in used]
    links = tuple(Link(one, above[one], direction, direction) for one in ends)
    return links, tuple(Switch(one) for one in used), [f"Assumed: {shape}. {figures}"]


def _way(measured: Sequence[Measured], network_name: str) -> tuple[Direction, str]:
    """Half of a message's way, from a node to a switch, and where its figures come from.

    A stream's bandwidth beats that of a ping-pong, a fit beats a single latency.
    """
    assumed = network(network_name)
    startups = sorted((one for one in measured if one.startup_s is not None),
                      key=lambda one: one.bandwidth is None)  # fmt: skip
    rates = sorted((one for one in measured if one.bandwidth is not None),
                   key=lambda one: not one.streams)  # fmt: skip
    if not startups and not rates:
        said = f"No file tells the network: links of {assumed.title}. {assumed.source}"
        return assumed.direction, said
    startup_s = assumed.direction.startup_s
    above = None
    if startups:
        startup_s = _half(startups[0].startup_s or 0.0)
    bandwidth = rates[0].bandwidth if rates else None
    if rates and startups and rates[0] is startups[0] and rates[0].above is not None:
        above = replace(rates[0].above, startup_s=_half(rates[0].above.startup_s))
    parts = [
        f"startup from {startups[0].title if startups else assumed.title}",
        f"bandwidth from {rates[0].title if rates else assumed.title}",
    ]
    return (
        Direction(startup_s, bandwidth or assumed.direction.bandwidth, above),
        f"Their figures: {', '.join(parts)}",
    )


def _half(startup_s: float) -> float:
    """Of a way through a switch, with its range."""
    return startup_s.times(0.5) if isinstance(startup_s, Uncertain) else startup_s / 2


def _free(wish: str, names: Iterable[str]) -> str:
    taken = set(names)
    while wish in taken:
        wish += "_"
    return wish
