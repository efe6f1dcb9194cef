"""How many processors to use, given the speedup of every number of them.

Three criteria: the best time, the best efficiency × speed, and the best time within a budget. A
curve that approaches a limit has its best time at infinity, so the fewest processors count that
are within a hundredth of the best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats

CLOSE = 0.01
NEAR = 0.9  # "nearly free" and "nearly saturated"

TIME, POWER, BUDGET = "best time", "best efficiency × speed", "best within the budget"


@dataclass(frozen=True)
class ChosenProcessors:
    """A number of processors and what recommends it."""

    purpose: str  # `TIME`, `POWER` or `BUDGET`
    P: int  # processors
    speedup: float  # S(P)
    at_end: bool  # it is the last number of the curve, or of the budget: more may be better

    @property
    def efficiency(self) -> float:
        """S/P."""
        return self.speedup / self.P


def choices(
    speedups: Floats, affordable: int | None = None, processors: Floats | None = None
) -> tuple[ChosenProcessors, ...]:
    """The numbers of processors that the three criteria choose.

    - best time: the fewest P with S(P) ≥ 0.99 of the largest S;
    - best efficiency × speed: the P of the largest S(P)²/P = S · S/P, the power (or efficacy) of
      Ghosal, Serazzi & Tripathi 1991; at Amdahl's law P = (1 − sigma)/sigma = Z/D;
    - best within the budget: the first among the P that can be paid for.

    `speedups`: shape (numbers,); S at each number of processors.
    `affordable`: processors within the budget, ≥ 1; ``None``: no budget.
    `processors`: shape (numbers,); the numbers in increasing order, from 1; ``None``: 1, 2, 3, ….
    """
    P = np.arange(1.0, speedups.size + 1.0) if processors is None else processors
    power = int(np.argmax(speedups**2 / P))
    found = [(TIME, fewest(speedups), speedups.size), (POWER, power, speedups.size)]
    if affordable is not None:
        paid = int(np.searchsorted(P, affordable, side="right"))
        found.append((BUDGET, fewest(speedups[:paid]), paid))
    return tuple(
        ChosenProcessors(purpose, int(P[place]), float(speedups[place]), place + 1 == last)
        for purpose, place, last in found
    )


def knee_band(speedups: Floats, limit: float) -> tuple[int | None, int | None]:
    """The numbers of processors around the knee, where neither asymptote is near.

    One end is the last P with an efficiency of at least 0.9, the other the first with at least
    0.9 of the limit, in increasing order; the knee P_opt, where the asymptotes P and `limit`
    meet, is between them.

    `speedups`: shape (P,); S(1), S(2), …; not falling. `limit`: S(∞). Returns (low, high); ``None``
    for an end that lies beyond the curve.
    """
    free = np.flatnonzero(speedups < NEAR * np.arange(1, speedups.size + 1))
    full = np.flatnonzero(speedups >= NEAR * limit)
    ends = [int(free[0]) if free.size else None, int(full[0]) + 1 if full.size else None]
    known = sorted(end for end in ends if end is not None)
    if len(known) == 2:
        return known[0], known[1]
    # the missing end lies beyond the known one
    return (known[0] if known else None), None


def fewest(speedups: Floats) -> int:
    """Place of the fewest processors within `CLOSE` of the best speed."""
    return int(np.argmax(speedups >= (1.0 - CLOSE) * speedups.max()))
