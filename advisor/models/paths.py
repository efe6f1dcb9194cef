"""What a message holds on its way: channels, lanes of the channels of rings, and its receiver.

Wormhole messages that hold channels in a circle would wait for ever. Dimension order excludes
that on meshes and hypercubes; the rings of a torus need two lanes (virtual channels) that share
the channel's bandwidth, the second for messages that have crossed the ring's seam.
Dally & Seitz 1987.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from machines.arrays import Flags, Floats, Indices, Ints
from machines.errors import InputError
from machines.network import Channel, Network
from machines.traffic import Routes, checked_traffic


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths of the pairs of nodes that exchange messages.

    A *slot* is what one message at a time can hold: slot c is lane 0 of channel c, slot
    channels + v is the receiver of node v, and on a torus or dragonfly slot channels + P + c is
    lane 1 of c.

    Attributes
    ----------
    routes : Routes
        Of a network of P nodes.
    offsets : int64 array, (P·P + 1,)
        Where the path of a pair (i, j) begins in `slots`, at offsets[i·P + j]; pairs that
        exchange nothing have empty paths.
    slots : int32 array, (steps,)
        In the order in which they are acquired; the receiver is the last.
    partner : int32 array, (slot count,)
        The other lane of the channel; −1 where there is none.
    """

    routes: Routes
    offsets: Ints
    slots: Indices
    partner: Indices

    @property
    def channel_count(self) -> int:
        """Channels of the network; the receivers' slots follow."""
        return len(self.routes.network.channels)

    @property
    def is_receiver(self) -> slice:
        """The receivers' slots."""
        return slice(self.channel_count, self.channel_count + self.routes.network.size)

    def end_points(self, slot: int) -> Channel:
        """The channel (u, v) that a slot belongs to; (v, v) for the receiver of node v."""
        nodes, channels = self.routes.network.size, self.channel_count
        if channels <= slot < channels + nodes:
            return (slot - channels, slot - channels)
        return self.routes.network.channels[slot % (channels + nodes)]

    def by_channel(self, amounts: Floats) -> Floats:
        """Amounts of the slots, (slot count,), added up over the lanes of each channel."""
        channels = self.channel_count
        total = amounts[:channels].copy()
        lanes = amounts[channels + self.routes.network.size :]
        total[: len(lanes)] += lanes
        return total

    def by_receiver(self, amounts: Floats) -> Floats:
        """Amounts of the receivers' slots, (P,)."""
        return amounts[self.is_receiver].copy()


def checked_probabilities(probabilities: ArrayLike, nodes: int) -> Floats:
    """Destination probabilities as an array (nodes, nodes); each row sums to 1, or to 0.

    Raises
    ------
    InputError
        Another shape or sum, a message to its own sender, or nobody who sends.
    """
    chances = checked_traffic(probabilities, nodes)
    sums = chances.sum(axis=1)
    wrong = np.flatnonzero((np.abs(sums - 1.0) > 1e-9) & (sums != 0.0))
    if len(wrong):
        node = int(wrong[0])
        raise InputError(
            "the probabilities of a node must sum to 1, or all be 0",
            where=f"node {node}",
            value=float(sums[node]),
        )
    if chances.diagonal().any():
        node = int(np.flatnonzero(chances.diagonal())[0])
        raise InputError("a node can't send to itself", where=f"node {node}")
    if not sums.any():
        raise InputError("nobody sends", where="probabilities")
    return chances


def paths_of(routes: Routes, used: Flags) -> Paths:
    """The paths of the pairs (i, j) with ``used[i, j]``, shape (P, P); none on the diagonal."""
    network = routes.network
    nodes, channels = network.size, len(network.channels)
    wanted = used.reshape(-1) & (np.arange(nodes * nodes) % (nodes + 1) != 0)
    hops = np.where(wanted, routes.hops.reshape(-1), 0)
    offsets = np.concatenate([[0], np.cumsum(hops + wanted)]).astype(np.int64)
    slots = np.empty(offsets[-1], dtype=np.int32)
    ends = offsets[1:][wanted] - 1
    slots[ends] = channels + np.flatnonzero(wanted) % nodes
    on_channel = np.ones(len(slots), dtype=np.bool_)
    on_channel[ends] = False
    slots[on_channel] = routes.channels[np.repeat(wanted, routes.hops.reshape(-1))]
    count = channels + nodes
    partner = np.full(count, -1, dtype=np.int32)
    if network.kind in _LANES:
        crossed = _LANES[network.kind](network, slots, hops + wanted)
        slots[crossed] += count
        own = np.arange(channels, dtype=np.int32)
        receivers = np.full(nodes, -1, dtype=np.int32)
        partner = np.concatenate([own + np.int32(count), receivers, own])
    return Paths(routes, offsets, slots, partner)


def _after_seam(network: Network, slots: Indices, lengths: Ints) -> Flags:
    """Which steps of paths of those lengths come after the seam of the ring they run along."""
    dimension, seam = _along(network)
    along = np.append(dimension, np.full(network.size, -1, dtype=np.int8))[slots]
    crossing = np.append(seam, np.zeros(network.size, dtype=np.bool_))[slots]
    before = np.cumsum(crossing, dtype=np.int32)
    before -= crossing  # seams crossed before each step
    turning = np.ones(len(slots), dtype=np.bool_)
    turning[1:] = along[1:] != along[:-1]
    turning[(np.cumsum(lengths) - lengths)[lengths > 0]] = True
    began = np.repeat(before[turning], np.diff(np.append(np.flatnonzero(turning), len(slots))))
    return np.asarray((along >= 0) & (before > began))


def _after_group(network: Network, slots: Indices, lengths: Ints) -> Flags:
    """Which steps of paths of those lengths run between routers of the group that they came to.

    A lane of their own breaks the circles of channels. Kim et al. 2008, sec. 4.1.
    """
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    group = (ends - network.size) // network.dims[1]
    routers = (ends >= network.size).all(axis=1)
    same = group[:, 0] == group[:, 1]
    receivers = np.zeros(network.size, dtype=np.bool_)
    between, within = (np.append(routers & which, receivers)[slots] for which in (~same, same))
    came = np.cumsum(between, dtype=np.int32)
    at_start = (came - between)[(np.cumsum(lengths) - lengths)[lengths > 0]]
    return np.asarray(within & (came > np.repeat(at_start, lengths[lengths > 0])))


_LANES = {"torus": _after_seam, "dragonfly": _after_group}


def _along(network: Network) -> tuple[NDArray[np.int8], Flags]:
    """The dimension that every channel runs along, and whether it closes the ring."""
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    dimension, seam = np.zeros(len(ends), np.int8), np.zeros(len(ends), np.bool_)
    stride = 1
    for number, k in enumerate(network.dims):
        one, other = ends[:, 0] // stride % k, ends[:, 1] // stride % k
        moves = one != other
        dimension[moves] = number
        seam |= moves & (np.abs(one - other) == k - 1)
        stride *= k
    return dimension, seam
