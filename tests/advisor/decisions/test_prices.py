"""Options of one decision with their prices: all of them, and in the end as predicted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.choices import with_choice
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.predict import predict
from advisor.decisions.decision import Decision
from advisor.decisions.prices import PricedDecision, of_overlay, of_task, options_of, priced
from advisor.decisions.registry import known
from advisor.decisions.tree import TREE
from advisor.overlays.overlay_measures import overlay_measures
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.project.decision_edits import with_decision
from advisor.project.examples import load_example
from advisor.project.project import Project
from machines.stopping import Stopped, stoppable
from tests.choosing import ALEWIFE, ALIGN, REPORT, SPECTRA, choosing


@pytest.fixture(scope="module")
def project() -> Project:
    return choosing()


def complete(
    project: Project, kinds: tuple[Decision, ...], subject: int, objective: str = MAKESPAN
) -> tuple[PricedDecision, ...]:
    *_, last = priced(project.problem(), project.plan, kinds, subject, objective)
    return last


@pytest.mark.parametrize("objective", [MAKESPAN, TOTAL])
@pytest.mark.parametrize("task", [SPECTRA, ALIGN])
def test_every_option_costs_what_predict_says(project: Project, task: int, objective: str) -> None:
    problem = project.problem()
    for one in complete(project, of_task(problem, project.plan, task), task, objective):
        now = predict(problem, project.plan).value_s(objective)
        assert one.now_s == pytest.approx(now, rel=1e-12)
        for option in one.options:
            changed = one.kind.put(problem, project.plan, task, option.value)
            value = predict(problem, changed).value_s(objective)
            assert option.value_s == pytest.approx(value, rel=1e-12)


def test_trees_have_the_latency_of_their_measures(project: Project) -> None:
    (trees,) = complete(project, of_overlay(), 0)
    overlay = project.workload.overlays[0]
    for option in trees.options:
        assert isinstance(option.value, OverlayPlan)
        measures = overlay_measures(project.platform, overlay, option.value)
        assert option.latency_s == pytest.approx(measures.latency_s, rel=1e-12)
    assert len({option.words for option in trees.options}) == len(trees.options)


def test_prices_come_one_after_the_other_and_the_rows_stay(project: Project) -> None:
    problem = project.problem()
    kinds = of_task(problem, project.plan, SPECTRA)
    steps = list(priced(problem, project.plan, kinds, SPECTRA, MAKESPAN))
    rows = [[option.value for one in step for option in one.options] for step in steps]
    assert all(row == rows[0] for row in rows)
    known_now = [
        sum(not np.isnan(option.value_s) for one in step for option in one.options)
        for step in steps
    ]
    assert known_now == list(range(len(rows[0]) + 1))


def test_one_option_is_present_one_holds_by_itself_and_one_is_best(project: Project) -> None:
    chosen = replace(project.plan, choices=with_choice((), ALIGN, "block", 7))
    other = replace(project, plan=chosen)
    problem = other.problem()
    for one in complete(other, of_task(problem, chosen, ALIGN), ALIGN):
        for mark in ("is_present", "is_stated", "is_best"):
            assert [getattr(option, mark) for option in one.options].count(True) == 1
    blocks = options_of(problem, chosen, known()["block"], ALIGN)
    assert next(option.value for option in blocks if option.is_present) == 7
    program = other.workload.tasks[ALIGN].program
    best = program.best_blocks(other.platform.machines[ALEWIFE])  # type: ignore[union-attr]
    assert next(option.value for option in blocks if option.is_stated) == best


def test_where_nothing_about_a_program_matters_there_is_nothing_to_choose(
    project: Project,
) -> None:
    problem = project.problem()
    assert of_task(problem, project.plan, REPORT) == ()
    task = project.workload.tasks[SPECTRA]
    stated = replace(task, seconds=(("alewife", 1.0),))
    workload = project.workload.with_task(SPECTRA, stated)
    other = replace(project, workload=workload)
    assert of_task(other.problem(), other.plan, SPECTRA) == ()


def test_each_variant_of_a_task_has_its_price() -> None:
    sweep = load_example("gpu-sweep")
    problem, task = sweep.problem(), 1
    assert of_task(problem, sweep.plan, 0) == ()
    (kind,) = of_task(problem, sweep.plan, task)
    (found,) = complete(sweep, (kind,), task)
    assert [one.words for one in found.options] == ["cpu", "gpu"]
    assert [one.is_present for one in found.options] == [False, True]
    for one in found.options:
        changed = with_decision(sweep, kind.name, task, one.value)
        assert predict(changed.problem(), changed.plan).makespan_s == pytest.approx(one.value_s)
    by_itself = with_decision(changed, kind.name, task, None)
    assert sweep.problem().variants_of(by_itself.plan)[task] == 1  # on a GPU, the quickest


def test_what_can_not_be_says_why_and_is_not_the_best(project: Project) -> None:
    impossible = OverlayPlan.of(project_tree(project), ("login",) * 20)
    kind = replace(TREE, options=lambda _problem, _plan, _subject: (impossible,))
    (trees,) = complete(project, (kind,), 0)
    refused = next(option for option in trees.options if option.value == impossible)
    assert refused.value_s == np.inf
    assert "login" in refused.reason
    assert not refused.is_best


def project_tree(project: Project) -> object:
    from advisor.overlays.overlay_options import default_plan

    return default_plan(project.platform, project.workload.overlays[0]).tree


def test_pricing_stops_when_asked(project: Project) -> None:
    problem = project.problem()
    kinds = of_task(problem, project.plan, SPECTRA)
    steps = []
    with pytest.raises(Stopped), stoppable(lambda: len(steps) >= 3):
        for step in priced(problem, project.plan, kinds, SPECTRA, MAKESPAN):
            steps.append(step)  # noqa: PERF402 - counted while it goes
    assert len(steps) == 3


def test_pricing_leaves_the_problems_memory_alone(project: Project) -> None:
    problem = project.problem()
    settled = problem.settled(project.plan)
    list(priced(problem, project.plan, of_overlay(), 0, MAKESPAN))
    assert problem.settled(project.plan) is settled
