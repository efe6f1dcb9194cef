"""Who sends to whom: named traffic patterns as destination probabilities.

A pattern gives a matrix (P, P): entry (i, j) is the probability that a message of process i goes
to process j. Rows sum to 1, the diagonal is zero: a process sends itself no message.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Flags, Floats
from machines.checks import number, whole
from machines.errors import InputError
from machines.stopping import ask

ALL_TO_ALL = "all-to-all"
SHIFT = "shift"
PERMUTATION = "permutation"
NEIGHBOURS = "neighbours"
HOTSPOT = "hotspot"
EM3D = "em3d"
KINDS = (ALL_TO_ALL, SHIFT, PERMUTATION, NEIGHBOURS, HOTSPOT, EM3D)

Hops = NDArray[np.integer]

_ROWS = 256  # of a pattern that are made between two looks whether to stop


@dataclass(frozen=True)
class Pattern:
    """A named pattern and the one or two numbers that it needs.

    `reach`: distance of a shift, hops to the farthest neighbour, or span of EM3D; others ignore it.
    """

    kind: str = ALL_TO_ALL  # one of `KINDS`
    reach: int = 1
    share: float = 0.0  # share of all messages that go to the hotspot; others ignore it
    node: int = 0  # the process that is the hotspot
    seed: int = 0  # of the permutation

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(
                "unknown pattern", value=self.kind, remedy="Patterns: " + ", ".join(KINDS)
            )
        whole("reach", self.reach, low=1, where="pattern")
        number("share", self.share, high=1.0, where="pattern")
        whole("node", self.node, where="pattern")
        whole("seed", self.seed, where="pattern")


def destinations(pattern: Pattern, hops: Hops) -> Floats:
    """Destination probabilities of a pattern.

    `hops`: shape (P, P); hops between the nodes of the processes, P ≥ 2; only neighbours need more
        than its shape.
    Returns: shape (P, P).
    """
    P = len(hops)
    if pattern.kind == SHIFT:
        return shift(P, pattern.reach)
    if pattern.kind == PERMUTATION:
        return permutation(P, pattern.seed)
    if pattern.kind == NEIGHBOURS:
        return neighbours(hops, pattern.reach)
    if pattern.kind == HOTSPOT:
        return hotspot(P, pattern.share, pattern.node)
    if pattern.kind == EM3D:
        return em3d(P, pattern.reach)
    return all_to_all(P)


def check_pattern(pattern: Pattern, P: int) -> None:
    """Refuse a pattern that P processes can't have, without building it."""
    _several(P)
    if pattern.kind == SHIFT and pattern.reach % P == 0:
        raise InputError(
            "this shift sends every message to its sender",
            where="pattern",
            value=pattern.reach,
            remedy=f"Choose a shift that is no multiple of {P}",
        )
    if pattern.kind == HOTSPOT and pattern.node >= P:
        raise InputError(
            "the hotspot is no process", value=pattern.node, remedy=f"Allowed: 0 to {P - 1}"
        )


def all_to_all(P: int) -> Floats:
    """Every other process equally likely: the remap of Moritz & Frank 2001, sec. 5.1."""
    _several(P)
    return _spread(P, 1.0 / (P - 1))


def shift(P: int, s: int) -> Floats:
    """Process i sends to (i + s) mod P."""
    whole("shift", s, low=1)
    check_pattern(Pattern(SHIFT, reach=s), P)
    return _certain((np.arange(P) + s) % P)


def permutation(P: int, seed: int) -> Floats:
    """A permutation without fixed points, each equally likely; one destination for each source."""
    _several(P)
    rng = np.random.default_rng(whole("seed", seed))
    while True:  # a share of about 1/e of all permutations has no fixed point
        targets = rng.permutation(P)
        if not (targets == np.arange(P)).any():
            return _certain(targets)


def neighbours(hops: Hops, reach: int) -> Floats:
    """Every node within `reach` hops equally likely; at an edge of the mesh there are fewer.

    A node without such a neighbour is silent: its row is zero.
    """
    _several(len(hops))
    whole("reach", reach, low=1)
    near = hops <= reach
    np.fill_diagonal(near, False)
    if not near.any():
        raise InputError("no node is within reach", where="pattern", value=reach)
    return _even(near)


def hotspot(P: int, share: float, node: int = 0) -> Floats:
    """A share of all messages of the others goes to one node, the rest is spread evenly.

    The hot node receives 1 + (P − 2) share messages for each that a process sends.
    """
    check_pattern(Pattern(HOTSPOT, share=share, node=node), P)
    even = 1.0 / (P - 1)
    matrix = _spread(P, (1.0 - share) * even)
    matrix[:, node] += share
    matrix[node] = even
    matrix[node, node] = 0.0
    return matrix


def em3d(P: int, span: int) -> Floats:
    """EM3D's few neighbours: processes i ± 1 … ± span, counted round a ring of P.

    The share of edges that leave a processor says how many messages there are
    (`advisor.models.logpc.em3d_messages`), not where they go. Moritz & Frank 2001, sec. 5.3.
    """
    _several(P)
    whole("span", span, low=1)
    gap = np.arange(P)
    near = np.minimum(gap, P - gap) <= span
    near[0] = False
    # each row is the one above it, one place further: every window of two rounds, from the last
    rows: Flags = np.lib.stride_tricks.sliding_window_view(np.tile(near, 2)[1:], P)[::-1]
    return _even(rows)


def _several(P: int) -> None:
    if whole("P", P, low=1) < 2:
        raise InputError(
            "a pattern needs at least two processes", value=P, remedy="Allowed: 2 and more"
        )


def _spread(P: int, chance: float) -> Floats:
    """The same probability everywhere but on the diagonal."""
    matrix = np.empty((P, P))
    for begin in range(0, P, _ROWS):
        if begin:
            ask()
        matrix[begin : begin + _ROWS] = chance
    np.fill_diagonal(matrix, 0.0)
    return matrix


def _even(chosen: Flags) -> Floats:
    """Equal probabilities over what each row has chosen; a row without a choice stays zero."""
    count = chosen.sum(axis=1, keepdims=True)
    even = np.empty(chosen.shape)
    for begin in range(0, len(chosen), _ROWS):
        if begin:
            ask()
        rows = slice(begin, begin + _ROWS)
        np.divide(chosen[rows], np.maximum(count[rows], 1), out=even[rows])
    return even


def _certain(targets: NDArray[np.integer]) -> Floats:
    matrix = np.zeros((len(targets), len(targets)))
    matrix[np.arange(len(targets)), targets] = 1.0
    return matrix
