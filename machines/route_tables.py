"""Where messages go next, for all pairs at once: tables over targets and where a message is.

Routing is oblivious, so a network is told by one way out for each target and vertex: V · P numbers
for V vertices and P nodes, instead of the routes of P² pairs, which are as many times longer as
they have hops. Vertices that send all targets by the same ways share a row: hosts with one link,
and switches above the same hosts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Flags, Indices, Ints
from machines.fat_tree import FatTree, rows_of
from machines.network import Hypercube, Mesh, Network
from machines.stopping import ask

Shorts = NDArray[np.int16]

_CELLS = 1 << 16  # of a table that are filled at once: arrays that stay in the cache


class Tables(NamedTuple):
    """Where messages go on a network of P nodes and V vertices.

    Attributes
    ----------
    row : int32 array, (V,)
        Of `ways`, for each vertex.
    ways : int16 array, (rows, P)
        Towards each node the way that a message takes: of the channels out of the vertex, in the
        order of `Network.channels`, the first is 0. Nothing is said of where it has arrived.
    out : int32 array, (V,)
        The position in `Network.channels` of the first channel out of each vertex.
    heads : int32 array, (channels,)
        The vertex at the end of each channel.
    away : int16 array, (P, P)
        Channels between nodes.
    """

    row: Indices
    ways: Shorts
    out: Indices
    heads: Indices
    away: Shorts


def tables_of(network: Network) -> Tables:
    """Where messages go on a network."""
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    heads = ends[:, 1].astype(np.int32)
    vertices = max(network.size, int(ends.max(initial=-1)) + 1)
    first = np.searchsorted(ends[:, 0], np.arange(vertices + 1))
    out = first[:-1].astype(np.int32)
    if isinstance(network, Mesh | Hypercube):
        wrap = isinstance(network, Mesh) and network.wrap
        ways, away = _of_grid(network.dims, wrap, ends)
        return Tables(np.arange(vertices, dtype=np.int32), ways, out, heads, away)
    if isinstance(network, FatTree):
        row, ways, away = rows_of(network)
        return Tables(row, ways, out, heads, away)
    row, ways = _asked(network, ends, first)
    return Tables(row, ways, out, heads, _counted(row, ways, first, heads))


def _of_grid(dims: tuple[int, ...], wrap: bool, ends: Ints) -> tuple[Shorts, Shorts]:
    """Dimension order: the first dimension in which vertex and target differ moves."""
    size = int(np.prod(dims))
    ways, hops = np.zeros((2, size, size), np.int16)
    nodes, rows = np.arange(size), max(1, _CELLS // size)
    strides = np.cumprod((1, *dims))
    along = [_along(nodes, k, stride, ends) for k, stride in zip(dims, strides, strict=False)]
    for begin in range(0, size, rows):
        if begin:
            ask()
        part = slice(begin, begin + rows)
        for k, stride, (x, up, down) in reversed(list(zip(dims, strides, along, strict=False))):
            steps = np.arange(k) - x[part]
            if wrap:
                steps %= k
                steps -= k * (2 * steps > k)
            # both tables as (vertex, higher dimensions of the target, this one, lower ones)
            shape, wide = (len(steps), -1, k, stride), (slice(None), None, slice(None), None)
            hops[part].reshape(shape)[...] += np.abs(steps).astype(np.int16)[wide]
            taken = np.where(steps > 0, up[part], down[part])
            np.copyto(ways[part].reshape(shape), taken[wide], where=(steps != 0)[wide])
    return ways, hops


def _along(nodes: Ints, k: int, stride: int, ends: Ints) -> tuple[Ints, Shorts, Shorts]:
    """Where nodes are in a dimension of k, and their ways up and down it, each a column."""
    x, keys = nodes // stride % k, ends[:, 0] * len(nodes) + ends[:, 1]
    out = np.searchsorted(ends[:, 0], nodes)
    up, down = (
        np.searchsorted(keys, nodes * len(nodes) + nodes + ((x + step) % k - x) * stride) - out
        for step in (1, -1)
    )
    return x[:, None], up.astype(np.int16)[:, None], down.astype(np.int16)[:, None]


def _asked(network: Network, ends: Ints, first: Ints) -> tuple[Indices, Shorts]:
    """What the network itself says, some vertices at a time; there is but one way out of others."""
    nodes = network.size
    several = np.flatnonzero(_ways_out(first)[1])
    row = np.zeros(len(first) - 1, np.int32)
    row[several] = np.arange(1, len(several) + 1)  # after that of those with one way
    ways = np.zeros((len(several) + 1, nodes), np.int16)
    targets, rows = np.arange(nodes), max(1, _CELLS // nodes)
    for begin in range(0, len(several), rows):
        if begin:
            ask()
        here = several[begin : begin + rows]
        sources, aims = np.repeat(here, nodes), np.tile(targets, len(here))
        after = np.asarray(network.next_nodes(sources, aims)).reshape(len(here), nodes)
        for v, following in zip(here.tolist(), after, strict=True):
            heads = ends[first[v] : first[v + 1], 1]
            ways[row[v]] = np.minimum(np.searchsorted(heads, following), len(heads) - 1)
    return row, ways


def _counted(row: Indices, ways: Shorts, first: Ints, heads: Indices) -> Shorts:
    """How often each node steps on until it is at the target."""
    nodes = ways.shape[1]
    alone, several = _ways_out(first)
    # hosts are one hop farther than the switch that they hang at
    hanging = np.flatnonzero(alone)
    hanging = hanging[several[heads[first[hanging]]]]
    walking = np.setdiff1d(np.arange(len(row)), hanging)
    hops, rows = np.zeros((len(walking), nodes), np.int16), max(1, _CELLS // nodes)
    for begin in range(0, len(walking), rows):
        if begin:
            ask()
        here = np.arange(begin, min(begin + rows, len(walking)))
        place, target = np.repeat(here, nodes), np.tile(np.arange(nodes), len(here))
        at = walking[place]
        while len(place):
            going = at != target
            place, at, target = place[going], at[going], target[going]
            hops[place, target] += 1
            at = heads[first[at] + ways[row[at], target]]
    away, above = np.empty((nodes, nodes), np.int16), np.arange(nodes)
    hangs = np.isin(above, hanging)
    above[hangs] = heads[first[:nodes][hangs]]
    place = np.searchsorted(walking, above)
    for begin in range(0, nodes, rows):
        if begin:
            ask()
        part = slice(begin, begin + rows)
        away[part] = hops[place[part]] + hangs[part, np.newaxis]
    np.fill_diagonal(away, 0)
    return away


def _ways_out(first: Ints) -> tuple[Flags, Flags]:
    """Which vertices have one channel out, and which have several."""
    count = np.diff(first)
    return count == 1, count > 1
