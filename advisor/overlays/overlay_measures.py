"""What an overlay costs as it is placed: its own times, processors, links, and what was assumed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from advisor.basics.quantities import duration, number
from advisor.basics.rounding import ALIKE
from advisor.models.process_tree import Tree
from advisor.models.waves import fallen_behind, wave_slowdown
from advisor.overlays.load import contenders_of
from advisor.overlays.message_ways import summed
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_load import Messages, Running, running
from advisor.overlays.overlay_plan import OverlayPlan
from machines.arrays import Floats
from machines.platform import FREE, Platform

_MUCH = 1.05  # what is more than this is worth a word


@dataclass(frozen=True)
class OverlayMeasures:
    """What a placed overlay costs.

    `shares`: pairs (machine, float); processors that its processes take at the wanted rate, in the
        order of the platform; without machines that run none.
    `traffic`: pairs (resource, bytes/s); through every link, direction or switch that messages
        cross (`machines.sharing.resources`).
    """

    latency_s: float  # of one operation, from its start to its last process
    period_s: float  # least time between two operations, by processes, machines and links
    internal: int  # internal processes
    busiest: float  # the largest share of a processor that one process takes at the wanted rate
    shares: tuple[tuple[str, float], ...]
    traffic: tuple[tuple[str, float], ...]
    notes: tuple[str, ...]  # what was assumed, and where the model ends

    @property
    def processors(self) -> float:
        """Processors that all processes take together."""
        return sum(share for _, share in self.shares)


def overlay_measures(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> OverlayMeasures:
    """What the overlay costs as it is placed, also where it can't keep up."""
    found = running(platform, overlay, plan)
    period = period_s(found)
    used = np.unique(found.host).tolist()
    taken = (overlay.rate_hz * found.machine_busy_s).tolist()
    passing = zip(found.ways.resources, found.traffic.tolist(), strict=True)
    return OverlayMeasures(
        latency_s=latency_s(found),
        period_s=period,
        internal=plan.tree.internal,
        busiest=float(found.share.max()),
        shares=tuple((platform.machines[one].name, taken[one]) for one in used),
        traffic=tuple((one.name, bytes_s) for one, bytes_s in passing if bytes_s > 0.0),
        notes=_notes(found, period),
    )


def latency_s(found: Running) -> float:
    """Seconds of one operation: of a round trip the reduction follows the whole broadcast.

    B(leaf) = 0; B(v) = max over the children of what those before them take, delay + B(child):
    `advisor.models.mrnet.broadcast_latency` with steps and delays of every edge. The children
    go in the order of falling delay + B − step, which is the best one (Jackson's rule).
    """
    return sum(_passed(found.tree, one) for one in (found.down, found.up) if one is not None)


def _passed(tree: Tree, message: Messages) -> float:
    """Until the last process has it; a reduction is a broadcast with time reversed."""
    below = np.zeros(tree.size)
    for first, end in reversed(list(pairwise(tree.levels[1:].tolist()))):
        edge = slice(first - 1, end - 1)
        parent, step = tree.parent[first:end], message.step_s[edge]
        ready = message.delay_s[edge] + below[first:end]
        order = np.lexsort((step - ready, parent))  # siblings follow each other already
        begins = np.flatnonzero(np.diff(parent, prepend=-1))
        before = np.cumsum(step[order]) - step[order]
        lengths = np.diff(np.append(begins, parent.size))
        before -= np.repeat(before[begins], lengths)
        below[parent[begins]] = np.maximum.reduceat(before + ready[order], begins)
    return float(below[0])


def period_s(found: Running) -> float:
    """Least seconds between two operations.

    The largest of what any process takes, what the processes of a machine take on its cores, and
    what a link takes for the bytes. A process of one direction: sum of its children's steps, and
    of an internal one what 2o + c exceeds a step (`advisor.models.mrnet.reduction_period`); of
    round trips the longer of processor and interface (`advisor.trees.tree_costs.TreeCosts.period`).
    """
    cores = np.array([machine.cores for machine in found.ways.platform.machines])
    capacity = np.array([one.capacity for one in found.ways.resources])
    return max(
        float(_process_periods(found).max()),
        float((found.machine_busy_s / cores).max()),
        float((found.crossing_bytes / capacity).max(initial=0.0)),
    )


