"""The exact tree of least latency for N back-ends, in milliseconds even for a million.

A process that is free at time u can start child i = 0, 1, …, which is ready at u + i step + delay.
In the universal tree, where every process does so for ever, a time T decides how many back-ends
can be reached; the best m internal processes are the m earliest of its slots, as later ones never
reach more and a parent precedes its children. Times are compared exactly, as multiples of step
with a rational remainder: rounding would misplace slots.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from advisor.models.process_tree import Tree, ranges
from machines.arrays import Ints
from machines.errors import InputError
from machines.stopping import ask


@dataclass(frozen=True, eq=False)
class OptimalTree:
    """A tree of least latency, its explicit form built when it is asked for.

    Attributes
    ----------
    latency : float
        In the unit of step and delay.
    internal, back_ends : int
        Processes between the front-end and the back-ends, and those.
    """

    latency: float
    internal: int
    back_ends: int
    _slots: _Slots
    _end: _Time
    _step: Fraction
    _extra: Fraction

    @cached_property
    def tree(self) -> Tree:
        """One of the trees with this latency and number of internal processes."""
        return _explicit(self._slots, self._end, self.internal, self.back_ends)

    @cached_property
    def fanouts(self) -> tuple[int, int]:
        """Children of the front-end of `tree` and most children of an internal process of it."""
        gains, chosen = self._slots.gains(self._end), self._slots.chosen(self.internal)
        own = self._slots.own(self._end)
        spare = own - int(chosen[self._slots.depth == 1].sum())
        surplus = own + int(chosen @ gains) - self.back_ends
        if surplus <= spare:  # the front-end alone has less than it could have
            return own - surplus, 1 + int(gains[0]) if self.internal else 0
        return _busiest(self._slots, self._end, self.internal, self.back_ends)

    @property
    def is_free(self) -> bool:
        """Whether no process had time for more children than it may have.

        A larger limit on children leads to this tree again.
        """
        return self._slots.in_time(self._end) <= min(self._slots.fanouts)

    @property
    def period(self) -> float:
        """Least time between two operations of a stream over `tree`."""
        own, inner = self.fanouts
        return float(max(own * self._step, inner * self._step + self._extra if inner else 0))


def exact(value: float) -> Fraction:
    """The decimal number that a person means: 0.1 is one tenth."""
    return Fraction(repr(float(value)))


def earliest_tree(
    N: int,
    step: Fraction,
    delay: Fraction,
    fanouts: tuple[int, int],
    max_internal: int | None = None,
    extra: Fraction = Fraction(),
    like: OptimalTree | None = None,
) -> OptimalTree:
    """Least latency for N back-ends, then fewest internal processes.

    Leaves(T, m) = c_0(T) + the first m gains, gain = c(T − u) − 1, c(t) = min(K, ⌊(t − delay)/step⌋
    + 1); the least T with Leaves ≥ N by bisection, then the least m at that T.

    Parameters
    ----------
    N : int
        Back-ends, ≥ 1.
    step, delay : Fraction
        step > 0, delay ≥ 0; see `advisor.models.mrnet.Message`.
    fanouts : (int, int)
        Most children of the front-end and of an internal process.
    max_internal : int, optional
    extra : Fraction
        What an internal process adds to the period of its children.
    like : OptimalTree, optional
        One found before, which differs in allowing more internal processes alone: saves time.

    Raises
    ------
    InputError
        No tree within the limits; the message says what would be feasible.
    """
    most = _most_internal(N, fanouts, max_internal)
    if like is None:
        slots = _Slots.first(delay / step, most, fanouts)
    else:
        slots = replace(like._slots, most=most)
    end = slots.least_end(N, 0 if like is None else like._end.steps)
    internal, latency = slots.needed(end, N), slots.latency(end, step)
    return OptimalTree(float(latency), internal, N, slots, end, step, extra)


def _most_internal(N: int, fanouts: tuple[int, int], max_internal: int | None) -> int:
    """Internal processes that may be used; InputError where they can't hold N back-ends."""
    own, inner = fanouts
    if own >= N:
        return N - 1 if max_internal is None else min(N - 1, max_internal)
    if own < 1 or inner < 2:
        at_most = f"at most {max(own, 0)} back-ends hang on the front-end"
        raise InputError(
            f"no tree of {N} back-ends keeps these limits: {at_most}, and an internal process "
            f"may have {max(inner, 0)} {'child' if inner == 1 else 'children'}",
            where="optimal_tree",
            value=fanouts,
            remedy="Allow two children of each process: a larger fan-out or period",
        )
    least = -(-(N - own) // (inner - 1))
    if max_internal is not None and max_internal < least:
        raise InputError(
            f"too few internal processes for {N} back-ends with fan-outs up to {max(fanouts)}",
            where="optimal_tree",
            value=max_internal,
            remedy=f"Allow {least} internal processes, or a larger fan-out or period",
        )
    return N - 1 if max_internal is None else min(N - 1, max_internal)


@dataclass(frozen=True)
class _Time:
    """`steps` whole steps, and what is more as a rank among the remainders."""

    steps: int
    part: int


@dataclass(frozen=True, eq=False)
class _Depths:
    """The multiples a · delay of a = 0, 1, …, as whole steps and ranks of their remainders.

    a · delay = (whole[a] + remainders[rank[a]]) step, so that times a · delay + b · step compare
    exactly as (whole[a] + b, rank[a]).
    """

    whole: Ints
    rank: Ints
    remainders: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, ratio: Fraction, deepest: int) -> _Depths:
        """Of a = 0, …, `deepest` with delay/step = `ratio`."""
        p, q = ratio.as_integer_ratio()
        pairs = [divmod(a * p, q) for a in range(deepest + 1)]
        remainders = tuple(sorted({rest for _, rest in pairs}))
        ranks = {rest: rank for rank, rest in enumerate(remainders)}
        whole = np.array([steps for steps, _ in pairs], dtype=np.int64)
        rank = np.array([ranks[rest] for _, rest in pairs], dtype=np.int64)
        return cls(whole, rank, remainders, q)


