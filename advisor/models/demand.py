"""What messages ask of a network: the turns that they take, and how often.

Prepared once for a network and a pattern; then `advisor.models.wormhole` answers for any interval
and message size.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from advisor import kernels
from advisor.kernels import waits as kernel
from advisor.models.channel_transitions import COMPILED, Block, ChannelTransitions, pause
from advisor.models.message_paths import Slots, checked_probabilities, slots_of
from advisor.models.transition_classes import groups_of
from machines.arrays import Flags, Floats, Indices, Ints
from machines.errors import InputError
from machines.stopping import stopped
from machines.traffic import Routes

Solution: TypeAlias = tuple[Floats, Floats, float]
"""Waits by turn, shares of time held by slot, and time to transfer a message; of one rate."""

_REMEMBERED = 4_000_000  # waits of turns
_A_LEVEL = 300  # turns that are solved in the time that a level takes beside its turns
GROUPED = 100_000  # turns that are solved in less time than it takes to find groups of them
_FEW = 1 / 8  # of all pairs of nodes: so many are soon followed and kept


@dataclass(frozen=True, eq=False)
class Level:
    """Turns first … last − 1, into the slots ``slots``; turn first + t into ``slots[group[t]]``.

    Those out of them are ``leaving``, leaving[t] out of ``slots[behind[t]]``; none out of
    receivers.
    """

    first: int
    last: int
    slots: Ints
    group: Ints
    leaving: Ints
    behind: Ints


@dataclass(frozen=True, eq=False)
class Order:
    """Turns sorted by the depth of their slots, then by slot: what messages go on to comes first.

    Attributes
    ----------
    inputs, slots : int64 arrays, (turns,)
        As those of `Demand`.
    depth : int64 array, (slot count,)
        Most further slots that a message acquires after each: none after receivers.
    """

    inputs: Ints
    slots: Ints
    depth: Ints

    @cached_property
    def receiving(self) -> int:
        """Turns into receivers, the first ones."""
        return int(np.searchsorted(self.depth[self.slots], 1))

    @cached_property
    def count(self) -> int:
        """How many levels there are."""
        return 1 + int(self.depth[self.slots[-1]])

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The turns into slots of one depth each; their waits depend on the levels before alone."""
        inputs, slots, depth = self.inputs, self.slots, self.depth
        deep = depth[slots]
        bounds = [0, *(np.flatnonzero(np.diff(deep)) + 1).tolist(), len(deep)]
        between = np.flatnonzero(inputs < len(depth))
        out = between[np.lexsort((inputs[between], depth[inputs[between]]))]
        ends = np.searchsorted(depth[inputs[out]], [0, *(deep[bounds[:-1]] + 1)])
        levels = []
        for (first, last), (begin, end) in zip(pairwise(bounds), pairwise(ends), strict=True):
            leaving = out[begin:end]
            where, group = np.unique(slots[first:last], return_inverse=True)
            behind = np.searchsorted(where, inputs[leaving])
            levels.append(Level(first, last, where, group, leaving, behind))
        return tuple(levels)


