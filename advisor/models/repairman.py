"""The machine repairman: P processors that compute for Z, then queue at an interconnect.

Gunther, PDCS 2005. Closed queueing network, solved by exact Mean Value Analysis; one stage is also
Erlang's loss formula. Pure functions of plain numbers, any one unit of time; demands D_k are what
one message asks of each stage of the interconnect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.models.network_contention import whole_number
from advisor.models.speedup_laws import processor_count, serial_share
from machines.arrays import Floats, Ints
from machines.checks import number
from machines.errors import InputError

_LOOPED = 12  # different demands up to which a plain loop is faster than arrays


@dataclass(frozen=True, eq=False)
class QueueValues:
    """Mean values of the repairman with P processors.

    Attributes
    ----------
    throughput : float
        X, messages per unit of time.
    response : float
        R, time of a message in the interconnect, without Z.
    queues, utilisations : array, shape (stages,)
        Messages at each stage, waiting or served; share of time that it is busy.
    """

    throughput: float
    response: float
    queues: Floats
    utilisations: Floats


@dataclass(frozen=True, eq=False)
class QueueCurve:
    """Throughput and response of the repairman with 1 … P processors; arrays of shape (P,)."""

    processors: Ints
    throughput: Floats
    response: Floats

    @property
    def speedup(self) -> Floats:
        """X(P)/X(1)."""
        ratio: Floats = self.throughput / self.throughput[0]
        return ratio


def serial_fraction(D: float, Z: float) -> float:
    """Serial fraction of the repairman: D/(D + Z). Gunther 2005, Eq. (12).

    Parameters
    ----------
    D, Z : float
        Demand on the interconnect and computing time of a message, ≥ 0, not both 0.

    Raises
    ------
    InputError
        A value out of range, or D = Z = 0.
    """
    demand, think = _demand_and_think(D, Z)
    return demand / (demand + think)


def synchronous_throughput(P: int, D: float, Z: float) -> float:
    """Throughput of processors that all wait until the last message is done: P/(P D + Z).

    Exact with one stage, a barrier and constant Z; without a barrier a lower bound.
    Gunther 2005, Eq. (5).

    Parameters
    ----------
    P : int
        Processors, ≥ 1.
    D, Z : float
        As `serial_fraction`.

    Raises
    ------
    InputError
        A value out of range, or D = Z = 0.
    """
    processors = processor_count(P)
    demand, think = _demand_and_think(D, Z)
    return processors / (processors * demand + think)


def erlang_b(A: float, P: int) -> float:
    """Erlang's loss formula by its recursion: B ← A B/(A B + k), from B = 1 at P = 0.

    The share of time in which all P processors of the one-stage repairman compute, with A = Z/D.
    Gunther 2005, Eq. (26).

    Parameters
    ----------
    A : float
        Offered load, ≥ 0.
    P : int
        Servers, ≥ 0.
    """
    load, blocked = number("A", A), 1.0
    for k in range(1, whole_number("P", P) + 1):
        offered = load * blocked
        blocked = offered / (offered + k)
        if blocked == 0.0:
            break
    return blocked


def erlang_speedup(P: int, sigma: float) -> float:
    """Speedup of independent messages: (1 − E_B(A, P))/sigma with A = (1 − sigma)/sigma.

    Exactly X(P)/X(1) of the one-stage repairman. Evaluated as P/(sigma P + (1 − sigma)
    E_B(A, P − 1)), one step of the recursion taken by hand, so that no digits cancel.
    Gunther 2005, Eq. (25).

    Parameters
    ----------
    P : int
        Processors, ≥ 1.
    sigma : float
        Serial fraction, above 0 up to 1.

    Raises
    ------
    InputError
        A value out of range; sigma = 0, where the limit is P.
    """
    processors, serial = processor_count(P), serial_share(sigma, above=True)
    load = (1.0 - serial) / serial
    blocked = erlang_b(load, processors - 1)
    return processors / (serial * processors + (1.0 - serial) * blocked)


def mva(P: int, demands: Sequence[float], Z: float) -> QueueValues:
    """Exact Mean Value Analysis of P processors and the stages of an interconnect.

    For n = 1 … P: R_k = D_k (1 + Q_k), X = n/(Z + sum R_k), Q_k = X R_k. Reiser & Lavenberg 1980;
    Gunther 2005, sec. 2. O(P · stages).

    Parameters
    ----------
    P : int
        Processors, ≥ 1.
    demands : sequence of float
        D_k of each stage, ≥ 0.
    Z : float
        Computing time between messages, ≥ 0.

    Returns
    -------
    QueueValues
        Throughput, response, and queue and utilisation of each stage.

    Raises
    ------
    InputError
        A value out of range, no stage, or nothing but zeros.
    """
    stages, think = _demands(demands, zeros=number("Z", Z) > 0.0), float(Z)
    throughput, response, queues = _populations(processor_count(P), stages, think)
    rate = float(throughput[-1])
    return QueueValues(rate, float(response[-1]), queues, rate * stages)


def mva_curve(P: int, demands: Sequence[float], Z: float) -> QueueCurve:
    """`mva` of every number of processors 1 … P, from one recursion.

    Parameters
    ----------
    P, demands, Z
        As `mva`.

    Returns
    -------
    QueueCurve
        Throughput and response against the number of processors.

    Raises
    ------
    InputError
        As `mva`.
    """
    stages, think = _demands(demands, zeros=number("Z", Z) > 0.0), float(Z)
    count = processor_count(P)
    throughput, response, _ = _populations(count, stages, think)
    return QueueCurve(np.arange(1, count + 1), throughput, response)


def asymptotic_bounds(P: int, demands: Sequence[float], Z: float) -> tuple[float, float]:
    """Bounds of the throughput: P/(P D + Z) ≤ X ≤ min(P/(D + Z), 1/D_max), D = sum D_k.

    Gunther 2005, Eq. (3), (4).

    Parameters
    ----------
    P, demands, Z
        As `mva`.

    Returns
    -------
    (lower, upper) : tuple of float

    Raises
    ------
    InputError
        As `mva`, and demands of zeros alone.
    """
    n, stages, think = processor_count(P), _demands(demands), number("Z", Z)
    total, largest = math.fsum(stages), float(stages.max())
    return n / (n * total + think), min(n / (total + think), 1.0 / largest)


def balanced_bounds(P: int, demands: Sequence[float], Z: float) -> tuple[float, float]:
    """Bounds of the throughput from balanced networks, inside `asymptotic_bounds`.

    P/(D + Z + (P − 1) D_max/(1 + Z/(P D))) ≤ X ≤ min(1/D_max, P/(D + Z + (P − 1) D_avg/(1 + Z/D)))
    with D = sum D_k. Zahorjan, Sevcik, Eager & Galler 1982, with think time.

    Parameters
    ----------
    P, demands, Z
        As `mva`.

    Returns
    -------
    (lower, upper) : tuple of float

    Raises
    ------
    InputError
        As `asymptotic_bounds`.
    """
    n, stages, think = processor_count(P), _demands(demands), number("Z", Z)
    total, largest = math.fsum(stages), float(stages.max())
    mean = total / stages.size
    lower = n / (total + think + (n - 1) * largest / (1.0 + think / (n * total)))
    upper = n / (total + think + (n - 1) * mean / (1.0 + think / total))
    return lower, min(1.0 / largest, upper)


def optimal_processors(D: float, Z: float, D_max: float) -> float:
    """The knee, where both upper asymptotes meet: (D + Z)/D_max. Gunther 2005, Eq. (30).

    Parameters
    ----------
    D, Z : float
        Demand on all stages and computing time, ≥ 0.
    D_max : float
        Demand on the busiest stage, > 0.
    """
    return (number("D", D) + number("Z", Z)) / number("D_max", D_max, above=True)


def coherent_throughput(P: int, D: float, Z: float, c: float) -> float:
    """Throughput of independent messages whose service slows as they queue: D (1 + c (n − 1)).

    The birth-death chain w_n = w_(n−1) (P − n + 1) s(n)/Z of the n messages present; X = sum of
    p_n/s(n), n ≥ 1. With a barrier it is `usl` with kappa = c sigma; without one it lies above.

    Parameters
    ----------
    P : int
        Processors, ≥ 1.
    D, Z : float
        Demand on the one stage and computing time, > 0.
    c : float
        Share by which each further message slows the service, ≥ 0.
    """
    count = processor_count(P)
    demand, think = number("D", D, above=True), number("Z", Z, above=True)
    present = np.arange(1, count + 1, dtype=np.float64)
    service = demand * (1.0 + number("c", c) * (present - 1.0))
    weight = np.concatenate(([0.0], np.cumsum(np.log((count - present + 1.0) * service / think))))
    share = np.exp(weight - weight.max())
    return float((share[1:] / service).sum() / share.sum())


def _populations(P: int, stages: Floats, Z: float) -> tuple[Floats, Floats, Floats]:
    """X and R of 1 … P processors, and the queue of every stage at P.

    Stages of equal demand have equal queues, so that each different demand is followed once.
    """
    different, place, times = np.unique(stages, return_inverse=True, return_counts=True)
    throughput, response = np.empty(P), np.empty(P)
    follow = _by_loop if different.size <= _LOOPED else _by_arrays
    queues = follow(different, times.astype(np.float64), Z, throughput, response)
    return throughput, response, queues[place]


def _by_loop(
    demands: Floats, counts: Floats, Z: float, throughput: Floats, response: Floats
) -> Floats:
    """The recursion over populations in plain numbers; fills X and R, returns the queues."""
    stages = list(zip(demands.tolist(), counts.tolist(), strict=True))
    queues = [0.0] * len(stages)
    for n in range(1, throughput.size + 1):
        waits = [D * (1.0 + Q) for (D, _), Q in zip(stages, queues, strict=True)]
        R = sum([count * wait for (_, count), wait in zip(stages, waits, strict=True)])
        X = n / (Z + R)
        queues = [X * wait for wait in waits]
        throughput[n - 1], response[n - 1] = X, R
    return np.array(queues)


def _by_arrays(
    demands: Floats, counts: Floats, Z: float, throughput: Floats, response: Floats
) -> Floats:
    """The same in arrays over the stages."""
    queues = np.zeros_like(demands)
    for n in range(1, throughput.size + 1):
        waits = demands * (1.0 + queues)
        R = float(counts @ waits)
        X = n / (Z + R)
        queues = X * waits
        throughput[n - 1], response[n - 1] = X, R
    return queues


def _demands(demands: Sequence[float], *, zeros: bool = False) -> Floats:
    """Checked demands; all of them 0 only with `zeros`."""
    values = [number(f"demands[{k}]", one) for k, one in enumerate(demands)]
    if not values or not (zeros or any(values)):
        raise InputError(
            "the interconnect has nothing to do" if values else "no stages",
            where="demands",
            value=values,
            remedy="Give a demand > 0 of at least one stage",
        )
    return np.array(values)


def _demand_and_think(D: float, Z: float) -> tuple[float, float]:
    demand, think = number("D", D), number("Z", Z)
    if demand == think == 0.0:
        raise InputError("a message without any time", where="D, Z", value=0.0, remedy="D + Z > 0")
    return demand, think
