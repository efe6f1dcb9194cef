"""The route-aware estimate of one traffic as a curve, so that sizes and styles can be swept.

In multiples of the occupancy the wait of a message depends on the interval alone
(`advisor.models.wormhole`), so a few solutions of the network serve every size, style and count
of messages per interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator

from advisor.models.wormhole import (
    Demand,
    Estimate,
    demand_of,
    estimate,
    waits_at,
)
from machines.arrays import Floats, Ints
from machines.traffic import Routes

_DRAWN = 2000  # points of the curve
_WIDEST = 1000.0  # beyond so many least intervals the wait falls as 1/interval
_STEPS = np.geomspace(1e-3, _WIDEST, 24)  # of intervals at which the network is solved, less one
_LOOKED = 11  # of them, up to 0.4, at which all nodes of a large network are looked at
_WIDE = 100.0  # nodes that wait equally long at either of the two do so everywhere
_WATCHED = 512  # nodes up to which all are followed to the least interval
_FEW = 24  # nodes that are followed on their own sooner than all together
_SLOWEST = 8  # … of more, those that are followed to the least interval at first
_AS_LONG = 1e-10  # of a wait: nodes that differ by less are told apart by rounding alone …
_ROUNDING = 1e-12  # … which is less than that


@dataclass(frozen=True, eq=False)
class RouteWaits:
    """Waits by interval, both in multiples of the occupancy."""

    intervals: Floats  # increasing; from the least one that the network sustains
    waits: Floats  # the greatest mean wait of any node's messages at that interval
    bound: float  # messages through the busiest channel or receiver per message of a node
    channel: float  # those through the busiest channel alone

    @classmethod
    def of(cls, routes: Routes, probabilities: Floats) -> RouteWaits:
        """Solve the network at a few intervals.

        `probabilities`: shape (P, P); of the destination (column) of a message of each node (row);
            silent rows are zero.
        """
        few = routes.network.size <= _WATCHED
        demand = demand_of(routes, probabilities, keep=few)
        demand, first = (demand, estimate(demand, 0.0, 1.0)) if few else _least(demand)
        # close to saturation the waits change fast
        intervals = first.T_c * (1.0 + _STEPS)
        points = np.append(first.T_c, intervals)
        waits = np.append(first.node_waits.max(), waits_at(demand, intervals).max(axis=0))
        # a saturated node's own wait at the limit says nothing: the interval does
        waits[0] = min(waits[0], first.T_c - 1.0)
        drawn = np.geomspace(points[0], points[-1], _DRAWN)
        drawn[0], drawn[-1] = points[0], points[-1]
        curve = PchipInterpolator(np.log(points), waits * points)
        waits = curve(np.log(drawn)) / drawn
        return cls(drawn, waits, demand.bound, float(demand.channel_loads.max()))

    def wait(self, interval: float) -> float:
        """The wait at an interval that the network sustains; at shorter ones that of the least."""
        if interval >= self.intervals[-1]:
            return float(self.waits[-1] * self.intervals[-1] / interval)
        return float(np.interp(interval, self.intervals, self.waits))

    def closed(self, base: float, terms: float = 1.0) -> float:
        """The interval of nodes that wait for `terms` messages in each: base + terms · wait.

        `base`: interval without contention; a message's own occupancy, 1, is part of it. `terms`:
        messages' worth of waiting in an interval, > 0.
        """
        alone = max(base, 1.0)
        if alone >= self.intervals[-1]:
            return alone + terms * self.wait(alone)
        return float(np.interp(alone, self.intervals - terms * self.waits, self.intervals))


def _least(demand: Demand) -> tuple[Demand, Estimate]:
    """A demand with the nodes to be followed on a large network, and the least interval of all.

    One of all that wait equally long. Where these are many: those that wait longest at long
    intervals and near the least one, with more until none waits longer there, and those that wait
    longest at some intervals of the curve.
    """
    near = estimate(demand.of_nodes(np.flatnonzero(demand.sends)[:1]), 0.0, 1.0).T_c
    waits = waits_at(demand, np.array([_WIDEST * demand.bound, _WIDE * demand.bound, near]))
    one = _distinct(waits)
    if len(one) <= _FEW:
        some = demand.of_nodes(np.sort(one))
        return some, estimate(some, 0.0, 1.0)
    some = demand.of_nodes(np.union1d(one[:_SLOWEST], _distinct(waits[:, ::-1])[:_SLOWEST]))
    while True:
        first = estimate(some, 0.0, 1.0)
        found = waits_at(demand, first.T_c * np.append(1.0, 1.0 + _STEPS[:_LOOKED]))
        longest = found[some.watched, 0].max()
        if found[:, 0].max() <= longest * (1.0 + _ROUNDING):
            break
        slowest = _distinct(np.column_stack([found[:, 0], waits]))[:_SLOWEST]
        some = some.joined(demand.of_nodes(np.setdiff1d(slowest, some.watched)))
    more = np.setdiff1d(found.argmax(axis=0), some.watched)
    return (some.joined(demand.of_nodes(more)) if len(more) else some), first


def _distinct(waits: Floats) -> Ints:
    """One of all nodes whose waits are equal in all columns, those that wait longest first."""
    order = np.lexsort(-waits.T[::-1])
    falling = waits[order]
    apart = np.abs(np.diff(falling, axis=0)) > _AS_LONG * falling[:-1]
    found: Ints = order[np.append(True, apart.any(axis=1))]
    return found
