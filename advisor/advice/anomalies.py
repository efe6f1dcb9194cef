"""Where less load would delay a plan (Graham 1969): greedy execution has such anomalies.

A task that is ready earlier may take the cores, memory or link that the critical path needs.
"""

from __future__ import annotations

from advisor.advice.competition import Contest
from advisor.advice.contest import values_on
from advisor.allocation.loads import BANDWIDTH, SPEED, LoadParameter
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.basics.quantities import duration, percent
from advisor.basics.stop_rule import ShouldStop

_NOTABLE = 0.005  # share of the makespan by which it ends later
_BUDGET_S = 0.5  # rough seconds that all evaluations together may take
_SHARES = (0.25, 0.5, 1.0)  # of the way to no load


def anomaly_sentence(contest: Contest, plan: Plan, should_stop: ShouldStop = lambda: False) -> str:
    """Which fall of one load delays the plan most; empty: none of those tried does notably."""
    problem = contest.problem
    (present_s,) = values_on(problem, MAKESPAN, problem.platform, (plan,))
    worst_s, worst = present_s * (1.0 + _NOTABLE), None
    for load in contest.parameters[: int(_BUDGET_S / (len(_SHARES) * contest.judge.cost))]:
        present = load.value(problem.platform, problem.reading)
        for share in _SHARES:
            if should_stop():
                return ""
            value = present + share * (_unloaded(load) - present)
            platform = load.applied(problem.platform, value, problem.reading)
            (value_s,) = values_on(problem, MAKESPAN, platform, (plan,))
            if worst_s < value_s < float("inf"):
                worst_s, worst = value_s, (load, value, present)
    if worst is None:
        return ""
    load, value, present = worst
    later_s = worst_s - present_s
    return (
        f"Less load can delay this plan: with {load.sentence(value)} (now {load.words(present)}) "
        f"it would end {duration(later_s)} ({percent(later_s / present_s)}) later, because what "
        "is ready sooner then takes cores or links that the critical path needs. Ask for advice "
        "again when that load falls."
    )


def _unloaded(load: LoadParameter) -> float:
    """The end of its range at which others leave most to the plan."""
    return load.high if load.kind in {BANDWIDTH, SPEED} else load.low