@dataclass(frozen=True, eq=False)
class Demand:
    """What messages ask of a network, per message of every sending node; for any T and occ.

    A *turn* is a resource with the input through which messages reach it: another resource, or
    the node that injects them. Where there are many, turns here are groups of turns, and slots
    classes of slots, which are alike (`advisor.models.transition_classes`).

    Attributes
    ----------
    held : Slots
        What messages can hold.
    sends : bool array, (P,)
        Which nodes send.
    inputs, slots : int64 arrays, (turns,)
        Where messages come from and what they acquire; input slot count + i is node i.
    shares : tuple of sparse arrays, (nodes, turns) each, or None
        Probability that a message of the node takes the turn; some nodes after the other. None:
        all nodes are watched, and theirs are found anew from `taken` whenever they are asked for.
    load : array, (turns,)
        Their sums over the nodes, of one turn.
    into, out : arrays, (turns,)
        So many of them enter a slot, and leave one: 1, or of a group more.
    order : Order
        In which they can be solved; they are so sorted.
    watched : int64 array
        The nodes whose shares these are, and whose waits are told; others count as waiting 0.
    taken : Turns
        What they were counted from.
    kinds : int32 array
        The position here of each turn, by its number there; anything where nobody takes it.
    classes : int64 array, (slot count,)
        The class of each slot: itself, or of those that are alike one; −1: nobody uses it.
    slot_loads : array, (slot count,)
        Messages through each slot.
    injected : array
        What nodes inject, by turn, from `taken.injecting` on.
    solved : dict
        Solutions by the rate at which every node sends, None where there is none; whoever is
        watched. Of large networks the first ones.
    """

    held: Slots
    sends: Flags
    inputs: Ints
    slots: Ints
    shares: tuple[sparse.csr_array, ...] | None
    load: Floats
    into: Floats
    out: Floats
    order: Order
    watched: Ints
    taken: ChannelTransitions
    kinds: Indices
    classes: Ints
    slot_loads: Floats
    injected: Floats
    solved: dict[float, Solution | None] = field(default_factory=dict)

    @cached_property
    def entering(self) -> Floats:
        """Messages through each slot of `slots`."""
        return added(self.slots, self.into * self.load, len(self.order.depth))

    @property
    def channel_loads(self) -> Floats:
        """Messages through each channel, (channels,)."""
        return self.held.by_channel(self.slot_loads)

    @cached_property
    def meetings(self) -> float:
        """Messages that use the other lane of a message's channels, summed over its way.

        Per message, and per rate at which every node sends.
        """
        loads, partner = self.slot_loads, self.held.partner
        other = np.where(partner >= 0, loads[partner], 0.0)
        return float((loads * other).sum()) / float(loads[self.held.is_receiver].sum())

    def by_node(self, amounts: Floats) -> Floats:
        """What a message of each node meets, (P, n), by what it meets at each turn, (turns, n)."""
        if self.shares is None:
            return self.taken.met(amounts, self.injected, self.kinds)
        found = np.zeros((len(self.sends), amounts.shape[1]))
        parts = []
        for some in self.shares:
            self.pause()
            parts.append(some @ amounts)
        found[self.watched] = np.concatenate(parts)
        return found

    def remember(self, rate: float, solution: Solution | None) -> None:
        """Keep a solution, if there is room."""
        if len(self.solved) * len(self.load) < _REMEMBERED:
            self.solved[rate] = solution

    @property
    def effort(self) -> int:
        """Turns that arrays solve in the time of all levels, each of which takes some by itself."""
        return len(self.load) + _A_LEVEL * self.order.count

    def pause(self) -> None:
        """Between two steps of a solution: `ask`, on a network whose solution takes long."""
        pause(len(self.sends))

    def of_nodes(self, nodes: Ints) -> Demand:
        """The same, with the waits of some watched nodes alone, in increasing order."""
        if self.shares is None:
            blocks, _ = self.taken.shares(nodes)
            return replace(self, shares=self.table(blocks), watched=nodes)
        rows, first, found = np.searchsorted(self.watched, nodes), 0, []
        for some in self.shares:
            last = first + some.shape[0]
            mine = rows[(rows >= first) & (rows < last)] - first
            if len(mine):
                found.append(some[mine])
            first = last
        return replace(self, shares=tuple(found), watched=nodes)

    def table(self, blocks: list[Block]) -> tuple[sparse.csr_array, ...]:
        """Shares, (nodes, turns) each; takes the blocks out of their list."""
        shares = []
        while blocks:  # each gives its room to the next
            weights, turns, begins = blocks.pop(0)
            size = (len(begins) - 1, len(self.load))
            shares.append(
                sparse.csr_array((weights, self.kinds[turns], begins.astype(np.int32)), size)
            )
        return tuple(shares)

    def joined(self, other: Demand) -> Demand:
        """The same, with what another one watches beside."""
        shares = (*(self.shares or ()), *(other.shares or ()))
        return replace(self, shares=shares, watched=np.append(self.watched, other.watched))

    @property
    def bound(self) -> float:
        """Messages through the busiest channel or receiver: T_c ≥ occ · bound.

        For a share f of all messages to one of P nodes its receiver takes 1 + (P − 2) f.
        """
        receivers = self.held.by_receiver(self.slot_loads)
        return float(max(self.channel_loads.max(), receivers.max()))


