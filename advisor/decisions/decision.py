"""One kind of decision of a plan: what may be chosen, how it is said, and how a neighbour is made.

A kind decides about subjects: tasks or overlays, by position. Comparing, adopting, explaining and
searching know the record alone, so that a new kind is one file of this folder and one line in
`advisor.decisions.registry`. How a plan's decisions are stored is `advisor.decisions.plan_table`.
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

    `name`, `title`, `help`: in options and files, on screen, and one sentence.
    `values`: what the plan decides, defaults included; empty where there is nothing to decide.
    `options`: what may be chosen: those that an advisor tries.
    """

    name: str
    title: str
    help: str
    values: Callable[[Problem, Plan], Values]
    subject: Callable[[Problem, int], str]  # its name
    options: Callable[[Problem, Plan, int], tuple[Hashable, ...]]
    moves: Callable[[Problem, Plan, int], tuple[Hashable, ...]]  # neighbours of the present value
    put: Callable[[Problem, Plan, int, Hashable], Plan]  # the plan with another value; not checked
    taken: Callable[[Plan, Plan], Plan]  # the plan with this decision as in another plan
    words: Callable[[Problem, int, Hashable], str]  # a value in a few words
    is_open: Callable[[Problem, int], bool]  # whether the workload leaves it to the plan
    of_tasks: bool = True  # whether the subjects are tasks; else overlays

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
