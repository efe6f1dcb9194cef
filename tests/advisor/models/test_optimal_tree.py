"""The exact optimum against all trees of up to nine back-ends, and the best order of children."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest

from advisor.models.mrnet import (
    BROADCAST,
    REDUCTION,
    Message,
    OptimalTree,
    broadcast_latency,
    broadcast_message,
    broadcast_period,
    exact_message,
    optimal_tree,
    reduction_latency,
    reduction_period,
)
from advisor.models.optimal_tree import earliest_tree
from advisor.models.process_tree import Tree
from advisor.models.tree_times import latencies
from machines import InputError
from machines.interconnect import LogGP
from tests.advisor.random_trees import loggp, random_costs, random_tree

MOST = 9
# (back-ends, internal processes) of the subtrees of a process's children; (1, 0) is a back-end
Children = tuple[tuple[int, int], ...]


@cache
def all_children(back_ends: int, internal: int, largest: tuple[int, int]) -> tuple[Children, ...]:
    """All ways to share out, with subtrees up to `largest` and from large to small.

    Internal processes have two back-ends below or more: over a single one they only add time.
    """
    if back_ends == 0:
        return ((),) if internal == 0 else ()
    found: list[Children] = []
    for n, m in itertools.product(range(1, back_ends + 1), range(internal + 1)):
        if (n == 1) == (m == 0) and m < n and (n, m) <= largest:
            rest = all_children(back_ends - n, internal - m, (n, m))
            found += [((n, m), *others) for others in rest]
    return tuple(found)


@dataclass(frozen=True)
class Search:
    """All trees with some messages and fan-outs, exactly."""

    step: Fraction
    delay: Fraction
    own: int
    inner: int

    def tables(self) -> dict[tuple[int, int], Fraction]:
        """Least latency of the front-end with (back-ends, internal processes)."""
        below: dict[tuple[int, int], Fraction] = {(1, 0): Fraction()}
        for n in range(2, MOST + 1):  # the internal process itself is one of them
            for m in range(1, n):
                below[n, m] = self.least(n, m - 1, self.inner, below)
        sizes = ((n, m) for n in range(1, MOST + 1) for m in range(n))
        return {(n, m): self.least(n, m, self.own, below) for n, m in sizes}

    def least(
        self, n: int, m: int, fanout: int, below: dict[tuple[int, int], Fraction]
    ) -> Fraction:
        """Over all children of a process; infinite (as a large number) without any."""
        least = Fraction(10**9)
        for children in all_children(n, m, (n, m)):
            if len(children) <= fanout and all(child in below for child in children):
                times = sorted((below[child] for child in children), reverse=True)
                end = max(i * self.step + time for i, time in enumerate(times)) + self.delay
                least = min(least, end)
        return least


def fraction(value: float) -> Fraction:
    return Fraction(str(value))


@dataclass(frozen=True)
class Case:
    """Messages, with or without a filter, and limits."""

    p: LogGP
    operation: str = BROADCAST
    size: int = 1
    filter_cost: float = 0.0
    max_fanout: int | None = None
    max_period: float | None = None

    def search(self) -> Search:
        """The rules of the page on trees, in whole numbers and fractions only."""
        o, c = fraction(self.p.o_s), fraction(self.filter_cost)
        tail = (self.size - 1) * fraction(self.p.G)
        step = max(o + c, fraction(self.p.g) + tail)
        own = inner = MOST if self.max_fanout is None else self.max_fanout
        if self.max_period is not None:
            limit = fraction(self.max_period)
            extra = max(Fraction(), 2 * o + c - step)
            fitting = [k for k in range(MOST + 1) if k * step <= limit]
            own = min(own, max(fitting))
            inner = min(inner, sum(1 for k in range(1, MOST + 1) if k * step + extra <= limit))
        return Search(step, 2 * o + fraction(self.p.L) + tail + c, own, inner)


def cases() -> Iterator[Case]:
    """No delay, a delay below the step, numbers without a common measure, ties, limits."""
    published = loggp(6.0, 2.0, 4.0)
    odd = loggp(13.5, 2.25, 3.75)
    yield Case(published)
    yield Case(odd, max_fanout=2)
    yield Case(odd, max_fanout=3, max_period=12.0)
    yield Case(published, max_period=8.0)
    yield Case(published, max_period=4.0)
    yield Case(loggp(0.0, 0.0, 1.0))
    yield Case(loggp(0.3, 0.1, 0.7), max_fanout=4)
    yield Case(loggp(0.1, 0.0, 0.3), max_period=0.9)
    yield Case(loggp(0.0, 3.0, 2.0), max_period=9.0)
    yield Case(loggp(1.37, 0.29, 0.53), REDUCTION, filter_cost=0.11)
    yield Case(loggp(6.0, 2.0, 4.0, 0.01), REDUCTION, size=101, filter_cost=3.5, max_fanout=3)
    yield Case(loggp(2.1, 0.7, 0.9, 0.003), size=211, max_period=6.2)
    rng = random.Random(7)
    for _ in range(20):
        L, o, g = (round(rng.uniform(0.0, top), 2) for top in (9.0, 3.0, 6.0))
        step = max(o, g)
        limits = rng.choice((None, 2, 3, 5)), rng.choice((None, round(rng.uniform(2, 6) * step, 2)))
        yield Case(loggp(L, o, g), max_fanout=limits[0], max_period=limits[1])


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_the_optimum_is_the_best_of_all_trees(case: Case) -> None:
    tables = case.search().tables()
    for N in range(1, MOST + 1):
        for limit in (None, *range(N)):
            allowed = range(N if limit is None else limit + 1)
            best = min((tables[N, m], m) for m in allowed if m < N)
            check(case, N, limit, best)


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_a_tree_found_after_one_with_more_processes_is_the_one_found_alone(case: Case) -> None:
    step, delay, extra = exact_message(case.p, case.size, case.filter_cost)
    for N, K in itertools.product((7, 60, 700), (2, 5, 700)):
        found = earliest_tree(N, step, delay, (K, K), None, extra)
        with suppress(InputError):
            while found.internal:
                fewer = int(found.internal * 0.8)
                alone = earliest_tree(N, step, delay, (K, K), fewer, extra)
                found = earliest_tree(N, step, delay, (K, K), fewer, extra, found)
                assert (found.latency, found.internal) == (alone.latency, alone.internal)
                assert found.tree.is_like(alone.tree)


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_the_tree_changes_with_the_limit_on_children_until_it_is_free(case: Case) -> None:
    step, delay, extra = exact_message(case.p, case.size, case.filter_cost)
    wide = earliest_tree(300, step, delay, (300, 300), None, extra)
    for K in range(2, 301):
        found = earliest_tree(300, step, delay, (K, K), None, extra)
        if found.is_free:
            assert (found.latency, found.internal) == (wide.latency, wide.internal)
            assert found.tree.is_like(wide.tree)
            break
        assert found.latency >= wide.latency
    assert found.is_free
    assert wide.tree.max_fanout >= K - 1 or wide.internal == 0


def check(case: Case, N: int, limit: int | None, best: tuple[Fraction, int]) -> None:
    def optimum() -> OptimalTree:
        return optimal_tree(
            N, case.p, case.max_fanout, limit, case.max_period, case.operation,
            size=case.size, filter_cost=case.filter_cost,
        )  # fmt: skip

    latency, internal = best
    if latency >= 10**9:
        with pytest.raises(InputError):
            optimum()
        return
    found = optimum()
    assert (found.latency, found.internal) == (float(latency), internal)
    holds(case, N, best, found.tree)


def holds(case: Case, N: int, best: tuple[Fraction, int], tree: Tree) -> None:
    """The explicit tree is what was promised."""
    assert (tree.back_ends, tree.internal) == (N, best[1])
    if case.operation == REDUCTION:
        latency = reduction_latency(tree, case.p, case.size, case.filter_cost)
        period = reduction_period(tree, case.p, case.size, case.filter_cost)
    else:
        latency = broadcast_latency(tree, case.p, case.size)
        period = broadcast_period(tree, case.p, case.size)
    assert latency == pytest.approx(float(best[0]), rel=1e-12)
    if case.max_fanout is not None:
        assert tree.max_fanout <= case.max_fanout
    if case.max_period is not None:
        assert period <= case.max_period * (1 + 1e-12)


def test_children_in_decreasing_time_of_their_subtrees_are_the_best_order() -> None:
    rng = random.Random(8)
    for _ in range(60):
        tree, costs = random_tree(rng, 14), random_costs(rng)
        if tree.max_fanout > 6:
            continue
        message = broadcast_message(costs.p, costs.size)

        assert latencies(tree, message)[0][0] == pytest.approx(any_order(tree, 0, message))


def any_order(tree: Tree, process: int, message: Message) -> float:
    """Least time that a process needs for its subtree, over all orders of its children."""
    first = int(tree.first_child[process])
    children = range(first, first + int(tree.fanouts[process]))
    times = [message.delay + any_order(tree, child, message) for child in children]
    return min(
        max((i * message.step + time for i, time in enumerate(order)), default=0.0)
        for order in itertools.permutations(times)
    )
