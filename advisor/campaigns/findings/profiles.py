"""Performance profiles: the share of instances on which a strategy is within τ of the best.

ρ_s(τ) = |{p : r_ps ≤ τ}| / n with r_ps = value of s on p / least value of any strategy on p, and
r_ps = ∞ where s failed (Dolan & Moré 2002, Eq. (2.1) and sec. 2). ρ_s(1) is the share on which s is
best, ties included; where ρ_s ends is the share that it answered. Instances that nobody answered
say nothing about strategies and are left out, those that not all were asked about, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import Compared
from advisor.studies.study import Series
from machines.arrays import Floats
from machines.stopping import ask

WITHIN = (1.0, 1.05, 1.5)  # of the table
AREA = 1.5  # τ up to which the area is taken
AXES = ("value / best of all", "", "performance profile", "%")
_MOST = 400  # steps that are drawn
_LEAST_END = 1.05


def profile(ratios: Floats, within: Floats) -> Floats:
    """ρ of one strategy at some τ.

    `ratios`: shape (n,); at least 1; ∞: failed. `within`: each τ; what is above it by rounding
    alone is within. Returns shares from 0 to 1.
    """
    ranked = np.sort(ratios)
    return np.searchsorted(ranked, within * (1.0 + ALIKE), side="right") / max(len(ranked), 1)


def area(ratios: Floats) -> float:
    """The mean of ρ between 1 and `AREA`: 1 for who is always best, 0 for who is never within."""
    return float(np.clip(AREA - ratios, 0.0, None).mean() / (AREA - 1.0))


def profile_series(compared: Compared) -> Iterator[Series]:
    """A step curve for each strategy, in per cent, from 1 to the largest finite ratio of any.

    Curves of more than some hundred steps are drawn through points at equal distances in log τ,
    each of which is exact.
    """
    ratios = compared.ratios
    known = ratios[np.isfinite(ratios)]
    if not known.size:
        return
    end = max(_LEAST_END, float(known.max()))
    for place, name in enumerate(compared.strategies):
        ask()
        own = ratios[:, place]
        steps = np.unique(own[np.isfinite(own)])
        if len(steps) > _MOST:
            at = np.geomspace(1.0, end, _MOST)
            shares = profile(own, at)
        else:
            steps = np.unique(np.concatenate(([1.0], steps, [end])))
            after = profile(own, steps)
            at, shares = np.repeat(steps, 2)[1:], np.repeat(after, 2)[:-1]
        # nobody is below the best: each curve begins with the step from 0
        at, shares = np.append(1.0, at), np.append(0.0, shares)
        yield Series(name, _floats(at), _floats(100.0 * shares), *AXES, by_ratio=True)


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(float(one) for one in values)
