"""How sure each point of a decision map is: the odds that what is best there is best in a run.

With times as spread (`advisor.odds`), ln of the ratio of two plans' makespans deviates by σ, in the
same draws at the present loads. At a point where the best plan takes b and another o, it is earlier
with Φ(ln(o / b) / σ); the least over all others counts. σ is taken to be alike over the map.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.stop_rule import ShouldStop
from advisor.odds.drawn_plan import Sampler
from advisor.odds.draws import draws_of
from advisor.studies.decision_map.map_picture import UNKNOWN
from machines import InfeasibleError
from machines.arrays import Floats, Indices

_DRAWS = 128
_LOOKS = 11  # points on an axis, between which the odds are interpolated
EVEN = 0.75  # below, the odds count as even


def odds_of(
    problem: Problem,
    plans: Sequence[Plan],
    region: Indices,
    values_at: Callable[[tuple[float, float]], Floats],
    stop: ShouldStop,
) -> Floats | None:
    """Odds of what is best at every point, shape (rows, columns).

    `values_at`: what the plans reach at a (column, row) of the grid. Returns None where only one
    plan is best anywhere, it was stopped, or a plan can't run at the present loads.
    """
    if len(plans) < 2:
        return None
    apart = _apart(problem, plans, stop)
    if apart is None:
        return None
    rows, columns = (np.unique(np.linspace(0, size - 1, _LOOKS).round()).astype(np.int64)
                     for size in region.shape)  # fmt: skip
    looked = np.ones((rows.size, columns.size))
    for at, row in enumerate(rows.tolist()):
        for beside, column in enumerate(columns.tolist()):
            if stop():
                return None
            if region[row, column] != UNKNOWN:
                values = values_at((float(column), float(row)))
                looked[at, beside] = _least(values, int(region[row, column]), apart)
    across = np.array([np.interp(np.arange(region.shape[1]), columns, line) for line in looked])
    found: Floats = np.array(
        [np.interp(np.arange(region.shape[0]), rows, line) for line in across.T]
    ).T
    return found


def _apart(problem: Problem, plans: Sequence[Plan], stop: ShouldStop) -> Floats | None:
    """Standard deviation of ln of the ratio of each two plans, (plans, plans)."""
    sampler = Sampler(problem, draws_of(problem, _DRAWS))
    try:
        logs = [np.log(sampler.makespans_s(plan, stop)) for plan in plans]
    except InfeasibleError:
        return None
    if stop() or len({one.size for one in logs}) > 1:
        return None
    return np.array([[float(np.std(one - other)) for other in logs] for one in logs])


def _least(values: Floats, best: int, apart: Floats) -> float:
    """The odds against the other plan that is nearest to being earlier."""
    odds = 1.0
    for other, value in enumerate(values.tolist()):
        if other == best or not (0.0 < values[best] < math.inf and 0.0 < value < math.inf):
            continue
        margin, deviation = math.log(value / values[best]), float(apart[best, other])
        if deviation > 0.0:
            odds = min(odds, 0.5 * (1.0 + math.erf(margin / deviation / math.sqrt(2.0))))
        elif margin <= 0.0:
            odds = min(odds, 0.5)
    return max(odds, 0.0)
