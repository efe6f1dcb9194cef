"""Speedups of the one-stage repairman for many shapes and many P at once, as fits need them.

`repairman` counts up to P; a fit asks for a few P at thousands of sigma. Erlang's formula is a
Poisson term over the sum of those up to it, with a short series where that sum underflows; the
repairman with coherency is its birth-death chain. In units of D + Z = 1.
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Floats

_UNDERFLOW = 1e-250
_NEGLIGIBLE = 1e-17
_TINY = 1e-100  # in place of a service or think time of 0


def erlang_curve(P: Floats, shapes: Floats) -> Floats:
    """`repairman.erlang_speedup` of many sigma, shape (samples, 1), at many P: (samples, P).

    P/(sigma P + (1 − sigma) E_B(A, P − 1)), A = (1 − sigma)/sigma; sigma = 0 gives P.
    Gunther 2005, Eq. (25). P are whole numbers ≥ 1.
    """
    sigma = shapes[:, :1]
    load = (1.0 - sigma) / np.maximum(sigma, _TINY)
    curve: Floats = P / (sigma * P + (1.0 - sigma) * erlang_b_many(load, P - 1.0))
    return curve


def erlang_b_many(A: Floats, m: Floats) -> Floats:
    """E_B(A, m) of arrays that broadcast: loads ≥ 0, whole numbers of servers ≥ 0."""
    from scipy.special import gammaincc, gammaln, xlogy  # noqa: PLC0415 - slow to import

    load, servers = np.broadcast_arrays(A, m)
    below = gammaincc(servers + 1.0, load)  # sum of the Poisson terms 0 … m
    term = np.exp(xlogy(servers, load) - load - gammaln(servers + 1.0))
    seldom = below < _UNDERFLOW
    blocked: Floats = np.where(seldom, 1.0, term / np.where(seldom, 1.0, below))
    if seldom.any():
        blocked[seldom] = _by_series(load[seldom], servers[seldom])
    return blocked


def coherent_curve(P: Floats, shapes: Floats) -> Floats:
    """`repairman.coherent_throughput` over that of P = 1, of many (sigma, kappa): (samples, P).

    The service time with n present is sigma + kappa (n − 1), so kappa = c sigma, and the think
    time 1 − sigma: the shapes of `usl`, which is the same queue with a barrier.
    """
    from scipy.special import gammaln  # noqa: PLC0415 - slow to import

    most = int(P.max())
    present = np.arange(most)[:, None]  # others; sums along columns are a third quicker
    service = np.maximum(shapes[:, 0] + shapes[:, 1] * present, _TINY)
    think = np.maximum(1.0 - shapes[:, 0], _TINY)
    chain = np.cumsum(np.log(service / think), axis=0)
    counts, place = np.unique(P.astype(int), return_inverse=True)  # repetitions cost nothing
    curve = np.empty((shapes.shape[0], counts.size))
    factorials = gammaln(np.arange(most + 1) + 1.0)  # their logarithms
    for column, count in enumerate(counts.tolist()):
        ways = factorials[count] - factorials[:count][::-1]
        weight = chain[:count] + ways[:, None]
        top = np.maximum(weight.max(axis=0), 0.0)  # 0: nobody queues
        share = np.exp(weight - top)
        total = share.sum(axis=0) + np.exp(-top)
        curve[:, column] = (share / service[:count]).sum(axis=0) / total
    return curve.take(place, axis=1)


def _by_series(A: Floats, m: Floats) -> Floats:
    """1/(1 + m/A + m (m − 1)/A² + …): terms fall, for this is used where A is well above m."""
    total, term = np.ones_like(A), np.ones_like(A)
    for k in range(int(m.max())):
        term = term * np.maximum(m - k, 0.0) / A
        total += term
        if term.max() < _NEGLIGIBLE:
            break
    return 1.0 / total
