"""The load of links, switches, stores and memory over time, as arrays that drawing reads.

A strip is one resource (`machines.sharing`) or a machine's memory with its step curve. However many
steps there are, a pixel column shows their mean and their largest: `columns`. Built off the
window's thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.allocation.prediction import ResourceUse
from advisor.basics import quantities
from gui.document.document import Outcome
from machines import Platform
from machines.arrays import Floats
from machines.resources import MEMORY
from machines.sharing import Resource

MOST = 12  # of the section below the lanes
MOST_OF_LANE = 4
STORE, SWITCH, LINK, INSIDE = "store", "switch", "link", "network inside a machine"
HELD_MEMORY = "memory"


@dataclass(frozen=True, eq=False)
class Strip:
    """One resource and its load; of memory `use` has the most bytes that are held at a time.

    `time_s`, `load`: shape (changes,); from each time on, the share of the capacity that is used;
        from −inf on.
    """

    resource: Resource
    use: ResourceUse
    kind: str  # "store" (the link of one), "switch", "link", "network inside a machine", "memory"
    time_s: Floats
    load: Floats
    used_s: Floats  # shape (changes,); the integral of the load up to each time, seconds

    @classmethod
    def of(cls, resource: Resource, use: ResourceUse, kind: str) -> Strip:
        """The strip of a resource."""
        time_s = np.concatenate(([-np.inf], use.time_s))
        load = np.concatenate(([0.0], use.load))
        used_s = np.zeros(time_s.size)
        used_s[2:] = np.cumsum(load[1:-1] * np.diff(use.time_s))
        return cls(resource, use, kind, time_s, load, used_s)

    def load_at(self, time_s: float) -> float:
        """The share of the capacity that is used at a time."""
        return float(self.load[np.searchsorted(self.time_s, time_s, side="right") - 1])

    def columns(self, first_s: float, step_s: float, count: int) -> tuple[Floats, Floats]:
        """Mean and largest load in each of `count` columns of `step_s` seconds from `first_s` on.

        Returns `(mean, most)`: (mean, most) : arrays (count,).
        """
        edges = first_s + step_s * np.arange(count + 1)
        at = np.searchsorted(self.time_s, edges, side="right") - 1
        since = np.where(at > 0, edges - self.time_s[at], 0.0)
        mean = np.diff(self.used_s[at] + self.load[at] * since) / step_s
        window = self.load[at[0] : max(at[-1], at[-2] + 1)]
        most = np.maximum.reduceat(window, at[:-1] - at[0])
        last = at[1:]
        inside = self.time_s[last] < edges[1:]  # a change at the edge is the next column's
        most = np.where(inside, np.maximum(most, self.load[last]), most)
        return np.clip(mean, 0.0, most), most

    def sentence(self, time_s: float | None) -> str:
        """Name, capacity, bytes, busy share, and the load at a time."""
        use = self.use
        share, moved = quantities.percent(use.busy_share), quantities.size(use.size_bytes)
        lines = [
            f"{use.name} ({self.kind})",
            f"{quantities.number(use.capacity, 'B/s')}; {moved} moved, {share} utilised until the "
            "makespan",
        ]
        if self.kind == HELD_MEMORY:
            whole = quantities.size(use.capacity)
            lines = [use.name, f"{moved} of {whole} held at most, {share} until the makespan"]
        if time_s is not None and time_s >= 0:
            load = quantities.percent(self.load_at(time_s))
            lines.append(f"at {quantities.duration(time_s)}: {load} of its capacity in use")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Loads:
    """All strips of a prediction, in the order of its resources, then of machines' memory."""

    strips: tuple[Strip, ...]
    by_lane: tuple[tuple[int, ...], ...]  # of every machine its memory, its links' busiest strips
    ranked: tuple[int, ...]  # the strips through which something moved, the busiest first

    @cached_property
    def lanes(self) -> tuple[bool, ...]:
        """Whether a machine has links, or memory, whose load is known."""
        return tuple(bool(own) for own in self.by_lane)

    @cached_property
    def section(self) -> bool:
        """Whether there is anything but memory, for the section below the lanes."""
        return any(strip.kind != HELD_MEMORY for strip in self.strips)


def loads_of(outcome: Outcome) -> Loads:
    """The strips of an outcome; of links none where each transfer is alone."""
    platform, uses = outcome.project.platform, outcome.prediction.resources
    found = outcome.problem.shared.resources if uses else ()
    stores = {store.name for store in platform.stores}
    strips = tuple(
        Strip.of(resource, use, _kind(platform, stores, resource))
        for resource, use in zip(found, uses, strict=True)
    )
    own: list[list[int]] = [[] for _ in platform.machines]
    memory = _memory(outcome)
    for position, strip in enumerate(strips):
        for machine in _machines(platform, strip.resource):
            own[machine].append(position)

    def busiest(some: list[int], most: int) -> tuple[int, ...]:
        ranked = sorted(some, key=lambda one: (-strips[one].use.busy_share, one))
        return tuple(sorted(ranked[:most]))

    moved = [one for one, use in enumerate(uses) if use.size_bytes > 0]
    moved.sort(key=lambda one: (-uses[one].busy_share, one))
    held = {lane: len(strips) + at for at, lane in enumerate(memory)}
    by_lane = tuple(
        ((held[lane],) if lane in held else ()) + busiest(some, MOST_OF_LANE)
        for lane, some in enumerate(own)
    )
    return Loads((*strips, *memory.values()), by_lane, tuple(moved))


def _memory(outcome: Outcome) -> dict[int, Strip]:
    """{machine: what is held of its memory over time}, where there is a limit."""
    makespan_s, strips = outcome.prediction.makespan_s, {}
    for peak in outcome.peaks:
        if peak.kind == MEMORY and peak.machine is not None and np.isfinite(peak.count):
            name = f"memory of {outcome.project.platform.machines[peak.machine].name}"
            load = peak.level / peak.count
            held_s = float((load[:-1] * np.diff(peak.time_s)).sum())
            share = held_s / makespan_s if makespan_s > 0.0 else 0.0
            use = ResourceUse(name, peak.count, peak.held, share, peak.time_s, load)
            resource = Resource(name, peak.count, machine=peak.machine)
            strips[peak.machine] = Strip.of(resource, use, HELD_MEMORY)
    return strips


def title(platform: Platform, strip: Strip, machine: int) -> str:
    """A strip of a machine's own, seen from the machine: "→ rack1", "← rack1", "memory"."""
    if strip.kind == HELD_MEMORY:
        return HELD_MEMORY
    resource = strip.resource
    if resource.link is None:
        return "its network"
    link, name = platform.links[resource.link], platform.machines[machine].name
    other = link.second if link.first == name else link.first
    if resource.forward is None:
        return f"↔ {other}"
    return f"→ {other}" if resource.forward == (link.first == name) else f"← {other}"


def _kind(platform: Platform, stores: set[str], resource: Resource) -> str:
    if resource.switch is not None:
        return SWITCH
    if resource.link is None:
        return INSIDE
    return STORE if platform.links[resource.link].ends & stores else LINK


def _machines(platform: Platform, resource: Resource) -> list[int]:
    """The machines whose own a resource is."""
    if resource.machine is not None:
        return [resource.machine]
    if resource.link is None:
        return []
    index, link = platform.index, platform.links[resource.link]
    return [index[end] for end in (link.first, link.second) if end in index]
