"""MRNet: a placed tree as a topology configuration, one statement a parent, breadth first.

The text is strict ASCII, and refused where MRNet would crash, hang or stay silent: too many
statements, a name twice, a front-end on localhost with children elsewhere. In attach mode the
back-ends are left out: they come by themselves and attach to the leaves of the file.
"""

from __future__ import annotations

import json

import numpy as np

from advisor.basics.quantities import count
from advisor.models.process_tree import Tree
from advisor.trees.attachable import mixed_processes
from advisor.trees.topology_file import (
    MOST_STATEMENTS,
    host_fault,
    is_local,
    parse_topology,
    topology_doubts,
)
from advisor.trees.tree_hosts import PlacedTree, least_fanout
from machines.arrays import Ints
from machines.errors import InputError

Said = tuple[tuple[str, ...], tuple[int, ...]]

_LONG_NAME = 62  # characters; mrnet_topgen cuts longer ones


def render(placed: PlacedTree, attach: bool = False) -> str:
    """The text of a topology configuration.

    `attach`: leave the back-ends out.
    """
    kept = _written(placed, attach)
    _refuse(placed, kept)
    names = placed.names()
    tree = placed.tree
    lines = [f"# {count(tree.back_ends, 'back-end')}, depth {tree.depth}"]
    if attach:
        lines[0] += "; they attach to the leaves"
    first = tree.first_child.tolist()
    for parent in np.flatnonzero(_children(tree, kept)).tolist():
        after = first[parent] + int(tree.fanouts[parent])
        children = [names[child] for child in range(first[parent], after) if kept[child]]
        lines.append(f"{names[parent]} =>\n\t" + "\n\t".join(children) + " ;\n")
    if len(lines) == 1:
        lines.append(f"{names[0]} ;")
    return "\n".join(lines).rstrip("\n") + "\n"


def parse(text: str) -> Said:
    """The processes that a topology configuration names, breadth first, and their fan-outs."""
    found = parse_topology(text)
    fanouts = (0,) if found.tree is None else tuple(found.tree.fanouts.tolist())
    return tuple(f"{host}:{index}" for host, index in found.names), fanouts


def says(placed: PlacedTree, attach: bool = False) -> Said:
    """What `parse` must find in the text of a tree."""
    kept = _written(placed, attach)
    named = zip(placed.names(), kept.tolist(), strict=True)
    fanouts = tuple(_children(placed.tree, kept)[kept].tolist())
    return tuple(name for name, there in named if there), fanouts


def command(file: str, attach: bool = False) -> tuple[str, ...]:
    """How MRNet is told to use the file, and what must be set."""
    programs = "NULL, NULL" if attach else '"BACK_END", ARGUMENTS'
    lines = [
        f"MRNet: Network::CreateNetworkFE({json.dumps(file)}, {programs})",
        "MRNet: export MRNET_COMM_PATH=/PATH/TO/mrnet_commnode  # on every host the same",
        "MRNet: export XPLAT_RSH=ssh  # starts a process on another host, without a password",
    ]
    if attach:
        lines.append(
            "MRNet: each back-end gets the host, port and rank of its leaf, its own host and rank"
        )
    return tuple(lines)


def doubts(placed: PlacedTree, attach: bool = False) -> tuple[str, ...]:
    """What MRNet or its user may take amiss of the file, in sentences."""
    tree = placed.tree
    kept = _written(placed, attach)
    used = np.unique(placed.host[kept]).tolist()
    front_end = int(placed.host[0])
    hosts = [placed.hosts[number] for number in (front_end, *(n for n in used if n != front_end))]
    children = _children(tree, kept)
    statements = int(np.count_nonzero(children))
    found = list(topology_doubts(int(children.max()), tuple(hosts), statements))
    found += [
        f"{host[:20]}… has {len(host)} characters; mrnet_topgen would cut it."
        for host in hosts
        if len(host) >= _LONG_NAME
    ][:1]
    if attach:
        return (*found, *_unattached(tree))
    rank = ranks(placed)
    wrong = np.flatnonzero(rank != np.arange(rank.size))
    if wrong.size:
        name = placed.names()[int(np.flatnonzero(tree.fanouts == 0)[wrong[0]])]
        found.append(
            f"{count(wrong.size, 'back-end')} get another rank than their place in the tree, "
            f'first {name}, rank {rank[wrong[0]]}: MRNet sorts "host:index" as text. Names of one '
            f"length and indices from {even_index(placed)} keep the order."
        )
    return tuple(found)


