"""What annealers share: their best solutions, and how strongly flows hold tasks together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.timeline import mean_flow_seconds
from advisor.basics.rounding import ROUNDING
from advisor.kernels.instance import Instance
from machines.arrays import Floats, Indices


@dataclass
class Solution:
    """A makespan in seconds, and the allocation and order that reach it."""

    value: float
    allocation: Indices
    order: Indices


class Pool(list[Solution]):
    """The best solutions of different values, best first."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def keep(self, found: Solution) -> None:
        """Take it in, unless it can't run, one of its value is there, or all are better."""
        if not np.isfinite(found.value) or any(
            abs(one.value - found.value) <= ROUNDING * found.value for one in self
        ):
            return
        self.append(found)
        self.sort(key=lambda one: one.value)
        del self[self._room :]


def bond(instance: Instance) -> Floats:
    """How strongly each edge holds its tasks together: transfer over transfer and mean task."""
    flow_s = mean_flow_seconds(instance)
    return flow_s / np.maximum(flow_s + finite_mean(instance.task_s), 1e-300)


def finite_mean(values: Floats) -> float:
    """Mean of the finite values; 1 if there are none."""
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if finite.size else 1.0
