"""What messages ask of a network: the turns that they take, and how often.

Prepared once for a network and a pattern; then `advisor.models.wormhole` answers for any interval
and message size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from advisor import kernels
from advisor.kernels import turns as kernel
from advisor.kernels.turns import Ways
from advisor.models.paths import Slots, checked_probabilities, slots_of
from machines.arrays import Flags, Floats, Indices, Ints
from machines.errors import InputError
from machines.stopping import ask, stopped
from machines.traffic import Routes

_COMPILED = 250_000  # pairs above which starting the compiled kernels takes less than it saves
_BLOCK = 64  # nodes whose shares are kept together
_QUICK = 64  # nodes of a network that is solved at once, whoever wants to stop


@dataclass(frozen=True, eq=False)
class Level:
    """Turns first … last − 1, into the slots ``slots``; turn first + t into ``slots[group[t]]``."""

    first: int
    last: int
    slots: Ints
    group: Ints


@dataclass(frozen=True, eq=False)
class Demand:
    """What messages ask of a network, per message of every sending node; for any T and occ.

    A *turn* is a resource with the input through which messages reach it: another resource, or
    the node that injects them.

    Attributes
    ----------
    held : Slots
        What messages can hold.
    sends : bool array, (P,)
        Which nodes send.
    inputs, slots : int64 arrays, (turns,)
        Where messages come from and what they acquire; input slot count + i is node i.
    shares : tuple of sparse arrays, (nodes, turns) each
        Probability that a message of the node takes the turn; some nodes after the other.
    load : array, (turns,)
        Their sums over the nodes.
    levels : tuple
        The turns into resources after which messages go on for ever more hops; the receivers
        first. Waits at one level depend on the levels before it alone.
    watched : int64 array
        The nodes whose shares these are, and whose waits are told; others count as waiting 0.
    """

    held: Slots
    sends: Flags
    inputs: Ints
    slots: Ints
    shares: tuple[sparse.csr_array, ...]
    load: Floats
    levels: tuple[Level, ...]
    watched: Ints

    @property
    def slot_loads(self) -> Floats:
        """Messages through each slot, (slot count,)."""
        return added(self.slots, self.load, len(self.held.partner))

    def by_node(self, amounts: Floats) -> Floats:
        """What a message of each node meets in all, (P,), by what it meets at each turn."""
        found = np.zeros(len(self.sends))
        parts = []
        for some in self.shares:
            self.pause()
            parts.append(some @ amounts)
        found[self.watched] = np.concatenate(parts)
        return found

    def pause(self) -> None:
        """Between two steps of a solution: `ask`, on a network whose solution takes long."""
        _pause(len(self.sends))

    def of_nodes(self, nodes: Ints) -> Demand:
        """The same, with the waits of some watched nodes alone, in increasing order."""
        rows, first, found = np.searchsorted(self.watched, nodes), 0, []
        for some in self.shares:
            last = first + some.shape[0]
            mine = rows[(rows >= first) & (rows < last)] - first
            if len(mine):
                found.append(some[mine])
            first = last
        return replace(self, shares=tuple(found), watched=nodes)

    @property
    def bound(self) -> float:
        """Messages through the busiest channel or receiver: T_c ≥ occ · bound.

        For a share f of all messages to one of P nodes its receiver takes 1 + (P − 2) f.
        """
        loads = self.slot_loads
        return float(max(self.held.by_channel(loads).max(), self.held.by_receiver(loads).max()))


def _pause(nodes: int) -> None:
    if nodes > _QUICK:
        ask()


def added(places: Ints, amounts: Floats, count: int) -> Floats:
    """Amounts added up by place, (count,)."""
    return np.bincount(places, amounts, minlength=count).astype(np.float64, copy=False)


def demand_of(routes: Routes, probabilities: ArrayLike) -> Demand:
    """Prepare estimates for one network and pattern.

    Parameters
    ----------
    routes : Routes
        Of a network of P nodes.
    probabilities : array_like, (P, P)
        Of the destination (column) of a message of each node (row); a row of zeros is silent.

    Raises
    ------
    InputError
        Probabilities of another shape or sum, to the sender itself, or of nobody who sends.
    Stopped
        Told to stop while a large network was prepared.
    """
    chances = checked_probabilities(probabilities, routes.network.size)
    held = slots_of(routes)
    if np.count_nonzero(chances) > _COMPILED:
        kernels.load(stopped)
    _pause(len(chances))
    ways = _ways(held)
    blocks, load = _followed(ways, chances)
    used = np.flatnonzero(load)
    count = len(held.partner)
    inputs, slots = _ends(ways, used)
    depth = _depths(inputs, slots, count)[slots]
    order = np.lexsort((inputs, slots, depth))
    number = np.zeros(len(load), np.int32)
    number[used[order]] = np.arange(len(used), dtype=np.int32)
    shares = []
    while blocks:  # each gives its room to the next
        _pause(len(chances))
        weights, turns, begins = blocks.pop(0)
        size = (len(begins) - 1, len(used))
        shares.append(sparse.csr_array((weights, number[turns], begins.astype(np.int32)), size))
    return Demand(
        held=held,
        sends=chances.sum(axis=1) > 0.0,
        inputs=inputs[order],
        slots=slots[order],
        shares=tuple(shares),
        load=load[used[order]],
        levels=_levels(slots[order], depth[order]),
        watched=np.arange(len(chances)),
    )


def _ways(held: Slots) -> Ways:
    """The network and the numbers of its turns."""
    routes, lanes = held.routes, held.lanes
    ends = np.array(routes.network.channels, dtype=np.int64).reshape(-1, 2)
    first_out = np.searchsorted(ends[:, 0], np.arange(routes.steps.shape[0] + 1))
    rows = 2 if lanes.second.any() or held.partner.max(initial=-1) >= 0 else 1
    out = np.diff(first_out) * rows
    # where nobody goes on, channels lead to receivers alone
    room = out if routes.away.max(initial=0) > 1 else np.zeros_like(out)
    nodes = routes.network.size
    behind = room[routes.heads] + 1
    second = behind if rows == 2 else behind[:0]
    counts = np.concatenate([behind, np.zeros(nodes, np.int64), second, out[:nodes]])
    return Ways(
        steps=routes.steps,
        heads=routes.heads,
        along=lanes.along,
        seam=lanes.seam,
        second=lanes.second,
        first_out=first_out[:-1],
        room=room,
        first_turn=np.cumsum(counts) - counts,
    )


def _followed(ways: Ways, chances: Floats) -> tuple[list[tuple[Floats, Indices, Ints]], Floats]:
    """(weights, turns, where those of each node begin) of some nodes after the other; all loads."""
    channels = ways.heads.shape[0]
    most = int(ways.first_turn[-1]) + channels + 1
    share, load, touched = np.zeros(most), np.zeros(most), np.empty(most, np.int32)
    room, blocks = kernel.bench(ways), []
    for begin in range(0, len(chances), _BLOCK):
        weights, turns, counts = [], [], [0]
        for source in range(begin, min(begin + _BLOCK, len(chances))):
            _pause(len(chances))
            found = kernel.turns_from(ways, room, source, chances[source], share, load, touched)
            turns.append(touched[:found].copy())
            weights.append(share[turns[-1]])
            share[turns[-1]] = 0.0
            counts.append(found)
        blocks.append((np.concatenate(weights), np.concatenate(turns), np.cumsum(counts)))
    return blocks, load


def _ends(ways: Ways, turns: Ints) -> tuple[Ints, Ints]:
    """(what was held before, what is held) of turns by their numbers, which increase."""
    channels, nodes = len(ways.heads), ways.steps.shape[1]
    slots = len(ways.first_turn) - nodes
    lanes = 1 + slots // (2 * channels + nodes)
    inputs = np.searchsorted(ways.first_turn, turns, side="right") - 1
    place = turns - ways.first_turn[inputs]
    leads = np.concatenate([ways.heads, np.arange(nodes), ways.heads, np.arange(nodes)])
    if lanes == 1:
        leads = np.concatenate([ways.heads, np.arange(nodes), np.arange(nodes)])
    at = leads[inputs]
    channel = ways.first_out[at] + place // lanes
    receives = (inputs < slots) & (place == ways.room[at])
    return inputs, np.where(receives, channels + at, channel + place % lanes * (channels + nodes))


def _depths(inputs: Ints, slots: Ints, count: int) -> Ints:
    """Most further slots that a message acquires after each of `count` slots."""
    depth = np.zeros(count, dtype=np.int64)
    between = inputs < count
    inputs, slots = inputs[between], slots[between]
    for _ in range(count):
        deeper = depth.copy()
        np.maximum.at(deeper, inputs, depth[slots] + 1)
        if (deeper == depth).all():
            return depth
        depth = deeper
    raise InputError("the routes form a circle of channels", remedy="They admit a deadlock")


def _levels(slots: Ints, depth: Ints) -> tuple[Level, ...]:
    """Levels of turns that are sorted by the depth of their slots, then by slot."""
    bounds = [0, *(np.flatnonzero(np.diff(depth)) + 1).tolist(), len(depth)]
    return tuple(
        Level(first, last, *np.unique(slots[first:last], return_inverse=True))
        for first, last in pairwise(bounds)
    )
