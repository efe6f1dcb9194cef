"""Process trees: a front-end, internal processes and back-ends, as flat arrays.

Processes are numbered breadth first: the front-end is 0, the children of one process follow each
other, and so do the processes of one level. Child counts in that order say the whole tree.
Roth, Arnold & Miller 2003, sec. 2.6; the shapes that mrnet_topgen offers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from machines.arrays import Ints
from machines.checks import whole
from machines.errors import InputError
from machines.stopping import ask

MOST_PROCESSES = 20_000_000
_NEEDS_CHILDREN = "Every process but the back-ends needs at least one child"


class Inner(NamedTuple):
    """The processes with children, in the order of their numbers.

    Attributes
    ----------
    fanouts : array of int, shape (m,)
        Children of each.
    parent : array of int, shape (m,)
        The place among these of the parent of each; −1 for the front-end.
    turn : array of int, shape (m,)
        How many of these before it have the same parent.
    eldest : array of int
        The places of those whose turn is 0, the front-end among them.
    levels : array of int
        Where those of each level begin.
    """

    fanouts: Ints
    parent: Ints
    turn: Ints
    eldest: Ints
    levels: Ints


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree of processes; the leaves are the back-ends.

    Attributes
    ----------
    fanouts : array of int, shape (processes,)
        Children of each process, breadth first; read-only.

    Raises
    ------
    InputError
        Fewer than two processes, counts that are negative or that make no tree of this many
        processes.
    """

    fanouts: Ints

    def __post_init__(self) -> None:
        fanouts = np.array(self.fanouts, dtype=np.int64)
        fanouts.flags.writeable = False
        object.__setattr__(self, "fanouts", fanouts)
        numbers, last = self._begetting
        # between two processes that have children the last child stays the same
        if (
            not numbers.size
            or numbers[0]
            or fanouts[numbers].min() < 0
            or last[-1] != fanouts.size - 1
            or (last[:-1] < numbers[1:]).any()
        ):
            raise InputError(
                "these numbers of children make no tree",
                where="tree",
                value=fanouts.size,
                remedy="One number a process, breadth first; all but the front-end are children",
            )

    @classmethod
    def of(cls, parents: ArrayLike) -> tuple[Tree, Ints]:
        """The tree of a parent list in any order, and where its processes went.

        Parameters
        ----------
        parents : array of int, shape (processes,)
            The parent of each process; −1 for the front-end. Children keep the order of the list.

        Returns
        -------
        tree : Tree
        order : array of int, shape (processes,)
            ``order[i]`` is the place in `parents` of process i of the tree.

        Raises
        ------
        InputError
            Not exactly one front-end, a parent that does not exist, or a cycle.
        """
        parent = np.asarray(parents, dtype=np.int64)
        size = parent.size
        roots = np.flatnonzero(parent < 0)
        if roots.size != 1 or (parent >= size).any():
            raise InputError(
                "a tree has one front-end, and all other processes a parent in it",
                where="tree",
                value=f"{roots.size} front-ends",
            )
        children = np.argsort(parent, kind="stable")[1:]
        counts = np.bincount(parent[children], minlength=size)
        starts = np.concatenate(([0], np.cumsum(counts)))
        order, level = [roots], roots
        while level.size:
            level = children[ranges(starts[level], counts[level])]
            order.append(level)
        found = np.concatenate(order)
        if found.size != size:
            raise InputError(
                "a cycle: these processes hang on no front-end",
                where="tree",
                value=np.setdiff1d(np.arange(size), found)[:3].tolist(),
            )
        return cls(counts[found]), found

    @property
    def size(self) -> int:
        """All processes."""
        return int(self.fanouts.size)

    @property
    def back_ends(self) -> int:
        """Leaves."""
        return self.size - int(self._begetting[0].size)

    @property
    def internal(self) -> int:
        """Processes between the front-end and the back-ends."""
        return self.size - self.back_ends - 1

    @property
    def depth(self) -> int:
        """Edges from the front-end to the farthest back-end."""
        return self.levels.size - 2

    @property
    def max_fanout(self) -> int:
        """Most children of one process."""
        return int(self.fanouts.max())

    @property
    def busiest(self) -> tuple[int, int]:
        """Children of the front-end, and most of an internal process (0: there is none)."""
        return int(self.fanouts[0]), int(self.fanouts[1:].max())

    @cached_property
    def _begetting(self) -> tuple[Ints, Ints]:
        """The processes with children, and the last child of each."""
        numbers = np.flatnonzero(self.fanouts != 0)
        return numbers, np.cumsum(self.fanouts[numbers])

    @cached_property
    def first_child(self) -> Ints:
        """The first child of each process; of a back-end the number that it would have."""
        first = np.cumsum(self.fanouts) - self.fanouts + 1
        first.flags.writeable = False
        return first

    @cached_property
    def parent(self) -> Ints:
        """The parent of each process, never falling; −1 for the front-end."""
        parent = np.concatenate(([-1], np.repeat(np.arange(self.size), self.fanouts)))
        parent.flags.writeable = False
        return parent

    @cached_property
    def levels(self) -> Ints:
        """First process of each level, and the number of processes; shape (depth + 2,)."""
        numbers, last = self._begetting
        starts = [0, 1]
        while starts[-1] < self.size:
            starts.append(int(last[np.searchsorted(numbers, starts[-1]) - 1]) + 1)
        levels = np.array(starts)
        levels.flags.writeable = False
        return levels

    @cached_property
    def inner(self) -> Inner:
        """The processes with children."""
        numbers, _ = self._begetting
        fanouts = self.fanouts[numbers]
        places = np.arange(numbers.size)
        parent = np.concatenate(([-1], np.repeat(places, fanouts)[numbers[1:] - 1]))
        eldest = np.flatnonzero(np.concatenate(([True], parent[1:] != parent[:-1])))
        turn = places - np.repeat(eldest, np.diff(eldest, append=places.size))
        return Inner(fanouts, parent, turn, eldest, np.searchsorted(numbers, self.levels))

    def is_like(self, other: Tree) -> bool:
        """Whether the other tree has the same shape."""
        return np.array_equal(self.fanouts, other.fanouts)


