"""The decision which tree every overlay has, and on which machines its internal processes run."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import cast

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.decision import Decision, Values
from advisor.overlays import overlay_options as options
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.overlay_words import tree_words


def trees_of(problem: Problem, plan: Plan) -> tuple[OverlayPlan, ...]:
    """The tree of every overlay, the default where the plan has none."""
    return options.trees_of(problem.platform, problem.workload.overlays, plan.overlays)


def _options(problem: Problem, _plan: Plan, subject: int) -> tuple[Hashable, ...]:
    return options.candidates(problem.platform, problem.workload.overlays[subject])


def _moves(problem: Problem, plan: Plan, subject: int) -> tuple[Hashable, ...]:
    tree = trees_of(problem, plan)[subject]
    return tuple(options.neighbours(problem.platform, problem.workload.overlays[subject], tree))


def _values(problem: Problem, plan: Plan) -> Values:
    return dict(enumerate(trees_of(problem, plan)))


def _put(problem: Problem, plan: Plan, subject: int, value: Hashable) -> Plan:
    trees = list(plan.overlays or (None,) * len(problem.workload.overlays))
    trees[subject] = cast("OverlayPlan", value)
    return replace(plan, overlays=tuple(trees), strategy="manual")


def _words(problem: Problem, subject: int, value: Hashable) -> str:
    return tree_words(problem.workload.overlays[subject], cast("OverlayPlan", value))


TREE = Decision(
    name="tree",
    title="Tree",
    help="Fan-outs of every overlay, and the machines of its internal processes "
    "(Roth, Arnold & Miller 2003)",
    values=_values,
    subject=lambda problem, subject: problem.workload.overlays[subject].name,
    options=_options,
    moves=_moves,
    put=_put,
    taken=lambda plan, other: replace(plan, overlays=other.overlays, strategy="manual"),
    words=_words,
    is_open=lambda _problem, _subject: True,
    of_tasks=False,
)
