"""A fitted law as that of a task: what the measurements say, in the terms of a workload."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.messages.styles import ASYNCHRONOUS
from advisor.scaling.data import TIME as TIMES
from advisor.scaling.data import Measurements
from advisor.scaling.fits import LawFit
from advisor.scaling.law import Scaling
from advisor.scaling.laws import AMDAHL, ERLANG, USL


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
