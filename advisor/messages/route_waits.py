"""The route-aware estimate of one traffic as a curve, so that sizes and styles can be swept.

In multiples of the occupancy the wait of a message depends on the interval alone
(`advisor.models.wormhole`), so a few solutions of the network serve every size, style and count
of messages per interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator

from advisor.models.wormhole import Demand, Estimate, demand_of, estimate, node_waits
from machines.arrays import Floats, Ints
from machines.traffic import Routes

_SOLVED = 24  # points at which the network is solved
_DRAWN = 2000  # points of the curve
_WIDEST = 1000.0  # beyond so many least intervals the wait falls as 1/interval
_WATCHED = 512  # nodes up to which the waits of all are followed at every interval
_SLOWEST = 64  # … of more, those of so many that wait longest


@dataclass(frozen=True, eq=False)
class RouteWaits:
    """Waits by interval, both in multiples of the occupancy.

    Attributes
    ----------
    intervals : array, increasing
        From the least one that the network sustains.
    waits : array
        The greatest mean wait of any node's messages at that interval.
    bound : float
        Messages through the busiest channel or receiver per message of a node.
    channel : float
        Those through the busiest channel alone.
    """

    intervals: Floats
    waits: Floats
    bound: float
    channel: float

    @classmethod
    def of(cls, routes: Routes, probabilities: Floats) -> RouteWaits:
        """Solve the network at a few intervals.

        Parameters
        ----------
        routes : Routes
        probabilities : array (P, P)
            Of the destination (column) of a message of each node (row); silent rows are zero.
        """
        few = routes.network.size <= _WATCHED
        demand, first = _solved(demand_of(routes, probabilities, keep=few))
        solved = [(first.T_c, float(first.node_waits.max()))]
        # close to saturation the waits change fast
        steps = np.geomspace(1e-3, _WIDEST, _SOLVED)
        intervals = (first.T_c * (1.0 + steps)).tolist()
        solved += [(each, float(node_waits(demand, each, 1.0).max())) for each in intervals]
        points, waits = np.array(solved).T
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

        Parameters
        ----------
        base : float
            Interval without contention; a message's own occupancy, 1, is part of it.
        terms : float
            Messages' worth of waiting in an interval, > 0.
        """
        alone = max(base, 1.0)
        if alone >= self.intervals[-1]:
            return alone + terms * self.wait(alone)
        return float(np.interp(alone, self.intervals - terms * self.waits, self.intervals))


def _solved(demand: Demand) -> tuple[Demand, Estimate]:
    """A demand with the nodes that wait longest, and the least interval of them all.

    On a large network they are those that wait longest at long intervals, with those that do so
    at the least one, until none waits longer there than they do.
    """
    if len(demand.sends) <= _WATCHED:
        return demand, estimate(demand, 0.0, 1.0)
    waits = node_waits(demand, _WIDEST * demand.bound, 1.0)
    some = demand.of_nodes(_slowest(waits))
    while True:
        first = estimate(some, 0.0, 1.0)
        waits = node_waits(demand, first.T_c, 1.0)
        if waits.max() <= waits[some.watched].max():
            return some, first
        some = some.joined(demand.of_nodes(np.setdiff1d(_slowest(waits), some.watched)))


def _slowest(waits: Floats) -> Ints:
    """The nodes that wait longest, in increasing order."""
    return np.sort(np.argsort(-waits, kind="stable")[:_SLOWEST])
