"""What others cost: the plan beside contenders and stated slowdowns, and without any of them.

The same plan on the same machines and links, with nobody else there: the difference is what the
contention model charges to others, also where their share grows with the plan's own tasks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.allocation.loads import contenders_in_words, equivalent_contenders
from advisor.allocation.placement import ordered
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics.quantities import duration, few, percent
from advisor.basics.units import durations
from machines import Platform

_NAMED = 3
_NOTHING = 1e-3  # share of the plan's value below which others cost nothing


@dataclass(frozen=True)
class Others:
    """Who else is on the machines of a plan, and what that costs."""

    cost_s: float  # of the objective
    brief: str  # "2 contenders: +5 min 3 s"
    sentence: str  # empty: nobody else is there


def others_of(problem: Problem, prediction: Prediction, objective: str) -> Others:
    """Predict the plan without others.

    `prediction`: of a plan for the problem. Contenders on machines where no task runs count, too:
    they slow that machine's links.
    """
    platform = problem.platform
    loaded = [one.name for one in platform.machines if one.contenders or (one.slowdown or 1) > 1]
    slowed = [f"{one.first}–{one.second}" for one in platform.links if (one.slowdown or 1) > 1]
    if not loaded and not slowed:
        return Others(0.0, "nothing", "")
    users = [
        equivalent_contenders(one, problem.reading) for one in platform.machines if one.contenders
    ]
    plan = ordered(problem, prediction.plan)
    alone = predict(problem.on(_alone(platform)), plan).value_s(objective)
    value_s = prediction.value_s(objective)
    cost_s = value_s - alone
    who = contenders_in_words(*users) if users else "other load"
    where = few([*loaded, *slowed], _NAMED)
    if abs(cost_s) <= _NOTHING * value_s:
        sentence = f"Others ({who} on {where}) cost this plan nothing."
        return Others(0.0, f"{who}: nothing", sentence)
    less, whole = durations(alone, value_s)
    sign = "+" if cost_s > 0 else "−"
    return Others(
        cost_s,
        f"{who}: {sign}{duration(abs(cost_s))}",
        f"Others ({who} on {where}) cost {duration(cost_s)} ({percent(cost_s / value_s)}): "
        f"without them this plan takes {less}, not {whole}.",
    )


def _alone(platform: Platform) -> Platform:
    """The platform with nobody else on it."""
    return replace(
        platform,
        machines=tuple(replace(one, contenders=(), slowdown=None) for one in platform.machines),
        links=tuple(
            one if one.slowdown is None else replace(one, slowdown=None) for one in platform.links
        ),
    )
