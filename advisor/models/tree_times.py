"""When messages pass the processes of a tree: the recursion that all its latencies are.

Roth, Arnold & Miller 2003, sec. 2.5 and 2.6; what a message takes is in `advisor.models.mrnet`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.models.process_tree import Tree
from machines.arrays import Floats, Ints
from machines.stopping import ask


class Message(NamedTuple):
    """What one message of an operation takes between a process and its child.

    Attributes
    ----------
    step : float
        Between the starts of two messages of one parent.
    delay : float
        From the start of a message to "ready" at the other end.
    busy : float
        Processor time of the parent and of the child together when both are the same internal
        process: one message received and one sent.
    """

    step: float
    delay: float
    busy: float


def latencies(tree: Tree, message: Message) -> tuple[Floats, Ints]:
    """Time that each process needs for its subtree, and the turn of each process.

    B(leaf) = 0, B(v) = max over its children i = 1, 2, … of (i − 1) step + delay + B(child i),
    the children in decreasing B, which is optimal. A reduction is the same, time reversed.

    Parameters
    ----------
    tree : Tree
    message : Message

    Returns
    -------
    B : array of float, shape (processes,)
        Time from a process's first send to the last back-end below it.
    turn : array of int, shape (processes,)
        Children of the same parent that are served before this one.
    """
    B = np.zeros(tree.size)
    turn = np.arange(tree.size) - tree.first_child[tree.parent]
    turn[0] = 0
    levels = tree.levels
    for level in range(levels.size - 3, -1, -1):
        here, children = slice(*levels[level : level + 2]), slice(*levels[level + 1 : level + 3])
        below = B[children]
        if below.any():
            places = np.arange(below.size) + children.start
            order = np.lexsort((-below, tree.parent[children]))
            turn[children][order] = (places - tree.first_child[tree.parent[children]])[
                np.arange(below.size)
            ]
        ends = turn[children] * message.step + message.delay + below
        inner = np.flatnonzero(tree.fanouts[here]) + here.start
        B[inner] = np.maximum.reduceat(ends, tree.first_child[inner] - children.start)
    return B, turn


def root_latency(tree: Tree, message: Message) -> float:
    """B of the front-end: see `latencies`.

    Children without children of their own are served last, so that those with some are enough.
    """
    ask()
    inner = tree.inner
    B = (inner.fanouts - 1) * message.step + message.delay
    served = inner.turn * message.step + message.delay
    families = np.searchsorted(inner.eldest, inner.levels)
    for level in range(inner.levels.size - 2, 0, -1):
        ask()
        (first, last), eldest = inner.levels[level : level + 2], slice(*families[level : level + 2])
        below = B[first:last]
        if not below.size:
            continue
        if ((below[1:] > below[:-1]) & (inner.turn[first + 1 : last] > 0)).any():
            below = below[np.lexsort((-below, inner.parent[first:last]))]
        starts = inner.eldest[eldest]
        ends = np.maximum.reduceat(served[first:last] + below, starts - first)
        parent = inner.parent[starts]
        B[parent] = np.maximum(B[parent], ends)
    return float(B[0])
