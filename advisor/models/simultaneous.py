"""How many of p independent applications are active at once: the Poisson-binomial distribution.

Figueira & Berman 1996, sec. 3.2.1. One application more or fewer costs O(p).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from machines.arrays import Floats
from machines.checks import number
from machines.errors import InputError


def simultaneous(fractions: Sequence[float] | Floats) -> Floats:
    """Probability that exactly i of p independent applications are active, i = 0 … p.

    q = [1]; for each f: q'_i = q_i (1 − f) + q_(i−1) f. O(p²).
    Figueira & Berman 1996, sec. 3.2.1.

    Parameters
    ----------
    fractions : sequence of float, length p
        Share of its time that each is active, 0..1.

    Returns
    -------
    array (p + 1,)

    Raises
    ------
    InputError
        A fraction outside 0..1.
    """
    q = np.ones(1)
    for fraction in fractions:
        q = _added(q, number("fraction", fraction, high=1.0))
    return q


def simultaneous_add(q: ArrayLike, fraction: float) -> Floats:
    """The distribution after one more application came, in O(p).

    Figueira & Berman 1996, sec. 3.2.1.

    Parameters
    ----------
    q : array (p + 1,)
        From `simultaneous`.
    fraction : float
        The newcomer's share, 0..1.

    Returns
    -------
    array (p + 2,)

    Raises
    ------
    InputError
        A fraction outside 0..1 or a `q` that is no distribution.
    """
    return _added(_distribution(q), number("fraction", fraction, high=1.0))


def simultaneous_remove(q: ArrayLike, fraction: float) -> Floats:
    """The distribution after one application left, in O(p).

    Divides the polynomial sum q_i z^i by (1 − f) + f z: forward for f ≤ ½,
    r_i = (q_i − f r_(i−1))/(1 − f), backward else, r_(i−1) = (q_i − (1 − f) r_i)/f. The other
    direction amplifies rounding without bound. Repeated additions and removals drift (10⁻⁹ after
    600 pairs at p = 25): rebuild from the list now and then. Beyond the paper, which states
    O(p²).

    Parameters
    ----------
    q : array (p + 1,)
        From `simultaneous`, p ≥ 1.
    fraction : float
        The share of the one that left; that it was ever added can't be checked.

    Returns
    -------
    array (p,)

    Raises
    ------
    InputError
        Nobody to remove, or a fraction outside 0..1.
    """
    before = _distribution(q).tolist()
    f = number("fraction", fraction, high=1.0)
    p = len(before) - 1
    if p == 0:
        raise InputError("nobody is left to remove", where="q", value=before)
    after = [0.0] * p
    if f <= 0.5:
        carried = 0.0
        for i in range(p):
            after[i] = carried = (before[i] - f * carried) / (1.0 - f)
    else:
        carried = 0.0
        for i in range(p, 0, -1):
            after[i - 1] = carried = (before[i] - (1.0 - f) * carried) / f
    return np.array(after)


def _added(q: Floats, fraction: float) -> Floats:
    grown = np.zeros(q.size + 1)
    grown[:-1] = q * (1.0 - fraction)
    grown[1:] += q * fraction
    return grown


def _distribution(q: ArrayLike) -> Floats:
    array = np.asarray(q, dtype=np.float64)
    if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
        raise InputError("q must be a list of probabilities", where="q", value=array.tolist())
    return array
