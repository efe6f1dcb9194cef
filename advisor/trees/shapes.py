"""Shapes of trees for any number of back-ends: the best level by level, and k-nomial ones.

`advisor.models.process_tree` has the shapes as the model defines them; these fit every N.
"""

from __future__ import annotations

import numpy as np

from advisor.models.mrnet import Message, Tree
from advisor.models.process_tree import dealt, flat, knomial_parents
from machines.checks import whole
from machines.errors import InputError
from machines.stopping import ask


def best_levels(N: int, message: Message, max_fanout: int | None = None) -> tuple[int, ...]:
    """The fan-outs by level with which N back-ends have the least latency; small ones first.

    Minimises the sum of (k − 1) step + delay over the levels, the product of the fan-outs k at
    least N. With so many levels the least sum of fan-outs is that of nearly equal ones; of the
    fan-outs with that sum those are taken that need few internal processes.
    """
    whole("N", N, low=1)
    most = N if max_fanout is None else min(N, whole("max_fanout", max_fanout, low=1))
    if N == 1:
        return (1,)
    if most < 2:
        raise InputError("fan-out 1 reaches one back-end only", where="max_fanout", value=most)
    sums = {depth: _least_sum(N, depth) for depth in range(1, (N - 1).bit_length() + 1)}
    depth = min(
        (depth for depth, total in sums.items() if -(-total // depth) <= most),
        key=lambda depth: (sums[depth] - depth) * message.step + depth * message.delay,
    )
    fanouts, missing, total = [], N, sums[depth]
    for left in range(depth - 1, -1, -1):
        fanout = next(k for k in range(1, most + 1) if _fits(missing, k, left, total - k, most))
        fanouts.append(fanout)
        missing, total = -(-missing // fanout), total - fanout
    return tuple(fanouts)


def _least_sum(N: int, depth: int) -> int:
    """The least sum of `depth` fan-outs whose product is at least N."""
    low = int(float(N) ** (1.0 / depth)) + 1
    while low**depth > N:
        low -= 1
    total = low * depth
    while _product(total, depth) < N:
        total += 1
    return total


def _product(total: int, depth: int) -> int:
    """The largest product of `depth` fan-outs with that sum: nearly equal ones."""
    low, more = divmod(total, depth)
    product: int = low ** (depth - more) * (low + 1) ** more
    return product


def _fits(N: int, fanout: int, left: int, total: int, most: int) -> bool:
    """Whether `left` more levels with that sum of fan-outs hold what a child has below it."""
    share = -(-N // fanout)
    if left == 0:
        return total == 0 and share == 1
    return total >= left and -(-total // left) <= most and _product(total, left) >= share


def spread_knomial(N: int, k: int, own: int) -> Tree:
    """A k-nomial tree of ⌈N/own⌉ processes with N back-ends spread evenly over all of them.

    `advisor.models.process_tree.knomial` where `own` divides N.
    """
    whole("own", own, low=1)
    processes = -(-whole("N", N, low=1) // own)
    parents = knomial_parents(processes, whole("k", k, low=2))
    share = dealt(np.array([N]), np.array([processes]))
    if processes == 1:
        return flat(N)
    ask()
    core, order = Tree.of(parents)
    ask()
    # the back-ends of each process follow its children that are processes
    children = core.fanouts + share[order]
    first = np.cumsum(children) - children + 1
    fanouts = np.zeros(processes + N, np.int64)
    fanouts[0] = children[0]
    parent = core.parent[1:]
    fanouts[first[parent] + np.arange(1, processes) - core.first_child[parent]] = children[1:]
    return Tree(fanouts)
