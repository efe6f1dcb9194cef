"""Laws of speedup: Amdahl, Gustafson, the harmonic bounds and the universal scalability law.

Gunther, PDCS 2005, writes each as a queue of P processors at one interconnect: `repairman` has the
queue, this module the closed forms. Pure functions of plain numbers, any one unit of time.
"""

from __future__ import annotations

import math

import numpy as np

from advisor.models.network_contention import whole_number
from machines.checks import number


def amdahl(P: int, sigma: float) -> float:
    """Speedup of a fixed problem: P/(1 + sigma (P − 1)).

    = P (D + Z)/(P D + Z), the repairman whose processors all wait for the last message.
    Gunther 2005, Eq. (8), (14).

    Parameters
    ----------
    P : int
        Processors, ≥ 1.
    sigma : float
        Serial fraction, 0..1.
    """
    processors, serial = processor_count(P), serial_share(sigma)
    return processors / (1.0 + serial * (processors - 1))


def gustafson(P: int, sigma: float) -> float:
    """Speedup of a problem that grows with P: P + sigma (1 − P).

    = (D + P Z)/(D + Z). Gunther 2005, Eq. (22), (23).

    Parameters
    ----------
    P : int
        Processors, ≥ 1.
    sigma : float
        Serial fraction on one processor, 0..1.
    """
    processors, serial = processor_count(P), serial_share(sigma)
    return processors + serial * (1 - processors)


def harmonic(P: int) -> float:
    """Speedup if 1 … P processors are busy equally often: P over the P-th harmonic number.

    H_P = digamma(P + 1) + Euler's constant. Gunther 2005, Eq. (15).

    Parameters
    ----------
    P : int
        Processors, ≥ 1.

    Raises
    ------
    InputError
        P is not a whole number ≥ 1.
    """
    n = processor_count(P)
    from scipy.special import digamma  # noqa: PLC0415 - slow to import: when it is needed

    return n / (float(digamma(n + 1.0)) + np.euler_gamma)


def harmonic_mean_bound(P: int, sigma: float) -> float:
    """Half the harmonic mean of P and the limit k = 1/sigma: k P/(k + P).

    Below `amdahl` by the share sigma/(1 + sigma P). Gunther 2005, Eq. (20).

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
    return processors / (1.0 + serial * processors)


def usl(P: float, sigma: float, kappa: float, gamma: float = 1.0) -> float:
    """Throughput of the universal scalability law.

    X = gamma P/(1 + sigma (P − 1) + kappa P (P − 1)). Gunther, arXiv:0808.1431.

    Parameters
    ----------
    P : float
        Processors or load, ≥ 1.
    sigma, kappa : float
        Contention 0..1, coherency ≥ 0.
    gamma : float
        Throughput of one processor, > 0; 1 gives the speedup.
    """
    load, serial = number("P", P, low=1.0), serial_share(sigma)
    queue = 1.0 + (serial + number("kappa", kappa) * load) * (load - 1.0)
    return number("gamma", gamma, above=True) * load / queue


def usl_peak(sigma: float, kappa: float) -> float | None:
    """Load of the highest throughput of `usl`: √((1 − sigma)/kappa); ``None`` if kappa = 0.

    Gunther, arXiv:0808.1431. Below 1 the throughput falls from the start.
    """
    serial, coherency = serial_share(sigma), number("kappa", kappa)
    return math.sqrt((1.0 - serial) / coherency) if coherency > 0.0 else None


def processor_count(P: float) -> int:
    """A whole number of processors ≥ 1, also written 3.0; InputError otherwise."""
    return whole_number("P", P, low=1)


def serial_share(sigma: float, *, above: bool = False) -> float:
    """A serial fraction in 0..1, not 0 with `above`; InputError otherwise."""
    return number("sigma", sigma, high=1.0, above=above)