@dataclass(frozen=True, eq=False)
class _Slots:
    """The earliest slots of the universal tree, those of one depth and wait together.

    `depth`, `wait`, `count`: shape (classes,); slots that are ready at depth · delay + wait · step,
        in the order of that time, then of depth, and how many there are.
    """

    depths: _Depths  # one deeper than the slots, for their children
    depth: Ints
    wait: Ints
    count: Ints
    most: int  # so many slots are there at least, and no more may be used
    fanouts: tuple[int, int]  # most children of the front-end and of an internal process

    @classmethod
    def first(cls, ratio: Fraction, most: int, fanouts: tuple[int, int]) -> _Slots:
        """The `most` earliest slots and some more."""
        horizon = ratio + 1
        while True:
            slots = cls._until(ratio, horizon, most, fanouts)
            if int(slots.count.sum()) >= most:
                return slots
            horizon *= 2

    @classmethod
    def _until(
        cls, ratio: Fraction, horizon: Fraction, most: int, fanouts: tuple[int, int]
    ) -> _Slots:
        """Slots that are ready within `horizon` steps, those of one class counted up to `most`."""
        deepest = most if ratio == 0 else min(most, int(horizon / ratio))
        depths = _Depths.of(ratio, deepest + 1)
        (p, q), (steps, parts) = ratio.as_integer_ratio(), horizon.as_integer_ratio()
        numbers = [np.zeros(0, dtype=np.int64)]  # of each depth, by their waits
        number = np.ones(1, dtype=np.int64)
        for a in range(1, deepest + 1):
            room = (steps * q - a * p * parts) // (
                parts * q
            ) + 1  # whole steps of horizon − a ratio
            number = np.minimum(_windows(number, fanouts[min(a - 1, 1)], room), most)
            numbers.append(number)
        count = np.concatenate(numbers)
        sizes = np.array([one.size for one in numbers])
        depth = np.repeat(np.arange(sizes.size), sizes)
        wait = ranges(np.zeros_like(sizes), sizes)
        order = np.lexsort((depth, depths.rank[depth], depths.whole[depth] + wait))
        return cls(depths, depth[order], wait[order], count[order], most, fanouts)

    @cached_property
    def _before(self) -> Ints:
        """Slots of earlier classes."""
        before: Ints = np.cumsum(self.count) - self.count
        return before

    def chosen(self, internal: int) -> Ints:
        """How many slots of each class are among the earliest `internal`."""
        chosen: Ints = np.minimum(np.maximum(internal - self._before, 0), self.count)
        return chosen

    @cached_property
    def _usable(self) -> Ints:
        """How many slots of each class may be used."""
        return self.chosen(self.most)

    def gains(self, end: _Time) -> Ints:
        """Back-ends more by making a slot of each class an internal process; never rising."""
        ready, rank = self._second
        more = end.steps - ready
        if end.part + 1 < len(self.depths.remainders):
            more -= rank > end.part
        gains: Ints = np.minimum(np.maximum(more, 0), max(0, self.fanouts[1] - 1))
        return gains

    @cached_property
    def _second(self) -> tuple[Ints, Ints]:
        """When the second child of a slot of each class is ready: whole steps and rank."""
        below = self.depth + 1
        return self.depths.whole[below] + self.wait, self.depths.rank[below]

    def in_time(self, end: _Time) -> int:
        """Children that a process which is free from the start can have ready by then."""
        late = int(self.depths.rank[1] > end.part)
        return max(0, end.steps - int(self.depths.whole[1]) + 1 - late)

    def own(self, end: _Time) -> int:
        """Children of the front-end that are ready by then."""
        return min(self.fanouts[0], self.in_time(end))

    def leaves(self, end: _Time) -> int:
        """Back-ends that can be reached by then."""
        return self.own(end) + int(self._usable @ self.gains(end))

    def least_end(self, N: int, low: int = 0) -> _Time:
        """The least time in which N back-ends can be reached, which is no less than `low` steps."""
        last = len(self.depths.remainders) - 1
        # each step brings each process that has children one more at most
        low += max(0, -(-(N - self.leaves(_Time(low, last))) // (self.most + 1)))
        more = 1  # steps above `low` that are enough
        while self.leaves(_Time(low + more - 1, last)) < N:
            more *= 2
        within = range(low + more // 2, low + more - 1)
        steps = within.start + bisect_left(within, N, key=lambda t: self.leaves(_Time(t, last)))
        part = bisect_left(range(last), N, key=lambda one: self.leaves(_Time(steps, one)))
        return _Time(steps, part)

    def needed(self, end: _Time, N: int) -> int:
        """The fewest internal processes with which N back-ends are reached by then."""
        missing = N - self.own(end)
        if missing <= 0:
            return 0
        gains = self.gains(end)
        reached = np.cumsum(self._usable * gains)
        place = int(np.searchsorted(reached, missing))
        short = missing - (int(reached[place - 1]) if place else 0)
        return int(self._before[place]) + -(-short // int(gains[place]))

    def latency(self, end: _Time, step: Fraction) -> Fraction:
        """The time itself."""
        rest = Fraction(self.depths.remainders[end.part], self.depths.denominator)
        return (end.steps + rest) * step


def _windows(number: Ints, width: int, room: int) -> Ints:
    """Sums of up to `width` of the last entries: waits of children by the waits of parents."""
    size = min(number.size + width - 1, room)
    known = number[:size].cumsum()
    sums = np.empty(size, dtype=np.int64)
    sums[: known.size] = known
    sums[known.size :] = known[-1] if known.size else 0
    windows = sums.copy()
    windows[width:] -= sums[: max(0, size - width)]
    return windows


def _levels(slots: _Slots, end: _Time, internal: int, N: int) -> Iterator[tuple[Ints, Ints]]:
    """(children, those of them that have children), of such processes, level by level.

    The internal processes are the earliest slots.
    """
    chosen, gains = slots.chosen(internal), slots.gains(end)
    waits = np.zeros(1, dtype=np.int64)  # of the internal processes of one level
    children = np.array([slots.own(end)])
    surplus = int(children[0] + chosen @ gains) - N
    for depth in range(1, slots.depths.whole.size):
        inner, below = _inner_children(slots, chosen, depth, waits)
        if surplus:
            spare = children - inner
            dropped = np.minimum(spare, np.maximum(surplus - (np.cumsum(spare) - spare), 0))
            surplus -= int(dropped.sum())
            children = children - dropped
        yield children, inner
        waits = below
        if not waits.size:
            break
        children = 1 + gains[np.flatnonzero(slots.depth == depth)][waits]


def _explicit(slots: _Slots, end: _Time, internal: int, N: int) -> Tree:
    """The tree itself: in every family those with children come first."""
    kinds = np.ones(1, dtype=np.bool_)  # which processes of the level are internal
    fanouts = []
    for children, inner in _levels(slots, end, internal, N):
        ask()
        level = np.zeros(kinds.size, dtype=np.int64)
        level[kinds] = children
        fanouts.append(level)
        kinds = ranges(np.zeros_like(children), children) < np.repeat(inner, children)
    return Tree(np.concatenate((*fanouts, np.zeros(kinds.size, dtype=np.int64))))


def _busiest(slots: _Slots, end: _Time, internal: int, N: int) -> tuple[int, int]:
    """Children of the front-end of that tree, and most of an internal process."""
    (own, _), *below = _levels(slots, end, internal, N)
    return int(own[0]), max((int(children.max()) for children, _ in below), default=0)


def _inner_children(slots: _Slots, chosen: Ints, depth: int, waits: Ints) -> tuple[Ints, Ints]:
    """How many children of each process are internal ones at `depth`, and their waits."""
    here = np.flatnonzero(slots.depth == depth)
    whole = int(np.count_nonzero(chosen[here] == slots.count[here]))  # waits that are all chosen
    width = slots.fanouts[min(depth - 1, 1)]
    inner = np.clip(whole - waits, 0, width)
    if whole < here.size and (rest := int(chosen[here[whole]])):
        open_ = np.flatnonzero((waits <= whole) & (whole - waits < width))
        inner[open_[:rest]] += 1
    return inner, ranges(waits, inner)
