"""A choice about programs that is one file and two lines is decided, said, stored and compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.advice.gains_by_decision import gains_by_decision
from advisor.allocation.choices import TaskChoice
from advisor.allocation.comparison import compare
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.decisions import decision_traits as traits
from advisor.decisions import instructions, registry
from advisor.decisions.instructions import instruction
from advisor.decisions.plan_table import plan_from, plan_table
from advisor.decisions.prices import of_task, priced
from advisor.decisions.program_decisions import program_decision
from advisor.programs import kinds
from advisor.search import advise, joint
from machines import InputError, Machine, Platform
from tests.dummies.program_choice.workers import WORKERS
from tests.dummies.program_kind.reduction import REDUCTION, Reduction

# four values: w cores add 4/w each and combine in w − 1 rounds, so two of them end first
SUM = Task("sum", program=Reduction(4, 0.5, "chain"))
PLATFORM, WORKLOAD = Platform("p", (Machine("P", cores=4),)), Workload("w", (SUM,))
EVERY_CORE, TWO = Plan((0,)), Plan((0,), choices=(TaskChoice(0, "workers", 2),))


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two lines that a contributor adds."""
    kind = replace(REDUCTION, choices=(WORKERS,))
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, kind))
    every = (*registry.DECISIONS, program_decision(WORKERS))
    for module in (registry, joint, traits, instructions):
        monkeypatch.setattr(module, "DECISIONS", every)


def problem() -> Problem:
    return Problem.of(PLATFORM, WORKLOAD)


def test_the_advisor_takes_the_best_of_its_options() -> None:
    found = advise(problem(), seconds=0.05)
    assert found.plan.choices == TWO.choices
    assert found.value_s == pytest.approx(0.5 * (4 / 2 + 1))
    assert found.proved_optimal


def test_what_it_saves_and_what_to_do_is_said() -> None:
    (gain,) = gains_by_decision(problem(), "makespan", EVERY_CORE, TWO)
    assert gain.words == "Workers: sum: 2 workers"
    assert gain.gain_s == pytest.approx(0.5 * (4 / 4 + 3) - 0.5 * (4 / 2 + 1))
    assert instruction(problem(), TWO, EVERY_CORE) == "Set workers of sum to 2 workers"


def test_every_option_has_its_price() -> None:
    (kind,) = of_task(problem(), EVERY_CORE, 0)
    *_, ((_every, best, *_),) = (
        tuple(one.options for one in found)
        for found in priced(problem(), EVERY_CORE, (kind,), 0, "makespan")
    )
    assert (best.words, best.value_s, best.is_best) == ("2 workers", pytest.approx(1.5), True)


def test_it_is_a_column_where_plans_are_compared() -> None:
    rows = compare(problem(), [("now", EVERY_CORE), ("two", TWO)])
    column = next(one for one in traits.shown(rows) if one.key == "workers")
    assert [column.of(row) for row in rows] == ["sum: 4 workers", "sum: 2 workers"]


def test_files_hold_it_and_a_value_that_it_refuses_has_its_place() -> None:
    table = plan_table(TWO, WORKLOAD, PLATFORM)
    assert table["choices"] == {"sum": {"workers": 2}}
    assert plan_from(table, WORKLOAD, PLATFORM) == TWO
    with pytest.raises(InputError, match="workers"):
        plan_from(table | {"choices": {"sum": {"workers": 0}}}, WORKLOAD, PLATFORM)
