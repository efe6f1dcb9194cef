"""Which places are near each node: its own, and those on the nodes at the fewest hops.

As runs of places that follow each other, of which few are enough: in a fat tree the hosts of a leaf
switch are one run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.arrays import Flags, Indices, Ints
from machines.traffic import Routes
from machines.ways import TreeRoutes, Ways


@dataclass(frozen=True, eq=False)
class NearPlaces:
    """Runs of places near the nodes, in increasing order.

    `first`: shape (nodes + 1,); where the runs of each node begin.
    `start`, `before`: shape (runs,); first place of a run, and how many near ones are before it.
    `count`, `own`: shape (nodes,); near places, and how many of them are before the node's own.
    """

    first: Ints
    start: Indices
    before: Ints
    count: Ints
    own: Ints


def near_places(routes: Ways, begin: Ints) -> NearPlaces:
    """The places near every node; `begin` says where the places of each begin, (nodes + 1,)."""
    if isinstance(routes, TreeRoutes):
        return _in_tree(routes, begin)
    assert isinstance(routes, Routes)
    filled = np.diff(begin) > 0
    starts, befores, runs, counts, own = [], [], [], [], []
    for node, row in enumerate(routes.away):
        others = row[filled & (row > 0)]
        close = row <= others.min(initial=np.iinfo(row.dtype).max)
        start, end = _runs(close, begin)
        starts.append(start)
        befores.append(np.cumsum(end - start) - (end - start))
        runs.append(len(start))
        counts.append(int((end - start).sum()))
        own.append(int(np.clip(begin[node] - start, 0, end - start).sum()))
    return NearPlaces(
        np.concatenate([[0], np.cumsum(runs)]).astype(np.int64),
        np.concatenate(starts).astype(np.int32),
        np.concatenate(befores).astype(np.int64),
        np.array(counts, np.int64),
        np.array(own, np.int64),
    )


def nearest_hops(routes: Ways, begin: Ints, most: int) -> Ints:
    """Hops to the k-th nearest other place, from where it is nearest, (most,)."""
    counts, best = np.diff(begin), np.full(most, np.iinfo(np.int16).max, np.int64)
    if isinstance(routes, TreeRoutes):
        below = [begin[hosts::hosts] - begin[:-hosts:hosts] for hosts in routes.levels[:, 1]]
        widest = [int(counts.max()), *(int(each.max()) for each in below)]
        for level in range(len(widest) - 1, -1, -1):
            best[: max(0, widest[level] - 1)] = 2 * level
        return best
    assert isinstance(routes, Routes)
    for node in np.flatnonzero(counts):
        order = np.argsort(routes.away[node], kind="stable")
        near = order[: int(np.searchsorted(np.cumsum(counts[order]), most + 1)) + 1]
        hops = np.repeat(routes.away[node][near], counts[near])[1 : most + 1]
        best[: len(hops)] = np.minimum(best[: len(hops)], hops)
    return best


def _runs(close: Flags, begin: Ints) -> tuple[Ints, Ints]:
    """(first place, past the last) of nodes that follow each other."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], close, [False]])))
    start, end = begin[edges[::2]], begin[edges[1::2]]
    full = end > start
    if not full.any():
        return begin[:1], begin[:1]
    return start[full], end[full]


def _in_tree(routes: TreeRoutes, begin: Ints) -> NearPlaces:
    """One run a node: the hosts below the lowest switch that has places of others, too."""
    nodes = np.arange(len(begin) - 1)
    low, high = begin[:-1].copy(), begin[1:].copy()
    alone = np.ones(len(nodes), bool)
    for hosts in routes.levels[:, 1].tolist():
        first = nodes // hosts * hosts
        wide = begin[first + hosts] - begin[first]
        found = alone & (wide > np.diff(begin))
        low[found], high[found] = begin[first][found], begin[first + hosts][found]
        alone &= ~found
    return NearPlaces(
        np.arange(len(begin)).astype(np.int64),
        low.astype(np.int32),
        np.zeros(len(nodes), np.int64),
        high - low,
        begin[:-1] - low,
    )
