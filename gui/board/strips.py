"""The load of links, switches and stores over time, as arrays that drawing reads.

A strip is one resource (`machines.sharing`) with its step curve. However many steps there are, a
pixel column shows their mean and their largest: `columns`. Built off the window's thread.
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
from machines.sharing import Resource

MOST = 12  # of the section below the lanes
MOST_OF_LANE = 4
STORE, SWITCH, LINK, INSIDE = "store", "switch", "link", "network inside a machine"


@dataclass(frozen=True, eq=False)
class Strip:
    """One resource and its load.

    `time_s`, `load`: shape (changes,); from each time on, the share of the capacity that is used;
        from −inf on.
    """

    resource: Resource
    use: ResourceUse
    kind: str  # "store" (the link of one), "switch", "link" or "network inside a machine"
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
        lines = [
            f"{use.name} ({self.kind})",
            f"{quantities.number(use.capacity, 'B/s')}; {quantities.size(use.size_bytes)} "
            f"moved, {quantities.percent(use.busy_share)} utilised until the makespan",
        ]
        if time_s is not None and time_s >= 0:
            load = quantities.percent(self.load_at(time_s))
            lines.append(f"at {quantities.duration(time_s)}: {load} of its capacity in use")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Loads:
    """All strips of a prediction, in the order of its resources."""

    strips: tuple[Strip, ...]
    by_lane: tuple[tuple[int, ...], ...]  # of every machine the busiest of its own links' strips
    ranked: tuple[int, ...]  # the strips through which something moved, the busiest first

    @cached_property
    def lanes(self) -> tuple[bool, ...]:
        """Whether a machine has links whose load is known."""
        return tuple(bool(own) for own in self.by_lane)


def loads_of(outcome: Outcome) -> Loads:
    """The strips of an outcome; none where each transfer is alone."""
    platform, uses = outcome.project.platform, outcome.prediction.resources
    if not uses:
        return Loads((), ((),) * len(platform.machines), ())
    found = outcome.problem.shared.resources
    stores = {store.name for store in platform.stores}
    strips = tuple(
        Strip.of(resource, use, _kind(platform, stores, resource))
        for resource, use in zip(found, uses, strict=True)
    )
    own: list[list[int]] = [[] for _ in platform.machines]
    for position, strip in enumerate(strips):
        for machine in _machines(platform, strip.resource):
            own[machine].append(position)

    def busiest(some: list[int], most: int) -> tuple[int, ...]:
        ranked = sorted(some, key=lambda one: (-strips[one].use.busy_share, one))
        return tuple(sorted(ranked[:most]))

    moved = [one for one, use in enumerate(uses) if use.size_bytes > 0]
    moved.sort(key=lambda one: (-uses[one].busy_share, one))
    return Loads(strips, tuple(busiest(some, MOST_OF_LANE) for some in own), tuple(moved))


def title(platform: Platform, strip: Strip, machine: int) -> str:
    """A strip of a machine's own link, seen from the machine: "→ rack1", "← rack1"."""
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
