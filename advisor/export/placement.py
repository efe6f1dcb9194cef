"""Where every process starts: its host and core, by the mapping and the hosts of the user.

Node k of the network is slot k of the hosts, in their order: the cores of the first host, then
those of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.basics.hosts import Slot
from advisor.basics.quantities import count
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.mapping.orders import Mapping
from machines.errors import InputError


@dataclass(frozen=True)
class Placement:
    """Node, host and core of every process, in the order of their ranks."""

    nodes: Mapping
    slots: tuple[Slot, ...]

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
    return Placement(named.mapping, tuple(slots[node] for node in named.mapping))
