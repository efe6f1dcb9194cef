"""What a contest keeps of the best plan known: all but places, order and, mostly, variants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from advisor.advice.judged_plan import Judge, PlanVerdict
from advisor.advice.known import best_known
from advisor.allocation.comparison import counts_in_words
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.stop_rule import ShouldStop
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.processors_decision import PROCESSORS
from advisor.decisions.registry import present
from advisor.decisions.variant_decision import VARIANT
from advisor.search import advise
from advisor.search.joint import is_joint
from machines import Platform

MOST_VARIED = 2_000  # tasks for which plans in other variants are searched


def too_many_variants(problem: Problem) -> bool:
    """Whether plans in other variants take too long to search for once a figure changes."""
    return bool(problem.workload.variable) and len(problem.workload.tasks) > MOST_VARIED


def alike(known: Iterable[Plan], kept: Plan) -> tuple[Plan, ...]:
    """Places, order and variants of the plans that decide all else as another."""
    return tuple(
        replace(one.bare(), variants=one.variants)
        for one in known
        if one.decides_as(replace(kept, variants=one.variants))
    )


def deciding_as(plan: Plan, kept: Plan) -> Plan:
    """A plan in its own variants, where it states some, with all else that another decides."""
    variants = kept.variants if plan.variants is None else plan.variants
    return replace(plan.deciding_as(kept), variants=variants)


def at_best_decisions(
    problem: Problem,
    objective: str,
    seconds: float,
    stop: ShouldStop,
    known: Iterable[Plan] = (),
    *,
    open_variants: bool = True,
) -> tuple[Problem, Plan | None]:
    """The problem with what the best plan known decides, which it notes, and that plan.

    Places, order and, unless that is not wanted, variants stay open. A problem in which nothing
    but allocation and order is open as it is, with None.
    """
    if problem.workload.settled and not is_joint(problem):
        return problem, None
    found = advise(problem, objective, seconds=seconds, should_stop=stop)
    plan = best_known(problem, found, known).plan
    here, unsaid = problem.settled(plan), {ALLOCATION, PROCESSORS}
    warnings = here.costs.warnings
    if open_variants and problem.workload.variable:
        here = problem.decided(plan.choices, plan.overlays).at(plan.processors)
        unsaid.add(VARIANT)
    notes = [
        f"{one.title} kept: {one.cell(problem, plan)}."
        for one in present(problem, plan)
        if one not in unsaid
    ]
    if counts := plan.counts(problem.workload):
        notes.append(f"Processor counts are kept: {counts_in_words(counts)}.")
    return replace(here, costs=replace(here.costs, warnings=(*warnings, *notes))), plan


def keeping(kept: Plan | None, judge: Judge, best: Plan) -> tuple[Judge, Plan]:
    """The judge and plan with what a plan decides beside the allocation in every plan."""
    if kept is None:
        return judge, best
    return replace(judge, judge=partial(_keeping, kept, judge)), deciding_as(best, kept)


def _keeping(kept: Plan, judge: Judge, platform: Platform, plan: Plan) -> PlanVerdict:
    found = judge(platform, plan)
    return replace(found, best=deciding_as(found.best, kept))