def _process_periods(found: Running) -> Floats:
    one = found.down if found.up is None else found.up
    assert one is not None
    parent, size = found.tree.parent[1:], found.tree.size
    if found.down is not None and found.up is not None:
        return np.maximum(found.busy_s, _interfaces(found.down, found.up, found.tree))
    steps = summed(parent, one.step_s, size)
    c = found.filter_s[parent] if found.up is not None else 0.0
    slack = np.full(size, np.inf)  # what is left of a step beside the processor's part
    np.minimum.at(slack, parent, one.step_s - one.parent_s - c)
    own = np.append(0.0, one.child_s)
    periods: Floats = np.maximum(steps + np.maximum(0.0, own - slack), found.busy_s)
    return periods


def _interfaces(down: Messages, up: Messages, tree: Tree) -> Floats:
    """Of round trips: what the messages that a process sends, or receives, keep its interface."""
    parent, size = tree.parent[1:], tree.size
    sent = summed(parent, down.parent_s + down.tail_s, size)
    sent[1:] += up.child_s + up.tail_s
    received = summed(parent, up.parent_s + up.tail_s, size)
    received[1:] += down.child_s + down.tail_s
    return np.maximum(sent, received)


def _notes(found: Running, period: float) -> tuple[str, ...]:
    overlay, platform = found.overlay, found.ways.platform
    notes = []
    if overlay.overhead_s is None:
        notes.append(
            "Assumed: an overhead o of a quarter of a route's startup at either end of a message "
            "(Culler 1993; Kielmann 2000): a startup does not show it, up to half of it fits."
        )
    elif found.exceeds_startup:
        notes.append("The overheads exceed the startup of a route: no latency is left beside them.")
    notes.append("Assumed: no message follows another sooner than o, the gap g = o.")
    parent = found.tree.parent[1:]
    if (found.host[parent] == found.host[1:]).any():
        notes.append(
            "Messages within a machine take the overheads alone, those of its quickest link "
            "where none is stated."
        )
    if overlay.rate_hz * period > 1.0 + ALIKE:
        notes.append(
            f"It can't keep up: operations follow each other every {duration(period)} at best, "
            f"and {duration(1.0 / overlay.rate_hz)} is asked for."
        )
    notes += _beyond(found, platform)
    return tuple(notes)


def _beyond(found: Running, platform: Platform) -> list[str]:
    """What the platform beside the overlay leaves out."""
    notes = []
    used = [platform.machines[one] for one in np.unique(found.host).tolist()]
    inner = [machine.name for machine in used if machine.network is not None]
    if inner:
        notes.append(f"Programs inside {inner[0]} are not slowed by its messages.")
    stated = [machine.name for machine in used if machine.slowdown is not None]
    if stated:
        notes.append(
            f"The stated slowdown of {stated[0]} is multiplied by what the overlay's processes "
            "alone would do to a task of one core."
        )
    if any(link.sharing == FREE for link in platform.links):
        notes.append("Links that are not shared lose nothing to its messages.")
    return [*notes, *_crowded(found, platform)]


def _crowded(found: Running, platform: Platform) -> list[str]:
    """Where processes fall behind beside tasks, and where it matters that they begin together."""
    notes: list[str] = []
    together, where = _MUCH, ""
    for position, contenders in contenders_of(found).items():
        machine = platform.machines[position]
        waves = [(one.compute, one.processes) for one in contenders]
        many = fallen_behind(waves, machine.cores, machine.cores)
        if many and not notes:
            notes.append(
                f"Beside tasks that keep all cores of {machine.name} busy {many} of its processes "
                "fall behind: they need more than their equal shares."
            )
        slowdown = wave_slowdown(waves, machine.cores)
        if machine.cores > 1 and slowdown > together:
            together, where = slowdown, machine.name
    if where:
        notes.append(
            f"Assumed: processes of a level begin together on {where}, and slow a task of one core "
            f"by {number(together)}; those spread over time slow it less."
        )
    return notes
