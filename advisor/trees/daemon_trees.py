"""Trees that daemons make of a number: Flux's k-ary one and the radix tree of PRRTE.

Both span all daemons, inner ones too, numbered level by level. Flux gives process i the parent
(i − 1) // k. PRRTE fills each level with k times as many as the level above and deals every level,
the last part of one as well, round robin: i-th of a level below the (i mod width)-th above.
``kary:K@N`` and ``radix:K@N`` are these trees of N processes.
"""

from __future__ import annotations

import re

import numpy as np

from advisor.models.process_tree import MOST_PROCESSES, Tree
from advisor.trees.topgen_spec import same_shape
from machines.arrays import Ints
from machines.errors import InputError

KARY, RADIX = "kary", "radix"
FORMS = "kary:2@16, radix:64@1000"
_SPEC = re.compile(r"\s*(kary|radix):")
_BODY = re.compile(r"([0-9]{1,9})@([0-9]{1,9})")


def is_daemon_spec(text: str) -> bool:
    """Whether a text means to be one of these trees."""
    return _SPEC.match(text) is not None


def parse_daemon_spec(text: str, where: str = "specification") -> Tree:
    """The tree of ``kary:K@N`` or ``radix:K@N``, N processes in all."""
    kind, _, body = text.strip().partition(":")
    found = _BODY.fullmatch(body)
    least = 2 if kind == RADIX else 1
    if found is None or int(found[1]) < least or int(found[2]) < 2:
        raise InputError(
            f"this is no {kind} tree", where=where, value=text.strip()[:40],
            remedy=f"Write {kind}:K@N, N processes in all; K from {least}, N from 2",
        )  # fmt: skip
    if int(found[2]) > MOST_PROCESSES:
        raise InputError(
            "the tree has too many processes", where=where, value=int(found[2]),
            remedy=f"Allowed: up to {MOST_PROCESSES}",
        )  # fmt: skip
    return (kary_tree if kind == KARY else radix_tree)(int(found[2]), int(found[1]))


def kary_tree(processes: int, k: int) -> Tree:
    """Flux's tree of so many brokers with ``tbon.topo=kary:k``."""
    return Tree.of(_kary_parents(processes, k))[0]


def radix_tree(processes: int, k: int) -> Tree:
    """PRRTE's tree of so many daemons with that radix."""
    parents = np.full(processes, -1)
    first, width = 1, k
    while first < processes:
        last = min(first + width, processes)
        above = width // k
        parents[first:last] = first - above + np.arange(last - first) % above
        first, width = last, width * k
    return Tree.of(parents)[0]


def kary_of(tree: Tree) -> int | None:
    """The k with which Flux makes this very tree; None: there is none."""
    k = int(tree.fanouts[0])
    return k if np.array_equal(tree.parent[1:], _kary_parents(tree.size, k)[1:]) else None


def radix_of(tree: Tree) -> tuple[int, Tree]:
    """The radix with which PRRTE makes this tree, or the nearest, and the tree that it makes.

    The nearest is the narrowest that is no deeper.
    """
    k = max(int(tree.fanouts[0]), 2)
    made = radix_tree(tree.size, k)
    if same_shape(made, tree):
        return k, made
    k = 2
    while _depth(tree.size, k) > tree.depth:
        k += 1
    return k, radix_tree(tree.size, k)


def _depth(processes: int, k: int) -> int:
    depth, there, width = 0, 1, 1
    while there < processes:
        width *= k
        there += width
        depth += 1
    return depth


def _kary_parents(processes: int, k: int) -> Ints:
    parents: Ints = (np.arange(processes) - 1) // k
    parents[0] = -1
    return parents
