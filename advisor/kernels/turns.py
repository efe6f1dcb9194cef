"""Messages followed from a node to all others: which turns they take, and how often.

A turn is something to be held (a channel, a lane of it, a receiver) with what was held before it.
Turns are numbered so that those after one input follow each other: first the channels that leave
the vertex it leads to, each with its lanes, then the receiver there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

PLAIN = ("tiny", "_frozen")
BORROWING = ("turns_from",)


class Ways(NamedTuple):
    """A network of P nodes and V vertices, and the numbers of its turns."""

    steps: Array  # int32 (P, V), the channel from a vertex towards a node
    heads: Array  # int32 (channels,), the vertex that each leads to
    along: Array  # int8 (channels,), the ring or dimension that each is of
    seam: Array  # bool (channels,), after which a message takes second lanes …
    second: Array  # bool (channels,), … of these, as long as it stays in the ring
    first_out: Array  # int64 (V,), the first channel that leaves each vertex
    room: Array  # int64 (V,), numbers before that of its receiver
    first_turn: Array  # int64 (slots + P,), of each slot, then of what each node injects


def turns_from(
    ways: Ways, source: int, chances: Array, share: Array, load: Array, touched: Array
) -> int:
    """Follow the messages of a node; how many turns they take, whose numbers `touched` has.

    `chances` (P,) says how often it sends where; that is added to `share`, zero before, and to
    `load` at every turn.
    """
    channels, nodes = ways.heads.shape[0], ways.steps.shape[0]
    slots = ways.first_turn.shape[0] - nodes
    lanes = 1 + slots // (2 * channels + nodes)
    found = 0
    for target in range(nodes):
        chance = chances[target]
        if chance <= 0.0 or target == source:
            continue
        at, held, ring, crossed = source, slots + source, -1, False
        while True:
            if at == target:
                turn = ways.first_turn[held] + ways.room[at]
            else:
                channel = ways.steps[target, at]
                if ways.along[channel] != ring:
                    ring, crossed = ways.along[channel], False
                lane = 1 if crossed and ways.second[channel] else 0
                turn = ways.first_turn[held] + (channel - ways.first_out[at]) * lanes + lane
                held = channel + lane * (channels + nodes)
                crossed = crossed or ways.seam[channel]
            if share[turn] == 0.0:
                touched[found] = turn
                found += 1
            share[turn] += chance
            load[turn] += chance
            if at == target:
                break
            at = ways.heads[channel]
    return found


def _frozen(table: Array) -> Array:
    """As the tables of a network come: read-only, which is another type to the compiler."""
    table.flags.writeable = False
    return table


def tiny() -> Ways:
    """Two nodes, joined both ways."""
    return Ways(
        steps=_frozen(np.array([[-1, 1], [0, -1]], np.int32)),
        heads=_frozen(np.array([1, 0], np.int32)),
        along=np.zeros(2, np.int8),
        seam=np.zeros(2, np.bool_),
        second=np.zeros(2, np.bool_),
        first_out=np.array([0, 1]),
        room=np.array([1, 1]),
        first_turn=np.array([0, 2, 4, 4, 4, 5]),
    )


def warm_up() -> None:
    """Compile for the array types in use."""
    share, load, touched = np.zeros(6), np.zeros(6), np.zeros(6, np.int32)
    turns_from(tiny(), 0, np.array([0.0, 1.0]), share, load, touched)
