"""A workload without machines: tasks, what each takes of the others' time, and who feeds whom.

A family makes a shape; `instance` puts it on machines. Work and volumes are proportions, which
the settings' mean task and CCR scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Shape:
    """Tasks and flows, added as a family goes along.

    `names`, `kinds`, `work`: of the tasks; `work` > 0 in any unit. `sources`, `targets`, `volumes`:
    of the flows: task positions; `volumes` > 0 in any unit.
    """

    names: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    volumes: list[float] = field(default_factory=list)

    def task(self, kind: str, name: str, work: float) -> int:
        """Add a task; its position."""
        self.names.append(name)
        self.kinds.append(kind)
        self.work.append(work)
        return len(self.names) - 1

    def tasks(self, kind: str, work: Sequence[float]) -> range:
        """Add tasks called by their kind and a number from 1; their positions."""
        first = len(self.names)
        for number, one in enumerate(work, 1):
            self.task(kind, f"{kind}-{number}", one)
        return range(first, len(self.names))

    def flow(self, source: int, target: int, volume: float) -> None:
        """Add a flow."""
        self.sources.append(source)
        self.targets.append(target)
        self.volumes.append(volume)

    def varied_flows(
        self, rng: np.random.Generator, flows: Sequence[tuple[int, int, float]]
    ) -> None:
        """Add flows (source, target, volume), their volumes `varied`."""
        factors = varied(rng, 1.0, len(flows))
        for (source, target, volume), factor in zip(flows, factors, strict=True):
            self.flow(source, target, factor * volume)


def drawn(rng: np.random.Generator, count: int) -> list[float]:
    """Uniform numbers in (0, 2], of mean 1: as tasks in Topcuoglu, Hariri & Wu 2002, sec. 5.1."""
    found: list[float] = (2.0 * (1.0 - rng.random(count))).tolist()
    return found


def varied(rng: np.random.Generator, mean: float, count: int) -> list[float]:
    """Numbers of that mean, uniform within 30 % of it."""
    found: list[float] = (mean * rng.uniform(0.7, 1.3, count)).tolist()
    return found
