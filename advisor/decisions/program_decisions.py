"""Decisions about the programs inside tasks: one for each choice that kinds of programs have."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from advisor.allocation.choices import choosable, chosen_task, of_task, with_choice
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task
from advisor.decisions.decision import Decision, Values
from advisor.programs.choices.program_choice import ProgramChoice
from machines import Machine


def program_decision(choice: ProgramChoice) -> Decision:
    """The decision of that choice, about every task whose program has it."""

    def values(problem: Problem, plan: Plan) -> Values:
        found: dict[int, Hashable] = {}
        for subject, task in enumerate(problem.workload.tasks):
            if choice in choosable(task):
                settled, machine = _there(problem, plan, subject)
                found[subject] = choice.present(settled.program, machine)
        return found

    def options(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
        task = problem.workload.tasks[subject]
        machine = problem.platform.machines[plan.allocation[subject]]
        return choice.options(task.program, machine)

    def moves(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
        settled, machine = _there(problem, plan, subject)
        present = choice.present(settled.program, machine)
        return choice.neighbours(settled.program, machine, present)

    def put(_problem: Problem, plan: Plan, subject: int, value: Hashable) -> Plan:
        choices = with_choice(plan.choices, subject, choice.name, value)
        return replace(plan, choices=choices, strategy="manual")

    def taken(plan: Plan, other: Plan) -> Plan:
        own = tuple(one for one in plan.choices if one.name != choice.name)
        theirs = tuple(one for one in other.choices if one.name == choice.name)
        both = sorted((*own, *theirs), key=lambda one: (one.task, one.name))
        return replace(plan, choices=tuple(both), strategy="manual")

    return Decision(
        name=choice.name,
        title=choice.title,
        help=choice.help,
        values=values,
        subject=lambda problem, subject: problem.workload.tasks[subject].name,
        options=options,
        moves=moves,
        put=put,
        taken=taken,
        words=lambda _problem, _subject, value: choice.words(value),
        is_open=lambda problem, subject: choice.is_open(problem.workload.tasks[subject].program),
    )


def _there(problem: Problem, plan: Plan, subject: int) -> tuple[Task, Machine]:
    """The task with the plan's choices, and its machine."""
    task = chosen_task(problem.workload.tasks[subject], of_task(plan.choices, subject))
    return task, problem.platform.machines[plan.allocation[subject]]
