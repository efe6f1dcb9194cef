"""Messages followed from a node to all others: which turns they take, and how often.

A turn is something to be held (a channel, a lane of it, a receiver) with what was held before it.
Turns are numbered so that those after one input follow each other: first the channels that leave
the vertex it leads to, each with its lanes, then the receiver there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

PLAIN = ("bench", "tiny", "_frozen")
BORROWING = ("turns_from", "start", "part", "together", "run", "acquired")
_MANY = 256  # targets that are worth a look whether they stay together
_RUNS = 4  # of neighbouring numbers that they then are at most
_APART = -2


class Ways(NamedTuple):
    """A network of P nodes and V vertices, and the numbers of its turns."""

    row: Array  # int32 (V,), of the next table, for each vertex
    ways: Array  # int16 (rows, P), which of the channels out of it leads towards a node
    heads: Array  # int32 (channels,), the vertex that each leads to
    along: Array  # int8 (channels,), the ring or dimension that each is of
    seam: Array  # bool (channels,), after which a message takes second lanes …
    second: Array  # bool (channels,), … of these, as long as it stays in the ring
    first_out: Array  # int64 (V,), the first channel that leaves each vertex
    room: Array  # int64 (V,), numbers before that of its receiver
    first_turn: Array  # int64 (slots + P,), of each slot, then of what each node injects


class Bench(NamedTuple):
    """Where the messages of one node are sorted while they are followed."""

    order: Array  # int32 (P,), targets: those of one way together
    sorted: Array  # int32 (P,)
    counts: Array  # int64 (most channels out of a vertex + 2,)
    first: Array  # int64 (P + 1,), a stack of the ways to be followed: their targets …
    last: Array  # int64 (P + 1,)
    held: Array  # int64 (P + 1,), … what they hold …
    ring: Array  # int64 (P + 1,), … the ring they are in, and whether they crossed its seam
    crossed: Array  # bool (P + 1,)


def bench(ways: Ways) -> Bench:
    """Room for the messages of a network."""
    nodes, widest = ways.ways.shape[1], 0
    for vertex in range(1, ways.first_out.shape[0]):
        widest = max(widest, ways.first_out[vertex] - ways.first_out[vertex - 1])
    widest = max(widest, ways.heads.shape[0] - ways.first_out[-1])
    return Bench(
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(widest + 2, np.int64),
        np.zeros(nodes + 1, np.int64),
        np.zeros(nodes + 1, np.int64),
        np.zeros(nodes + 1, np.int64),
        np.zeros(nodes + 1, np.int64),
        np.zeros(nodes + 1, np.bool_),
    )


def turns_from(
    ways: Ways,
    room: Bench,
    source: int,
    chances: Array,
    share: Array,
    load: Array,
    touched: Array,
) -> int:
    """Follow the messages of a node; how many turns they take, whose numbers `touched` has.

    `chances` (P,) says how often it sends where; that is added to `share`, zero before, and to
    `load` at every turn. Those that have the same way so far are followed together.
    """
    channels, nodes = ways.heads.shape[0], ways.ways.shape[1]
    slots = ways.first_turn.shape[0] - nodes
    lanes = 2 if slots > channels + nodes else 1
    depth, found = start(room, slots, source, chances), 0
    while depth > 0:
        depth -= 1
        first, last, held = room.first[depth], room.last[depth], room.held[depth]
        ring, crossed = room.ring[depth], room.crossed[depth]
        at = source
        if held < slots:
            at = ways.heads[held if held < channels else held - channels - nodes]
        out, row = ways.first_out[at], ways.row[at]
        part(ways, room, at, first, last)
        begin = first
        while begin < last:
            target = room.order[begin]
            way = 0 if target == at else ways.ways[row, target] + 1
            end, total = first + room.counts[way], 0.0
            for place in range(begin, end):
                total += chances[room.order[place]]
            turn = ways.first_turn[held] + ways.room[at]
            if way > 0:
                channel = out + way - 1
                over = crossed and ways.along[channel] == ring
                lane = 1 if over and ways.second[channel] else 0
                turn = ways.first_turn[held] + (way - 1) * lanes + lane
                room.first[depth], room.last[depth] = begin, end
                room.held[depth] = channel + lane * (channels + nodes)
                room.ring[depth] = ways.along[channel]
                room.crossed[depth] = over or ways.seam[channel]
                depth += 1
            if share[turn] == 0.0:
                touched[found] = turn
                found += 1
            share[turn] += total
            load[turn] += total
            begin = end
    return found


def start(room: Bench, slots: int, source: int, chances: Array) -> int:
    """Put all targets of a node on one way that holds nothing; how many ways there are."""
    ends = 0
    for target in range(chances.shape[0]):
        if chances[target] > 0.0 and target != source:
            room.order[ends] = target
            ends += 1
    room.first[0], room.last[0], room.held[0] = 0, ends, slots + source
    room.ring[0], room.crossed[0] = -1, False
    return 1 if ends > 0 else 0


def part(ways: Ways, room: Bench, at: int, first: int, last: int) -> None:
    """Sort targets `first` to `last` − 1 by where messages at a vertex go next.

    Those that have arrived come first, then those of each channel; `counts` gets their ends.
    """
    order, counts, row = room.order, room.counts, ways.row[at]
    own = together(ways, order, at, first, last) if last - first >= _MANY else _APART
    if own != _APART:  # the one that has arrived, if any, steps in front of the others
        for place in range(own, first, -1):
            order[place] = order[place - 1]
        counts[0] = 0
        if own >= first:
            order[first], counts[0] = at, 1
        counts[ways.ways[row, order[last - 1]] + 1] = last - first
        return
    following = ways.first_out[at + 1] if at + 1 < ways.first_out.shape[0] else ways.heads.shape[0]
    widest = following - ways.first_out[at]
    for place in range(widest + 2):
        counts[place] = 0
    for place in range(first, last):
        target = order[place]
        counts[1 if target == at else ways.ways[row, target] + 2] += 1
        room.sorted[place] = target
    for place in range(1, widest + 2):
        counts[place] += counts[place - 1]
    for place in range(first, last):
        target = room.sorted[place]
        way = 0 if target == at else ways.ways[row, target] + 1
        order[first + counts[way]] = target
        counts[way] += 1


def together(ways: Ways, order: Array, at: int, first: int, last: int) -> int:
    """Where among targets `first` to `last` − 1, which rise, that is which messages have reached.

    −1 if none is, `_APART` unless all others go on by one channel, and few runs of neighbours make
    all of them: in long rings that spares looking at each target at each hop.
    """
    one = order[first] if order[first] != at else order[first + 1]
    row, own, place, runs = ways.row[at], -1, first, 0
    way = ways.ways[row, one]
    while place < last:
        end = run(order, place, last)
        low, high = order[place], order[end - 1] + 1
        others = 0
        for target in range(low, high):
            others += ways.ways[row, target] != way
        if low <= at < high:
            own = place + at - low
            others -= 1
        runs += 1
        if others > 0 or runs > _RUNS:
            return _APART
        place = end
    return own


def run(order: Array, first: int, last: int) -> int:
    """The end of the neighbouring numbers that begin at a place; those up to `last` rise."""
    low, high = first + 1, last
    while low < high:
        middle = (low + high + 1) // 2
        if order[middle - 1] - order[first] == middle - 1 - first:
            low = middle
        else:
            high = middle - 1
    return low


def acquired(ways: Ways, held: int, turn: int) -> int:
    """What is acquired at a turn after something held."""
    channels, nodes = ways.heads.shape[0], ways.ways.shape[1]
    slots = ways.first_turn.shape[0] - nodes
    at = held - slots
    if held < slots:
        at = ways.heads[held if held < channels else held - channels - nodes]
    place = turn - ways.first_turn[held]
    if held < slots and place == ways.room[at]:
        return int(channels + at)
    if slots == channels + nodes:  # one lane
        return int(ways.first_out[at] + place)
    return int(ways.first_out[at] + (place >> 1) + (place & 1) * (channels + nodes))


def _frozen(table: Array) -> Array:
    """As the tables of a network come: read-only, which is another type to the compiler."""
    table.flags.writeable = False
    return table


def tiny() -> Ways:
    """Two nodes, joined both ways."""
    return Ways(
        row=_frozen(np.array([0, 1], np.int32)),
        ways=_frozen(np.zeros((2, 2), np.int16)),
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
    ways = tiny()
    turns_from(ways, bench(ways), 0, np.array([0.0, 1.0]), share, load, touched)
    acquired(ways, 0, 0)
