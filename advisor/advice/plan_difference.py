"""Two plans in one sentence: how long both take, what they decide differently, what limits each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.advice.limits import ENGINE, HOLDINGS, NETWORK, PROCESSORS, STARTUPS, STATED, limit_of
from advisor.allocation.objectives import WITHIN, alike
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import FETCHING
from advisor.basics.quantities import count, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.units import durations
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.processors_decision import PROCESSORS as COUNTS
from advisor.decisions.registry import DECISIONS

NOW = "now"
_NAMED = 2  # choices that the sentence names


@dataclass(frozen=True)
class Change:
    """One decision, but where a task runs, that two plans make differently.

    `before`, `after`: what is decided, in words.
    """

    kind: str  # name of the kind of decision
    title: str
    task: int | None  # position; None: it is about an overlay
    subject: str  # name of the task or overlay
    before: str
    after: str

    @property
    def words(self) -> str:
        """What the second plan decides: "tree of monitor: 8×8 tree"."""
        return f"{self.title.lower()} of {self.subject}: {self.after}"


@dataclass(frozen=True)
class PlanDifference:
    """What one plan is beside another.

    `before`, `after`: their names. `detail`: "6 of 29 tasks move; tree of monitor: 8×8 tree; what
    limits: bus 93 % busy → 61 %".
    """

    before: str
    after: str
    makespan_s: tuple[float, float]  # what they take
    moved: tuple[int, ...]  # tasks that run on another machine
    changes: tuple[Change, ...]  # what else is decided differently
    headline: str  # "Now against “HEFT”: 11 min 58 s → 9 min 41 s (−19 %)"
    detail: str

    @property
    def sentence(self) -> str:
        """All of it."""
        return f"{self.headline}; {self.detail}."


@dataclass(frozen=True)
class _Limit:
    """A shared resource or a machine, by its position, or something without a load."""

    name: str
    resource: int = -1
    machine: int = -1

    def busy(self, prediction: Prediction) -> str:
        """Its load; empty where it has none."""
        if self.resource >= 0:
            return percent(prediction.resources[self.resource].busy_share)
        return percent(float(prediction.utilisation[self.machine])) if self.machine >= 0 else ""


def plan_difference(
    problem: Problem, before: tuple[str, Prediction], after: tuple[str, Prediction]
) -> PlanDifference:
    """Set one plan against another.

    `problem`: the question that both answer. `before`, `after`: (name, prediction); "now" is the
    current plan; other names are quoted.
    """
    (first, one), (second, other) = before, after
    times = (one.makespan_s, other.makespan_s)
    moved = np.flatnonzero(np.array(one.plan.allocation) != np.array(other.plan.allocation))
    changes = changes_between(problem, one, other)
    texts = durations(*times)
    name = "Now" if first == NOW else f"“{first}”"
    against = NOW if second == NOW else f"“{second}”"
    return PlanDifference(
        first,
        second,
        times,
        tuple(moved.tolist()),
        changes,
        f"{name} against {against}: {texts[0]} → {texts[1]} ({_change(*times)})",
        f"{_decided(problem, one, other, moved.size, changes)}; "
        f"what limits: {_limits(problem, one, other)}",
    )


def changes_between(problem: Problem, one: Prediction, other: Prediction) -> tuple[Change, ...]:
    """What two plans decide differently beside the allocation."""
    found = []
    for kind in DECISIONS:
        if kind is ALLOCATION:
            continue
        here, there = (kind.values(problem, side.plan) for side in (one, other))
        found += [
            Change(
                kind.name,
                kind.title,
                subject if kind.of_tasks else None,
                kind.subject(problem, subject),
                kind.words(problem, subject, here[subject]),
                kind.words(problem, subject, there[subject]),
            )
            for subject in here
            if here[subject] != there[subject]
        ]
    return tuple(found)


def _change(before_s: float, after_s: float) -> str:
    """How much less or more the second takes: "−19 %", or "no change"."""
    change_s = after_s - before_s
    if abs(change_s) <= ALIKE * max(before_s, after_s) or before_s <= 0.0:
        return "no change"
    sign = "+" if change_s > 0 else ""
    also = f", a tie {WITHIN}" if alike(before_s, after_s) else ""
    return f"{sign}{percent(change_s / before_s)}{also}"


def _decided(
    problem: Problem, one: Prediction, other: Prediction, moved: int, changes: tuple[Change, ...]
) -> str:
    """How many tasks move, and what else is decided differently; if nothing is, the order."""
    tasks = count(len(problem.workload.tasks), "task")
    moves = (
        f"{moved:,} of {tasks} {'moves' if moved == 1 else 'move'}" if moved else "no task moves"
    )
    resized = sum(one.kind == COUNTS.name for one in changes)
    if resized:
        verb = "takes" if resized == 1 else "take"
        moves += f", {count(resized, 'task')} {verb} another number of processors"
    others = [one.words for one in changes if one.kind != COUNTS.name]
    if more := len(others) - _NAMED if len(others) > _NAMED + 1 else 0:
        others = [*others[:_NAMED], f"{more:,} more choices differ"]
    if moved or changes:
        return "; ".join([moves, *others])
    same = np.array_equal(one.start_s, other.start_s)
    return f"{moves}, {'the order is unchanged' if same else 'the order differs'}"


def _limits(problem: Problem, one: Prediction, other: Prediction) -> str:
    """One limit and its load in both, or what limits each where that is not the same."""
    first, second = _limit(problem, one), _limit(problem, other)
    if first == second and not first.busy(one):
        return first.name
    if first == second:
        return f"{first.name} {first.busy(one)} utilised → {first.busy(other)}"
    return f"{_words(first, one)} → {_words(second, other)}"


def _words(limit: _Limit, prediction: Prediction) -> str:
    busy = limit.busy(prediction)
    return f"{limit.name} {busy} utilised" if busy else limit.name


def _limit(problem: Problem, prediction: Prediction) -> _Limit:
    """What limits a plan; where each transfer is alone, by what its critical path is spent on."""
    found = limit_of(problem, prediction)
    kind = found.kind if found is not None else _longest(prediction)
    if found is not None and kind in {HOLDINGS, ENGINE}:
        return _Limit(found.brief)
    if kind == STARTUPS:
        return _Limit("the startups of transfers")
    if kind == STATED:
        return _Limit("transfers")
    if kind == NETWORK:
        uses = prediction.resources
        shares = [use.busy_share for use in uses]
        place = found.resources[0] if found and found.resources else int(np.argmax(shares))
        return _Limit(uses[place].name, resource=place)
    machine = int(np.argmax(prediction.utilisation))
    return _Limit(problem.platform.machines[machine].name, machine=machine)


def _longest(prediction: Prediction) -> str:
    path = prediction.critical_breakdown_s
    moving = sum(path.get(cause, 0.0) for cause in FETCHING)
    return STATED if moving > 0.5 * prediction.makespan_s else PROCESSORS