def added(places: Ints, amounts: Floats, count: int) -> Floats:
    """Amounts added up by place, (count,)."""
    return np.bincount(places, amounts, minlength=count).astype(np.float64, copy=False)


def demand_of(routes: Routes, probabilities: ArrayLike, keep: bool = True) -> Demand:
    """Prepare estimates for one network and pattern.

    Parameters
    ----------
    routes : Routes
        Of a network of P nodes.
    probabilities : array_like, (P, P)
        Of the destination (column) of a message of each node (row); a row of zeros is silent.
    keep : bool
        Keep the shares of all nodes also where all send to many, for many estimates: on 4,096
        nodes that takes some five times as long, and 400 MB.

    Raises
    ------
    InputError
        Probabilities of another shape or sum, to the sender itself, or of nobody who sends.
    Stopped
        Told to stop while a large network was prepared.
    """
    chances = checked_probabilities(probabilities, routes.network.size)
    held = slots_of(routes)
    taken = ChannelTransitions.of(held, chances)
    pause(len(chances))
    blocks: list[Block] | None = None
    if keep or taken.pairs < _FEW * len(chances) ** 2:
        blocks, load = taken.shares(range(len(chances)))
    else:
        load = taken.loads()
    pause(len(chances))
    made = _alike(held, taken, load) or _apart(held, taken, load)
    if blocks is None:
        taken.regard(made.kinds)
    else:
        made = replace(made, shares=made.table(blocks))
    if made.effort > COMPILED:
        kernels.load(stopped)
    return made


def _apart(held: Slots, taken: ChannelTransitions, load: Floats) -> Demand:
    """Each turn and each slot for itself; nobody's shares."""
    used = np.flatnonzero(load)
    count, nodes = len(held.partner), len(taken.chances)
    inputs, slots = taken.ends(used)
    pause(nodes)
    depth = _depths(inputs, slots, count)
    pause(nodes)
    order = np.lexsort((inputs, slots, depth[slots]))
    pause(nodes)
    inputs, slots = inputs[order], slots[order]
    kinds = np.zeros(taken.count, np.int32)
    kinds[used[order]] = np.arange(len(used), dtype=np.int32)
    one = np.ones(len(used))
    return Demand(
        held=held,
        sends=taken.chances.max(axis=1) > 0.0,
        inputs=inputs,
        slots=slots,
        shares=None,
        load=load[used[order]],
        into=one,
        out=one,
        order=Order(inputs, slots, depth),
        watched=np.arange(nodes),
        taken=taken,
        kinds=kinds,
        classes=np.arange(count),
        slot_loads=added(slots, load[used[order]], count),
        injected=load[taken.injecting :].copy(),
    )


def _alike(held: Slots, taken: ChannelTransitions, load: Floats) -> Demand | None:
    """Turns and slots in groups, where that saves more than it takes; nobody's shares."""
    if np.count_nonzero(load) < GROUPED or not kernels.loaded():
        return None
    found = groups_of(taken, load)
    if found is None:
        return None
    return Demand(
        held=held,
        sends=taken.chances.max(axis=1) > 0.0,
        inputs=found.inputs,
        slots=found.slots,
        shares=None,
        load=found.load,
        into=found.into,
        out=found.out,
        order=Order(found.inputs, found.slots, found.depth),
        watched=np.arange(len(taken.chances)),
        taken=taken,
        kinds=found.kinds,
        classes=found.classes,
        slot_loads=found.entering,
        injected=load[taken.injecting :].copy(),
    )


def _depths(inputs: Ints, slots: Ints, count: int) -> Ints:
    """Most further slots that a message acquires after each of `count` slots."""
    between = inputs < count
    inputs, slots = inputs[between], slots[between]
    into = np.argsort(slots, kind="stable")
    first = np.searchsorted(slots[into], np.arange(count + 1))
    depth, left = np.zeros(count, np.int64), np.bincount(inputs, minlength=count)
    found = kernel.deepened(inputs[into], first, left, depth, np.empty(count, np.int64))
    if found < count:
        raise InputError("the routes form a circle of channels", remedy="They admit a deadlock")
    return depth
