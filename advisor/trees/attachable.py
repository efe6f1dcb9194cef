"""Trees for attach mode: back-ends that come by themselves and attach to the leaves of a file.

A process with back-ends and internal processes below is no leaf there, so that its back-ends find
no place: here each process has either only back-ends below or only internal processes. Among
these trees the least latency is found exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import lcm

import numpy as np

from advisor.models.process_tree import Tree, balanced, flat, levelled
from advisor.trees.search import Limits, summed_message
from advisor.trees.shapes import best_levels
from advisor.trees.tree_costs import TreeCosts
from machines.arrays import Ints
from machines.errors import InputError

_SLOWER = tuple(1.0 + 0.02 * step for step in range(16))  # times the least latency
_ROOM = (1.0, 1.5, 3.0)  # times N that the children in use could take: the more, the flatter
_MOST_PROCESSES = 500_000  # of all trees together, about
_WIDER = 2  # each further balanced tree


def mixed_processes(tree: Tree) -> Ints:
    """The processes that have both back-ends and internal processes as children."""
    below = np.bincount(tree.parent[1:], weights=tree.fanouts[1:] == 0, minlength=tree.size)
    return np.flatnonzero((below > 0) & (below < tree.fanouts))


def is_attachable(tree: Tree) -> bool:
    """Whether all back-ends can attach to leaves of the tree without them."""
    return not mixed_processes(tree).size


def fastest(N: int, costs: TreeCosts, limits: Limits) -> Tree:
    """The attachable tree of least latency with these fan-outs.

    A process that has a time t left reaches r(t) back-ends: as many as it can send to, or all
    that its children reach, one step after the other, each a delay later. r grows with t, so that
    the least t with r(t) ≥ N is found by bisection, on integers.
    """
    reach = _Reach(costs, limits.fanouts(costs, N))
    return reach.tree(N, reach.least(N))


def attachable_trees(N: int, costs: TreeCosts, limits: Limits) -> Iterator[Tree]:
    """The fastest, slower ones of fewer processes, balanced ones, and the flat one."""
    reach = _Reach(costs, limits.fanouts(costs, N))
    least = reach.least(N)
    tried = [(times, room) for times in _SLOWER for room in _ROOM]
    for times, room in tried[: max(1, _MOST_PROCESSES // N)]:
        yield reach.tree(N, int(least * times), room)
    fanout = _WIDER
    while fanout < N:
        yield balanced(N, fanout)
        yield levelled(N, best_levels(N, costs.search_message, fanout))
        fanout *= _WIDER
    yield flat(N)


class _Reach:
    """How many back-ends can be reached in a time, counted in parts of a µs that are whole."""

    def __init__(self, costs: TreeCosts, fanouts: tuple[int, int]) -> None:
        step, delay, _ = summed_message(costs)
        unit = lcm(step.denominator, delay.denominator)
        self.step, self.delay = int(step * unit), int(delay * unit)
        self.own, self.inner = fanouts
        self.below = cache(self._below)

    def least(self, N: int) -> int:
        """The least time in which the front-end reaches N back-ends."""
        if self.own < N and min(self.own, self.inner) < 2:
            raise InputError(
                f"no tree of {N} back-ends keeps these limits", where="limits",
                remedy="Allow two children of every process",
            )  # fmt: skip
        low, high = self.delay - 1, self.delay
        while self.reached(high, self.own) < N:
            low, high = high, 2 * high + self.step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.reached(middle, self.own) >= N else (middle, high)
        return high

    def reached(self, time: int, most: int) -> int:
        """Back-ends below a process of at most so many children."""
        sends = self.sends(time, most)
        return max(sends, sum(self.below(left) for left in self.left(time, sends)))

    def sends(self, time: int, most: int) -> int:
        """Children that a process can have."""
        return min(most, (time - self.delay) // self.step + 1) if time >= self.delay else 0

    def left(self, time: int, sends: int) -> Iterator[int]:
        """The time that each of its children has."""
        return (time - self.delay - at * self.step for at in range(sends))

    def _below(self, time: int) -> int:
        return self.reached(time, self.inner) if time >= self.delay else 0

    def tree(self, N: int, time: int, room: float = 1.0) -> Tree:
        """A tree over N back-ends that takes no longer.

        The first children that could take `room` times what is below share it, each by what it
        could take.
        """
        level, fanouts, most = [(N, time)], [], self.own
        while level:
            below: list[tuple[int, int]] = []
            for n, left in level:
                children = self._children(n, left, most, room)
                fanouts.append(len(children))
                below += children
            level, most = below, self.inner
        return Tree(np.array(fanouts))

    def _children(self, n: int, time: int, most: int, room: float) -> list[tuple[int, int]]:
        """(back-ends below, time left) of each child; 0 below: it is a back-end."""
        sends = self.sends(time, most)
        if sends >= n:
            return [(0, 0)] * n
        used: list[tuple[int, int]] = []
        total = 0
        for left in self.left(time, sends):
            could = self.below(left)
            if total >= room * n or not could:
                break
            used.append((could, left))
            total += could
        found = []
        for could, left in used:
            share = -(-n * could // total)
            n, total = n - share, total - could
            if share:
                found.append((share, left))
        return found
