"""Where messages go next, for all pairs at once: tables over targets and where a message is.

Routing is oblivious, so a network is told by one channel for each target and vertex: V · P numbers
for V vertices and P nodes, instead of the routes of P² pairs, which are as many times longer as
they have hops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Indices, Ints
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
    return steps, _counted(steps, heads), heads


def _of_grid(dims: tuple[int, ...], wrap: bool, ends: Ints) -> tuple[Indices, Distances]:
    """Dimension order: the first dimension in which vertex and target differ moves."""
    size = int(np.prod(dims))
    steps, hops = np.full((size, size), -1, np.int32), np.zeros((size, size), np.int16)
    keys, nodes = ends[:, 0] * size + ends[:, 1], np.arange(size)
    strides = np.cumprod((1, *dims))
    for k, stride in reversed(list(zip(dims, strides.tolist(), strict=False))):
        if size * size > _CELLS:
            ask()
        x = (nodes // stride % k)[:, np.newaxis]
        ways = np.arange(k) - x
        if wrap:
            ways = ways % k - k * (2 * (ways % k) > k)
        # both tables as (vertex, higher dimensions of the target, this one, lower ones)
        shape, wide = (size, -1, k, stride), (slice(None), np.newaxis, slice(None), np.newaxis)
        hops.reshape(shape)[...] += np.abs(ways).astype(np.int16)[wide]
        after = nodes[:, np.newaxis] + ((x + np.sign(ways)) % k - x) * stride
        taken = np.searchsorted(keys, nodes[:, np.newaxis] * size + after).astype(np.int32)
        np.copyto(steps.reshape(shape), taken[wide], where=(ways != 0)[wide])
    return steps, hops


def _asked(network: Network, ends: Ints) -> Indices:
    """What the network itself says, some vertices at a time."""
    nodes = network.size
    vertices = max(nodes, int(ends.max(initial=-1)) + 1)
    first = np.searchsorted(ends[:, 0], np.arange(vertices + 1))
    steps = np.full((vertices, nodes), -1, np.int32)
    targets, rows = np.arange(nodes), max(1, _CELLS // nodes)
    for begin in range(0, vertices, rows):
        if begin:
            ask()
        here = np.arange(begin, min(begin + rows, vertices))
        sources, aims = np.repeat(here, nodes), np.tile(targets, len(here))
        after = np.asarray(network.next_nodes(sources, aims)).reshape(len(here), nodes)
        for v, following in zip(here.tolist(), after, strict=True):
            out = ends[first[v] : first[v + 1], 1]
            if len(out):
                place = np.searchsorted(out, following)
                steps[v] = np.where(targets == v, -1, first[v] + np.minimum(place, len(out) - 1))
    return steps


def _counted(steps: Indices, heads: Indices) -> Distances:
    """How often each vertex steps on until it is at the target."""
    vertices, nodes = steps.shape
    hops = np.zeros(steps.shape, np.int16)
    rows = max(1, _CELLS // nodes)
    for begin in range(0, vertices, rows):
        if begin:
            ask()
        row, target = np.nonzero(steps[begin : begin + rows] >= 0)
        row += begin
        at: Ints | Indices = row
        while len(row):
            hops[row, target] += 1
            at = heads[steps[at, target]]
            going = at != target
            row, at, target = row[going], at[going], target[going]
    return hops
