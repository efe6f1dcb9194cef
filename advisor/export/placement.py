"""Where every process starts: its host and core, by the mapping and the hosts of the user.

Node k of the network is slot k of the hosts, in their order: the cores of the first host, then
those of the second, and so on. All exports of mappings write a placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from advisor.basics.hosts import Slot, slots_on
from advisor.basics.quantities import count
from advisor.export.export import Kind
from advisor.export.options import CORES, HOSTS, Options
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.mapping.orders import Mapping
from machines.errors import InputError


@dataclass(frozen=True)
class Placement:
    """Node, host and core of every process, in the order of their ranks.

    Cores of the hosts that the network has no nodes for are `spare`.
    """

    nodes: Mapping
    slots: tuple[Slot, ...]
    spare: int = field(default=0, compare=False)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host of every rank."""
        return tuple(slot.host for slot in self.slots)


def place(named: NamedMapping, slots: Sequence[Slot]) -> Placement:
    """The placement of a mapping on hosts.

    Raises
    ------
    InputError
        Fewer slots than nodes of the network.
    """
    nodes = named.network.size
    if len(slots) < nodes:
        hosts = len({slot.host for slot in slots})
        missing = count(nodes - len(slots), "core")
        raise InputError(
            f"the host list is too short: {len(slots)} cores on {hosts} hosts "
            f"for {nodes} nodes of the network",
            where="hosts",
            remedy=f"{missing} missing: name more hosts, or more cores a host",
        )
    placed = tuple(slots[node] for node in named.mapping)
    return Placement(named.mapping, placed, len(slots) - nodes)


def slots_of(placement: Placement) -> object:
    """What a file of hosts and cores must say."""
    return placement.slots


def hosts_of(placement: Placement) -> object:
    """What a file of hosts must say."""
    return placement.hosts


def _place(named: NamedMapping, options: Options) -> Placement:
    if not options.hosts:
        raise InputError(
            "a mapping needs the hosts that it is for", remedy="Give --hosts FILE, one host a line"
        )
    return place(named, slots_on(options.hosts))


def _sentence(placement: Placement) -> str:
    hosts = count(len(set(placement.hosts)), "host")
    sentence = f"{count(len(placement.slots), 'process', 'processes')} on {hosts}"
    if placement.spare:
        spare = count(placement.spare, "core")
        sentence += f"; {spare} more than the network has nodes stay unused"
    return f"{sentence}."


def _hosts_label(named: NamedMapping) -> str:
    return f"Hosts, {count(named.network.size, 'core')} in all"


MAPPING: Kind[Placement] = Kind("mapping", _place, _sentence)
OPTIONS = (
    replace(CORES, title="&Cores a host", hint="Cores of hosts whose line does not say"),
    replace(
        HOSTS,
        title="Hosts",
        hint="One host a line, in the order of the network's nodes: node k is core slot k, the "
        "cores of the first host, then those of the second",
        example="node01\nnode02:4\nnode03 slots=4",
        needed="Name the hosts, one a line: node01, or node01:4 for a host of 4 cores.",
        label=_hosts_label,
    ),
)
