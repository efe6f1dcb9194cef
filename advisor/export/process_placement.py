"""Where every process starts: its host and core, by the mapping and the hosts of the user.

Node k of the network is slot k of the hosts, in their order: the cores of the first host, then
those of the second, and so on; with several cores a node its places are. All exports of mappings
write a placement, and tell what goes between hosts that the mapping was not made for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from advisor.basics.host_list import Slot, plain_host, slots_on
from advisor.basics.quantities import count
from advisor.export.export_options import CORES, HOSTS, THREADS, Capacity, Options
from advisor.export.export_record import Kind
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.mapping.orders import Mapping
from advisor.messages.networks import shape
from machines.arrays import Ints
from machines.errors import InputError
from machines.multicore import cores_of, counts_of, node_at


@dataclass(frozen=True)
class Placement:
    """Node, host and core of every process, in the order of their ranks.

    Cores of the hosts that the network has no nodes for are `spare`; `advice` is what its user
    should know of these hosts.
    """

    nodes: Mapping
    slots: tuple[Slot, ...]
    spare: int = field(default=0, compare=False)
    advice: tuple[str, ...] = field(default=(), compare=False)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host of every rank."""
        return tuple(slot.host for slot in self.slots)

    @property
    def shared(self) -> bool:
        """Whether several ranks are on one core."""
        return len(set(self.slots)) < len(self.slots)

    @property
    def threads(self) -> int:
        """Of every rank."""
        return self.slots[0].threads


