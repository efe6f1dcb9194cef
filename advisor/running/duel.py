"""A plan against the engine's own scheduling: both run in turn, and which of them won.

The rounds alternate who begins, so that a machine that warms up or tires favours neither. A mean
makespan is earlier than the other beyond the noise where the difference exceeds the half width of
its 95 % interval, t s √(2/n) with s pooled over both (Student 1908).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import fmean

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, percent
from advisor.basics.units import durations
from advisor.running.run_plan import run_plan
from advisor.running.run_settings import OnEvent, RunSettings, ShouldStop
from advisor.runs.run_record import FAILED, Run

PLANNED, OWN = "plan", "engine"
ROUNDS = 3
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_T95_MANY = 1.96


@dataclass(frozen=True)
class Duel:
    """Runs of a plan and of the engine's own scheduling, in the order in which they ended."""

    planned: tuple[Run, ...]
    own: tuple[Run, ...]

    @property
    def planned_s(self) -> float:
        """Mean makespan of the plan, s."""
        return fmean(one.makespan_s for one in self.planned)

    @property
    def own_s(self) -> float:
        """Mean makespan of the engine's own scheduling, s."""
        return fmean(one.makespan_s for one in self.own)

    @property
    def noise_s(self) -> float | None:
        """By how much runs of one kind differ: one standard deviation, s; None: one run each."""
        free = len(self.planned) + len(self.own) - 2
        if free < 1:
            return None
        apart = [one.makespan_s - self.planned_s for one in self.planned]
        apart += [one.makespan_s - self.own_s for one in self.own]
        return math.sqrt(sum(one * one for one in apart) / free)

    @property
    def margin_s(self) -> float:
        """How far apart the means must be to tell a winner; inf where nobody knows."""
        noise_s, free = self.noise_s, len(self.planned) + len(self.own) - 2
        if noise_s is None:
            return math.inf
        t95 = _T95[free - 1] if free <= len(_T95) else _T95_MANY
        return t95 * noise_s * math.sqrt(1.0 / len(self.planned) + 1.0 / len(self.own))

    @property
    def winner(self) -> str:
        """Who: "plan" or "engine"; empty where the difference is within the noise."""
        if abs(self.planned_s - self.own_s) <= self.margin_s:
            return ""
        return PLANNED if self.planned_s < self.own_s else OWN

    @property
    def sentence(self) -> str:
        """Who won, by how much, beside the noise."""
        planned, own = durations(self.planned_s, self.own_s)
        rounds = count(min(len(self.planned), len(self.own)), "round")
        both = f"{planned} by the plan, {own} by the engine's own scheduling (means of {rounds})"
        if self.noise_s is None:
            return f"{both}: one round each tells no winner: how much runs differ is not known."
        noise = percent(self.noise_s / self.planned_s)
        differ = f"runs of one kind differ by ± {noise}"
        if not self.winner:
            return (
                f"No winner: {both}; {differ}. Leaving places and order to the engine is as good."
            )
        gain = percent(abs(1.0 - self.planned_s / self.own_s))
        if self.winner == PLANNED:
            return f"The plan won by {gain}: {both}; {differ}."
        return (
            f"The engine won, the plan is {gain} later: {both}; {differ}. Leave it to the engine."
        )


def duel(
    problem: Problem,
    plan: Plan,
    settings: RunSettings,
    rounds: int = ROUNDS,
    on_round: Callable[[str, Run], None] | None = None,
    on_event: OnEvent | None = None,
    should_stop: ShouldStop | None = None,
) -> Duel | None:
    """Run a plan and the engine's own scheduling in turn.

    Runs of the plan go to the record of `settings`, the others to none. `on_round`: hears "plan" or
    "engine" with the run as each ends. Returns None where it was stopped, or a task failed: that
    run is the last that `on_round` heard.
    """
    found: dict[str, list[Run]] = {PLANNED: [], OWN: []}
    ways = {
        PLANNED: replace(settings, own=False),
        OWN: replace(settings, own=True, replan=False, record=None),
    }
    for number in range(rounds):
        for way in (PLANNED, OWN) if number % 2 == 0 else (OWN, PLANNED):
            run = run_plan(problem, plan, ways[way], on_event, should_stop)
            found[way].append(run)
            if on_round is not None:
                on_round(way, run)
            whole = len(run.tasks) == len(problem.workload.tasks)
            if not whole or any(one.status == FAILED for one in run.tasks):
                return None
    return Duel(tuple(found[PLANNED]), tuple(found[OWN]))
