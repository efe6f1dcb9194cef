"""Explanations of answers, each worked out once: tests of the window ask the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from advisor.advice import how_sure
from advisor.advice import known as known_plans
from advisor.advice.explain import Explanation, explain
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.stop_rule import ShouldStop
from advisor.odds import dispatch

_found: dict[tuple[object, ...], Explanation] = {}


def explain_once(
    problem: Problem,
    recommendation: Recommendation,
    current: Plan,
    should_stop: ShouldStop,
    on_progress: Callable[[float], None],
    *,
    known: Iterable[Plan],
) -> Explanation:
    """As `explain`; what is stopped on the way is not kept."""
    known = tuple(known)
    asked = (
        (problem.platform, problem.workload, problem.reading, problem.sharing),
        replace(recommendation, seconds_spent=0.0),
        (current, known),
        draws(),
    )
    if asked not in _found:
        stopped = False

        def stop() -> bool:
            nonlocal stopped
            stopped = stopped or should_stop()
            return stopped

        made = explain(problem, recommendation, current, stop, on_progress, known=known)
        if stopped:
            return made
        _found[asked] = made
    made = _found[asked]
    spent_s = recommendation.seconds_spent
    return replace(made, recommendation=replace(made.recommendation, seconds_spent=spent_s))


def draws() -> tuple[int, ...]:
    """How much is drawn, which tests set."""
    return how_sure.MOST_DRAWS, known_plans.EVEN_DRAWS, dispatch.STEPS
