"""What to do to come to a plan: "Move 7 tasks to M2 (5 filter, 2 merge)".

`steps` are complete: carried out on the present plan they give the other one's allocation. The
sentence names the two largest of them and counts the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.allocation.comparison import (
    counts_in_words,
    moves_in_words,
    other_variants,
    plan_label,
    variants_in_words,
)
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, kind_word
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.processors_decision import PROCESSORS
from advisor.decisions.registry import DECISIONS
from advisor.decisions.variant_decision import VARIANT
from machines.errors import capital

_NAMED = 3  # so few tasks are named, and so many kinds; of more kinds or machines the two largest
_LARGEST = 2


@dataclass(frozen=True)
class Step:
    """Tasks (positions) that go to one machine (position)."""

    machine: int
    tasks: tuple[int, ...]


def steps(chosen: Plan, current: Plan | None = None) -> tuple[Step, ...]:
    """Which tasks go where, most tasks first; without a `current` plan all of them."""
    found: dict[int, list[int]] = {}
    for task, machine in enumerate(chosen.allocation):
        if current is None or current.allocation[task] != machine:
            found.setdefault(machine, []).append(task)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Step(machine, tuple(tasks)) for machine, tasks in ordered)


def instruction(problem: Problem, chosen: Plan, current: Plan) -> str:
    """What to change of the current plan, as a command."""
    before, after = current.counts(problem.workload), chosen.counts(problem.workload)
    counts = {name: processors for name, processors in after.items() if before[name] != processors}
    to_do = steps(chosen, current)
    choices = _choices(problem, chosen, current)
    ways = other_variants(problem, chosen, current)
    if not to_do and not counts and not choices and not ways:
        return "Start the tasks in another order"
    actions = []
    moved = sorted(task for step in to_do for task in step.tasks)
    if 0 < len(moved) <= _NAMED:
        actions = [f"move {moves_in_words(problem, moved, chosen.allocation)}"]
    elif moved:
        actions = [f"move {_groups(problem, to_do, 'to')}"]
    if counts:
        now = {before[name] for name in counts}
        was = f" (now {now.pop():,})" if len(now) == 1 else ""
        actions.append(f"run {counts_in_words(counts)}{was}")
    if ways:
        actions.append(f"run {variants_in_words(problem, ways)}")
    *others, last = [*actions, *choices]
    text = f"{', '.join(others)} and {last}" if others else last
    return capital(text)


def _choices(problem: Problem, chosen: Plan, current: Plan) -> list[str]:
    """What to choose otherwise about programs and overlays, the first of them by name."""
    said: list[str] = []
    more = 0
    for kind in DECISIONS:
        if kind in {ALLOCATION, PROCESSORS, VARIANT}:
            continue
        values = kind.values(problem, chosen)
        for subject in kind.differing(problem, current, chosen):
            if len(said) == _LARGEST:
                more += 1
                continue
            what = kind.words(problem, subject, values[subject])
            said.append(f"set {kind.title.lower()} of {kind.subject(problem, subject)} to {what}")
    return [*said, f"make {count(more, 'more choice', 'more choices')}"] if more else said


def start(problem: Problem, plan: Plan) -> str:
    """What to run where, as a command, where there is no present plan."""
    to_do = steps(plan)
    if len(to_do) == 1 or len(plan.allocation) <= _NAMED:
        return f"Run {plan_label(problem, plan)}"
    counts = plan.counts(problem.workload)
    tail = f", {counts_in_words(counts)}" if counts else ""
    if ways := other_variants(problem, plan):
        tail += f"; {variants_in_words(problem, ways)}"
    return f"Run {_groups(problem, to_do, 'on')}{tail}"


def _groups(problem: Problem, to_do: Sequence[Step], to: str) -> str:
    """Where the two largest groups go, with their kinds, and how many more tasks where."""
    machines = problem.platform.machines
    everything = len(to_do) == 1 and len(to_do[0].tasks) == len(problem.workload.tasks)
    words = []
    for place, step in enumerate(to_do[:_LARGEST]):
        amount = f"{len(step.tasks):,}" if place else count(len(step.tasks), "task")
        name = machines[step.machine].name
        words.append(f"{amount} {to} {name} ({kinds_in_words(problem, step.tasks)})")
    if rest := to_do[_LARGEST:]:
        more = sum(len(step.tasks) for step in rest)
        where = machines[rest[0].machine].name if len(rest) == 1 else f"{len(rest)} other machines"
        words.append(f"{more:,} more {to} {where}")
    *firsts, last = words
    joined = f"{', '.join(firsts)} and {last}" if firsts else last
    return f"all {joined}" if everything else joined


def kinds_in_words(problem: Problem, tasks: Sequence[int]) -> str:
    """Of what kinds tasks are: "5 filter, 2 merge"; names where they are few or of no kind.

    A kind of one task that bears its name is no more than that task: "5 filter, report".
    """
    names = [problem.workload.tasks[task].name for task in tasks]
    kinds = Counter(problem.workload.tasks[task].group for task in tasks)
    if len(names) <= _NAMED or max(kinds.values()) == 1:
        shown = len(names) if len(names) <= _NAMED else _LARGEST
        more = len(names) - shown
        return ", ".join(names[:shown]) + (f" and {more:,} more" if more else "")
    ranked = kinds.most_common()
    shown = len(ranked) if len(ranked) <= _NAMED else _LARGEST
    words = [
        kind if number == 1 and kind in names else f"{number:,} {kind_word(kind, number)}"
        for kind, number in ranked[:shown]
    ]
    others = sum(number for _, number in ranked[shown:])
    return ", ".join([*words, f"{others:,} others"] if others else words)
