"""Messages followed from all nodes to one, where they gather: how often they take which turns.

Turns and their numbers are those of `advisor.kernels.transitions_kernel`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels.transitions_kernel import Ways, tiny

Array = Any

PLAIN = ("tree", "kept")
BORROWING = ("onward", "gathered", "trees_to", "loads_to", "met_to", "regarded")


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


def trees_to(ways: Ways, tree: Tree, first: int, towards: Array, chances: Array, kept: Kept) -> int:
    """Find the ways to some nodes, the one after the other; how many states they have in all.

    `towards` (nodes, rows) has the ways to node `first` and those after it, `chances` (nodes, P)
    how often each node sends there.
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
    lanes = 2 if slots > ways.heads.shape[0] + chances.shape[1] else 1
    begin = 0
    for place in range(chances.shape[0]):
        amount[:] = 0.0
        for source in range(chances.shape[1]):
            chance = chances[place, source]
            if chance > 0.0 and source != first + place:
                way = towards[place, ways.row[source]]
                load[ways.first_turn[slots + source] + way * lanes] += chance
                amount[2 * source] = chance
        for number in range(kept.ends[place] - 1, begin - 1, -1):
            passing, after = amount[kept.order[number]], kept.after[number]
            load[kept.turn[number]] += passing
            if after >= 0:
                amount[after] += passing
        begin = kept.ends[place]


def met_to(first: int, chances: Array, kept: Kept, each: Array, amount: Array, met: Array) -> None:
    """Add to `met`, by node, what its messages to some nodes meet, by `each` at every turn.

    Without what they meet at the turns into their first channel; for several `each` at once, in
    columns: `each` (turns, n), `amount` (2 V, n), `met` (P, n). Arguments as in `loads_to`.
    """
    begin, columns, nodes = 0, each.shape[1], chances.shape[1]
    for place in range(chances.shape[0]):
        for number in range(begin, kept.ends[place]):
            state, after, turn = kept.order[number], kept.after[number], kept.turn[number]
            source, chance = state >> 1, 0.0
            if state & 1 == 0 and source < nodes and source != first + place:
                chance = chances[place, source]
            if after >= 0:
                for column in range(columns):
                    amount[state, column] = each[turn, column] + amount[after, column]
            else:
                for column in range(columns):
                    amount[state, column] = each[turn, column]
            if chance > 0.0:
                for column in range(columns):
                    met[source, column] += chance * amount[state, column]
        begin = kept.ends[place]


def regarded(kept: Kept, kinds: Array) -> None:
    """Replace turns on the ways to some nodes by their kinds.

    Messages from one place to neighbouring nodes take neighbouring turns, more often than not.
    """
    known, more = 0, True
    while more:
        more = False
        for place in range(kept.ends.shape[0]):
            number = known
            if place > 0:
                number += kept.ends[place - 1]
            if number < kept.ends[place]:
                kept.turn[number] = kinds[kept.turn[number]]
                more = True
        known += 1


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
    channels, nodes = ways.heads.shape[0], ways.ways.shape[1]
    slots = ways.first_turn.shape[0] - nodes
    lanes = 2 if slots > channels + nodes else 1
    over = state % 2 == 1
    vertex = state // 2
    channel = ways.first_out[vertex] + towards[ways.row[vertex]]
    held = channel + (channels + nodes if over and ways.second[channel] else 0)
    at, after = ways.heads[channel], -1
    turn = ways.first_turn[held] + ways.room[at]
    if at != target:
        way = towards[ways.row[at]]
        following = ways.first_out[at] + way
        stays = (over or ways.seam[channel]) and ways.along[following] == ways.along[channel]
        lane = 1 if stays and ways.second[following] else 0
        turn = ways.first_turn[held] + way * lanes + lane
        after = 2 * at + (1 if stays else 0)
    tree.turn[state], tree.after[state] = turn, after
    return after


def warm_up() -> None:
    """Compile for the array types in use."""
    ways, load = tiny(), np.zeros(6)
    towards, chances = np.zeros((1, 2), np.int16), np.array([[0.0, 1.0]])
    ways_to, amount = kept(ways, 1), np.zeros(4)
    trees_to(ways, tree(ways), 0, towards, chances, ways_to)
    loads_to(ways, 0, towards, chances, ways_to, amount, load)
    met_to(0, chances, ways_to, load[:, None], amount[:, None], np.zeros((2, 1)))
    regarded(ways_to, np.zeros(6, np.int32))
