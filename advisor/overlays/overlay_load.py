"""What every process of a placed overlay takes: processor time, links, and the times of messages.

The tree model of MRNet (`advisor.models.mrnet`) with costs of its own on every edge: the LogGP of
the route between the machines of its ends. o is stated, and then divided by a machine's speed, or
a quarter of the route's startup; L = startup − 2o; G is the reciprocal of the route's bandwidth;
a platform tells no gap, so g = o is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from advisor.models.process_tree import Tree
from advisor.overlays.message_ways import ASSUMED_OVERHEAD, Ways, summed, ways
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_plan import OverlayPlan
from machines.arrays import Flags, Floats, Ints
from machines.errors import InputError
from machines.platform import Platform


@dataclass(frozen=True, eq=False)
class Messages:
    """One message on every edge, in one direction; shapes (processes − 1,), by the child.

    `parent_s`, `child_s`: processor seconds at either end, without a filter.
    `startup_s`: the route's, which L + 2o makes up unless stated overheads exceed it; 0 within a
        machine.
    """

    parent_s: Floats
    child_s: Floats
    step_s: Floats  # what the parent needs until its next message
    delay_s: Floats  # from the start of a message to when it is ready at the other end
    tail_s: Floats  # its bytes on the way: (s − 1) G
    startup_s: Floats


@dataclass(frozen=True, eq=False)
class Running:
    """A placed overlay at work.

    `down`, `up`: of a broadcast and of a reduction; None where the operation has none.
    """

    overlay: Overlay
    plan: OverlayPlan
    ways: Ways
    host: Ints  # shape (processes,); position of the machine of every process
    down: Messages | None
    up: Messages | None

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.plan.tree

    @cached_property
    def filter_s(self) -> Floats:
        """Seconds of the filter for one message, at every process."""
        return self.overlay.filter_s / _speeds(self.ways.platform)[self.host]

    @cached_property
    def busy_s(self) -> Floats:
        """Processor seconds of one operation, of every process."""
        parent, size = self.tree.parent[1:], self.tree.size
        busy = np.zeros(size)
        if self.down is not None:
            busy += summed(parent, self.down.parent_s, size)
            busy[1:] += self.down.child_s
        if self.up is not None:
            taken = self.up.parent_s + self.filter_s[parent]
            busy += summed(parent, taken, size)
            busy[1:] += self.up.child_s
        return busy

    @cached_property
    def share(self) -> Floats:
        """Share of a processor that every process takes at the wanted rate."""
        return self.overlay.rate_hz * self.busy_s

    @cached_property
    def machine_busy_s(self) -> Floats:
        """Processor seconds of one operation, on every machine."""
        machines = len(self.ways.platform.machines)
        return summed(self.host, self.busy_s, machines)

    @cached_property
    def crossing_bytes(self) -> Floats:
        """Bytes of one operation that pass each of `Ways.resources`."""
        source, target = self.host[self.tree.parent[1:]], self.host[1:]
        machines = len(self.ways.platform.machines)
        pairs, many = np.unique(source * machines + target, return_counts=True)
        ends = np.divmod(pairs, machines)
        amount = self.overlay.message_bytes * many
        passed = np.zeros(len(self.ways.resources))
        if self.overlay.goes_down:
            passed += self.ways.crossed(ends[0], ends[1], amount)
        if self.overlay.comes_up:
            passed += self.ways.crossed(ends[1], ends[0], amount)
        return passed

    @property
    def traffic(self) -> Floats:
        """Bytes/s through each of `Ways.resources`."""
        return self.overlay.rate_hz * self.crossing_bytes

    @property
    def exceeds_startup(self) -> bool:
        """Whether stated overheads exceed the startup of a route, so that no latency is left."""
        return self.overlay.overhead_s is not None and any(
            bool(((one.startup_s > 0.0) & (one.parent_s + one.child_s > one.startup_s)).any())
            for one in (self.down, self.up)
            if one is not None
        )

    def is_back_end(self) -> Flags:
        """Which processes are back-ends."""
        found: Flags = self.tree.fanouts == 0
        return found


def running(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> Running:
    """A placed overlay at work on a platform; whether it can keep up is not asked."""
    return _running(platform, overlay, plan)


@lru_cache(maxsize=16)
def _running(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> Running:
    host = hosts_of(platform, overlay, plan)
    found = ways(platform, overlay.message_bytes)
    parent, child = host[plan.tree.parent[1:]], host[1:]
    machines = len(platform.machines)
    pairs, which = np.unique(parent * machines + child, return_inverse=True)
    first, second = np.divmod(pairs, machines)
    down = _messages(found, overlay, first, second, up=False) if overlay.goes_down else None
    up = _messages(found, overlay, first, second, up=True) if overlay.comes_up else None
    return Running(overlay, plan, found, host, _spread(down, which), _spread(up, which))


def hosts_of(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> Ints:
    """The position of the machine of every process, breadth first."""
    where = f'overlay "{overlay.name}"'
    check_fits(overlay, plan, where)
    for name in overlay.internal_on or ():
        _position(platform, name, f"{where}: internal_on")
    number = {name: _position(platform, name, f"{where}: placement") for name in plan.machines}
    tree = plan.tree
    host = np.empty(tree.size, dtype=np.int64)
    leaves = tree.fanouts == 0
    inner = ~leaves
    inner[0] = False
    host[0] = _position(platform, overlay.front_end, f"{where}: front_end")
    host[inner] = [number[name] for name in plan.internal]
    machines = [_position(platform, name, f"{where}: back_ends") for name, _ in overlay.back_ends]
    host[leaves] = np.repeat(machines, [many for _, many in overlay.back_ends])
    return host


def _position(platform: Platform, name: str, where: str) -> int:
    if name not in platform.index:
        raise InputError(
            "unknown machine", where=where, value=name,
            remedy="Machines: " + ", ".join(list(platform.index)[:20]),
        )  # fmt: skip
    return platform.index[name]


def check_fits(overlay: Overlay, plan: OverlayPlan, where: str) -> None:
    """Refuse a tree of other back-ends, or internal processes not placed, or where none may be."""
    tree = plan.tree
    if tree.back_ends != overlay.count:
        raise InputError(
            f"the tree has {tree.back_ends} leaves for {overlay.count} back-ends",
            where=where, value=plan.shape or tree.back_ends,
            remedy="Take a tree with one leaf for every back-end",
        )  # fmt: skip
    if tree.internal != len(plan.internal):
        raise InputError(
            f"the tree has {tree.internal} internal processes, and {len(plan.internal)} are placed",
            where=where, value=plan.machines, remedy="Give every internal process one machine",
        )  # fmt: skip
    for name in plan.machines:
        if not overlay.may_hold(name):
            allowed = ", ".join(overlay.internal_on or ()) or "none"
            raise InputError(
                "this machine may not hold internal processes", where=where, value=name,
                remedy=f"Allowed: {allowed}",
            )  # fmt: skip


def _messages(found: Ways, overlay: Overlay, parent: Ints, child: Ints, *, up: bool) -> Messages:
    """Messages between machines by position: one for every pair."""
    source, target = (child, parent) if up else (parent, child)
    startup, per_byte = found.costs(source, target)
    speeds = _speeds(found.platform)
    if overlay.overhead_s is None:
        at_parent = at_child = ASSUMED_OVERHEAD * startup
    else:
        at_parent, at_child = (overlay.overhead_s / speeds[ends] for ends in (parent, child))
    startup = np.where(parent == child, 0.0, startup)
    flight = np.maximum(0.0, startup - at_parent - at_child)
    tail = (overlay.message_bytes - 1.0) * per_byte
    c = overlay.filter_s / speeds[parent] if up else 0.0
    step = at_parent + np.maximum(c, tail)  # max(o + c, g + tail) with g = o
    delay = at_parent + flight + at_child + tail + c
    return Messages(at_parent, at_child, step, delay, tail, startup)


def _spread(one: Messages | None, which: Ints) -> Messages | None:
    """Of every edge what its pair of machines has."""
    if one is None:
        return None
    every = (one.parent_s, one.child_s, one.step_s, one.delay_s, one.tail_s, one.startup_s)
    return Messages(*(values[which] for values in every))


def _speeds(platform: Platform) -> Floats:
    return np.array([machine.speed for machine in platform.machines])
