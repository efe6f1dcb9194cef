"""Laws that every kind of decision obeys, on a problem that has them all."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings

from advisor.allocation.choices import TaskChoice
from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.decisions.decision import Decision
from advisor.decisions.instructions import instruction
from advisor.decisions.registry import DECISIONS, differing, known, present
from advisor.project.examples import load_example
from machines import InputError, Machine, Platform
from tests.advisor.decided import everything, plans

KINDS = pytest.mark.parametrize("kind", DECISIONS, ids=lambda kind: kind.name)


def _said(plan: Plan) -> dict[str, object]:
    """What a plan holds by kind, defaults left out."""
    choices = {
        name: tuple(one for one in plan.choices if one.name == name)
        for name in ("style", "mapping", "block", "technology")
    }
    return {
        "allocation": plan.allocation, "processors": plan.processors, "tree": plan.overlays,
        "variant": plan.variants,
    } | choices  # fmt: skip


def test_the_campaign_has_every_kind() -> None:
    problem, plan = everything()
    assert present(problem, plan) == DECISIONS
    assert list(known()) == [kind.name for kind in DECISIONS]
    assert differing(problem, plan, plan) == ()


def test_a_plain_workload_has_the_allocation_alone() -> None:
    problem = Problem.of(Platform("p", (Machine("M"),)), Workload("w", (Task("t", work=1.0),)))
    assert [kind.name for kind in present(problem, Plan((0,)))] == ["allocation"]


@KINDS
@settings(max_examples=5)
@given(plan=plans())
def test_what_is_put_is_what_the_plan_decides_and_nothing_else_is(
    kind: Decision, plan: Plan
) -> None:
    problem, _ = everything()
    for subject in kind.values(problem, plan):
        options = kind.options(problem, plan, subject)
        for value in (*options[:3], *options[-1:], *kind.moves(problem, plan, subject)[:3]):
            changed = kind.put(problem, plan, subject, value)
            assert kind.values(problem, changed)[subject] == value
            before, after = _said(plan), _said(changed)
            # that fit where a task goes
            also = {"processors", "variant"} if kind.name == "allocation" else set()
            assert {name for name in before if before[name] != after[name]} <= {kind.name, *also}


@KINDS
@settings(max_examples=5)
@given(plan=plans())
def test_moves_are_others_that_can_run_or_are_refused(kind: Decision, plan: Plan) -> None:
    problem, _ = everything()
    for subject, value in kind.values(problem, plan).items():
        moves = kind.moves(problem, plan, subject)
        assert value not in moves
        assert len(set(moves)) == len(moves)
        for other in moves[:2]:
            try:
                found = reached_s(problem, "makespan", kind.put(problem, plan, subject, other))
            except InputError:
                continue
            assert found > 0.0


@KINDS
@settings(max_examples=5)
@given(plan=plans())
def test_everything_that_may_be_decided_is_said_in_words(kind: Decision, plan: Plan) -> None:
    problem, _ = everything()
    assert kind.title
    assert kind.help
    for subject, value in kind.values(problem, plan).items():
        assert kind.subject(problem, subject)
        for one in (value, *kind.options(problem, plan, subject)):
            assert kind.words(problem, subject, one).strip()
        assert isinstance(kind.is_open(problem, subject), bool)
    assert kind.cell(problem, plan)


@KINDS
@settings(max_examples=5)
@given(plan=plans(), other=plans())
def test_a_decision_of_another_plan_is_taken_whole_and_alone(
    kind: Decision, plan: Plan, other: Plan
) -> None:
    taken = kind.taken(plan, other)
    before, there, after = _said(plan), _said(other), _said(taken)
    assert after[kind.name] == there[kind.name]
    assert {name for name in before if before[name] != after[name]} <= {kind.name}
    problem, _ = everything()
    beside = replace(other, allocation=plan.allocation)  # on which defaults depend
    assert kind.differing(problem, kind.taken(plan, beside), beside) == ()


@settings(max_examples=6)
@given(plan=plans(), other=plans())
def test_all_that_differs_taken_in_any_order_gives_the_other_plan(plan: Plan, other: Plan) -> None:
    problem, _ = everything()
    for order in (DECISIONS, tuple(reversed(DECISIONS))):
        reached = plan
        for kind in order:
            reached = kind.taken(reached, other)
        assert replace(reached, strategy=other.strategy) == other
        assert differing(problem, reached, other) == ()


def test_options_hold_what_is_best_of_what_programs_leave_open() -> None:
    problem, plan = everything()
    kinds = known()
    for best in problem.program_options:
        for one in best.on(plan.allocation[best.task]):
            assert one.value in kinds[one.name].options(problem, plan, one.task)


def test_a_cell_names_three_subjects_and_counts_the_rest() -> None:
    problem, plan = everything()
    cell = known()["allocation"].cell(problem, plan)
    assert cell.count(";") == 3
    assert cell.endswith(f"; {len(plan.allocation) - 3} more")


def test_numbers_of_processors_go_in_steps_and_doublings_within_the_machine() -> None:
    problem, plan = everything()
    kind = known()["processors"]
    subject = problem.workload.index["flow"]
    cores = problem.platform.machines[plan.allocation[subject]].cores
    assert kind.options(problem, plan, subject) == tuple(range(1, cores + 1))
    for here in range(1, cores + 1):
        put = kind.put(problem, plan, subject, here)
        near = {here - 1, here + 1, here // 2, 2 * here} - {here}
        assert set(kind.moves(problem, put, subject)) == near & set(range(1, cores + 1))
    plain = problem.workload.index["report"]
    assert kind.options(problem, plan, plain) == ()


def test_a_task_that_moves_keeps_no_more_processors_than_its_machine_has() -> None:
    problem, plan = everything()
    kinds, subject = known(), problem.workload.index["flow"]
    options = kinds["allocation"].options(problem, plan, subject)
    assert {problem.platform.machines[one].name for one in options} == {"n1", "n2", "n3", "n4"}
    for where in options:
        moved = kinds["allocation"].put(problem, plan, subject, where)
        counts = kinds["processors"].values(problem, moved)
        assert counts[subject] <= problem.platform.machines[where].cores


def test_a_plan_that_can_not_run_is_told_apart_all_the_same() -> None:
    problem, plan = everything()
    name, align = known(), problem.workload.index["align"]
    there = replace(plan, allocation=tuple(problem.platform.index["svc"] for _ in plan.allocation))
    for kind in DECISIONS:
        assert kind.cell(problem, there)
        kind.differing(problem, plan, there)
        for subject in kind.values(problem, there):
            kind.options(problem, there, subject)
            kind.moves(problem, there, subject)
    assert name["block"].differing(problem, plan, there) == (align,)
    assert instruction(problem, plan, there)


def test_a_plan_for_other_overlays_is_refused() -> None:
    problem, plan = everything()
    tree = known()["tree"].values(problem, plan)[0]
    with pytest.raises(InputError, match="another workload"):
        problem.settled(replace(plan, overlays=(tree, tree)))


def test_a_choice_that_a_program_does_not_have_can_not_be_carried_out() -> None:
    problem, plan = everything()
    report = problem.workload.index["report"]
    with pytest.raises(InputError, match="no program"):
        problem.settled(replace(plan, choices=(TaskChoice(report, "style", "x"),)))


def test_a_settled_plan_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    project = load_example("monitored")
    problem, builds = project.problem(), 0
    import advisor.allocation.problem as module

    build = module.build_costs

    def counted(*given: object) -> object:
        nonlocal builds
        builds += 1
        return build(*given)

    monkeypatch.setattr(module, "build_costs", counted)
    kinds = known()
    fft = problem.workload.index["fft"]
    style = kinds["style"].options(problem, project.plan, fft)[1]
    trees = kinds["tree"].options(problem, project.plan, 0)
    plan = kinds["tree"].put(problem, project.plan, 0, trees[1])
    plan = kinds["style"].put(problem, plan, fft, style)
    first = reached_s(problem, "makespan", plan)
    once = builds
    assert once > 0
    for _ in range(3):
        assert reached_s(problem, "makespan", plan) == first
        moved = kinds["allocation"].put(problem, plan, problem.workload.index["report"], 0)
        assert math.isfinite(reached_s(problem, "makespan", moved))
    assert builds == once


def test_the_settled_plan_asked_for_last_is_remembered_longest() -> None:
    problem, plan = everything()
    kind = known()["tree"]
    trees = kind.options(problem, plan, 0)[:9]
    kept = kind.put(problem, plan, 0, trees[0])
    found = problem.settled(kept)
    for tree in trees[1:]:
        problem.settled(kind.put(problem, plan, 0, tree))
        assert problem.settled(kept) is found
