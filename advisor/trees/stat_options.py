"""STAT: the options of stat-cl that make a tree of communication processes like ours.

STAT 4 takes the number of communication processes of each layer, without front-end and daemons,
and deals every layer, and the daemons after the last, evenly over the layer above. ``--procs`` is
how many of them a node takes at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.models.process_tree import Tree, dealt
from advisor.trees.hosts import PlacedTree
from advisor.trees.likeness import same_shape


@dataclass(frozen=True)
class StatOptions:
    """Options of stat-cl, and what becomes of the tree.

    `differences`: how the tree that STAT makes differs from ours; empty: not at all.
    """

    options: tuple[str, ...]  # words of the command line
    differences: tuple[str, ...]


def stat_options(tree: Tree, placed: PlacedTree | None = None) -> StatOptions:
    """The options for a tree.

    `placed`: its processes on hosts; default: the nodes are left to the user.
    """
    layers = _layers(tree)
    if not layers:
        return StatOptions(("--depth", "1"), ())
    options: tuple[str, ...] = ("--usertopology", "-".join(map(str, layers)))
    differences = []
    if placed is not None:
        options += _nodes(placed)
        differences.append("STAT deals communication processes to the nodes in turn, by name.")
    made = _dealt([*layers, tree.back_ends])
    if not same_shape(made, tree):
        differences.append(
            f"STAT deals evenly: fan-out at most {made.max_fanout}, all daemons at depth "
            f"{made.depth}; this tree has {tree.max_fanout} and {tree.depth}, so its times differ."
        )
    return StatOptions(options, tuple(differences))


def _layers(tree: Tree) -> list[int]:
    """Internal processes of each level below the front-end."""
    inner = np.add.reduceat(tree.fanouts > 0, tree.levels[:-1])
    return [int(many) for many in inner[1:] if many]


def _nodes(placed: PlacedTree) -> tuple[str, ...]:
    """Where communication processes may run: the application's nodes, or those of a list."""
    inner = np.flatnonzero(placed.tree.fanouts)[1:]
    hosts, each = np.unique(placed.host[inner], return_counts=True)
    names = sorted(placed.hosts[number] for number in hosts.tolist())
    most = ("--procs", str(each.max()))
    leaves = {placed.hosts[n] for n in np.unique(placed.host[placed.tree.fanouts == 0]).tolist()}
    if set(names) <= leaves:
        return ("--appnodes", *most)
    return ("--nodes", ",".join(names), *most)


def _dealt(layers: list[int]) -> Tree:
    """The tree whose layers are dealt evenly, the first parents getting the rest."""
    fanouts, above = [], 1
    for layer in layers:
        fanouts.append(dealt(np.array([layer]), np.array([above])))
        above = layer
    return Tree(np.concatenate((*fanouts, np.zeros(above, dtype=np.int64))))
