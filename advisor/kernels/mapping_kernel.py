"""Search for mappings of processes to nodes: what a move changes, annealing and descent.

A move puts a process on another node; whoever was there takes its place. Two energies: bytes ×
hops over all flows, and the sum over the channels of the fourth power of their loads, which the
busiest ones dominate, so that lowering it lowers them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import solution

Array = Any

PLAIN = ("tiny", "_frozen")
INLINED = ("energy_of",)
BORROWING = (
    *(
        "energy_of",
        "pick_node",
        "move",
        "hop_change",
        "carry",
        "carry_all",
        "shift",
        "fourth_powers",
    ),
    *("peak_above", "keep", "anneal_hops", "anneal_loads", "sweep_hops"),
    *("sweep_loads", "typical_hops", "typical_loads", "fill_loads"),
)


class Landscape(NamedTuple):
    """n processes with f flows to either side, on P nodes, or places, joined by channels."""

    hops: Array  # int16 (P, P)
    row: Array  # int32 (vertices,), of the next table, for each vertex
    ways: Array  # int16 (rows, nodes), which of the channels out of it leads towards a node
    out: Array  # int32 (vertices,), the first of them
    heads: Array  # int32 (channels,), the vertex that each leads to
    host: Array  # int32 (P,), the node that a place is on: itself, or where its core is
    first: Array  # int64 (n + 1,), where each process's partners begin
    partner: Array  # int32 (2 f,)
    sent: Array  # (2 f,) bytes to the partner
    received: Array  # (2 f,) bytes from the partner
    near_first: Array  # int64 (P + 1,), where each node's neighbours begin
    near: Array  # int32


class State(NamedTuple):
    """A mapping while it is being changed, and the best one seen."""

    node_of: Array  # int32 (n,)
    holder: Array  # int32 (P,), the process on each node, -1 without
    loads: Array  # (channels,), kept by the search for low loads only
    best: Array  # int32 (n,)
    rng: Array  # int64 (2,)


def move(state: State, process: int, node: int) -> None:
    """Put a process on a node; whoever holds it takes the process's place."""
    node_of, holder = state.node_of, state.holder
    here, other = node_of[process], holder[node]
    node_of[process] = node
    holder[node] = process
    holder[here] = other
    if other >= 0:
        node_of[other] = here


def pick_node(land: Landscape, state: State, process: int) -> int:
    """A node to try: near a partner of the process two times in three, else any."""
    rng = state.rng
    partners = land.first[process + 1] - land.first[process]
    node = int(solution.draw(rng) * state.holder.shape[0])
    if partners > 0 and solution.draw(rng) < 0.67:
        chosen = land.first[process] + int(solution.draw(rng) * partners)
        at = state.node_of[land.partner[chosen]]
        around = land.near_first[at + 1] - land.near_first[at]
        if around > 0:
            node = int(land.near[land.near_first[at] + int(solution.draw(rng) * around)])
    return node


def hop_change(land: Landscape, state: State, process: int, node: int) -> float:
    """Bytes × hops more after a move; distances are the same both ways."""
    node_of, partner = state.node_of, land.partner
    here, other = node_of[process], state.holder[node]
    change = 0.0
    for place in range(land.first[process], land.first[process + 1]):
        mate = partner[place]
        if mate != other:
            at = node_of[mate]
            weight = land.sent[place] + land.received[place]
            change += weight * (land.hops[node, at] - land.hops[here, at])
    if other >= 0:
        for place in range(land.first[other], land.first[other + 1]):
            mate = partner[place]
            if mate != process:
                at = node_of[mate]
                weight = land.sent[place] + land.received[place]
                change += weight * (land.hops[here, at] - land.hops[node, at])
    return change


def energy_of(load: float) -> float:
    """What a channel's load adds to the energy."""
    square = load * load
    return square * square


