"""Turns in groups of those where messages wait equally long, so that these are solved once.

On regular networks and patterns there are thousands of times fewer groups than turns: one switch of
4,096 ports has 17 million turns, and where all send to all, two groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.kernels import equivalence_kernel as kernel
from advisor.models.channel_transitions import ChannelTransitions, pause
from machines.arrays import Floats, Indices, Ints
from machines.errors import InputError

_GROUPS = 1 << 14  # that are looked for at first …
_MOST = 1 << 22  # … and at most: more would save nothing
_CELLS = 1 << 18  # turns that are looked up between two looks whether to stop


@dataclass(frozen=True, eq=False)
class Groups:
    """Turns and slots of a network in groups.

    Attributes
    ----------
    inputs, slots : int64 arrays, (groups,)
        The class of what turns of each group leave and enter; what nodes inject: class count.
    load : array, (groups,)
        Of one turn.
    into, out : arrays, (groups,)
        Turns of the group into one slot of the class, and out of one.
    depth : int64 array, (class count,)
        Most further slots that messages acquire after each.
    classes : int64 array, (slot count,)
        Of each slot; −1: nobody uses it.
    kinds : int32 array, (turns,)
        Of each turn by its number, its group; anything where nobody takes it.
    entering : array, (slot count,)
        Messages through each slot.
    """

    inputs: Ints
    slots: Ints
    load: Floats
    into: Floats
    out: Floats
    depth: Ints
    classes: Ints
    kinds: Indices
    entering: Floats


def groups_of(taken: ChannelTransitions, load: Floats) -> Groups | None:
    """The groups of turns with these loads; ``None``: so many that they would save nothing.

    Loads that differ by less than 1e-12 of their size count as one.

    Raises
    ------
    InputError
        Messages that wait for each other in a circle.
    """
    nodes, bits = len(taken.chances), load.view(np.int64)
    count = len(taken.ways.first_turn) - nodes
    entering, (sign, depth, room) = np.zeros(count), np.zeros((3, count), np.int64)
    with np.errstate(over="ignore"):  # numbers are mixed in 64 bits, whatever is lost
        kernel.entered(taken.ways, bits, load, entering, sign)
        pause(nodes)
        place = np.full(count, -1)
        if not kernel.signed(taken.ways, bits, load, sign, depth, place, room):
            raise InputError("the routes form a circle of channels", remedy="They admit a deadlock")
        pause(nodes)
        used = np.flatnonzero(entering)
        _, one, alike = np.unique(sign[used], return_index=True, return_inverse=True)
        classes, sizes = np.full(count, -1), np.bincount(alike)
        classes[used] = alike
        kinds, found, most = np.zeros(len(load), np.int32), -1, _GROUPS
        while found < 0:
            if most > _MOST:
                return None
            table, groups = np.full(2 * most, -1, np.int32), np.empty((5, most), np.int64)
            found = kernel.grouped(taken.ways, bits, load, classes, len(one), table, groups, kinds)
            most *= 16
            pause(nodes)
    inputs, slots, _, turn, many = groups[:, :found]
    order = np.lexsort((inputs, slots, depth[used][one][slots]))
    rank = np.empty(found, np.int32)
    rank[order] = np.arange(found, dtype=np.int32)
    for begin in range(0, len(kinds), _CELLS):
        pause(nodes)
        part = slice(begin, begin + _CELLS)
        kinds[part] = rank[kinds[part]]
    inputs, slots, many = inputs[order], slots[order], many[order].astype(np.float64)
    return Groups(
        inputs=inputs,
        slots=slots,
        load=load[turn[order]],
        into=many / sizes[slots],
        out=many / np.append(sizes, nodes)[inputs],
        depth=depth[used][one],
        classes=classes,
        kinds=kinds,
        entering=entering,
    )
