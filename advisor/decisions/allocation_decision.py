"""The decision on which machine every task runs, with the order in which they are placed."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import cast

from advisor.allocation.feasibility import why_not
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.decision import Decision, Values


def _values(_problem: Problem, plan: Plan) -> Values:
    return dict(enumerate(plan.allocation))


def _options(problem: Problem, _plan: Plan, subject: int) -> tuple[Hashable, ...]:
    machines = range(len(problem.platform.machines))
    return tuple(machine for machine in machines if not why_not(problem, subject, machine))


def _moves(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
    here = plan.allocation[subject]
    return tuple(one for one in _options(problem, plan, subject) if one != here)


def _put(problem: Problem, plan: Plan, subject: int, value: Hashable) -> Plan:
    moved = plan.moved((subject,), cast("int", value))
    return moved.settled(problem.workload, problem.platform)


def _taken(plan: Plan, other: Plan) -> Plan:
    return replace(plan, allocation=other.allocation, order=other.order, strategy="manual")


ALLOCATION = Decision(
    name="allocation",
    title="Allocation",
    help="The machine of every task, and the order on each machine",
    values=_values,
    subject=lambda problem, subject: problem.workload.tasks[subject].name,
    options=_options,
    moves=_moves,
    put=_put,
    taken=_taken,
    words=lambda problem, _subject, value: problem.platform.machines[cast("int", value)].name,
    is_open=lambda _problem, _subject: True,
)