def carry(land: Landscape, loads: Array, u: int, v: int, amount: float) -> float:
    """Add `amount` to the channels from node u to v; the change of the energy."""
    change = 0.0
    at, target = land.host[u], land.host[v]
    while at != target:
        channel = land.out[at] + land.ways[land.row[at], target]
        at = land.heads[channel]
        before = loads[channel]
        loads[channel] = before + amount
        change += energy_of(before + amount) - energy_of(before)
    return change


def carry_all(land: Landscape, state: State, process: int, apart: int, sign: float) -> float:
    """Add `sign` times the flows of a process, but with `apart`; the change of the energy."""
    node_of, loads = state.node_of, state.loads
    u = node_of[process]
    change = 0.0
    for place in range(land.first[process], land.first[process + 1]):
        mate = land.partner[place]
        if mate != apart:
            v = node_of[mate]
            if land.sent[place] > 0.0:
                change += carry(land, loads, u, v, sign * land.sent[place])
            if land.received[place] > 0.0:
                change += carry(land, loads, v, u, sign * land.received[place])
    return change


def shift(land: Landscape, state: State, process: int, node: int) -> float:
    """Move a process, and the loads with it; the change of the energy."""
    other = state.holder[node]
    change = carry_all(land, state, process, -1, -1.0)
    if other >= 0:
        change += carry_all(land, state, other, process, -1.0)
    move(state, process, node)
    change += carry_all(land, state, process, -1, 1.0)
    if other >= 0:
        change += carry_all(land, state, other, process, 1.0)
    return change


def fill_loads(land: Landscape, state: State) -> float:
    """Set the loads anew, free of what rounding has gathered; the energy."""
    node_of, loads = state.node_of, state.loads
    for channel in range(loads.shape[0]):
        loads[channel] = 0.0
    for process in range(node_of.shape[0]):
        for place in range(land.first[process], land.first[process + 1]):
            if land.sent[place] > 0.0:
                v = node_of[land.partner[place]]
                carry(land, loads, node_of[process], v, land.sent[place])
    return fourth_powers(loads)


def fourth_powers(loads: Array) -> float:
    """The energy of all loads."""
    energy = 0.0
    for channel in range(loads.shape[0]):
        energy += energy_of(loads[channel])
    return energy


def peak_above(loads: Array, limit: float, guess: int) -> int:
    """The first channel found above `limit`, `guess` looked at first; -1 without."""
    if loads[guess] > limit:
        return guess
    for channel in range(loads.shape[0]):
        if loads[channel] > limit:
            return channel
    return -1


def keep(state: State) -> None:
    """The present mapping is the best."""
    for process in range(state.node_of.shape[0]):
        state.best[process] = state.node_of[process]


def anneal_hops(
    land: Landscape,
    state: State,
    moves: int,
    hot: float,
    cold: float,
    value: float,
    best: float,
) -> tuple[float, float]:
    """Anneal bytes × hops from `value`; (the last value, the best, which `state.best` has)."""
    processes = state.node_of.shape[0]
    cooling = (cold / hot) ** (1.0 / moves)
    warmth = hot
    for _ in range(moves):
        warmth *= cooling
        process = int(solution.draw(state.rng) * processes)
        node = pick_node(land, state, process)
        if state.holder[node] == process:
            continue
        change = hop_change(land, state, process, node)
        if change <= 0.0 or (
            change < 20.0 * warmth and solution.draw(state.rng) < np.exp(-change / warmth)
        ):
            move(state, process, node)
            value += change
            if value < best:
                best = value
                keep(state)
    return value, best


def anneal_loads(
    land: Landscape,
    state: State,
    moves: int,
    hot: float,
    cold: float,
    value: float,
    best: float,
    peak: float,
) -> tuple[float, float, float]:
    """Anneal the energy of the loads; (the last, that of the best and its greatest load).

    The best is the mapping of the least greatest load, of the least energy among equals.
    """
    processes = state.node_of.shape[0]
    cooling = (cold / hot) ** (1.0 / moves)
    warmth, guess = hot, 0
    for _ in range(moves):
        warmth *= cooling
        process = int(solution.draw(state.rng) * processes)
        node = pick_node(land, state, process)
        if state.holder[node] == process:
            continue
        here = state.node_of[process]
        change = shift(land, state, process, node)
        if change > 0.0 and solution.draw(state.rng) >= np.exp(-change / warmth):
            shift(land, state, process, here)
            continue
        value += change
        above = peak_above(state.loads, peak, guess)
        if above >= 0:
            guess = above
        else:
            greatest = 0.0
            for channel in range(state.loads.shape[0]):
                greatest = max(greatest, state.loads[channel])
            if greatest < peak * (1.0 - 1e-12) or value < best:
                peak, best = greatest, value
                keep(state)
    return value, best, peak


