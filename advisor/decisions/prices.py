"""What every option of one decision about one subject costs, all else as the plan has it.

What a list of options needs to be a picture of a decision: which option the plan has, which the
workload states, which is best, and what the objective is with each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.choices import choosable, chosen_task
from advisor.allocation.choices import of_task as choices_of
from advisor.allocation.evaluation import reached_s
from advisor.allocation.feasibility import why_not
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.rounding import ALIKE
from advisor.decisions.decision import Decision
from advisor.decisions.registry import known
from advisor.decisions.tree import TREE
from advisor.decisions.variant_decision import VARIANT
from advisor.overlays.overlay_load import running
from advisor.overlays.overlay_measures import latency_s
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.overlay_words import brief_tree_words
from advisor.programs.program import obstacle
from machines.errors import InputError, PlacewiseError
from machines.stopping import Stopped, ask

_FEW = 3  # of so few options neighbours are listed as well


@dataclass(frozen=True)
class Priced:
    """One option.

    `is_present`, `is_stated`, `is_best`: the plan has it; it is what holds without a plan's word;
        none costs less.
    """

    value: Hashable  # as `Decision.put` takes it
    words: str
    is_present: bool
    is_stated: bool
    value_s: float = np.nan  # the objective with it, seconds; nan: not known yet, inf: it can't be
    reason: str = ""  # why it can't be
    latency_s: float = np.nan  # of an operation, where the option is a tree; nan else
    is_best: bool = False


@dataclass(frozen=True)
class PricedDecision:
    """A kind of decision about one subject with its options."""

    kind: Decision
    subject: int
    options: tuple[Priced, ...]
    now_s: float  # the objective as it is, seconds
    is_open: bool  # the workload leaves it to the plan


def of_task(problem: Problem, plan: Plan, position: int) -> tuple[Decision, ...]:
    """The kinds of decisions about a task where the plan has it: its variant, or its program.

    None where its seconds are stated, so that nothing about its program matters, or where it
    can't run.
    """
    if problem.workload.tasks[position].variants:
        return (VARIANT,)
    machine = problem.platform.machines[plan.allocation[position]]
    task = chosen_task(problem.workload.tasks[position], choices_of(plan.choices, position))
    if task.program is None or any(name == machine.name for name, _ in task.seconds):
        return ()
    if obstacle(task.program, machine):
        return ()
    kinds = known()
    return tuple(kinds[one.name] for one in choosable(task))


def of_overlay() -> tuple[Decision, ...]:
    """The kinds of decisions about an overlay."""
    return (TREE,)


def options_of(problem: Problem, plan: Plan, kind: Decision, subject: int) -> tuple[Priced, ...]:
    """The options of a decision, not priced: as `Decision.options` gives them, then others.

    What the plan has and what is stated are among them; of few options their neighbours, too.
    """
    present = kind.values(problem, plan)[subject]
    bare = kind.put(problem, plan, subject, None)
    stated = kind.values(problem, bare)[subject]
    found = list(kind.options(problem, plan, subject))
    if len(found) < _FEW:
        found += kind.moves(problem, plan, subject)
    return tuple(
        Priced(value, _words(problem, kind, subject, value), value == present, value == stated)
        for value in dict.fromkeys((*found, present, stated))
    )


def _words(problem: Problem, kind: Decision, subject: int, value: Hashable) -> str:
    """As the record has it; of trees in fewer words, as many are listed."""
    if isinstance(value, OverlayPlan):
        return brief_tree_words(problem.workload.overlays[subject], value)
    return kind.words(problem, subject, value)


def priced(
    problem: Problem, plan: Plan, kinds: tuple[Decision, ...], subject: int, objective: str
) -> Iterator[tuple[PricedDecision, ...]]:
    """The decisions about a subject, again and again with more of the options priced.

    The first has none; the last is complete.

    Raises `Stopped`: asked between options (`machines.stopping`).
    """
    apart = problem.apart()
    now_s = reached_s(apart, objective, plan)
    found = [
        PricedDecision(
            kind,
            subject,
            options_of(apart, plan, kind, subject),
            now_s,
            kind.is_open(apart, subject),
        )
        for kind in kinds
    ]
    yield tuple(found)
    for place, one in enumerate(found):
        options = list(one.options)
        for row, option in enumerate(options):
            ask()
            options[row] = _with_price(apart, plan, one, option, objective)
            found[place] = replace(one, options=_best_marked(options))
            yield tuple(found)


def _with_price(
    problem: Problem, plan: Plan, of: PricedDecision, option: Priced, objective: str
) -> Priced:
    changed = of.kind.put(problem, plan, of.subject, option.value)
    value_s, reason = of.now_s, ""
    try:
        if not option.is_present:
            value_s = reached_s(problem, objective, changed)
            if not np.isfinite(value_s):
                reason = _obstacle(problem, changed, of.subject)
        latency = _latency_s(problem, of.subject, option.value)
    except Stopped:
        raise
    except PlacewiseError as error:
        return replace(option, value_s=np.inf, reason=error.what)
    return replace(option, value_s=value_s, reason=reason, latency_s=latency)


def _obstacle(problem: Problem, plan: Plan, subject: int) -> str:
    try:
        here = problem.settled(plan)
        reason = why_not(here, subject, plan.allocation[subject])
    except PlacewiseError as error:
        reason = error.what
    return reason or "the plan can't run so"


def _latency_s(problem: Problem, subject: int, value: Hashable) -> float:
    if not isinstance(value, OverlayPlan):
        return float("nan")
    try:
        found = running(problem.platform, problem.workload.overlays[subject], value)
    except InputError:
        return float("nan")
    return latency_s(found)


def _best_marked(options: list[Priced]) -> tuple[Priced, ...]:
    """With the best of what is priced marked: of several alike the present one, or the first."""
    values = [one.value_s if np.isfinite(one.value_s) else np.inf for one in options]
    least = min(values)
    if not np.isfinite(least):
        return tuple(options)
    alike = [row for row, value in enumerate(values) if value <= least * (1.0 + ALIKE)]
    best = next((row for row in alike if options[row].is_present), alike[0])
    return tuple(replace(one, is_best=row == best) for row, one in enumerate(options))