def place(named: NamedMapping, slots: Sequence[Slot]) -> Placement:
    """The placement of a mapping on hosts.

    Raises
    ------
    InputError
        Fewer slots than nodes, or cores of nodes, of the network.
    """
    cores = cores_of(named.network) // named.per_core
    places = named.network.size // named.per_core
    if len(slots) < places:
        hosts = count(len({slot.host for slot in slots}), "host")
        threads = slots[0].threads if slots else 1
        each = f" of {threads} cores" if threads > 1 else ""
        core = "place" if each else "core"
        missing = count(places - len(slots), core) + each
        wanted = f"{places} nodes of the network" if cores == 1 else f"the {shape(named.network)}"
        more = -(-len(named.mapping) // named.per_core) - len(slots)
        over = f", {count(more, 'process', 'processes')} more than {core}s" if more > 0 else ""
        raise InputError(
            f"the host list is too short: {count(len(slots), core)}{each} on {hosts} for "
            f"{wanted}{over}",
            where="hosts",
            remedy=f"{missing} missing: name more hosts, or more cores a host",
        )
    placed = tuple(slots[place // named.per_core] for place in named.mapping)
    nodes = tuple(node_at(named.network, named.mapping).tolist())
    return Placement(nodes, placed, len(slots) - places, _advice(named, slots))


def _advice(named: NamedMapping, slots: Sequence[Slot]) -> tuple[str, ...]:
    """What goes between the hosts, if they are not the nodes that the mapping was made for."""
    sharing = named.per_core
    cores, places = cores_of(named.network) // sharing, named.network.size // sharing
    numbers: dict[str, int] = {}
    host = np.array([numbers.setdefault(slot.host, len(numbers)) for slot in slots])
    if (host[:places] == node_at(named.network, np.arange(places) * sharing)).all():
        return ()
    each = np.bincount(host)
    least, most = int(each.min()), int(each.max())
    have = f"{most}" if least == most else f"{least} to {most}"
    threads = slots[0].threads
    room = f"have {have}" if threads == 1 else f"take {have} of {threads} threads"
    first = f"The mapping was made for nodes of {count(cores, 'core')}, your hosts {room}"
    flows, advice = named.communication, f"Map with cores={_listed(each)} for these hosts."
    if flows is None:
        return (f"{first}: it may send more between hosts than row-major order. {advice}",)
    mapped, plain = (
        float(flows.size_bytes[at[flows.sources] != at[flows.targets]].sum())
        for at in (
            host[np.array(named.mapping) // sharing],
            host[np.arange(flows.processes) // -(-flows.processes // places)],
        )
    )
    return (
        f"{first}: {mapped:,.0f} B go between hosts, in row-major order {plain:,.0f} B. {advice}",
    )


def _listed(counts: Ints) -> str:
    """Cores of each host as the study of mappings takes them: "8", or "2x8, 4"."""
    if len(set(counts.tolist())) == 1:
        return f"{counts[0]}"
    runs = [(cores, len(list(run))) for cores, run in groupby(counts.tolist())]
    return ", ".join(f"{times}x{cores}" if times > 1 else f"{cores}" for cores, times in runs)


def slots_of(placement: Placement) -> object:
    """What a file of hosts and cores must say."""
    return placement.slots


def hosts_of(placement: Placement) -> object:
    """What a file of hosts must say."""
    return placement.hosts


def _place(named: NamedMapping, options: Options) -> Placement:
    threads = options.threads or named.threads
    if options.hosts:
        slots = slots_on(options.hosts, threads)
        if not slots:
            raise InputError(
                f"no host has {threads} cores for the threads of a process", where="hosts",
                value=max(cores for _, cores in options.hosts),
                remedy="Give fewer threads, or the cores of the hosts: node01:8",
            )  # fmt: skip
        return place(named, slots)
    if not named.machine:
        raise InputError(
            "a mapping needs the hosts that it is for",
            remedy="Name one host a line under Hosts, or with --hosts FILE",
        )
    hosts = tuple((host, cores * threads) for host, cores in made_up(named))
    said = (
        f"The hosts {hosts[0][0]}, … are made up after the machine: name your own under Hosts or "
        "with --hosts FILE."
    )
    found = place(named, slots_on(hosts, threads))
    return replace(found, advice=(*found.advice, said))


def made_up(named: NamedMapping) -> tuple[Capacity, ...]:
    """Hosts that are called after the machine, one a node: "paragon-0" and so on."""
    name = plain_host(named.machine)
    return tuple(
        (f"{name}-{node}", cores // named.per_core)
        for node, cores in enumerate(counts_of(named.network))
        if cores
    )


def _sentence(placement: Placement) -> str:
    hosts = count(len(set(placement.hosts)), "host")
    sentence = f"{count(len(placement.slots), 'process', 'processes')} on {hosts}"
    if placement.threads > 1:
        sentence += f", {placement.threads} cores each"
    if placement.shared:
        sentence += f"; {count(len(set(placement.slots)), 'core')} in all, some shared"
    if placement.spare:
        spare = count(placement.spare, "core" if placement.threads == 1 else "place")
        sentence += f"; {spare} more than the network has nodes stay unused"
    return f"{sentence}."


def _hosts_label(named: NamedMapping) -> str:
    return f"Hosts, {count(named.network.size // named.per_core * named.threads, 'core')} in all"


def _unnamed(named: NamedMapping) -> bool:
    """Whether its hosts have no names but those that its user gives."""
    return not named.machine


MAPPING: Kind[Placement] = Kind("mapping", _place, _sentence, lambda placed: placed.advice)
OPTIONS = (
    replace(CORES, title="&Cores a host", hint="Cores of hosts whose line does not say"),
    replace(
        THREADS,
        title="&Threads a process",
        hint="As many cores, one after the other, go to each process; unset, as many as the "
        "mapping or the task's program says",
    ),
    replace(
        HOSTS,
        title="Hosts",
        hint="One host a line, in the order of the network's nodes: node k is core slot k, the "
        "cores of the first host, then those of the second; a node of several cores is a host",
        example="node01\nnode02:4\nnode03 slots=4",
        needed="Name the hosts, one a line: node01, or node01:4 for a host of 4 cores.",
        label=_hosts_label,
        asked=_unnamed,
    ),
)