def ranges(starts: Ints, counts: Ints) -> Ints:
    """All numbers of the ranges ``starts[i], …, starts[i] + counts[i] − 1``, one after another."""
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()))


def dealt(amounts: Ints, parts: Ints) -> Ints:
    """Each amount in so many parts, as evenly as possible: the larger ones first."""
    share, rest = np.divmod(amounts, parts)
    place = ranges(np.zeros_like(parts), parts)
    return np.repeat(share, parts) + (place < np.repeat(rest, parts))


def flat(N: int) -> Tree:
    """Every back-end a child of the front-end.

    Raises
    ------
    InputError
        N < 1 or not whole.
    """
    whole("N", N, low=1)
    return _by_levels([np.array([N])])


def kary(fanout: int, depth: int) -> Tree:
    """The full tree: fanout^depth back-ends at depth `depth`.

    Raises
    ------
    InputError
        fanout or depth < 1 or not whole, or more processes than fit.
    """
    whole("fanout", fanout, low=1)
    whole("depth", depth, low=1)
    _within(sum(min(fanout**level, MOST_PROCESSES) for level in range(1, min(depth, 64) + 1)))
    _within(depth if fanout == 1 else 0)
    return _by_levels([np.full(fanout**level, fanout) for level in range(depth)])


def balanced(N: int, fanout: int) -> Tree:
    """All N back-ends at the least depth h ≥ 1 with fanout^h ≥ N: `levelled` with that fan-out.

    Raises
    ------
    InputError
        N < 1, fanout < 2, or not whole.
    """
    whole("N", N, low=1)
    whole("fanout", fanout, low=2)
    return levelled(N, [fanout] * least_depth(N, fanout))


def least_depth(N: int, fanout: int) -> int:
    """The least depth h ≥ 1 at which a tree of this fan-out, ≥ 2, holds N back-ends."""
    depth = 1
    while fanout**depth < N:
        depth += 1
    return depth


def levelled(N: int, fanouts: Sequence[int]) -> Tree:
    """N back-ends at depth len(fanouts), divided as evenly as possible.

    A process with n back-ends below has ⌈n/(product of the later fan-outs)⌉ children, whose
    numbers of back-ends differ by at most 1, the larger first; it may have only one child.

    Parameters
    ----------
    N : int
    fanouts : sequence of int
        Most children of the processes of each level, the front-end's first.

    Raises
    ------
    InputError
        N or a fan-out < 1 or not whole, or fan-outs that can't hold N.
    """
    whole("N", N, low=1)
    for fanout in fanouts:
        whole("fanout", fanout, low=1)
    if math.prod(fanouts) < N:
        raise InputError(
            f"these fan-outs hold fewer than {N} back-ends", where="fanouts", value=tuple(fanouts)
        )
    _within(N)
    below, counts, processes = np.array([N]), [], 0
    for level in range(1, len(fanouts) + 1):
        ask()
        children = -(-below // min(math.prod(fanouts[level:]), 2**53))
        counts.append(children)
        processes += int(children.sum())
        _within(processes)
        if level < len(fanouts):
            below = dealt(below, children)
    return _by_levels(counts)


def knomial(processes: int, k: int = 2, back_ends: int = 0) -> Tree:
    """The k-nomial tree over `processes` processes, each with `back_ends` back-ends of its own.

    Process r with span S (the front-end: the least power of k ≥ processes) has for z = S/k,
    S/k², …, 1 the children r + j z, j = 1, …, k − 1 (those < processes) with span z. Without
    back-ends of their own the childless processes are the back-ends.

    Raises
    ------
    InputError
        processes < 1, k < 2, back_ends < 0, not whole, or one process without back-ends.
    """
    whole("processes", processes, low=1)
    whole("k", k, low=2)
    whole("back_ends", back_ends)
    if processes == 1 and back_ends == 0:
        raise InputError(
            "one process without back-ends is no tree", where="knomial", remedy=_NEEDS_CHILDREN
        )
    _within(processes * (1 + back_ends))
    parents = knomial_parents(processes, k)
    leaves = np.repeat(np.arange(processes), back_ends)
    return Tree.of(np.concatenate((parents, leaves)))[0]


def knomial_parents(processes: int, k: int) -> Ints:
    """The parent of each process of a k-nomial tree, −1 for process 0: its lowest digit cleared.

    In base k the children of r have one more digit, below all digits of r that are not 0.
    """
    parents = np.empty(processes, dtype=np.int64)
    power = 1
    while power < processes:
        ask()
        # of the multiples of a higher power too, until their turn comes
        parents[::power] = np.arange(0, processes, power) // (power * k) * (power * k)
        power *= k
    parents[0] = -1
    return parents


def _by_levels(counts: list[Ints]) -> Tree:
    """The tree whose levels have these numbers of children; the last level's are back-ends."""
    _within(sum(int(level.sum()) for level in counts))
    ask()
    return Tree(np.concatenate((*counts, np.zeros(int(counts[-1].sum()), dtype=np.int64))))


def _within(processes: int) -> None:
    if processes > MOST_PROCESSES:
        raise InputError(
            "the tree has too many processes",
            where="tree",
            value=processes,
            remedy=f"Allowed: up to {MOST_PROCESSES}",
        )
