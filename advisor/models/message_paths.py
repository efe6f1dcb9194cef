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
from machines.stopping import ask
from machines.traffic import Routes, checked_traffic

_MANY = 1024  # nodes whose probabilities take a while


@dataclass(frozen=True, eq=False)
class Lanes:
    """Which channels messages take on a second lane.

    Attributes
    ----------
    along : int8 array, (channels,)
        The ring that each channel is of.
    seam : bool array, (channels,)
        After which of them a message takes second lanes for as long as it stays in the ring …
    second : bool array, (channels,)
        … of which channels.
    """

    along: NDArray[np.int8]
    seam: Flags
    second: Flags


@dataclass(frozen=True, eq=False)
class Slots:
    """What one message at a time can hold on a network of P nodes.

    Slot c is lane 0 of channel c, slot channels + v is the receiver of node v, and on a torus or
    dragonfly slot channels + P + c is lane 1 of c.

    Attributes
    ----------
    routes : Routes
        Of the network.
    lanes : Lanes
        Which channels have two.
    partner : int32 array, (slot count,)
        The other lane of the channel; −1 where there is none.
    """

    routes: Routes
    lanes: Lanes
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


@dataclass(frozen=True, eq=False)
class Paths(Slots):
    """The paths of the pairs of nodes that exchange messages.

    Attributes
    ----------
    offsets : int64 array, (P·P + 1,)
        Where the path of a pair (i, j) begins in `slots`, at offsets[i·P + j]; pairs that
        exchange nothing have empty paths.
    slots : int32 array, (steps,)
        In the order in which they are acquired; the receiver is the last.
    """

    offsets: Ints
    slots: Indices


def checked_probabilities(probabilities: ArrayLike, nodes: int) -> Floats:
    """Destination probabilities as an array (nodes, nodes); each row sums to 1, or to 0.

    Raises
    ------
    InputError
        Another shape or sum, a message to its own sender, or nobody who sends.
    """
    chances = checked_traffic(probabilities, nodes)
    if nodes > _MANY:
        ask()
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
        raise InputError("no process sends", where="probabilities")
    return chances


def slots_of(routes: Routes) -> Slots:
    """What messages can hold on a network."""
    network = routes.network
    nodes, channels = network.size, len(routes.heads)
    lanes = _LANES.get(network.kind, _single)(network)
    partner = np.full(channels + nodes, -1, dtype=np.int32)
    if network.kind in _LANES:
        own = np.arange(channels, dtype=np.int32)
        partner = np.concatenate([own + np.int32(channels + nodes), partner[channels:], own])
    return Slots(routes, lanes, partner)


def paths_of(routes: Routes, used: Flags) -> Paths:
    """The paths of the pairs (i, j) with ``used[i, j]``, shape (P, P); none on the diagonal."""
    slots_, nodes = slots_of(routes), routes.network.size
    wanted = used.reshape(-1) & (np.arange(nodes * nodes) % (nodes + 1) != 0)
    pairs = np.flatnonzero(wanted)
    which, channels = routes.taken(pairs // nodes, pairs % nodes)
    lengths = np.zeros(nodes * nodes, np.int64)
    lengths[pairs] = 1 + np.bincount(which, minlength=len(pairs))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    slots = np.empty(offsets[-1], dtype=np.int32)
    ends = offsets[1:][pairs] - 1
    slots[ends] = len(routes.heads) + pairs % nodes
    on_channel = np.ones(len(slots), dtype=np.bool_)
    on_channel[ends] = False
    slots[on_channel] = channels
    slots[_on_second(slots_.lanes, slots, offsets[:-1][pairs])] += len(routes.heads) + nodes
    return Paths(slots_.routes, slots_.lanes, slots_.partner, offsets, slots)


def _on_second(lanes: Lanes, slots: Indices, begins: Ints) -> Flags:
    """Which steps of paths that begin there take the second lane of their channel."""
    channels = len(lanes.along)
    on_channel = slots < channels
    channel = np.where(on_channel, slots, 0)
    if not lanes.second.any():
        return np.zeros(len(slots), np.bool_)
    along = np.where(on_channel, lanes.along[channel], -1)
    crossing = on_channel & lanes.seam[channel]
    before = np.cumsum(crossing, dtype=np.int32)
    before -= crossing  # seams crossed before each step
    turning = np.ones(len(slots), dtype=np.bool_)
    turning[1:] = along[1:] != along[:-1]
    turning[begins] = True
    began = np.repeat(before[turning], np.diff(np.append(np.flatnonzero(turning), len(slots))))
    return np.asarray(on_channel & lanes.second[channel] & (before > began))


def _single(network: Network) -> Lanes:
    """One lane a channel."""
    count = len(network.channels)
    return Lanes(np.zeros(count, np.int8), np.zeros(count, np.bool_), np.zeros(count, np.bool_))


def _of_rings(network: Network) -> Lanes:
    """A second lane for messages that have crossed the seam of the ring they run along."""
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    dimension, seam = np.zeros(len(ends), np.int8), np.zeros(len(ends), np.bool_)
    stride = 1
    for number, k in enumerate(network.dims):
        one, other = ends[:, 0] // stride % k, ends[:, 1] // stride % k
        moves = one != other
        dimension[moves] = number
        seam |= moves & (np.abs(one - other) == k - 1)
        stride *= k
    return Lanes(dimension, seam, np.ones(len(ends), np.bool_))


def _of_groups(network: Network) -> Lanes:
    """A lane of their own, between routers, for messages that came from another group.

    It breaks the circles of channels. Kim et al. 2008, sec. 4.1.
    """
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    group = (ends - network.size) // network.dims[1]
    routers = (ends >= network.size).all(axis=1)
    same = group[:, 0] == group[:, 1]
    return Lanes(np.zeros(len(ends), np.int8), routers & ~same, routers & same)


_LANES = {"torus": _of_rings, "dragonfly": _of_groups}
