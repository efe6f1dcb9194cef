"""Search for trees: the optimum within limits, the Pareto front, and the best weighted sum.

All rest on the exact optimum of `advisor.models.optimal_tree`: periods and processor shares depend
on fan-outs only, so that limits on them are limits on fan-outs.

Trees that are nearly as fast with far fewer internal processes.

The last microseconds cost most: 512 back-ends of the LogP paper's example take 68 µs with 163
internal processes, 72 with 94.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import merge
from itertools import groupby

from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import BROADCAST, EACH, REDUCTION, exact_message
from advisor.models.optimal_tree import OptimalTree, earliest_tree
from advisor.models.process_tree import Tree, flat
from advisor.trees.tree_costs import TreeCosts, TreeMeasures
from machines.errors import InputError

OnShare = Callable[[float], None]

_ALL = 1024  # back-ends, up to which all numbers of internal processes are tried
_EVERY = 32  # fan-outs and numbers up to here always are
_GROWTH = 1.25  # beyond, each is so many times the last


@dataclass(frozen=True)
class Limits:
    """What a tree may have; None: no limit.

    `max_fanout`, `max_internal`: children of any process; internal processes.
    """

    max_fanout: int | None = None
    max_internal: int | None = None
    max_period: float | None = None  # µs between two operations of a stream
    max_share: float = 1.0  # of a processor, at the wanted rate

    def allows(self, costs: TreeCosts, own: int, inner: int, period: float | None = None) -> bool:
        """Whether a front-end and internal processes of these fan-outs keep the limits.

        `period` is that of the whole tree, if it is known.
        """
        shares = [costs.share(own, front_end=True), costs.share(inner) if inner else 0.0]
        return (
            (self.max_fanout is None or max(own, inner) <= self.max_fanout)
            and max(shares) <= self.max_share * (1.0 + ALIKE)
            and (period or costs.period(own, inner)) <= self.longest(costs) * (1.0 + ALIKE)
        )

    def longest(self, costs: TreeCosts) -> float:
        """µs between two operations that limit and rate allow."""
        period = math.inf if self.max_period is None else self.max_period
        return min(period, 1e6 / costs.rate) if costs.rate > 0 else period

    def keeps(self, costs: TreeCosts, measures: TreeMeasures) -> bool:
        """Whether a measured tree keeps the limits."""
        fanouts = measures.front_end_fanout, measures.inner_fanout
        few = self.max_internal is None or measures.internal <= self.max_internal
        return few and self.allows(costs, *fanouts, measures.period)

    def within(self, choice: TreeChoice) -> Limits:
        """These limits and no more than a choice has: it is their optimum."""
        return replace(self, max_internal=choice.internal, max_period=choice.period)

    def fanouts(self, costs: TreeCosts, N: int) -> tuple[int, int]:
        """Most children of the front-end and of an internal process for N back-ends."""
        own = _largest(N, lambda k: self.allows(costs, k, 0))
        return own, _largest(N, lambda k: self.allows(costs, 1, k))


def _largest(high: int, allowed: Callable[[int], bool]) -> int:
    """The largest k ≤ high that is allowed, where all smaller ones are; 0 if not even 1 is."""
    if high > 0 and allowed(high):  # without limits, which is frequent
        return high
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        if allowed(middle):
            low = middle
        else:
            high = middle - 1
    return low


def optimum(N: int, costs: TreeCosts, limits: Limits) -> OptimalTree:
    """The tree of least latency within the limits, then of fewest internal processes.

    Exact for broadcasts and reductions. For round trips the optimum of summed steps and delays, a
    heuristic: best in 95 % of small cases, at most 11.7 % above.
    """
    own, inner = limits.fanouts(costs, N)
    if own < N and (own < 2 or inner < 2):
        raise InputError(
            f"no tree of {N} back-ends keeps these limits: a process may have "
            f"{min(own, inner)} children",
            where="limits",
            remedy=_feasible(costs, limits),
        )
    return _optimum(N, costs, (own, inner), limits.max_internal)


def _feasible(costs: TreeCosts, limits: Limits) -> str:
    """What two children of every process need."""
    period, share = costs.period(2, 2), max(costs.share(2), costs.share(2, front_end=True))
    rate = 1e6 / period if period > 0 else math.inf
    if costs.rate > 0 and share > 0:
        rate = min(rate, costs.rate * limits.max_share / share)
    wanted = f" and a rate up to {rate:.6g} a second" if costs.rate > 0 else ""
    return f"Two children of every process need a period of {period:g} µs or more{wanted}"


def _optimum(
    N: int,
    costs: TreeCosts,
    fanouts: tuple[int, int],
    max_internal: int | None,
    like: OptimalTree | None = None,
) -> OptimalTree:
    step, delay, extra = summed_message(costs)
    return earliest_tree(N, step, delay, fanouts, max_internal, extra, like)


def summed_message(costs: TreeCosts) -> tuple[Fraction, Fraction, Fraction]:
    """`exact_message` of the operation that is asked for; of a round trip both summed."""
    parts = {BROADCAST: (0.0,), REDUCTION: (costs.filter_cost,)}
    filters = parts.get(costs.operation, (0.0, costs.filter_cost))
    messages = [exact_message(costs.p, costs.size, c) for c in filters]
    step, delay, extra = (sum(part, Fraction(0)) for part in zip(*messages, strict=True))
    if costs.convention == EACH:
        delay += step
    if step == 0:
        raise InputError(
            "without overhead and gap any tree is free",
            where="message costs",
            remedy="Give an overhead o or a gap g above 0",
        )
    return step, delay, extra


@dataclass(frozen=True)
class TreeChoice:
    """A tree as the limits that lead to it: fan-outs and internal processes.

    `latency`, `period`: µs, of the operation that is asked for; of round trips by summed steps and
        delays.
    """

    latency: float
    period: float
    internal: int
    fanouts: tuple[int, int]  # largest of the front-end and of an internal process

    @classmethod
    def of(cls, found: OptimalTree, costs: TreeCosts) -> TreeChoice:
        """The choice of an optimal tree."""
        return cls(found.latency, costs.period(*found.fanouts), found.internal, found.fanouts)

    def values(self) -> tuple[float, float, int]:
        """What is to be small."""
        return self.latency, self.period, self.internal

    def covers(self, other: TreeChoice) -> bool:
        """Whether nothing of the other is better."""
        return all(a <= b for a, b in zip(self.values(), other.values(), strict=True))


def pareto_front(
    N: int,
    costs: TreeCosts,
    limits: Limits,
    on_share: OnShare | None = None,
    should_stop: ShouldStop | None = None,
) -> tuple[tuple[TreeChoice, ...], bool]:
    """Choices that none beats in latency, period and internal processes; whether all were tried.

    For each period that a fan-out can give, the least latency with its fewest internal processes,
    then the least latency with fewer, down to the fewest that hold N. With up to 1,024 back-ends
    all numbers of internal processes are tried; else, as of periods beyond fan-out 32, every one
    that is a quarter more than the last. Sorted by latency, then period.
    """
    found: list[TreeChoice] = []
    pairs = list(_by_period(N, costs, limits, thin=True))
    for place, pair in enumerate(pairs):
        for choice in _fewer(N, costs, pair, limits.max_internal, thin=N > _ALL):
            found.append(choice)
            if should_stop is not None and should_stop():
                return _undominated(found), False
        if on_share is not None:
            on_share((place + 1) / len(pairs))
    return _undominated(found), True


def _by_period(
    N: int, costs: TreeCosts, limits: Limits, *, thin: bool = False
) -> Iterator[tuple[int, int]]:
    """Fan-outs of front-end and internal processes that each reachable period allows, rising."""
    own, inner = limits.fanouts(costs, N)
    periods = merge(
        (costs.period(k, 0) for k in _numbers(own, thin)),
        (costs.period(1, k) for k in _numbers(inner, thin)),
    )
    for period, _ in groupby(periods):
        yield _within(own, inner, costs, period)


def _within(own: int, inner: int, costs: TreeCosts, period: float) -> tuple[int, int]:
    """The largest fan-outs up to these with which a stream has that period."""
    return (
        _largest(own, lambda k: costs.period(k, 0) <= period),
        _largest(inner, lambda k: costs.period(1, k) <= period),
    )


def _numbers(most: int, thin: bool) -> Iterator[int]:
    """1, 2, …; beyond the small ones only every quarter more, and the last."""
    k = 1
    while k < most:
        yield k
        k = int(k * _GROWTH) if thin and k >= _EVERY else k + 1
    yield most


def _fewer(
    N: int,
    costs: TreeCosts,
    fanouts: tuple[int, int],
    internal: int | None,
    *,
    thin: bool = False,
) -> Iterator[TreeChoice]:
    """Least latencies with ever fewer internal processes."""
    found = None
    while internal is None or internal >= 0:
        try:
            found = _optimum(N, costs, fanouts, internal, found)
        except InputError:  # too few to hold N
            return
        yield TreeChoice.of(found, costs)
        thinner = int(found.internal / _GROWTH) if thin and found.internal > _EVERY else math.inf
        internal = int(min(found.internal - 1, thinner))


def _undominated(choices: list[TreeChoice]) -> tuple[TreeChoice, ...]:
    """Those that none beats; in the order of latency only an earlier one can."""
    kept: list[TreeChoice] = []
    # of those kept so far, by rising period, the fewest internal processes: ever fewer
    periods: list[float] = []
    fewest: list[int] = []
    for one in sorted(choices, key=TreeChoice.values):
        place = bisect_right(periods, one.period)
        if place and fewest[place - 1] <= one.internal:
            continue
        kept.append(one)
        last = place
        while last < len(fewest) and fewest[last] >= one.internal:
            last += 1
        periods[place:last], fewest[place:last] = [one.period], [one.internal]
    return tuple(kept)


@dataclass(frozen=True)
class Weights:
    """What a µs of latency, a µs of period and an internal process count."""

    latency: float = 1.0
    period: float = 0.0
    internal: float = 0.0

    def value(self, choice: TreeChoice) -> float:
        """The weighted sum."""
        latency, period, internal = choice.values()
        return self.latency * latency + self.period * period + self.internal * internal


def best_weighted(
    N: int,
    costs: TreeCosts,
    limits: Limits,
    weights: Weights,
    should_stop: ShouldStop | None = None,
) -> tuple[TreeChoice, bool]:
    """The choice of least weighted sum, exactly; whether the search came to its end.

    Over all reachable periods and, in each, ever fewer internal processes, as long as what is
    left can still be less.
    """
    best = TreeChoice.of(optimum(N, costs, limits), costs)
    least = weights.latency * best.latency
    every = _by_period(N, costs, limits) if weights.period else [limits.fanouts(costs, N)]
    for pair in every:
        period = min(costs.period(pair[0], 0), costs.period(1, pair[1]))
        if least + weights.period * period >= weights.value(best) and weights.period:
            break
        for choice in _fewer(N, costs, pair, limits.max_internal):
            best = min(best, choice, key=weights.value)
            if weights.latency * choice.latency >= weights.value(best) or not weights.internal:
                break
            if should_stop is not None and should_stop():
                return best, False
    return best, True


_MOST_PROCESSES = 100_000  # of all rungs together, about
_KNEE_GROWTH, _FEWEST_RUNGS, _MOST_RUNGS = 0.85, 6, 40


def thinnest(N: int, costs: TreeCosts, limits: Limits, latency: float) -> OptimalTree:
    """The tree of fewest internal processes whose latency is at most this, within the limits."""
    best = optimum(N, costs, limits)
    low, high = -1, best.internal  # the least latency never falls with fewer processes
    while high - low > 1:
        middle = (low + high) // 2
        found = _with(N, costs, limits, middle)
        if found is not None and found.latency <= latency:
            high, best = middle, found
        else:
            low = middle
    return best


def rungs(N: int, costs: TreeCosts, limits: Limits) -> Iterator[Tree]:
    """The fastest trees of ever fewer internal processes, from the optimum to the fewest."""
    found: OptimalTree | None = optimum(N, costs, limits)
    left = min(max(_MOST_PROCESSES // N, _FEWEST_RUNGS), _MOST_RUNGS)
    while found is not None and left:
        yield found.tree
        left -= 1
        fewer = min(found.internal - 1, int(found.internal * _KNEE_GROWTH))
        found = _with(N, costs, limits, fewer) if fewer >= 0 else None
    yield flat(N)


def _with(N: int, costs: TreeCosts, limits: Limits, internal: int) -> OptimalTree | None:
    """The fastest tree of at most so many internal processes; None where they can't hold N."""
    try:
        return optimum(N, costs, replace(limits, max_internal=internal))
    except InputError:
        return None
