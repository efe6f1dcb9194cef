"""How many processors to use, given the speedup of every number of them.

Three criteria: the best time, the best efficiency × speed, and the best time within a budget. A
curve that approaches a limit has its best time at infinity, so the fewest processors count that
are within a hundredth of the best.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from advisor.messages.styles import ASYNCHRONOUS
from advisor.scaling.data import TIME as TIMES
from advisor.scaling.data import Measurements
from advisor.scaling.fits import LawFit
from advisor.scaling.law import Scaling
from advisor.scaling.laws import AMDAHL, ERLANG, USL
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
    base: int = 1  # processors that the speedup is against
    measured: bool = False  # the speedup is that of a measurement, not of a law

    @property
    def efficiency(self) -> float:
        """S/P, of each of the base's processors."""
        return self.speedup * self.base / self.P


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


# A fitted law as that of a task: what the measurements say, in the terms of a workload.


@dataclass(frozen=True)
class FittedTask:
    """What measurements tell of a task.

    `scaling`: the law that is best supported among those that a task can have; ``None``: none is.
    `one_s`: seconds on one processor of the machine where it was measured; ``None``: no times.
    """

    name: str  # of the measurements
    scaling: Scaling | None
    processors: int  # how many are advised
    one_s: float | None


def fitted_task(
    data: Measurements, fits: Iterable[LawFit], processors: int, rate_of_one: float
) -> FittedTask:
    """The task of measurements.

    `fits`: the best supported first. `rate_of_one`: throughput of one processor, in the data's
    unit.
    """
    laws = (law for fit in fits if (law := scaling_of(fit)) is not None)
    timed = data.kind == TIMES and data.unit == "s" and rate_of_one > 0.0
    return FittedTask(data.name, next(laws, None), processors, 1.0 / rate_of_one if timed else None)


def scaling_of(fit: LawFit) -> Scaling | None:
    """The law of a task; ``None`` where a task can have none such.

    Amdahl's and the universal one by sigma and kappa; Erlang's as one stage of D = sigma beside
    Z = 1 − sigma. Gustafson's is of a problem that grows, and the repairman with coherency has
    no place in a workload.
    """
    values = [min(1.0, max(0.0, float(one))) for one in fit.shapes]
    if fit.law.key == AMDAHL:
        return Scaling(sigma=values[0])
    if fit.law.key == USL:
        return Scaling(sigma=values[0], kappa=values[1])
    if fit.law.key == ERLANG:
        if values[0] == 0.0:
            return Scaling(sigma=0.0)
        return Scaling(
            think_time_s=1.0 - values[0], demands_s=(values[0],), completion=ASYNCHRONOUS
        )
    return None
