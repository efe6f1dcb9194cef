"""The kinds of decisions that plans hold, as tables list them: a new one is one file and a line."""

from __future__ import annotations

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.decision import Decision
from advisor.decisions.processors_decision import PROCESSORS
from advisor.decisions.program_decisions import program_decision
from advisor.decisions.tree import TREE
from advisor.decisions.variant_decision import VARIANT
from advisor.programs.choices.block import BLOCK
from advisor.programs.choices.mapping_choice import MAPPING
from advisor.programs.choices.style import STYLE
from advisor.programs.choices.technology import TECHNOLOGY

DECISIONS: tuple[Decision, ...] = (
    ALLOCATION,
    PROCESSORS,
    VARIANT,
    program_decision(STYLE),
    program_decision(MAPPING),
    program_decision(BLOCK),
    program_decision(TECHNOLOGY),
    TREE,
)


def known() -> dict[str, Decision]:
    """Every kind by its name."""
    return {one.name: one for one in DECISIONS}


def present(problem: Problem, plan: Plan) -> tuple[Decision, ...]:
    """The kinds about which a plan of this workload decides anything."""
    return tuple(one for one in DECISIONS if one.values(problem, plan))


def differing(problem: Problem, plan: Plan, other: Plan) -> tuple[Decision, ...]:
    """The kinds about which two plans decide differently."""
    return tuple(one for one in DECISIONS if one.differing(problem, plan, other))
