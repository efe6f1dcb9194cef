"""Where the internal processes of a tree may run: the few placements worth comparing."""

from __future__ import annotations

from collections.abc import Iterator

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
    leaves = [machine for machine, many in overlay.back_ends for _ in range(many)]
    fanouts, first = tree.fanouts.tolist(), tree.first_child.tolist()
    held = dict.fromkeys(free, 0.0)
    below: list[tuple[str, ...]] = [()] * tree.size
    chosen: dict[int, str] = {}
    for process in range(tree.size - 1, 0, -1):
        children = fanouts[process]
        if not children:
            below[process] = (leaves.pop(),)
            continue
        near = _some(below[first[process] : first[process] + children])
        below[process] = near
        among = [machine for machine in near if machine in free] or list(free)
        machine = min(among, key=lambda name: held[name] + free[name])
        held[machine] += free[machine]
        chosen[process] = machine
    return tuple(chosen[process] for process in sorted(chosen))


def _some(parts: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The first few of all machines, each once."""
    found: dict[str, None] = {}
    for part in parts:
        found |= dict.fromkeys(part)
        if len(found) >= _BELOW:
            break
    return tuple(found)[:_BELOW]
