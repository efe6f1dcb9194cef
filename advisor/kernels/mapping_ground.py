"""Mappings of processes to places while they change: what is near, how far, which channel is next.

Distances and channels between nodes come from tables or, in fat trees, from the levels of switches;
nothing here grows with the pairs of places.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import solution

Array = Any

PLAIN = ("tiny", "_frozen")
INLINED = ("move", "allowed")
BORROWING = (*INLINED, "levels_up", "tree_channel", "place_near", "pick_node")


class Channels(NamedTuple):
    """How nodes are joined. Of a fat tree `away` and `ways` are empty, of others `levels`."""

    away: Array  # int16 (nodes, nodes), hops
    row: Array  # int32 (vertices,), of the next table, for each vertex
    ways: Array  # int16 (rows, nodes), which of the channels out of it leads towards a node
    levels: Array  # int64 (levels, 4), as `machines.ways.TreeRoutes.levels`
    out: Array  # int32 (vertices,), the first of them
    heads: Array  # int32 (channels,), the vertex that each leads to
    host: Array  # int32 (P,), the node that a place is on: itself, or where its core is


class Near(NamedTuple):
    """Runs of places that are near each node (`advisor.messages.mapping.near_places`)."""

    begin: Array  # int64 (nodes + 1,), the first place of each node
    first: Array  # int64 (nodes + 1,), where the runs of each node begin
    start: Array  # int32 (runs,), the first place of each
    before: Array  # int64 (runs,), how many near places are in the runs before
    count: Array  # int64 (nodes,), near places of each node, its own among them
    own: Array  # int64 (nodes,), how many of them are before its own


class Work(NamedTuple):
    """What processes keep cores busy."""

    core: Array  # int32 (P,), of all nodes, that a place is on
    load: Array  # (n,), of each process on a core of speed 1
    pace: Array  # (cores,), time for one unit of work


class Landscape(NamedTuple):
    """n processes with f flows to either side, on P places of nodes that channels join."""

    net: Channels
    near: Near
    work: Work
    first: Array  # int64 (n + 1,), where each process's partners begin
    partner: Array  # int32 (2 f,)
    sent: Array  # (2 f,) bytes to the partner
    received: Array  # (2 f,) bytes from the partner


class State(NamedTuple):
    """A mapping while it is being changed, and the best one seen."""

    node_of: Array  # int32 (n,)
    holder: Array  # int32 (P,), the process on each node, -1 without
    loads: Array  # (channels,), kept by the search for low loads only
    best: Array  # int32 (n,)
    rng: Array  # int64 (2,)
    load: Array  # (cores,), work on each core


def move(work: Work, state: State, process: int, node: int) -> None:
    """Put a process on a node; whoever holds it takes the process's place."""
    node_of, holder, load = state.node_of, state.holder, state.load
    here, other = node_of[process], holder[node]
    node_of[process] = node
    holder[node] = process
    holder[here] = other
    more = work.load[process]
    if other >= 0:
        node_of[other] = here
        more -= work.load[other]
    if more != 0.0:
        load[work.core[here]] -= more
        load[work.core[node]] += more


def allowed(work: Work, state: State, process: int, node: int, cap: float) -> bool:
    """Whether no core gets more work by a move than it does within `cap`."""
    if cap == np.inf:
        return True
    here, other = state.node_of[process], state.holder[node]
    more = work.load[process]
    if other >= 0:
        more -= work.load[other]
    source, target = work.core[here], work.core[node]
    if more == 0.0 or source == target:
        return True
    core = target if more > 0.0 else source
    return bool((state.load[core] + abs(more)) * work.pace[core] <= cap)


def levels_up(levels: Array, u: int, v: int) -> int:
    """Hops between two hosts of a fat tree: up to the first switch above both, and down."""
    if u == v:
        return 0
    level = 0
    while u // levels[level, 1] != v // levels[level, 1]:
        level += 1
    return 2 * (level + 1)


def tree_channel(levels: Array, out: Array, at: int, target: int) -> int:
    """The channel that a message at a host or switch of a fat tree takes towards another host."""
    if at < levels[0, 0]:
        return int(out[at])
    level = 0
    while level + 1 < levels.shape[0] and at >= levels[level + 1, 0]:
        level += 1
    hosts, ways, down = levels[level, 1], levels[level, 2], levels[level, 3]
    if target // hosts == (at - levels[level, 0]) // ways:
        return int(out[at] + target % hosts * down // hosts)
    return int(out[at] + down + target // ways % (levels[level + 1, 2] // ways))


def place_near(near: Near, host: int, place: int, number: int) -> int:
    """The place of a number near one on a host, in increasing order, the place itself left out."""
    if number >= near.own[host] + place - near.begin[host]:
        number += 1
    low, high = near.first[host], near.first[host + 1]
    while high - low > 1:  # the last run that begins at or before
        middle = (low + high) // 2
        if near.before[middle] <= number:
            low = middle
        else:
            high = middle
    return int(near.start[low] + number - near.before[low])


def pick_node(land: Landscape, state: State, process: int) -> int:
    """A node to try: near a partner of the process two times in three, else any."""
    rng = state.rng
    partners = land.first[process + 1] - land.first[process]
    node = int(solution.draw(rng) * state.holder.shape[0])
    if partners > 0 and solution.draw(rng) < 0.67:
        chosen = land.first[process] + int(solution.draw(rng) * partners)
        at = state.node_of[land.partner[chosen]]
        host = land.net.host[at]
        around = land.near.count[host] - 1
        if around > 0:
            node = place_near(land.near, host, at, int(solution.draw(rng) * around))
    return node


def _frozen(table: Array) -> Array:
    """As the tables of a network come: read-only, which is another type to the compiler."""
    table.flags.writeable = False
    return table


def tiny() -> tuple[Landscape, State]:
    """Two processes on two nodes."""
    short, long = np.int32, np.int64
    net = Channels(
        away=_frozen(np.array([[0, 1], [1, 0]], np.int16)),
        row=_frozen(np.array([0, 1], short)),
        ways=_frozen(np.zeros((2, 2), np.int16)),
        levels=_frozen(np.zeros((0, 4), long)),
        out=_frozen(np.array([0, 1], short)),
        heads=_frozen(np.array([1, 0], short)),
        host=np.array([0, 1], short),
    )
    near = Near(
        begin=np.array([0, 1, 2], long),
        first=np.array([0, 1, 2], long),
        start=np.array([0, 0], short),
        before=np.array([0, 0], long),
        count=np.array([2, 2], long),
        own=np.array([0, 1], long),
    )
    land = Landscape(
        net=net,
        near=near,
        work=Work(core=np.array([0, 1], short), load=np.zeros(2), pace=np.ones(2)),
        first=np.array([0, 1, 2], long),
        partner=np.array([1, 0], short),
        sent=np.array([1.0, 0.0]),
        received=np.array([0.0, 1.0]),
    )
    ids = np.arange(2, dtype=short)
    rng = np.array([12345, 67890], long)
    state = State(ids.copy(), ids.copy(), np.zeros(2), ids.copy(), rng, np.zeros(2))
    return land, state


def warm_up() -> None:
    """Compile for the array types in use."""
    land, state = tiny()
    levels = _frozen(np.array([[2, 2, 1, 2]], np.int64))
    levels_up(levels, 0, 1)
    tree_channel(levels, land.net.out, 0, 1)
    allowed(land.work, state, 0, 1, 1.0)
    move(land.work, state, 0, pick_node(land, state, 0))
