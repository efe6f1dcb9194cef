"""Moved tasks: their programs take what is best of what they leave open on the new machine."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from advisor.allocation.choices import TaskChoice, choosable, with_choice
from advisor.allocation.moved_programs import at_best_where_moved, best_elsewhere, moved_plan
from advisor.allocation.moves import best_moves
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.messages.styles import ASYNCHRONOUS, SHORT, STYLES, Style
from advisor.project import decision_edits
from advisor.project.project import Project
from machines import InputError
from machines.errors import PlacewiseError
from tests.choosing import ALEWIFE, ALIGN, DIRECT, REPORT, SPECTRA, choosing

SHORT_STYLE = Style(ASYNCHRONOUS, SHORT)


@pytest.fixture(scope="module")
def project() -> Project:
    return choosing()


def moved(project: Project, plan: Plan, machine: int, *tasks: int) -> Plan:
    best = best_elsewhere(project.problem(), plan, tasks)[machine]
    return moved_plan(plan, project.workload, project.platform, tasks, machine, best)


def test_the_best_elsewhere_is_the_best_of_all_styles_and_mappings_tried(project: Project) -> None:
    there = moved(project, project.plan, DIRECT, SPECTRA)
    task = project.workload.tasks[SPECTRA]
    mapping = next(one for one in choosable(task) if one.name == "mapping")
    found = []
    for style, order in product(
        STYLES, mapping.options(task.program, project.platform.machines[DIRECT])
    ):
        choices = with_choice((), SPECTRA, "style", style)
        choices = with_choice(choices, SPECTRA, "mapping", order)
        plan = replace(project.plan.moved((SPECTRA,), DIRECT), choices=choices)
        found.append(predict(project.problem(), plan).task_s[SPECTRA])
    assert predict(project.problem(), there).task_s[SPECTRA] == pytest.approx(min(found), rel=1e-9)


def test_a_preview_is_what_predict_gives_the_plan_of_the_drop(project: Project) -> None:
    short = with_choice((), SPECTRA, "style", SHORT_STYLE)
    for choices in ((), short):
        plan = replace(project.plan, choices=choices)
        found = preview(project.problem(), plan, (SPECTRA,), exact=True)
        best = found.choices[DIRECT]
        drop = moved_plan(plan, project.workload, project.platform, (SPECTRA,), DIRECT, best)
        for machine, after in ((ALEWIFE, plan), (DIRECT, drop)):
            prediction = predict(project.problem(), after)
            assert found.values_s[machine] == pytest.approx(prediction.makespan_s, rel=1e-12)
            assert found.end_s[machine] == pytest.approx(prediction.end_s[SPECTRA], rel=1e-12)


def test_several_programs_are_chosen_for_together(project: Project) -> None:
    found = preview(project.problem(), project.plan, (ALIGN, SPECTRA), exact=True)
    assert {one.task for one in found.choices[DIRECT]} == {SPECTRA, ALIGN}
    drop = moved(project, project.plan, DIRECT, ALIGN, SPECTRA)
    value = predict(project.problem(), drop).makespan_s
    assert found.values_s[DIRECT] == pytest.approx(value, rel=1e-12)


def test_where_a_task_is_already_nothing_is_chosen(project: Project) -> None:
    found = best_elsewhere(project.problem(), project.plan, (SPECTRA, ALIGN, REPORT))
    assert found[ALEWIFE] == ()
    assert found[DIRECT]


def test_what_the_workload_states_stays_and_what_the_plan_overrules_too(project: Project) -> None:
    task = project.workload.tasks[SPECTRA]
    stated = replace(task.program, completion="synchronous", transport="short")  # type: ignore[type-var]
    workload = project.workload.with_task(SPECTRA, replace(task, program=stated))
    fixed = replace(project, workload=workload)
    found = best_elsewhere(fixed.problem(), fixed.plan, (SPECTRA,))[DIRECT]
    assert {one.name for one in found} == {"mapping"}
    over = replace(fixed.plan, choices=with_choice((), SPECTRA, "style", SHORT_STYLE))
    drop = moved(fixed, over, DIRECT, SPECTRA)
    assert TaskChoice(SPECTRA, "style", SHORT_STYLE) in drop.choices


def test_without_open_programs_the_problem_is_the_plans_own(project: Project) -> None:
    problem = project.problem()
    decided, choices = at_best_where_moved(problem, project.plan, (REPORT,))
    assert decided is problem.decided(project.plan.choices, project.plan.overlays)
    assert choices == ((),) * len(project.platform.machines)


def test_previews_count_what_the_plan_chooses_and_its_trees_take(project: Project) -> None:
    tasks = (REPORT,)
    plan = replace(project.plan, choices=with_choice((), SPECTRA, "style", SHORT_STYLE))
    found = preview(project.problem(), plan, tasks, exact=True)
    for machine in range(len(project.platform.machines)):
        value = predict(project.problem(), plan.moved(tasks, machine)).makespan_s
        assert found.values_s[machine] == pytest.approx(value, rel=1e-12)


def test_a_choice_is_put_in_taken_back_and_refused_where_it_can_not_run(project: Project) -> None:
    chosen = decision_edits.with_choice(project, SPECTRA, "style", SHORT_STYLE)
    assert chosen.plan.choices == (TaskChoice(SPECTRA, "style", SHORT_STYLE),)
    assert decision_edits.with_choice(chosen, SPECTRA, "style", None).plan.choices == ()
    with pytest.raises(InputError, match="no such choice"):
        decision_edits.with_choice(project, SPECTRA, "block", 4)
    with pytest.raises(PlacewiseError, match="alewife"):
        decision_edits.with_choice(project, SPECTRA, "mapping", (0, 1, 40))
    with pytest.raises(InputError, match="no program"):
        decision_edits.with_choice(project, REPORT, "style", SHORT_STYLE)


def test_what_a_move_chooses_is_said_and_of_several_programs_how_many(project: Project) -> None:
    workload, before = project.workload, project.plan.choices
    one = moved(project, project.plan, DIRECT, SPECTRA).choices
    assert (
        decision_edits.choices_in_words(workload, before, one)
        == "row-major, asynchronous long non-blocking"
    )
    both = moved(project, project.plan, DIRECT, SPECTRA, ALIGN).choices
    assert decision_edits.choices_in_words(workload, before, both) == "choices of 2 programs"
    assert decision_edits.choices_in_words(workload, one, one) == ""


def test_a_single_move_is_advised_with_what_is_best_there_and_is_worth_that(
    project: Project,
) -> None:
    problem = project.problem()
    for exactly in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            if not exactly:
                patch.setattr("advisor.allocation.moves._PLACEMENTS", 0)
            move = next(one for one in best_moves(problem, project.plan) if one.task == SPECTRA)
        assert move.machine == DIRECT
        there = moved(project, project.plan, DIRECT, SPECTRA)
        assert move.choices == there.choices
        assert move.value_s == pytest.approx(predict(problem, there).makespan_s, rel=1e-9)
