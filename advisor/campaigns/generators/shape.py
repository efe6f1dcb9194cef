"""A workload without machines: tasks, what each takes of the others' time, and who feeds whom.

A family makes a shape; `instance` puts it on machines. Work and volumes are proportions, which
the settings' mean task and CCR scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from machines.arrays import Floats


@dataclass
class Shape:
    """Tasks and flows, added one by one or many at once.

    Attributes
    ----------
    names, kinds, work : list
        Of the tasks; `work` > 0 in any unit.
    sources, targets, volumes : list
        Of the flows: task positions; `volumes` > 0 in any unit.
    """

    names: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    volumes: list[float] = field(default_factory=list)

    def task(self, kind: str, *numbers: int, work: float) -> int:
        """Add a task called by its kind and numbers; its position."""
        self.names.append("-".join([kind, *map(str, numbers)]))
        self.kinds.append(kind)
        self.work.append(work)
        return len(self.names) - 1

    def tasks(self, kind: str, work: Sequence[float]) -> range:
        """Add tasks of one kind, numbered from 1; their positions."""
        first = len(self.names)
        self.names += [f"{kind}-{number}" for number in range(1, len(work) + 1)]
        self.kinds += [kind] * len(work)
        self.work += work
        return range(first, len(self.names))

    def flow(self, source: int, target: int, volume: float) -> None:
        """Add a flow."""
        self.sources.append(source)
        self.targets.append(target)
        self.volumes.append(volume)

    def flows(self, ends: Iterable[tuple[int, int]], volumes: Iterable[float]) -> None:
        """Add flows."""
        for (source, target), volume in zip(ends, volumes, strict=True):
            self.flow(source, target, volume)


def drawn(rng: np.random.Generator, count: int) -> list[float]:
    """Uniform numbers in (0, 2], of mean 1: as tasks in Topcuoglu, Hariri & Wu 2002, sec. 5.1."""
    found: list[float] = (2.0 * (1.0 - rng.random(count))).tolist()
    return found


def varied(rng: np.random.Generator, count: int, share: float) -> Floats:
    """Factors of mean 1, uniform in 1 ± share."""
    return rng.uniform(1.0 - share, 1.0 + share, count)
