"""The decision in which of its variants every task runs: on cores alone, on a GPU."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import cast

from advisor.allocation.costs import misfit
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.decision import Decision, Values


def _values(problem: Problem, plan: Plan) -> Values:
    chosen = problem.variants_of(plan)
    return {subject: chosen[subject] for subject in problem.workload.variable}


def _options(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
    """Those that run on its machine."""
    task, platform = problem.workload.tasks[subject], problem.platform
    machine = platform.machines[plan.allocation[subject]]
    return tuple(
        place
        for place in range(len(task.variants))
        if not misfit(task.in_variant(place), machine, platform.resources)
    )


def _moves(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
    here = _values(problem, plan)[subject]
    return tuple(one for one in _options(problem, plan, subject) if one != here)


def _put(problem: Problem, plan: Plan, subject: int, value: Hashable) -> Plan:
    variants = list(problem.variants_of(plan))
    if value is None:  # the quickest alone on its machine
        value = problem.variants_of(replace(plan, variants=None))[subject]
    variants[subject] = cast("int", value)
    return replace(plan, variants=tuple(variants), strategy="manual")


def _words(problem: Problem, subject: int, value: Hashable) -> str:
    return problem.workload.tasks[subject].variants[cast("int", value)].name


VARIANT = Decision(
    name="variant",
    title="Variant",
    help="In which of its variants every task runs: on cores alone, on a GPU",
    values=_values,
    subject=lambda problem, subject: problem.workload.tasks[subject].name,
    options=_options,
    moves=_moves,
    put=_put,
    taken=lambda plan, other: replace(plan, variants=other.variants, strategy="manual"),
    words=_words,
    is_open=lambda _problem, _subject: True,
)
