"""Where the internal processes of a tree may run: the few placements worth comparing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.models.process_tree import Tree
from advisor.overlays.overlay import Overlay
from machines.platform import Machine, Platform

Placement = tuple[str, ...]
_BELOW = 16  # machines below an internal process among which one is chosen


def allowed(platform: Platform, overlay: Overlay) -> tuple[Machine, ...]:
    """The machines that may hold internal processes, in the order of the platform."""
    return tuple(machine for machine in platform.machines if overlay.may_hold(machine.name))


def placements(platform: Platform, overlay: Overlay, tree: Tree) -> Iterator[Placement]:
    """Placements of a tree, each once, the one beside the back-ends first.

    Beside the back-ends below; on machines without back-ends, packed one a core or spread evenly
    over all of them; on the front-end's machine.
    """
    found = [beside(platform, overlay, tree)]
    below = {machine for machine, _ in overlay.back_ends}
    free = allowed(platform, overlay)
    spare = [one for one in free if one.name not in below and one.name != overlay.front_end]
    if spare:
        found += [packed(spare, tree.internal), spread(spare, tree.internal)]
    if any(machine.name == overlay.front_end for machine in free):
        found.append((overlay.front_end,) * tree.internal)
    yield from (one for one in dict.fromkeys(found) if len(one) == tree.internal)


def packed(machines: list[Machine], processes: int) -> Placement:
    """One process a core, machine after machine; those that are left over spread evenly."""
    rounds = [machine.name for machine in machines for _ in range(machine.cores)]
    if processes <= len(rounds):
        return tuple(rounds[:processes])
    return spread(machines, processes)


def spread(machines: list[Machine], processes: int) -> Placement:
    """Evenly by cores over all machines, in runs, so that siblings stay together."""
    cores = sum(machine.cores for machine in machines)
    placed: list[str] = []
    before = 0
    for machine in machines:
        before += machine.cores
        placed += [machine.name] * (before * processes // cores - len(placed))
    return tuple(placed)


def beside(platform: Platform, overlay: Overlay, tree: Tree) -> Placement:
    """Each on a machine of the back-ends below it, that with the fewest processes a core so far.

    Where none of them may hold it, on the machine with the fewest of all that may; empty where
    none may hold any. From the lowest level up.
    """
    free = {machine.name: 1.0 / machine.cores for machine in allowed(platform, overlay)}
    if not free or not tree.internal:
        return ()
    below = _below(overlay, tree)
    held = dict.fromkeys(free, 0.0)
    chosen: list[str] = []
    for near in reversed(below):
        among = [machine for machine in near if machine in free] or free
        machine = min(among, key=lambda name: held[name] + free[name])
        held[machine] += free[machine]
        chosen.append(machine)
    return tuple(reversed(chosen))


def _below(overlay: Overlay, tree: Tree) -> list[tuple[str, ...]]:
    """The first few machines of the back-ends below every internal process, breadth first."""
    machines = [machine for machine, _ in overlay.back_ends]
    owner = np.repeat(np.arange(len(machines)), [many for _, many in overlay.back_ends])
    leaves = np.concatenate(([0], np.cumsum(tree.fanouts == 0)))  # before every process
    inner = np.flatnonzero(tree.fanouts)[1:]
    first, end = tree.first_child[inner], tree.first_child[inner] + tree.fanouts[inner]
    found: list[tuple[str, ...]] = [()] * inner.size
    spans = zip(*(each.tolist() for each in (first, end, leaves[first], leaves[end])), strict=True)
    for place, (begin, after, leaf, last) in reversed(list(enumerate(spans))):
        near: dict[str, None] = {}
        if last > leaf:
            near = dict.fromkeys(machines[owner[leaf] : owner[last - 1] + 1][:_BELOW])
        for child in range(begin - leaf - 1, after - last - 1):
            if len(near) >= _BELOW:
                break
            near |= dict.fromkeys(found[child])
        found[place] = tuple(near)[:_BELOW]
    return found
