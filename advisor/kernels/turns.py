"""Messages followed from a node to all, or from all to a node: which turns they take, how often.

A turn is something to be held (a channel, a lane of it, a receiver) with what was held before it.
Turns are numbered so that those after one input follow each other: first the channels that leave
the vertex it leads to, each with its lanes, then the receiver there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

PLAIN = ("bench", "tree", "kept", "tiny", "_frozen")
BORROWING = (
    "turns_from", "start", "part", "together", "run", "onward", "gathered", "trees_to", "loads_to",
    "met_to",
)  # fmt: skip
_MANY = 256  # targets that are worth a look whether they stay together
_RUNS = 4  # of neighbouring numbers that they then are at most
_APART = -2


class Ways(NamedTuple):
    """A network of P nodes and V vertices, and the numbers of its turns."""

    steps: Array  # int32 (V, P), the channel from a vertex towards a node
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


class Tree(NamedTuple):
    """The ways to one node of messages from all others, which come together as they near it.

    Where they go next depends on the vertex and the node, the lane that they take on whether they
    are in a ring whose seam they crossed: state 2 v + 1, if they did, of those that leave vertex v.
    """

    seen: Array  # int32 (2 V,), the last node that messages in a state were on their way to
    order: Array  # int32 (2 V,), states that messages are in, those nearer to the node first
    after: Array  # int32 (2 V,), the state after each; −1 where they arrive
    turn: Array  # int64 (2 V,), what they take between the two


class Kept(NamedTuple):
    """The ways to some nodes, the one after the other, each with the states nearest to it first."""

    order: Array  # int32 (states,), the states, …
    after: Array  # int32 (states,), … the one after each, −1 where messages arrive, …
    turn: Array  # int32 (states,), … and what they take between the two
    ends: Array  # int64 (nodes,), where the states on the way to each end


def bench(ways: Ways) -> Bench:
    """Room for the messages of a network."""
    nodes, widest = ways.steps.shape[1], 0
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


def tree(ways: Ways) -> Tree:
    """Room for the ways to a node of a network."""
    states = 2 * ways.first_out.shape[0]
    return Tree(
        np.full(states, -1, np.int32),
        np.zeros(states, np.int32),
        np.zeros(states, np.int32),
        np.zeros(states, np.int64),
    )


def kept(ways: Ways, nodes: int) -> Kept:
    """Room for the ways to so many nodes of a network."""
    states = 2 * ways.first_out.shape[0] * nodes
    order, after, turn = np.zeros((3, states), np.int32)
    return Kept(order, after, turn, np.zeros(nodes, np.int64))


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
    channels, nodes = ways.heads.shape[0], ways.steps.shape[1]
    slots = ways.first_turn.shape[0] - nodes
    lanes = 1 + slots // (2 * channels + nodes)
    depth, found = start(room, slots, source, chances), 0
    while depth > 0:
        depth -= 1
        first, last, held = room.first[depth], room.last[depth], room.held[depth]
        ring, crossed = room.ring[depth], room.crossed[depth]
        at = source
        if held < slots:
            at = ways.heads[held if held < channels else held - channels - nodes]
        out = ways.first_out[at]
        part(ways, room, at, first, last)
        begin = first
        while begin < last:
            target = room.order[begin]
            way = 0 if target == at else ways.steps[at, target] - out + 1
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
    order, counts, out = room.order, room.counts, ways.first_out[at]
    own = together(ways, order, at, first, last) if last - first >= _MANY else _APART
    if own != _APART:  # the one that has arrived, if any, steps in front of the others
        for place in range(own, first, -1):
            order[place] = order[place - 1]
        counts[0] = 0
        if own >= first:
            order[first], counts[0] = at, 1
        counts[ways.steps[at, order[last - 1]] - out + 1] = last - first
        return
    following = ways.first_out[at + 1] if at + 1 < ways.first_out.shape[0] else ways.heads.shape[0]
    for place in range(following - out + 2):
        counts[place] = 0
    for place in range(first, last):
        target = order[place]
        counts[1 if target == at else ways.steps[at, target] - out + 2] += 1
        room.sorted[place] = target
    for place in range(1, following - out + 2):
        counts[place] += counts[place - 1]
    for place in range(first, last):
        target = room.sorted[place]
        way = 0 if target == at else ways.steps[at, target] - out + 1
        order[first + counts[way]] = target
        counts[way] += 1


def together(ways: Ways, order: Array, at: int, first: int, last: int) -> int:
    """Where among targets `first` to `last` − 1, which rise, that is which messages have reached.

    −1 if none is, `_APART` unless all others go on by one channel, and few runs of neighbours make
    all of them: in long rings that spares looking at each target at each hop.
    """
    one = order[first] if order[first] != at else order[first + 1]
    channel, own, place, runs = ways.steps[at, one], -1, first, 0
    while place < last:
        end = run(order, place, last)
        low, high = order[place], order[end - 1] + 1
        others = 0
        for target in range(low, high):
            others += ways.steps[at, target] != channel
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


def trees_to(ways: Ways, tree: Tree, first: int, towards: Array, chances: Array, kept: Kept) -> int:
    """Find the ways to some nodes, the one after the other; how many states they have in all.

    `towards` (nodes, V) has what they take at each vertex towards node `first` and those after it,
    `chances` (nodes, P) how often each node sends there.
    """
    end = 0
    for place in range(towards.shape[0]):
        known = gathered(ways, tree, first + place, towards[place], chances[place])
        for number in range(known):
            state = tree.order[number]
            kept.order[end + number] = state
            kept.after[end + number] = tree.after[state]
            kept.turn[end + number] = tree.turn[state]
        end += known
        kept.ends[place] = end
    return end


def loads_to(
    ways: Ways, first: int, towards: Array, chances: Array, kept: Kept, amount: Array, load: Array
) -> None:
    """Add to `load`, by turn, the messages to some nodes, which gather on their way.

    Arguments as in `trees_to`; `amount` (2 V,) is room.
    """
    slots = ways.first_turn.shape[0] - chances.shape[1]
    lanes = 1 + slots // (2 * ways.heads.shape[0] + chances.shape[1])
    begin = 0
    for place in range(chances.shape[0]):
        amount[:] = 0.0
        for source in range(chances.shape[1]):
            chance = chances[place, source]
            if chance > 0.0 and source != first + place:
                out = towards[place, source] - ways.first_out[source]
                load[ways.first_turn[slots + source] + out * lanes] += chance
                amount[2 * source] = chance
        for number in range(kept.ends[place] - 1, begin - 1, -1):
            passing, after = amount[kept.order[number]], kept.after[number]
            load[kept.turn[number]] += passing
            if after >= 0:
                amount[after] += passing
        begin = kept.ends[place]


def met_to(first: int, chances: Array, kept: Kept, each: Array, amount: Array, met: Array) -> None:
    """Add to `met`, by node, what its messages to some nodes meet, by `each` at every turn.

    Without what they meet at the turns into their first channel. Arguments as in `loads_to`.
    """
    begin = 0
    for place in range(chances.shape[0]):
        for number in range(begin, kept.ends[place]):
            after = kept.after[number]
            ahead = amount[after] if after >= 0 else 0.0
            amount[kept.order[number]] = each[kept.turn[number]] + ahead
        begin = kept.ends[place]
        for source in range(chances.shape[1]):
            if chances[place, source] > 0.0 and source != first + place:
                met[source] += chances[place, source] * amount[2 * source]


def gathered(ways: Ways, tree: Tree, target: int, towards: Array, chances: Array) -> int:
    """Find the states on the ways to a node, those nearer to it first; how many there are."""
    known = 0
    for source in range(chances.shape[0]):
        if chances[source] == 0.0 or source == target:
            continue
        first, state = known, 2 * source
        while state >= 0 and tree.seen[state] != target:
            tree.seen[state] = target
            tree.order[known] = state
            known += 1
            state = onward(ways, tree, state, target, towards)
        last = known - 1
        while first < last:
            tree.order[first], tree.order[last] = tree.order[last], tree.order[first]
            first, last = first + 1, last - 1
    return known


def onward(ways: Ways, tree: Tree, state: int, target: int, towards: Array) -> int:
    """Keep which turn follows a state on the way to a node, and which state, which is returned."""
    channels, nodes = ways.heads.shape[0], ways.steps.shape[1]
    slots = ways.first_turn.shape[0] - nodes
    lanes = 1 + slots // (2 * channels + nodes)
    over = state % 2 == 1
    channel = towards[state // 2]
    held = channel + (channels + nodes if over and ways.second[channel] else 0)
    at, after = ways.heads[channel], -1
    turn = ways.first_turn[held] + ways.room[at]
    if at != target:
        following = towards[at]
        stays = (over or ways.seam[channel]) and ways.along[following] == ways.along[channel]
        lane = 1 if stays and ways.second[following] else 0
        turn = ways.first_turn[held] + (following - ways.first_out[at]) * lanes + lane
        after = 2 * at + (1 if stays else 0)
    tree.turn[state], tree.after[state] = turn, after
    return after


def _frozen(table: Array) -> Array:
    """As the tables of a network come: read-only, which is another type to the compiler."""
    table.flags.writeable = False
    return table


def tiny() -> Ways:
    """Two nodes, joined both ways."""
    return Ways(
        steps=_frozen(np.array([[-1, 0], [1, -1]], np.int32)),
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
    towards, chances = np.array([[-1, 1]], np.int32), np.array([[0.0, 1.0]])
    ways_to, amount = kept(ways, 1), np.zeros(4)
    trees_to(ways, tree(ways), 0, towards, chances, ways_to)
    loads_to(ways, 0, towards, chances, ways_to, amount, load)
    met_to(0, chances, ways_to, load, amount, np.zeros(2))
