"""One kind of decision of a plan: what may be chosen, how it is said, and how a neighbour is made.

A kind decides about subjects: tasks or overlays, by position. Comparing, adopting, explaining and
searching know the record alone, so that a new kind is one file of this folder and one line in
`advisor.decisions.registry`. How a plan's decisions are stored is `advisor.decisions.table`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem

Values = Mapping[int, Hashable]

_NAMED = 3  # subjects that a cell tells apart


@dataclass(frozen=True)
class Decision:
    """A kind of decision.

    Attributes
    ----------
    name, title, help : str
        In options and files, on screen, and one sentence.
    values : callable (problem, plan) → {subject: value}
        What the plan decides, defaults included; empty where there is nothing to decide.
    subject : callable (problem, subject) → str
        Its name.
    options : callable (problem, plan, subject) → tuple of values
        What may be chosen: those that an advisor tries.
    moves : callable (problem, plan, subject) → tuple of values
        Neighbours of the present value.
    put : callable (problem, plan, subject, value) → Plan
        The plan with another value; not checked.
    taken : callable (plan, other) → Plan
        The plan with this decision as in another plan.
    words : callable (problem, subject, value) → str
        A value in a few words.
    is_open : callable (problem, subject) → bool
        Whether the workload leaves it to the plan.
    of_tasks : bool
        Whether the subjects are tasks; else overlays.
    """

    name: str
    title: str
    help: str
    values: Callable[[Problem, Plan], Values]
    subject: Callable[[Problem, int], str]
    options: Callable[[Problem, Plan, int], tuple[Hashable, ...]]
    moves: Callable[[Problem, Plan, int], tuple[Hashable, ...]]
    put: Callable[[Problem, Plan, int, Hashable], Plan]
    taken: Callable[[Plan, Plan], Plan]
    words: Callable[[Problem, int, Hashable], str]
    is_open: Callable[[Problem, int], bool]
    of_tasks: bool = True

    def differing(self, problem: Problem, plan: Plan, other: Plan) -> tuple[int, ...]:
        """Subjects about which two plans decide differently."""
        here, there = self.values(problem, plan), self.values(problem, other)
        return tuple(subject for subject in here if here[subject] != there[subject])

    def said(self, problem: Problem, values: Values, subjects: Iterable[int]) -> list[str]:
        """What is decided about subjects, one phrase each: "FFT: asynchronous short"."""
        return [
            f"{self.subject(problem, one)}: {self.words(problem, one, values[one])}"
            for one in subjects
        ]

    def cell(self, problem: Problem, plan: Plan) -> str:
        """What the plan decides, for a table's cell: "FFT: asynchronous short; 2 more"."""
        values = self.values(problem, plan)
        said = self.said(problem, values, list(values)[:_NAMED])
        more = len(values) - len(said)
        return "; ".join(said) + (f"; {more:,} more" if more > 0 else "")
