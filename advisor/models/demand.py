"""What messages ask of a network: the turns that they take, and how often.

Prepared once for a network and a pattern; then `advisor.models.wormhole` answers for any interval
and message size.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from advisor.models.paths import Paths, checked_probabilities, paths_of
from machines.arrays import Flags, Floats, Ints
from machines.errors import InputError
from machines.traffic import Routes


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
    paths : Paths
    sends : bool array, (P,)
        Which nodes send.
    inputs, slots : int64 arrays, (turns,)
        Where messages come from and what they acquire; input slot count + i is node i.
    shares : sparse array, (P, turns)
        Probability that a message of the node takes the turn.
    load : array, (turns,)
        Their sums over the nodes.
    levels : tuple
        The turns into resources after which messages go on for ever more hops; the receivers
        first. Waits at one level depend on the levels before it alone.
    """

    paths: Paths
    sends: Flags
    inputs: Ints
    slots: Ints
    shares: sparse.csr_array
    load: Floats
    levels: tuple[Level, ...]

    @property
    def slot_loads(self) -> Floats:
        """Messages through each slot, (slot count,)."""
        return added(self.slots, self.load, len(self.paths.partner))

    @property
    def bound(self) -> float:
        """Messages through the busiest channel or receiver: T_c ≥ occ · bound.

        For a share f of all messages to one of P nodes its receiver takes 1 + (P − 2) f.
        """
        loads = self.slot_loads
        return float(max(self.paths.by_channel(loads).max(), self.paths.by_receiver(loads).max()))


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
    """
    nodes = routes.network.size
    chances = checked_probabilities(probabilities, nodes)
    paths = paths_of(routes, chances > 0.0)
    lengths = np.diff(paths.offsets)
    pairs = np.repeat(np.arange(nodes * nodes), lengths)
    count = len(paths.partner)
    before = np.empty(len(paths.slots), dtype=np.int64)
    before[1:] = paths.slots[:-1]
    first = paths.offsets[:-1][lengths > 0]
    before[first] = count + pairs[first] // nodes
    keys = before * count + paths.slots
    turns = np.unique(keys)
    depth = _depths(turns // count, turns % count, count)[turns % count]
    order = np.lexsort((turns, turns % count, depth))
    taken = np.argsort(order)[np.searchsorted(turns, keys)]
    turns, depth = turns[order], depth[order]
    weights = chances.reshape(-1)[pairs]
    return Demand(
        paths=paths,
        sends=chances.sum(axis=1) > 0.0,
        inputs=turns // count,
        slots=turns % count,
        shares=sparse.csr_array(
            (weights, taken, paths.offsets[::nodes]), shape=(nodes, len(turns))
        ),
        load=added(taken, weights, len(turns)),
        levels=_levels(turns % count, depth),
    )


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
