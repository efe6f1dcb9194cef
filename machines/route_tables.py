"""Where messages go next, for all pairs at once: tables over targets and where a message is.

Routing is oblivious, so a network is told by one channel for each target and vertex: V · P numbers
for V vertices and P nodes, instead of the routes of P² pairs, which are as many times longer as
they have hops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Flags, Indices, Ints
from machines.network import Hypercube, Mesh, Network
from machines.stopping import ask

Distances = NDArray[np.int16]

_CELLS = 1 << 16  # of a table that are filled at once: arrays that stay in the cache


def step_tables(network: Network) -> tuple[Indices, Distances, Indices]:
    """(channel from a vertex towards a target, hops to the target, where each channel leads).

    Returns
    -------
    steps : int32 array, (V, P)
        ``steps[v, t]`` is the position in `network.channels` of what a message at vertex v takes
        to node t; −1 where it has arrived.
    hops : int16 array, (V, P)
        Channels that it still takes to t.
    heads : int32 array, (channels,)
        The vertex at the end of each channel.
    """
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    heads = ends[:, 1].astype(np.int32)
    if isinstance(network, Mesh):
        return *_of_grid(network.dims, network.wrap, ends), heads
    if isinstance(network, Hypercube):
        return *_of_grid(network.dims, False, ends), heads
    steps = _asked(network, ends)
    return steps, _counted(steps, ends), heads


def _of_grid(dims: tuple[int, ...], wrap: bool, ends: Ints) -> tuple[Indices, Distances]:
    """Dimension order: the first dimension in which vertex and target differ moves."""
    size = int(np.prod(dims))
    steps, hops = np.empty((size, size), np.int32), np.empty((size, size), np.int16)
    keys, nodes, rows = ends[:, 0] * size + ends[:, 1], np.arange(size), max(1, _CELLS // size)
    strides = np.cumprod((1, *dims))
    along = [_along(nodes, k, stride, keys) for k, stride in zip(dims, strides, strict=False)]
    for begin in range(0, size, rows):
        if begin:
            ask()
        part = slice(begin, begin + rows)
        steps[part], hops[part] = -1, 0
        for k, stride, (x, up, down) in reversed(list(zip(dims, strides, along, strict=False))):
            ways = np.arange(k) - x[part]
            if wrap:
                ways %= k
                ways -= k * (2 * ways > k)
            # both tables as (vertex, higher dimensions of the target, this one, lower ones)
            shape, wide = (len(ways), -1, k, stride), (slice(None), None, slice(None), None)
            hops[part].reshape(shape)[...] += np.abs(ways).astype(np.int16)[wide]
            taken = np.where(ways > 0, up[part], down[part])
            np.copyto(steps[part].reshape(shape), taken[wide], where=(ways != 0)[wide])
    return steps, hops


def _along(nodes: Ints, k: int, stride: int, keys: Ints) -> tuple[Ints, Indices, Indices]:
    """Where nodes are in a dimension of k, and their channels up and down it, each a column."""
    x = nodes // stride % k
    up, down = (
        np.searchsorted(keys, nodes * len(nodes) + nodes + ((x + way) % k - x) * stride)
        for way in (1, -1)
    )
    return x[:, None], up.astype(np.int32)[:, None], down.astype(np.int32)[:, None]


def _asked(network: Network, ends: Ints) -> Indices:
    """What the network itself says, some vertices at a time; there is but one way out of others."""
    nodes = network.size
    vertices = max(nodes, int(ends.max(initial=-1)) + 1)
    first = np.searchsorted(ends[:, 0], np.arange(vertices + 1))
    steps = np.full((vertices, nodes), -1, np.int32)
    alone, several = (np.flatnonzero(wanted) for wanted in _ways_out(first))
    steps[alone] = first[alone, np.newaxis]
    targets, rows = np.arange(nodes), max(1, _CELLS // nodes)
    for begin in range(0, len(several), rows):
        if begin:
            ask()
        here = several[begin : begin + rows]
        sources, aims = np.repeat(here, nodes), np.tile(targets, len(here))
        after = np.asarray(network.next_nodes(sources, aims)).reshape(len(here), nodes)
        for v, following in zip(here.tolist(), after, strict=True):
            out = ends[first[v] : first[v + 1], 1]
            steps[v] = first[v] + np.minimum(np.searchsorted(out, following), len(out) - 1)
    steps[targets, targets] = -1
    return steps


def _counted(steps: Indices, ends: Ints) -> Distances:
    """How often each vertex steps on until it is at the target."""
    vertices, nodes = steps.shape
    first, heads = np.searchsorted(ends[:, 0], np.arange(vertices + 1)), ends[:, 1]
    hops = np.zeros(steps.shape, np.int16)
    alone, several = _ways_out(first)
    # hosts are one hop farther than the switch that they hang at
    hanging = np.flatnonzero(alone)
    hanging = hanging[several[heads[first[hanging]]]]
    walking = np.setdiff1d(np.arange(vertices), hanging)
    rows = max(1, _CELLS // nodes)
    for begin in range(0, len(walking), rows):
        if begin:
            ask()
        here = walking[begin : begin + rows]
        row, target = np.nonzero(steps[here] >= 0)
        row = here[row]
        at: Ints = row
        while len(row):
            hops[row, target] += 1
            at = heads[steps[at, target]]
            going = at != target
            row, at, target = row[going], at[going], target[going]
    for begin in range(0, len(hanging), rows):
        ask()
        here = hanging[begin : begin + rows]
        hops[here] = hops[heads[first[here]]] + 1
    hops[np.arange(nodes), np.arange(nodes)] = 0
    return hops


def _ways_out(first: Ints) -> tuple[Flags, Flags]:
    """Which vertices have one channel out, and which have several."""
    count = np.diff(first)
    return count == 1, count > 1
