"""Flux: the tree of brokers in the table ``[bootstrap]`` of its configuration.

Each entry of ``hosts`` names hosts, ranges too, and the ``parent`` of all of them; a host that
comes again adds to what was stated. Ranks follow the order of the hosts. Where no entry has a
parent, ``topo`` of the table ``[tbon]`` makes the tree: ``kary:32`` unless it states another k.
"""

from __future__ import annotations

import re
from itertools import groupby

import numpy as np

from advisor.basics.host_list import MOST_HOSTS, expand_hosts, host_entries
from advisor.models.process_tree import Tree
from advisor.trees.daemon_trees import kary_tree
from advisor.trees.tree_hosts import PlacedTree
from machines.errors import InputError
from machines.formats.fields import suggestion
from machines.formats.toml_text import parse

_DEFAULT_K = 32
_KARY = re.compile(r"kary:([0-9]{1,6})")
_END = re.compile(r"(.*?)([0-9]+)")


def bootstrap_text(placed: PlacedTree) -> str:
    """The configuration of a placed tree; InputError: two brokers on a host."""
    names = [placed.hosts[at] for at in placed.host.tolist()]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            "Flux runs one broker on a host", where="hosts", value=twice,
            remedy=f"Name a host for each of the {len(names)} processes, front-end included",
        )  # fmt: skip
    lines = [f'    {{ host = "{names[0]}" }},']
    first = placed.tree.first_child
    for parent in np.flatnonzero(placed.tree.fanouts).tolist():
        begin = int(first[parent])
        children = names[begin : begin + int(placed.tree.fanouts[parent])]
        lines += [
            f'    {{ host = "{hosts}", parent = "{names[parent]}" }},'
            for hosts in _ranges(children)
        ]
    return "[bootstrap]\nhosts = [\n" + "\n".join(lines) + "\n]\n"


def parse_bootstrap(text: str, where: str) -> PlacedTree:
    """The tree that a configuration describes, by host; see `placed_of`."""
    return placed_of(parse(text, where), where)


def is_bootstrap(document: object) -> bool:
    """Whether a parsed document configures brokers."""
    return isinstance(document, dict) and isinstance(document.get("bootstrap"), dict)


def placed_of(document: dict[str, object], where: str) -> PlacedTree:
    """The tree in a parsed configuration; InputError: no tree, a parent that is no host."""
    table = document.get("bootstrap")
    entries = table.get("hosts") if isinstance(table, dict) else None
    if not isinstance(entries, list) or not entries:
        raise InputError(
            "there are no hosts in it", where=f"{where}: bootstrap",
            remedy='Write hosts = [ { host = "a" }, { host = "b[1-4]", parent = "a" } ]',
        )  # fmt: skip
    parents: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        _add(entry, f"{where}: bootstrap: hosts {number}", parents)
    names = list(parents)
    if len(names) < 2:
        raise InputError("one broker is no tree", where=f"{where}: bootstrap", value=names[0])
    tree, order = _tree(parents, document, where)
    by_place = np.argsort(order)
    return PlacedTree.of(tree, [(names[at], 0) for at in by_place.tolist()])


def _add(entry: object, where: str, parents: dict[str, str]) -> None:
    """What one entry states of its hosts."""
    host = entry.get("host") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(host, str):
        raise InputError("an entry names its host", where=where, remedy='Write { host = "a" }')
    parent = entry.get("parent", "")
    if not isinstance(parent, str):
        raise InputError("the parent is a host's name", where=where, value=parent)
    for part in host_entries(host):
        for name in expand_hosts(part, where, MOST_HOSTS - len(parents)):
            parents[name] = parent or parents.get(name, "")


def _tree(
    parents: dict[str, str], document: dict[str, object], where: str
) -> tuple[Tree, np.ndarray]:
    """The tree, and the place in it of each host."""
    names = list(parents)
    if not any(parents.values()):
        tree = kary_tree(len(names), _stated_k(document, len(names), where))
        return tree, np.arange(len(names))
    rank = {name: at for at, name in enumerate(names)}
    above = []
    for name, parent in parents.items():
        if parent and parent not in rank:
            raise InputError(
                f"the parent of {name} is no host", where=f"{where}: bootstrap", value=parent,
                remedy=suggestion(parent, rank),
            )  # fmt: skip
        above.append(rank[parent] if parent else 0)  # as Flux: rank 0 is the default
    if parents[names[0]]:
        raise InputError(
            f"the first host, {names[0]}, has a parent", where=f"{where}: bootstrap",
            value=parents[names[0]], remedy="Begin with the host of rank 0",
        )  # fmt: skip
    above[0] = -1
    tree, order = Tree.of(above)
    return tree, np.argsort(order)


def _stated_k(document: dict[str, object], processes: int, where: str) -> int:
    """The k of the table ``[tbon]``, else Flux's own."""
    table = document.get("tbon")
    topo = table.get("topo", f"kary:{_DEFAULT_K}") if isinstance(table, dict) else ""
    topo = topo or f"kary:{_DEFAULT_K}"
    found = _KARY.fullmatch(topo) if isinstance(topo, str) else None
    if found is None:
        raise InputError(
            "this topology has no parents here", where=f"{where}: tbon", value=topo,
            remedy="Write topo = \"kary:N\", or a parent for each host",
        )  # fmt: skip
    return int(found[1]) or processes - 1  # 0: flat


def _ranges(names: list[str]) -> list[str]:
    """Names as ranges where their numbers count: n1, n2, n3 are n[1-3]."""

    def parts(name: str) -> tuple[str, str]:
        found = _END.fullmatch(name)
        return (found[1], found[2]) if found else (name, "")

    runs = []
    keyed = enumerate(map(parts, names))
    for (prefix, digits, _), run in groupby(
        keyed, lambda one: (one[1][0], len(one[1][1]), int(one[1][1] or 0) - one[0])
    ):
        found = [number for _, (_, number) in run]
        many = len(found) > 1 and digits
        runs.append(f"{prefix}[{found[0]}-{found[-1]}]" if many else f"{prefix}{found[0]}")
    return runs
