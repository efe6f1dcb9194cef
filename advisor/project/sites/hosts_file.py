"""Hosts files of Open MPI: a host a line, with slots; a host that stands there twice has both."""

from __future__ import annotations

from advisor.basics.host_list import parse_capacities
from advisor.project.sources.site import Node, Site


def read(text: str, where: str) -> Site:
    """The hosts; `max_slots` bounds oversubscription and is no number of cores."""
    slots: dict[str, int] = {}
    for name, many in parse_capacities(text, 1, where):
        slots[name] = slots.get(name, 0) + many
    nodes = tuple(Node(name, many) for name, many in slots.items())
    return Site("hosts", nodes, notes=("Slots of the hosts file count as cores",))
