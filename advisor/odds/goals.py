"""What a plan is judged by where numbers are not known exactly: one figure of its draws.

expected: the mean makespan. p90: the makespan that nine of ten runs stay below. regret: the most
that a plan takes longer, in any draw, than the best plan that was met does there. deadline: the
least money, energy or carbon of the plans that end in time with a stated chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.spending import HOUR_S, used_machines
from machines import InputError, Machine
from machines.arrays import Floats
from machines.parameters import properties_of

EXPECTED, P90, REGRET, DEADLINE = "expected", "p90", "regret", "deadline"
GOALS = (EXPECTED, P90, REGRET, DEADLINE)
MONEY, ENERGY, CARBON = "money", "energy", "carbon"
LEAST = (MONEY, ENERGY, CARBON)
UNITS = {MONEY: "", ENERGY: "J", CARBON: "g CO₂e"}
_KWH_J = 3.6e6
_NEEDED = {
    MONEY: ("price_per_hour",),
    ENERGY: ("watts",),
    CARBON: ("watts", "co2_g_per_kwh"),
}
_NAMED = 4  # machines in a refusal
_PENALTY = 1e9  # of a plan that misses its deadline too often


@dataclass(frozen=True)
class Goal:
    """What is asked for.

    Attributes
    ----------
    name : {"expected", "p90", "regret", "deadline"}
    deadline_s, chance : float
        By when the plan is to end, and in which share of the runs; of a deadline alone.
    least : {"money", "energy", "carbon"}
        What such a plan is to spend least of.
    """

    name: str
    deadline_s: float = math.inf
    chance: float = 0.95
    least: str = MONEY

    def value(
        self, problem: Problem, plan: Plan, makespans_s: Floats, best_s: Floats | None = None
    ) -> float:
        """The figure to be small; `best_s`: the best of all plans met, in every draw."""
        if self.name == P90:
            return float(np.quantile(makespans_s, 0.9))
        if self.name == REGRET and best_s is not None:
            return float((makespans_s - best_s).max())
        if self.name != DEADLINE:
            return float(makespans_s.mean())
        missed = self.chance - self.met(makespans_s)
        spent = self.spent(problem, plan, makespans_s)
        return spent if missed <= 0.0 else _PENALTY * (1.0 + missed) * (1.0 + makespans_s.mean())

    def met(self, makespans_s: Floats) -> float:
        """The share of draws that end by the deadline."""
        return float((makespans_s <= self.deadline_s).mean())

    def spent(self, problem: Problem, plan: Plan, makespans_s: Floats) -> float:
        """What the plan spends in the mean: money, J or g CO₂e."""
        rate = sum(_RATES[self.least](one) or 0.0 for one in used_machines(problem, plan))
        return rate * float(makespans_s.mean())


def check_goal(problem: Problem, goal: Goal) -> None:
    """Refuse a deadline that no plan can keep, and spending that machines do not state.

    Raises
    ------
    InputError
        Naming the option, its value and what would do.
    """
    if goal.name != DEADLINE:
        return
    bound_s = problem.lower_bounds_s["makespan"]
    if goal.deadline_s < bound_s:
        raise InputError(
            "no plan ends by the deadline", where="deadline", value=goal.deadline_s,
            remedy=f"Even as stated, no plan takes less than {bound_s:.4g} s",
        )  # fmt: skip
    lack = [one.name for one in problem.platform.machines if _RATES[goal.least](one) is None]
    if lack:
        known = {one.name: one.title for one in properties_of(Machine)}
        needed = " and ".join(f"{known[name]} ({name})" for name in _NEEDED[goal.least])
        raise InputError(
            f"{goal.least} is not known of {_named(lack)}",
            remedy=f"Give each machine its {needed}",
        )  # fmt: skip


def _named(names: list[str]) -> str:
    """As "server, workstation and laptop"; of many the first and how many more."""
    few = (
        names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    )
    return " and ".join([", ".join(few[:-1]), few[-1]] if len(few) > 1 else few)


_RATES: dict[str, Callable[[Machine], float | None]] = {
    MONEY: lambda one: None if one.price_per_hour is None else one.price_per_hour / HOUR_S,
    ENERGY: lambda one: one.watts,
    CARBON: lambda one: (
        None
        if one.watts is None or one.co2_g_per_kwh is None
        else one.watts / _KWH_J * one.co2_g_per_kwh
    ),
}
