"""`advise --objective expected|p90|regret|deadline`: the search, its report and its sentence."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.quantities import duration, number, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.odds.goals import DEADLINE, EXPECTED, GOALS, P90, UNITS, Goal, check_goal
from advisor.search import advise
from advisor.search.robust import RobustPlan, recommended, robust
from machines import InputError


@dataclass(frozen=True)
class RobustAnswer:
    """A robust plan beside what was asked for."""

    goal: Goal
    found: RobustPlan

    @property
    def sentence(self) -> str:
        """What it gains over the plan of the shortest makespan."""
        found, goal = self.found, self.goal
        if goal.name == DEADLINE:
            unit = UNITS[goal.least]
            return (
                f"Ends within {duration(goal.deadline_s)} in {percent(found.met)} of runs and "
                f"takes {number(found.value, unit)} of {goal.least}; the plan of the shortest "
                f"makespan does in {percent(found.plain_met)}{self._plain_spent(unit)}."
            )
        what = {
            EXPECTED: "The mean makespan is",
            P90: "9 of 10 runs end within",
        }.get(goal.name, "In the worst draw it takes longer than the best plan met by")
        gain_s = found.plain_value - found.value
        if gain_s <= 0.0:
            return (
                f"{what} {duration(found.value)}: of {found.tried:,} plans none is better than "
                "that of the shortest makespan by more than the error of the draws."
            )
        return (
            f"{what} {duration(found.value)}, {duration(gain_s)} (± {duration(found.error)}) less "
            "than with the plan of the shortest makespan."
        )

    def _plain_spent(self, unit: str) -> str:
        missed = self.found.plain_met < self.goal.chance
        return "" if missed else f" and takes {number(self.found.plain_value, unit)}"

    @property
    def report(self) -> dict[str, object]:
        """Keys of the JSON answer in place of those of the makespan's search."""
        found, goal = self.found, self.goal
        said: dict[str, object] = {
            "objective": goal.name,
            "value": found.value,
            "plain_value": found.plain_value,
            "error": found.error,
            "tried": found.tried,
        }
        if goal.name == DEADLINE:
            return said | {
                "deadline_s": goal.deadline_s, "chance": found.met, "least": goal.least,
                "plain_chance": found.plain_met,
            }  # fmt: skip
        return said | {"value_s": found.value}


def goal_of(arguments: Namespace, problem: Problem) -> Goal | None:
    """What is asked for; ``None``: an ordinary objective.

    Raises
    ------
    InputError
        A deadline is missing, or has no use, or no plan can keep it; prices are missing.
    """
    if arguments.deadline is not None and arguments.objective != DEADLINE:
        raise InputError("--deadline is of --objective deadline", where="deadline",
                         value=arguments.deadline,
                         remedy="Add --objective deadline, or leave it out")  # fmt: skip
    if arguments.objective not in GOALS:
        return None
    if arguments.objective != DEADLINE:
        return Goal(arguments.objective)
    if arguments.deadline is None:
        raise InputError("--objective deadline needs --deadline S", where="deadline",
                         remedy="Give the seconds by which the plan is to end")  # fmt: skip
    goal = Goal(DEADLINE, arguments.deadline, arguments.chance, arguments.least)
    check_goal(problem, goal)
    return goal


def searched(
    arguments: Namespace,
    problem: Problem,
    objective: str,
    start: Plan | None,
    goal: Goal | None,
    stopped: ShouldStop,
) -> tuple[Recommendation, RobustAnswer | None]:
    """The ordinary search, and from its plans the robust one where a goal is asked for."""
    plain = advise(
        problem,
        MAKESPAN if goal else objective,
        arguments.strategy,
        arguments.seconds,
        arguments.seed,
        start,
        should_stop=stopped,
    )
    if goal is None:
        return plain, None
    found = robust(problem, goal, plain, arguments.seconds, arguments.seed, stopped)
    return recommended(problem, plain, found), RobustAnswer(goal, found)
