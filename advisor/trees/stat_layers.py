"""STAT: the layers of communication processes that make a tree like ours, or the nearest to it.

STAT 4 takes the number of communication processes of each layer, without front-end and daemons,
and deals every layer, and the daemons after the last, evenly over the layer above. A layer smaller
than the one above leaves processes without a child, and MRNet rejects that tree. ``--procs`` is how
many processes a node takes at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from advisor.models.process_tree import Tree, dealt
from advisor.trees.topgen_spec import same_shape
from advisor.trees.tree_hosts import PlacedTree
from machines.errors import InputError

MOST_LAYERS = 1000  # more make no command line


@dataclass(frozen=True, eq=False)
class StatTree:
    """What STAT is told, and the tree that it makes.

    `layers`: communication processes of each level. `like`: whether that is our tree.
    """

    layers: tuple[int, ...]
    made: Tree
    like: bool

    @property
    def text(self) -> str:
        """The layers as STAT writes them: "10-84"; a front-end alone has none."""
        return "-".join(map(str, self.layers))

    @property
    def options(self) -> tuple[str, ...]:
        """Words of the command line of stat-cl."""
        return ("--usertopology", self.text) if self.layers else ("--depth", "1")


def stat_tree(tree: Tree) -> StatTree:
    """The tree itself where STAT can make it, else the nearest of growing layers.

    That one keeps the first layers and the number of processes: from the first layer on that does
    not grow, all processes join the layer above.
    """
    if tree.depth > MOST_LAYERS:
        raise InputError(
            "the tree is too deep for a command line of STAT", where="tree", value=tree.depth,
            remedy=f"Allowed: up to {MOST_LAYERS} levels",
        )  # fmt: skip
    inner = np.add.reduceat(tree.fanouts > 0, tree.levels[:-1])[1:]
    layers = [int(many) for many in inner if many]
    if childless([*layers, tree.back_ends]) == 0:
        made = dealt_tree(layers, tree.back_ends)
        if same_shape(made, tree):
            return StatTree(tuple(layers), made, True)
    growing = layers[:1]
    for at, layer in enumerate(layers[1:], 1):
        if layer <= growing[-1]:
            growing[-1] = min(growing[-1] + sum(layers[at:]), tree.back_ends)
            break
        growing.append(layer)
    return StatTree(tuple(growing), dealt_tree(growing, tree.back_ends), False)


def parse_layers(words: tuple[str, ...]) -> tuple[int, ...]:
    """The layers that a command line of stat-cl gives.

    InputError: layers that STAT would deal to a tree that MRNet rejects.
    """
    if "--usertopology" not in words[:-1]:
        return ()
    text = words[words.index("--usertopology") + 1]
    if not all(part.isascii() and part.isdigit() and int(part) for part in text.split("-")):
        raise InputError("these are no layers", where="--usertopology", value=text,
                         remedy="Write processes of each level: 8-64")  # fmt: skip
    layers = [int(part) for part in text.split("-")]
    if lost := childless(layers):
        raise InputError(
            f"STAT would leave {lost} processes without a child, which MRNet rejects",
            where="--usertopology", value=text,
            remedy="No layer may be smaller than the one above",
        )  # fmt: skip
    return tuple(layers)


def childless(layers: list[int]) -> int:
    """How many processes get no child when every layer is dealt over the one above."""
    return sum(max(above - layer, 0) for above, layer in pairwise(layers))


def dealt_tree(layers: list[int], back_ends: int) -> Tree:
    """The tree whose layers are dealt evenly, the first parents getting the rest."""
    fanouts, above = [], 1
    for layer in (*layers, back_ends):
        fanouts.append(dealt(np.array([layer]), np.array([above])))
        above = layer
    return Tree(np.concatenate((*fanouts, np.zeros(above, dtype=np.int64))))


def stat_nodes(placed: PlacedTree, processes: int) -> tuple[str, ...]:
    """Where so many communication processes may run: the application's nodes, or those of a list.

    `placed`: our tree on hosts; of another one as many more a node as it has more processes.
    """
    inner = np.flatnonzero(placed.tree.fanouts)[1:]
    hosts, each = np.unique(placed.host[inner], return_counts=True)
    names = sorted(placed.hosts[number] for number in hosts.tolist())
    most = ("--procs", str(max(int(each.max()), -(-processes // len(names)))))
    leaves = {placed.hosts[n] for n in np.unique(placed.host[placed.tree.fanouts == 0]).tolist()}
    if set(names) <= leaves:
        return ("--appnodes", *most)
    return ("--nodes", ",".join(names), *most)
