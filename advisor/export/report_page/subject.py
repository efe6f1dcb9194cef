"""What a report is of: a project, the answer to its question, and the plans beside its own.

Everything is worked out here, once; sections only say it. The same project, effort and date give
the same report: nothing asks for the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from advisor.advice.explain import Explanation, explain
from advisor.allocation.comparison import Row, compare
from advisor.allocation.evaluation import best_single_machine
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import TaskCauses, task_causes
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.search import advise
from advisor.search.titles import title_of
from machines.errors import PlacewiseError

OWN, ADVISED = "the plan", "as advised"
_MOST_PLANS = 12  # side by side

OnProgress = Callable[[float], None]


@dataclass(frozen=True)
class Given:
    """What a report is told beside its project.

    Attributes
    ----------
    file : str
        Name of the project's or plan's file, for the commands that use it.
    date : str
        As the user wrote it; empty: none.
    seconds : float
        Effort of the search for a better plan.
    known : tuple of Plan
        Plans met elsewhere, from which the search goes on.
    warnings : tuple of str
        What was noticed while the project was read.
    """

    file: str
    date: str = ""
    seconds: float = 2.0
    known: tuple[Plan, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Reported:
    """What all sections say something of.

    Attributes
    ----------
    prediction : Prediction
        Of the project's plan.
    explanation : Explanation
        The answer, seen from that plan.
    rows : tuple of Row
        The plan, the advised one if it is another, and those that they are compared with.
    left_out : tuple of str
        Sentences: pins that can't run.
    """

    project: Project
    problem: Problem
    prediction: Prediction
    explanation: Explanation
    rows: tuple[Row, ...]
    left_out: tuple[str, ...]
    given: Given

    @property
    def changes(self) -> bool:
        """Whether the answer is another plan than the project's."""
        return self.explanation.against_current is not None

    @property
    def advised(self) -> Row | None:
        """The advised plan, if it is another one."""
        return next((row for row in self.rows if self.changes and row.name == ADVISED), None)

    @property
    def value_s(self) -> float:
        """What the plan reaches."""
        return self.prediction.value_s(self.project.objective)

    @cached_property
    def here(self) -> Problem:
        """The problem as the plan decides it: nothing but allocation and order is open."""
        return self.problem.settled(self.prediction.plan)

    @cached_property
    def causes(self) -> TaskCauses:
        """What the time of every task goes to."""
        return task_causes(self.here.costs, self.prediction)


def reported(
    project: Project,
    given: Given,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Reported:
    """Search for a better plan, explain, and set all plans side by side.

    Parameters
    ----------
    on_progress : callable, optional
        Told the share done.
    should_stop : callable, optional
        Ends the search and the reasons; the rest is given in any case.

    Raises
    ------
    InfeasibleError
        The project's plan can't run.
    """
    tell = on_progress or (lambda _share: None)
    problem = project.problem()
    prediction = predict(problem, project.plan)
    explanation = _explained(problem, project, given, tell, should_stop)
    rows, left_out = _side_by_side(project, problem, explanation)
    tell(1.0)
    return Reported(project, problem, prediction, explanation, rows, left_out, given)


def _explained(
    problem: Problem,
    project: Project,
    given: Given,
    tell: OnProgress,
    should_stop: ShouldStop | None,
) -> Explanation:
    """The answer, searched from the project's plan and seen from it."""
    found = advise(
        problem,
        project.objective,
        seconds=given.seconds,
        start=project.plan,
        on_progress=lambda told: tell(0.5 * told.fraction),
        should_stop=should_stop,
    )
    pins = [pin.plan for pin in project.pins]
    explanation = explain(
        problem,
        found,
        project.plan,
        should_stop,
        lambda share: tell(0.5 + 0.4 * share),
        known=(*pins, *given.known),
    )
    # how long the search took is the machine's, not the project's
    recommendation = replace(explanation.recommendation, seconds_spent=0.0)
    return replace(explanation, recommendation=recommendation)


def _side_by_side(
    project: Project, problem: Problem, explanation: Explanation
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The plans of the comparison, each allocation once, and which pins can't be there."""
    named = [(OWN, project.plan)]
    if explanation.against_current is not None:
        named.append((ADVISED, explanation.advised))
    left_out = []
    for pin in project.pins:
        try:
            predict(problem, pin.plan)
        except PlacewiseError as error:
            left_out.append(f"The pinned plan “{pin.name}” can't run: {error}")
        else:
            named.append((f"pinned “{pin.name}”", pin.plan))
    single = best_single_machine(problem, project.objective)
    others = [] if single is None else [single]
    others += [(title_of(name), plan) for name, plan, _ in explanation.recommendation.alternatives]
    seen = [plan for _, plan in named]
    for name, plan in others:
        if len(named) < _MOST_PLANS and not any(plan.alike(one) for one in seen):
            named.append((name, plan))
            seen.append(plan)
    bound_s = explanation.recommendation.bound_s
    return compare(problem, named, project.objective, bound_s), tuple(left_out)
