"""Search for mappings of processes to nodes: what a move changes, annealing and descent.

A move puts a process on another node; whoever was there takes its place. Two energies: bytes ×
hops over all flows, and the sum over the channels of the fourth power of their loads, which the
busiest ones dominate, so that lowering it lowers them. `cap` is the work time above which no move
may bring a core.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels import mapping_ground as ground
from advisor.kernels import solution
from advisor.kernels.mapping_ground import Channels, Landscape, State, tiny

Array = Any

INLINED = ("energy_of",)
BORROWING = (
    *(
        "energy_of",
        "hop_change",
        "pulled",
        "carry",
        "carry_by_levels",
        "carry_all",
        "shift",
        "fourth_powers",
    ),
    *("peak_above", "keep", "anneal_hops", "anneal_loads", "sweep_hops"),
    *("sweep_loads", "quench", "typical_hops", "typical_loads", "fill_loads"),
)


def hop_change(land: Landscape, state: State, process: int, node: int) -> float:
    """Bytes × hops more after a move; distances are the same both ways."""
    here, other = state.node_of[process], state.holder[node]
    change = pulled(land, state, process, other, here, node, 0.0)
    if other >= 0:
        change = pulled(land, state, other, process, node, here, change)
    return change


def pulled(
    land: Landscape, state: State, process: int, apart: int, here: int, node: int, change: float
) -> float:
    """`change`, and bytes × hops more between a process and its partners but `apart`."""
    node_of, partner, net = state.node_of, land.partner, land.net
    host, away, levels = net.host, net.away, net.levels
    new, old = host[node], host[here]
    tabled = away.shape[0] > 0
    for place in range(land.first[process], land.first[process + 1]):
        mate = partner[place]
        if mate != apart:
            at = host[node_of[mate]]
            weight = land.sent[place] + land.received[place]
            if tabled:
                change += weight * (away[new, at] - away[old, at])
            else:
                more = ground.levels_up(levels, new, at) - ground.levels_up(levels, old, at)
                change += weight * more
    return change


def energy_of(load: float) -> float:
    """What a channel's load adds to the energy."""
    square = load * load
    return square * square


def carry(net: Channels, loads: Array, u: int, v: int, amount: float) -> float:
    """Add `amount` to the channels from place u to v; the change of the energy."""
    change = 0.0
    at, target = net.host[u], net.host[v]
    if net.ways.shape[0] == 0:
        return carry_by_levels(net, loads, at, target, amount)
    while at != target:
        channel = net.out[at] + net.ways[net.row[at], target]
        at = net.heads[channel]
        before = loads[channel]
        loads[channel] = before + amount
        change += energy_of(before + amount) - energy_of(before)
    return change


def carry_by_levels(net: Channels, loads: Array, at: int, target: int, amount: float) -> float:
    """`carry` from node to node of a fat tree."""
    change = 0.0
    while at != target:
        channel = ground.tree_channel(net.levels, net.out, at, target)
        at = net.heads[channel]
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
                change += carry(land.net, loads, u, v, sign * land.sent[place])
            if land.received[place] > 0.0:
                change += carry(land.net, loads, v, u, sign * land.received[place])
    return change


def shift(land: Landscape, state: State, process: int, node: int) -> float:
    """Move a process, and the loads with it; the change of the energy."""
    other = state.holder[node]
    change = carry_all(land, state, process, -1, -1.0)
    if other >= 0:
        change += carry_all(land, state, other, process, -1.0)
    ground.move(land.work, state, process, node)
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
                carry(land.net, loads, node_of[process], v, land.sent[place])
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
    cap: float,
) -> tuple[float, float]:
    """Anneal bytes × hops from `value`; (the last value, the best, which `state.best` has)."""
    processes = state.node_of.shape[0]
    cooling = (cold / hot) ** (1.0 / moves)
    warmth = hot
    for _ in range(moves):
        warmth *= cooling
        process = int(solution.draw(state.rng) * processes)
        node = ground.pick_node(land, state, process)
        if state.holder[node] == process or not ground.allowed(
            land.work, state, process, node, cap
        ):
            continue
        change = hop_change(land, state, process, node)
        if change <= 0.0 or (
            change < 20.0 * warmth and solution.draw(state.rng) < np.exp(-change / warmth)
        ):
            ground.move(land.work, state, process, node)
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
    cap: float,
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
        node = ground.pick_node(land, state, process)
        if state.holder[node] == process or not ground.allowed(
            land.work, state, process, node, cap
        ):
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
    land: Landscape, state: State, first: int, last: int, value: float, least: float, cap: float
) -> float:
    """Make the moves `first` to `last` − 1 that gain more than `least`.

    Move number m puts process m // P on node m % P.
    """
    nodes = state.holder.shape[0]
    for number in range(first, last):
        process, node = number // nodes, number % nodes
        if state.holder[node] != process and ground.allowed(land.work, state, process, node, cap):
            change = hop_change(land, state, process, node)
            if change < -least:
                ground.move(land.work, state, process, node)
                value += change
    return value


def sweep_loads(
    land: Landscape, state: State, first: int, last: int, value: float, least: float, cap: float
) -> float:
    """`sweep_hops` for the energy of the loads."""
    nodes = state.holder.shape[0]
    for number in range(first, last):
        process, node = number // nodes, number % nodes
        if state.holder[node] != process and ground.allowed(land.work, state, process, node, cap):
            here = state.node_of[process]
            change = shift(land, state, process, node)
            if change < -least:
                value += change
            else:
                shift(land, state, process, here)
    return value


def quench(
    land: Landscape, state: State, moves: int, value: float, hops: bool, cap: float
) -> float:
    """Make random moves that raise neither energy, of hops or of loads; the energy then."""
    processes = state.node_of.shape[0]
    for _ in range(moves):
        process = int(solution.draw(state.rng) * processes)
        node = ground.pick_node(land, state, process)
        if state.holder[node] == process or not ground.allowed(
            land.work, state, process, node, cap
        ):
            continue
        here = state.node_of[process]
        if hops:
            change = hop_change(land, state, process, node)
            if change <= 0.0:
                ground.move(land.work, state, process, node)
                value += change
        else:
            change = shift(land, state, process, node)
            if change > 0.0:
                shift(land, state, process, here)
            else:
                value += change
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


def warm_up() -> None:
    """Compile for the array types in use."""
    land, state = tiny()
    energy = fill_loads(land, state)
    typical_hops(land, state, 2)
    typical_loads(land, state, 2)
    anneal_hops(land, state, 2, 1.0, 0.5, 1.0, 1.0, 2.0)
    anneal_loads(land, state, 2, 1.0, 0.5, energy, energy, 1.0, 2.0)
    sweep_hops(land, state, 0, 2, 1.0, 0.0, 2.0)
    sweep_loads(land, state, 0, 2, energy, 0.0, 2.0)
    quench(land, state, 2, energy, hops=True, cap=2.0)
