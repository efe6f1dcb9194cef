"""What `advise` says of a plan that decides more than where tasks run, and what that saves.

The command line knows no present plan, so decisions are weighed against the plan with which the
window begins: everything on one machine, or HEFT's, with nothing chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.advice.gains_by_decision import DecisionGain, gains_by_decision, gains_sentence
from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count
from advisor.basics.units import Unit
from advisor.commands.text import columns, say
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.decision import Decision
from advisor.decisions.processors_decision import PROCESSORS
from advisor.decisions.registry import present
from advisor.decisions.variant_decision import VARIANT
from advisor.export.json_answer import gains_report
from advisor.project.project import new_project
from machines import InputError

_ROWS = 40
_EACH = 6  # tasks whose variant is told of each
_PLAIN = (ALLOCATION, PROCESSORS)  # what the headline and the schedule say


@dataclass(frozen=True)
class Decided:
    """A plan's decisions against a first plan."""

    problem: Problem
    plan: Plan
    first: Plan
    first_s: float  # what that reaches
    gains: tuple[DecisionGain, ...]  # what each kind saves, after those before it and alone

    @property
    def against(self) -> str:
        """The first plan in words."""
        places = set(self.first.allocation)
        if len(places) > 1:
            return "HEFT's plan with nothing else chosen"
        return f"everything on {self.problem.platform.machines[places.pop()].name}, nothing chosen"


def decided(problem: Problem, objective: str, plan: Plan) -> Decided | None:
    """The decisions of a plan; None where it decides about machines and processors alone."""
    if all(kind in _PLAIN for kind in present(problem, plan)):
        return None
    first = new_project(problem.platform, problem.workload).plan
    try:
        first_s = reached_s(problem, objective, first)
    except InputError:
        return Decided(problem, plan, first, float("inf"), ())
    gains = gains_by_decision(problem, objective, first, plan)
    return Decided(problem, plan, first, first_s, gains)


def decided_report(found: Decided) -> dict[str, object]:
    """What the JSON of `advise` adds to the explanation."""
    machines = found.first.named(found.problem.workload, found.problem.platform)
    against = {"value_s": found.first_s, "allocation": machines}
    return {"by_decision": gains_report(found.gains), "by_decision_against": against}


def say_decided(found: Decided) -> None:
    """Print what the plan decides, a row a subject, and what each kind of decision saves."""
    problem, plan = found.problem, found.plan
    unit = Unit.of_times(*(_saved(found.gains)), found.first_s)
    rows: list[tuple[str, ...]] = []
    for kind in present(problem, plan):
        gain = next((one for one in found.gains if one.names[0] == kind.name), None)
        saves = ("", "") if gain is None else _cells(unit, gain)
        for subject, chosen in _subjects(problem, plan, kind):
            rows.append((kind.name, subject, chosen, *saves))
            saves = ("", "")
    header = ("decision", "of", "chosen", "saves", "alone")
    say("", columns(header, rows[:_ROWS], "lllrr"))
    if len(rows) > _ROWS:
        say(f"… and {count(len(rows) - _ROWS, 'more', 'more')}; --json gives all.")
    sentence = gains_sentence(found.gains, found.first_s)
    if sentence:
        say(f"{sentence} Against {found.against}: {unit.text(found.first_s)}.")


def _subjects(problem: Problem, plan: Plan, kind: Decision) -> list[tuple[str, str]]:
    """(subject, what is chosen); the machines of all tasks are in the schedule."""
    values = kind.values(problem, plan)
    if kind is ALLOCATION:
        machines = count(len(set(plan.allocation)), "machine")
        return [(count(len(values), "task"), machines)]
    if kind is VARIANT and len(values) > _EACH:
        ways = Counter(kind.words(problem, subject, value) for subject, value in values.items())
        chosen = ", ".join(f"{name} {number}" for name, number in ways.most_common())
        return [(count(len(values), "task"), chosen)]
    return [
        (kind.subject(problem, subject), kind.words(problem, subject, value))
        for subject, value in values.items()
    ]


def _saved(gains: Sequence[DecisionGain]) -> list[float]:
    return [one.gain_s for one in gains]


def _cells(unit: Unit, gain: DecisionGain) -> tuple[str, str]:
    alone = "" if gain.alone_s is None else unit.text(gain.alone_s)
    return unit.text(gain.gain_s), alone
