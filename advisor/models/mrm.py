"""The machine repairman (Gunther, PDCS 2005): how a program scales with its processors.

Pure functions of plain numbers; any one unit of time. The laws of speedup live in `speedup_laws`,
the queue in `repairman`, the fits in `law_fits`; this module offers all of them.
"""

from __future__ import annotations

from advisor.models.law_fits import UslFit, fit_amdahl, fit_usl
from advisor.models.repairman import (
    QueueCurve,
    QueueValues,
    asymptotic_bounds,
    balanced_bounds,
    coherent_throughput,
    erlang_b,
    erlang_speedup,
    mva,
    mva_curve,
    optimal_processors,
    serial_fraction,
    synchronous_throughput,
)
from advisor.models.speedup_laws import (
    amdahl,
    gustafson,
    harmonic,
    harmonic_mean_bound,
    usl,
    usl_peak,
)

__all__ = [
    "QueueCurve",
    "QueueValues",
    "UslFit",
    "amdahl",
    "asymptotic_bounds",
    "balanced_bounds",
    "coherent_throughput",
    "erlang_b",
    "erlang_speedup",
    "fit_amdahl",
    "fit_usl",
    "gustafson",
    "harmonic",
    "harmonic_mean_bound",
    "mva",
    "mva_curve",
    "optimal_processors",
    "serial_fraction",
    "synchronous_throughput",
    "usl",
    "usl_peak",
]
