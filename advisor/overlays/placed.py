"""Whether an overlay can run as a plan places it, and keep up with its rate."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.overlays.message_ways import Ways
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_load import Running, running
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.trees.tree_hosts import PlacedTree
from machines.arrays import Floats
from machines.errors import InputError
from machines.platform import Platform

__all__ = ["OverlayPlan", "check_placed", "placed_tree", "process_name"]


def check_placed(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> Running:
    """The overlay at work, if it can run so."""
    found = running(platform, overlay, plan)
    _check_processes(found)
    _check_machines(found)
    check_traffic(found.ways, found.traffic, (overlay,))
    return found


def placed_tree(overlay: Overlay, plan: OverlayPlan) -> PlacedTree:
    """The tree with a host and an index for every process, as MRNet's files name them."""
    leaves = iter([machine for machine, many in overlay.back_ends for _ in range(many)])
    inner = iter(plan.internal)
    hosts = [overlay.front_end]
    hosts += [next(inner) if children else next(leaves) for children in plan.fanouts[1:]]
    taken: dict[str, int] = {}
    named = []
    for host in hosts:
        named.append((host, taken.get(host, 0)))
        taken[host] = taken.get(host, 0) + 1
    return PlacedTree.of(plan.tree, named)


def process_name(running: Running, process: int) -> str:
    """What a process is called: "front-end", "internal 3", "back-end 12"."""
    if process == 0:
        return "front-end"
    fanouts = running.tree.fanouts
    if fanouts[process]:
        return f"internal {int(np.count_nonzero(fanouts[1 : process + 1]))}"
    return f"back-end {int(np.count_nonzero(fanouts[: process + 1] == 0))}"


def _check_processes(found: Running) -> None:
    """Refuse a process that needs more than one processor."""
    process = int(np.argmax(found.share))
    share = float(found.share[process])
    if share <= 1.0 + ALIKE:
        return
    overlay, children = found.overlay, int(found.tree.fanouts[process])
    machine = found.ways.platform.machines[int(found.host[process])].name
    remedy = f"At most {overlay.rate_hz / share:.4g} operations a second"
    fits = _most_children(found, process)
    if fits and children > 1:
        remedy += f" with {children} children, or {fits} children at this rate"
    raise InputError(
        f"{process_name(found, process)} on {machine} needs more than a processor to keep up",
        where=f'overlay "{overlay.name}"', value=round(share, 4), remedy=remedy,
    )  # fmt: skip


def _most_children(found: Running, process: int) -> int:
    """With how many of its children, at their mean costs, a process would keep up."""
    children = int(found.tree.fanouts[process])
    if not children:
        return 0
    own = 0.0
    if process:
        own = sum(float(one.child_s[process - 1]) for one in (found.down, found.up) if one)
    each = (float(found.busy_s[process]) - own) / children
    return max(0, math.floor((1.0 / found.overlay.rate_hz - own) / each)) if each > 0.0 else 0


def _check_machines(found: Running) -> None:
    """Refuse a machine whose cores are fewer than what its processes need together."""
    machines = found.ways.platform.machines
    needed = found.overlay.rate_hz * found.machine_busy_s
    cores = np.array([machine.cores for machine in machines])
    position = int(np.argmax(needed / cores))
    if needed[position] <= cores[position] * (1.0 + ALIKE):
        return
    rate = found.overlay.rate_hz * cores[position] / needed[position]
    raise InputError(
        f"its processes on {machines[position].name} need {needed[position]:.4g} processors, and "
        f"it has {cores[position]}",
        where=f'overlay "{found.overlay.name}"', value=round(float(needed[position]), 4),
        remedy=f"At most {rate:.4g} operations a second, or fewer processes there",
    )  # fmt: skip


def check_traffic(ways: Ways, traffic: Floats, overlays: Sequence[Overlay]) -> None:
    """Refuse bytes/s through `Ways.resources` that leave nothing of one of them."""
    for one, passing in zip(ways.resources, traffic.tolist(), strict=True):
        if passing < one.capacity:
            continue
        names = ", ".join(f'"{overlay.name}"' for overlay in overlays)
        part = one.capacity / passing
        rates = f"less than {part * overlays[0].rate_hz:.4g} operations a second"
        if len(overlays) > 1:
            rates = f"less than {100.0 * part:.3g} % of their rates"
        raise InputError(
            f"messages need all that {one.name} moves, {one.capacity:.4g} B/s, or more",
            where=f"overlay{'s' if len(overlays) > 1 else ''} {names}", value=round(passing, 4),
            remedy=f"Ask for {rates}, for smaller messages or for another placement",
        )  # fmt: skip
