"""What processes compute between exchanges, and how fast cores do it.

A step is computing, then an exchange: it takes the longest computing of any core, and the time of
the exchange (Valiant, "A bridging model for parallel computation", 1990: w + h·g + l).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats, Ints
from machines.errors import InputError


@dataclass(frozen=True, eq=False)
class Computing:
    """Work of n processes on the cores of all nodes.

    `work`: shape (n,); time that each takes on a core of speed 1, in the unit of message costs.
    `speed`: shape (cores,); of every core of every node in turn, > 0.
    """

    work: Floats
    speed: Floats

    def __post_init__(self) -> None:
        """Refuse times below 0 and speeds that are not above it."""
        for name, values, fine in (
            ("work", self.work, (self.work >= 0.0) & (self.work < np.inf)),
            ("speed", self.speed, (self.speed > 0.0) & (self.speed < np.inf)),
        ):
            if not fine.all():
                at = int(np.flatnonzero(~fine)[0])
                least = "≥ 0" if name == "work" else "> 0"
                raise InputError(
                    f"{name} must be finite and {least}",
                    where=f"{'process' if name == 'work' else 'core'} {at}",
                    value=float(values[at]),
                )

    @property
    def even(self) -> bool:
        """Whether all processes have the same work and all cores the same speed."""
        return bool(np.ptp(self.work) == 0.0 and np.ptp(self.speed) == 0.0)

    def time(self, core: Ints) -> float:
        """The longest that any core computes, by the core of every process."""
        load = np.bincount(core, self.work, len(self.speed))
        return float((load / self.speed).max(initial=0.0))

    def least(self, sharing: int) -> float:
        """What no assignment of processes to cores can beat.

        `sharing`: processes that a core may take. With one the k-th heaviest has at best the k-th
        fastest core; with more, k processes use at most the k fastest cores.
        """
        heavy, fast = np.sort(self.work)[::-1], np.sort(self.speed)[::-1]
        if sharing == 1:
            return float((heavy / fast[: len(heavy)]).max(initial=0.0))
        used = np.cumsum(fast)[np.minimum(np.arange(len(heavy)), len(fast) - 1)]
        spread = float((np.cumsum(heavy) / used).max(initial=0.0))
        single = float(heavy[0] / fast[0]) if len(heavy) else 0.0
        return max(spread, single)
