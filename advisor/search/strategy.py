"""What a strategy is: its names, when it suits a problem, and the search itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.odds.goals import Goal
from advisor.search.allocation_search import AllocationSearch

AUTO = "auto"  # the name of the strategy that chooses among the others


class Role(Enum):
    """What a strategy does in a portfolio, and so when its turn comes."""

    PORTFOLIO = auto()  # chooses among the others
    STRUCTURE = auto()  # solves exactly where the problem has a certain form: first
    PROOF = auto()  # solves small problems exactly, from the heuristics' plans: last
    HEURISTIC = auto()  # makes one plan from the problem alone
    IMPROVEMENT = auto()  # improves the plans that were found: after the heuristics
    ROBUST = auto()  # good in most draws, not at its best in one: only where it is asked for


def at_once(_problem: Problem, _objective: str) -> float:
    """Of strategies for which no time is too short."""
    return 0.0


@dataclass(frozen=True)
class Strategy:
    """A way to search.

    Attributes
    ----------
    name, title, help : str
        On the command line, on screen, and one sentence.
    role : Role
    suits : callable
        Whether the automatic choice takes it, from the problem and the objective.
    search : callable
        Offers plans to a search; whether it did what it is for (a proof, where that is its role).
    refusal : str
        Why it does not apply where it does not suit; empty: it then runs if asked for.
    alternatives : bool
        After its answer the heuristics run, so that there is something to compare with.
    source : str
        Where it was published.
    by_name : bool
        It runs only where it is asked for by its name: where none is, it is not among all.
    goal : Goal or None
        What its plans are judged by in draws, in place of the objective.
    least_s : callable
        Seconds from which the automatic choice takes it, from the problem and the objective.
    """

    name: str
    title: str
    help: str
    role: Role
    suits: Callable[[Problem, str], bool]
    search: Callable[[AllocationSearch], bool]
    refusal: str = ""
    alternatives: bool = False
    source: str = ""
    by_name: bool = False
    goal: Goal | None = None
    least_s: Callable[[Problem, str], float] = at_once


def anywhere(_problem: Problem, _objective: str) -> bool:
    """Of strategies that suit every problem."""
    return True


def nowhere(_problem: Problem, _objective: str) -> bool:
    """Of strategies that the automatic choice leaves to those who ask for them."""
    return False


def heuristic(
    name: str,
    title: str,
    help: str,  # noqa: A002 - the field's name in the record
    make: Callable[[Problem], Plan],
    *,
    source: str = "",
    suits: Callable[[Problem, str], bool] = anywhere,
    by_name: bool = False,
) -> Strategy:
    """The strategy that makes one plan.

    Parameters
    ----------
    make : callable
        Problem → Plan; raises `InfeasibleError` where it finds none.
    by_name : bool
        Only for those who ask for it: it suits the automatic choice nowhere.
    """
    if by_name:
        suits = nowhere

    def search(found: AllocationSearch) -> bool:
        found.offer(replace(make(found.problem), strategy=name))
        found.effort.spent += len(found.problem.workload.tasks)
        found.tell()
        return True

    return Strategy(
        name, title, help, Role.HEURISTIC, suits, search, source=source, by_name=by_name
    )
