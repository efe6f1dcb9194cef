"""The decision on how many processors every scalable task takes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import cast

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.processors import canonical, checked, most_processors
from advisor.basics.quantities import count
from advisor.decisions.decision import Decision, Values


def _values(problem: Problem, plan: Plan) -> Values:
    counts = checked(problem.workload, plan.processors)
    return {subject: counts[subject] for subject in problem.workload.scalable}


def _options(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
    """Every number that its machine has."""
    scaling = problem.workload.tasks[subject].scaling
    if scaling is None:
        return ()
    cores = problem.platform.machines[plan.allocation[subject]].cores
    return tuple(range(scaling.least, most_processors(scaling, cores) + 1))


def _moves(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
    options = _options(problem, plan, subject)
    here = cast("int", _values(problem, plan)[subject])
    near = (here - 1, here + 1, here // 2, 2 * here)
    return tuple(dict.fromkeys(one for one in near if one in options and one != here))


def _put(problem: Problem, plan: Plan, subject: int, value: Hashable) -> Plan:
    counts = list(checked(problem.workload, plan.processors))
    counts[subject] = cast("int", value)
    return replace(plan, processors=canonical(problem.workload, counts), strategy="manual")


PROCESSORS = Decision(
    name="processors",
    title="Processors",
    help="Processors (cores) of every scalable task",
    values=_values,
    subject=lambda problem, subject: problem.workload.tasks[subject].name,
    options=_options,
    moves=_moves,
    put=_put,
    taken=lambda plan, other: replace(plan, processors=other.processors, strategy="manual"),
    words=lambda _problem, _subject, value: count(cast("int", value), "processor"),
    is_open=lambda _problem, _subject: True,
)
