"""Which channels messages take, and how much each channel carries.

`routes_of` holds the routes of all pairs of nodes in two arrays, so that the loads of any traffic
and of any mapping of processes to nodes are sums over them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from machines.arrays import Floats, Indices, Ints
from machines.errors import InputError
from machines.multicore import MultiCore
from machines.network import Channel, Network

# 1 GiB of channel numbers: the all-pairs routes of about 3 000 nodes
_MOST_HOPS = 2**28
_MOST_BYTES = 2**30  # of the tables of places


@dataclass(frozen=True, eq=False)
class Routes:
    """The routes of all ordered pairs of nodes of a network of P nodes.

    Attributes
    ----------
    network : Network
        Whose routes these are.
    offsets : int64 array, (P·P + 1,)
        Where the route of a pair (i, j) begins in `channels`, at offsets[i·P + j]; it ends where
        the next one begins.
    channels : int32 array, (total hops,)
        Positions in `network.channels`.
    """

    network: Network
    offsets: Ints
    channels: Indices

    def of(self, i: int, j: int) -> Indices:
        """Positions of the channels from node `i` to node `j`, in order."""
        pair = i * self.network.size + j
        return self.channels[self.offsets[pair] : self.offsets[pair + 1]]

    @cached_property
    def hops(self) -> Ints:
        """Hops between all pairs of nodes, (P, P)."""
        nodes = self.network.size
        lengths = np.diff(self.offsets).reshape(nodes, nodes)
        lengths.flags.writeable = False
        return lengths


def fits_tables(network: Network) -> None:
    """InputError if the tables of all routes would be too large: what `routes_of` refuses."""
    nodes, hops = network.size, network.mean_distance() * network.size**2
    if isinstance(network, MultiCore):
        needed = 28 * nodes**2 + 8 * hops
        if needed > _MOST_BYTES:
            raise InputError(
                f"{nodes:,} cores need tables of some {needed / 2**30:.1f} GiB",
                where=f"{network.cores} cores on each of {network.network.size} nodes",
                value=nodes,
                remedy="At most 1 GiB, some 4 000 cores: fewer nodes or fewer cores",
            )
    if max(hops, nodes**2) > _MOST_HOPS:
        raise InputError(
            "the network is too large for a table of all routes",
            where=network.kind,
            value=network.dims,
            remedy="At most some 3 000 nodes",
        )


def routes_of(network: Network) -> Routes:
    """The routes of all ordered pairs of nodes.

    Raises
    ------
    InputError
        A network whose routes together have more than 2²⁸ hops, or with nodes of several cores one
        whose tables need more than 1 GiB.
    """
    fits_tables(network)
    if isinstance(network, MultiCore):
        return _routes_of_places(network)
    nodes = network.size
    # switches have numbers, too
    vertices = max(nodes, 1 + max((u for u, _ in network.channels), default=0))
    every, ends = np.arange(vertices, dtype=np.int64), np.arange(nodes, dtype=np.int64)
    sources, targets = np.repeat(every, nodes), np.tile(ends, vertices)
    after = network.next_nodes(sources, targets)
    channel = _channel_positions(network, sources, after)
    pairs = np.flatnonzero((sources != targets)[: nodes * nodes])
    at = pairs.copy()  # where the message of each pair is, as a pair (node, target)
    travelled, taken = [pairs[:0]], [channel[:0]]
    lengths = np.zeros(nodes * nodes, dtype=np.int64)
    while len(pairs):
        travelled.append(pairs)
        taken.append(channel[at])
        lengths[pairs] += 1
        target = targets[at]
        on_the_way = after[at] != target
        at = (after[at] * nodes + target)[on_the_way]
        pairs = pairs[on_the_way]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    channels = np.empty(offsets[-1], dtype=np.int32)
    for hop, (pair, number) in enumerate(zip(travelled[1:], taken[1:], strict=True)):
        channels[offsets[pair] + hop] = number
    offsets.flags.writeable = channels.flags.writeable = False
    return Routes(network, offsets, channels)


def channel_loads(routes: Routes, traffic: ArrayLike) -> Floats:
    """How much each channel carries.

    Parameters
    ----------
    routes : Routes
        Of a network of P nodes.
    traffic : array_like, (P, P)
        From node i (row) to node j (column), ≥ 0: messages, bytes, or either in a unit of time;
        the diagonal does not enter the network.

    Returns
    -------
    float array, (channels,)
        The sum over the pairs that use the channel, in the order of `network.channels`.

    Raises
    ------
    InputError
        Traffic of another shape, negative or not finite.
    """
    rates = checked_traffic(traffic, routes.network.size)
    weights = np.repeat(rates.reshape(-1), routes.hops.reshape(-1))
    loads = np.bincount(routes.channels, weights, minlength=len(routes.network.channels))
    return np.asarray(loads, dtype=float)


def busiest(routes: Routes, loads: Floats) -> tuple[Channel | None, float]:
    """The channel (u, v) of the greatest load, the first on a tie, and that load.

    Without any load there is no such channel: (None, 0.0).
    """
    if not len(loads) or loads.max() <= 0.0:
        return None, 0.0
    position = int(np.argmax(loads))
    return routes.network.channels[position], float(loads[position])


def checked_traffic(traffic: ArrayLike, nodes: int) -> Floats:
    """`traffic` as a float array of (nodes, nodes), finite and ≥ 0; InputError otherwise."""
    try:
        rates = np.asarray(traffic, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError("traffic must be a matrix of numbers", where="traffic") from error
    if rates.shape != (nodes, nodes):
        raise InputError(
            "traffic must have a row and a column for each node",
            where="traffic",
            value=rates.shape,
            remedy=f"Expected: {nodes} × {nodes}",
        )
    wrong = np.argwhere(~(np.isfinite(rates) & (rates >= 0.0)))
    if len(wrong):
        i, j = (int(part) for part in wrong[0])
        raise InputError(
            "traffic must be finite and ≥ 0", where=f"traffic from {i} to {j}", value=rates[i, j]
        )
    return rates


def _channel_positions(network: Network, sources: Ints, after: Ints) -> Indices:
    """The positions of the channels (source, after); of any channel where both are one node."""
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    most = max(network.size, int(ends.max(initial=0)) + 1)
    keys = ends[:, 0] * most + ends[:, 1]  # increasing, as the channels are
    return np.searchsorted(keys, sources * most + after).astype(np.int32)


def _routes_of_places(network: MultiCore) -> Routes:
    """The routes of all pairs of places: those of their nodes, none on one node."""
    places, nodes = network.size, network.network.size
    inner = routes_of(network.network)
    node = np.arange(places) // network.cores
    pairs = (node[:, None] * nodes + node[None, :]).reshape(-1)
    first = inner.offsets[pairs]
    lengths = inner.offsets[pairs + 1] - first
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    taken = np.repeat(first - offsets[:-1], lengths)
    taken += np.arange(len(taken))
    channels = inner.channels[taken]
    offsets.flags.writeable = channels.flags.writeable = False
    return Routes(network, offsets, channels)