def sweep_hops(
    land: Landscape, state: State, first: int, last: int, value: float, least: float
) -> float:
    """Make the moves `first` to `last` − 1 that gain more than `least`.

    Move number m puts process m // P on node m % P.
    """
    nodes = state.holder.shape[0]
    for number in range(first, last):
        process, node = number // nodes, number % nodes
        if state.holder[node] != process:
            change = hop_change(land, state, process, node)
            if change < -least:
                move(state, process, node)
                value += change
    return value


def sweep_loads(
    land: Landscape, state: State, first: int, last: int, value: float, least: float
) -> float:
    """`sweep_hops` for the energy of the loads."""
    nodes = state.holder.shape[0]
    for number in range(first, last):
        process, node = number // nodes, number % nodes
        if state.holder[node] != process:
            here = state.node_of[process]
            change = shift(land, state, process, node)
            if change < -least:
                value += change
            else:
                shift(land, state, process, here)
    return value


def typical_hops(land: Landscape, state: State, moves: int) -> float:
    """The mean size of the change that a random move makes."""
    total = 0.0
    for _ in range(moves):
        process = int(solution.draw(state.rng) * state.node_of.shape[0])
        node = int(solution.draw(state.rng) * state.holder.shape[0])
        total += abs(hop_change(land, state, process, node))
    return total / moves


def typical_loads(land: Landscape, state: State, moves: int) -> float:
    """`typical_hops` for the energy of the loads, which are left as they were."""
    total = 0.0
    for _ in range(moves):
        process = int(solution.draw(state.rng) * state.node_of.shape[0])
        node = int(solution.draw(state.rng) * state.holder.shape[0])
        if state.holder[node] != process:
            here = state.node_of[process]
            total += abs(shift(land, state, process, node))
            shift(land, state, process, here)
    return total / moves


def _frozen(table: Array) -> Array:
    """As the tables of a network come: read-only, which is another type to the compiler."""
    table.flags.writeable = False
    return table


def tiny() -> tuple[Landscape, State]:
    """Two processes on two nodes."""
    short, long = np.int32, np.int64
    land = Landscape(
        hops=_frozen(np.array([[0, 1], [1, 0]], np.int16)),
        row=_frozen(np.array([0, 1], short)),
        ways=_frozen(np.zeros((2, 2), np.int16)),
        out=_frozen(np.array([0, 1], short)),
        heads=_frozen(np.array([1, 0], short)),
        host=np.array([0, 1], short),
        first=np.array([0, 1, 2], long),
        partner=np.array([1, 0], short),
        sent=np.array([1.0, 0.0]),
        received=np.array([0.0, 1.0]),
        near_first=np.array([0, 1, 2], long),
        near=np.array([1, 0], short),
    )
    ids = np.arange(2, dtype=short)
    rng = np.array([12345, 67890], long)
    return land, State(ids.copy(), ids.copy(), np.zeros(2), ids.copy(), rng)


def warm_up() -> None:
    """Compile for the array types in use."""
    land, state = tiny()
    energy = fill_loads(land, state)
    typical_hops(land, state, 2)
    typical_loads(land, state, 2)
    anneal_hops(land, state, 2, 1.0, 0.5, 1.0, 1.0)
    anneal_loads(land, state, 2, 1.0, 0.5, energy, energy, 1.0)
    sweep_hops(land, state, 0, 2, 1.0, 0.0)
    sweep_loads(land, state, 0, 2, energy, 0.0)
