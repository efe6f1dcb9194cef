"""What a plan would reach with one kind of decision of another plan, each kind taken over alone."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics.stopping import ShouldStop
from advisor.decisions.decision import Decision
from advisor.decisions.registry import differing
from machines import PlacewiseError


@dataclass(frozen=True)
class Taking:
    """One kind of decision as in another plan, all else as it is."""

    kind: Decision
    value_s: float | None  # seconds of the objective that the plan then reaches; None: it can't run
    reason: str = ""  # why it can't; empty where it can


def takings(
    problem: Problem, objective: str, plan: Plan, other: Plan, should_stop: ShouldStop
) -> tuple[Taking, ...]:
    """The kinds in which two plans differ, each taken over alone; fewer where it was stopped."""
    found = []
    for kind in differing(problem, plan, other):
        if should_stop():
            break
        found.append(_taking(problem, objective, plan, other, kind))
    return tuple(found)


def _taking(problem: Problem, objective: str, plan: Plan, other: Plan, kind: Decision) -> Taking:
    try:
        value_s = predict(problem, kind.taken(plan, other)).value_s(objective)
    except PlacewiseError as error:
        return Taking(kind, None, str(error))
    return Taking(kind, value_s)