def ranks(placed: PlacedTree) -> Ints:
    """The rank that MRNet gives each back-end.

    Returns: shape (back_ends,); In the order of the tree: the place of its ``host:index`` among
    those of all back-ends, compared as text, so that ``a:10`` comes before ``a:2``.
    """
    names = placed.names()
    leaves = np.flatnonzero(placed.tree.fanouts == 0)
    texts = np.array([names[leaf] for leaf in leaves.tolist()], dtype=np.bytes_)
    rank = np.empty(leaves.size, dtype=np.int64)
    rank[np.argsort(texts, kind="stable")] = np.arange(leaves.size)
    return rank


def even_index(placed: PlacedTree) -> int:
    """The first index (1, 10, 100, …) with which all indices of a host have as many digits."""
    most = int(np.bincount(placed.host).max())
    first = 1
    while first + most > 10 * first:
        first *= 10
    return first


def smallest_fanout(N: int) -> int:
    """The least fan-out with which a balanced tree over N back-ends fits into one file."""
    return least_fanout(N, MOST_STATEMENTS)


def _written(placed: PlacedTree, attach: bool) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which processes are in the file."""
    if attach:
        return placed.tree.fanouts > 0
    return np.ones(placed.tree.size, dtype=np.bool_)


def _children(tree: Tree, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ints:
    """How many children of each process are in the file."""
    return np.bincount(tree.parent[1:][kept[1:]], minlength=tree.size)


def _refuse(placed: PlacedTree, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
    statements = int(np.count_nonzero(_children(placed.tree, kept)))
    if statements > MOST_STATEMENTS:
        raise InputError(
            f"MRNet reads at most {MOST_STATEMENTS} statements, one a parent",
            where="topology",
            value=statements,
            remedy=f"Take a wider tree: a balanced one over {placed.tree.back_ends} back-ends fits "
            f"from fan-out {smallest_fanout(placed.tree.back_ends)}",
        )
    used = [placed.hosts[number] for number in np.unique(placed.host[kept]).tolist()]
    for host in used:
        fault = host_fault(host)
        if fault:
            raise InputError(fault, where="topology", value=host, remedy="Name the host otherwise")
    remote = [host for host in used if not is_local(host)]
    if is_local(placed.front_end) and remote:
        raise InputError(
            f"the front-end is on {placed.front_end}: children on {remote[0]} could not reach it",
            where="topology",
            value=placed.front_end,
            remedy="Name its host as the others know it",
        )
    _refuse_twice(placed)


def _refuse_twice(placed: PlacedTree) -> None:
    if placed.index.min() < 0 or placed.index.max() >= 2**32:
        raise InputError(
            "an index of a host is out of range",
            where="topology",
            value=int(placed.index.max()),
            remedy="Allowed: 0 to 4294967295",
        )
    order = np.lexsort((placed.index, placed.host))
    host, index = placed.host[order], placed.index[order]
    twice = np.flatnonzero((np.diff(host) == 0) & (np.diff(index) == 0))
    if twice.size:
        raise InputError(
            "two processes have one name",
            where="topology",
            value=f"{placed.hosts[int(host[twice[0]])]}:{index[twice[0]]}",
            remedy="Give every process of a host an index of its own",
        )


def _unattached(tree: Tree) -> tuple[str, ...]:
    """What a file without back-ends can't say."""
    mixed = mixed_processes(tree).size
    if not mixed:
        return ()
    return (
        f"{count(mixed, 'process', 'processes')} with back-ends and internal processes below: in "
        "attach mode a tool connects back-ends to the leaves of the file, so these get none.",
    )
