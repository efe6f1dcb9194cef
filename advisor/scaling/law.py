"""How a task's time falls with the processors that it takes: time(p) = time(1)/S(p).

A frozen record of the law; the laws themselves are in `advisor.models.mrm`. A synchronous program
waits until its last message is done (Amdahl, USL), an asynchronous one does not (Erlang, MVA).

The table of how a task scales with its processors: ``[task.scaling]`` of a workload file.

`scaling_from` and `scaling_table` are exact inverses; what is at its default is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from advisor.messages.styles import ASYNCHRONOUS, COMPLETIONS, SYNCHRONOUS
from advisor.models.repairman import mva_curve, optimal_processors
from advisor.models.speedup_laws import usl_peak
from machines.arrays import Floats
from machines.checks import number, text, whole
from machines.errors import InputError
from machines.formats.fields import Table, numbers, place, table

MOST_TASK_PROCESSORS = 100_000  # of one task: Mean Value Analysis visits every number up to it
_WHERE = "scaling"


@dataclass(frozen=True, slots=True)
class Scaling:
    """A scalable task: its law of speedup, and how many processors it may take.

    Either `sigma` (and `kappa`), or `think_time_s` and `demands_s`, of which only the ratio counts.

    `sigma`, `kappa`: serial fraction and coherency of the universal scalability law, each 0..1;
        kappa = 0 is Amdahl's law.
    `completion`: "synchronous": S = p (Z + sum D)/(Z + sum D + (p − 1) D_max), Gunther 2005, Eq.
        (5), with the stages of a burst worked in a pipeline; "asynchronous": S = X(p)/X(1) of exact
        Mean Value Analysis, with one stage Erlang's formula, Eq. (25).
    `least`, `most`: processors; ``None``: as many as a machine has cores.
    """

    sigma: float | None = None
    kappa: float = 0.0
    think_time_s: float | None = None  # computing time Z of one processor between two messages
    demands_s: tuple[float, ...] = ()  # what a message asks of each stage of the interconnect, D_k
    completion: str = SYNCHRONOUS
    least: int = 1
    most: int | None = None

    def __post_init__(self) -> None:
        if (self.sigma is None) == (self.think_time_s is None):
            raise InputError(
                "give either sigma or a think time with demands",
                where=_WHERE,
                remedy="sigma, kappa of a fit; or think_time_s and demands_s of each stage",
            )
        if self.completion not in COMPLETIONS:
            remedy = "Allowed: " + ", ".join(COMPLETIONS)
            raise InputError(
                "unknown completion", where=_WHERE, value=self.completion, remedy=remedy
            )
        if self.sigma is not None:
            self._check_law(self.sigma)
        else:
            self._check_queue()
        whole("least", self.least, low=1, where=_WHERE)
        most = self.least if self.most is None else whole("most", self.most, low=1, where=_WHERE)
        if not self.least <= most <= MOST_TASK_PROCESSORS:
            remedy = f"1 ≤ least ≤ most ≤ {MOST_TASK_PROCESSORS:,}"
            raise InputError(
                "no such range of processors",
                where=_WHERE,
                value=f"{self.least} to {most}",
                remedy=remedy,
            )

    def _check_law(self, sigma: float) -> None:
        number("sigma", sigma, high=1.0, where=_WHERE)
        number("kappa", self.kappa, high=1.0, where=_WHERE)
        if self.demands_s:
            raise InputError("demands_s go with think_time_s, not with sigma", where=_WHERE)
        if self.kappa and self.completion == ASYNCHRONOUS:
            raise InputError(
                "coherency is known of synchronous programs only",
                where=_WHERE,
                value=self.kappa,
                remedy="Leave kappa or completion out",
            )

    def _check_queue(self) -> None:
        number("think_time_s", self.think_time_s, where=_WHERE)
        for position, demand in enumerate(self.demands_s):
            number(f"demands_s[{position}]", demand, where=_WHERE)
        if not any(self.demands_s):
            raise InputError(
                "an interconnect needs a demand above 0",
                where=_WHERE,
                value=self.demands_s,
                remedy="Give demands_s, or sigma = 0 for a program without any",
            )
        if self.kappa:
            raise InputError("kappa goes with sigma, not with think_time_s", where=_WHERE)

    @property
    def peak(self) -> float:
        """Processors of the highest speedup; inf where it never falls."""
        highest = usl_peak(self.sigma, self.kappa) if self.sigma is not None else None
        return math.inf if highest is None else max(1.0, highest)

    @property
    def knee(self) -> float:
        """Processors beyond which more bring little: (D + Z)/D_max, at most the peak.

        Gunther 2005, Eq. (30); with sigma = D/(D + Z) it is 1/sigma.
        """
        think, demands = self._queue
        largest = max(demands)
        if largest <= 0.0:
            return self.peak
        return min(self.peak, optimal_processors(math.fsum(demands), think, largest))

    @property
    def _queue(self) -> tuple[float, tuple[float, ...]]:
        """(Z, D_k); a serial fraction is one stage with D = sigma, Z = 1 − sigma."""
        if self.sigma is not None:
            return 1.0 - self.sigma, (self.sigma,)
        return float(self.think_time_s or 0.0), self.demands_s


def speedups(scaling: Scaling, processors: Sequence[int] | NDArray[np.integer]) -> Floats:
    """S(p) of every number of processors; S(1) = 1.

    `processors`: 1 to `MOST_TASK_PROCESSORS` each.
    """
    p = np.asarray(processors, dtype=np.int64)
    if p.size and not 1 <= p.min() <= p.max() <= MOST_TASK_PROCESSORS:
        raise InputError(
            "no such number of processors",
            where=_WHERE,
            value=int(p.max() if p.min() >= 1 else p.min()),
            remedy=f"Allowed: 1 to {MOST_TASK_PROCESSORS:,}",
        )
    think, demands = scaling._queue
    if scaling.completion == ASYNCHRONOUS and any(demands):
        if not p.size:
            return np.ones(0)
        curve = _curve(demands, think, 1 << (int(p.max()) - 1).bit_length())
        return curve[p - 1]
    lost = max(demands) / (math.fsum(demands) + think)
    return p / (1.0 + (lost + scaling.kappa * p) * (p - 1.0))


# a curve serves every number up to its last, and many problems in turn
@lru_cache(maxsize=64)
def _curve(demands: tuple[float, ...], think: float, P: int) -> Floats:
    """X(p)/X(1) for p = 1 … P."""
    curve = mva_curve(P, demands, think).speedup
    curve.flags.writeable = False
    return curve


_KEYS = tuple(field.name for field in fields(Scaling))


def scaling_from(row: object, where: str) -> Scaling:
    """The scaling that a table describes."""
    there = f"{where}, scaling"
    if not isinstance(row, dict):
        raise InputError("scaling must be a table of keys and values", where=there, value=row)
    source = table(row, _KEYS, there)

    def given(name: str) -> float | None:
        return number(name, source[name], where=there) if name in source else None

    most = source.get("most")
    with place(where):
        return Scaling(
            sigma=given("sigma"),
            kappa=given("kappa") or 0.0,
            think_time_s=given("think_time_s"),
            demands_s=numbers(source, "demands_s", there),
            completion=text("completion", source.get("completion", _default()), where=there),
            least=whole("least", source.get("least", 1), low=1, where=there),
            most=None if most is None else whole("most", most, low=1, where=there),
        )


def scaling_table(scaling: Scaling) -> Table:
    """The table of a scaling."""
    result: Table = {}
    for field in fields(scaling):
        value = getattr(scaling, field.name)
        if value != field.default:
            result[field.name] = list(value) if isinstance(value, tuple) else value
    return result


def _default() -> str:
    return Scaling(sigma=0.0).completion
