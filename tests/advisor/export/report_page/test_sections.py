"""What a report says: the answer, the plans, what it rests on, and commands that work."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.advice.gains_by_decision import DecisionGain
from advisor.advice.savings import saving
from advisor.allocation.plan import Plan
from advisor.commands import cli
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.registry import differing
from advisor.export.export_record import PLAN
from advisor.export.process_placement import MAPPING
from advisor.export.registry import exports_of
from advisor.export.report_page import sections
from advisor.export.report_page.assumptions import SECTION as ASSUMPTIONS
from advisor.export.report_page.how_to_run import SECTION as CARRY_OUT
from advisor.export.report_page.page_blocks import Code, Listing
from advisor.export.report_page.sections import page_of
from advisor.export.tree_on_hosts import TREE
from advisor.project.examples import load_example
from advisor.project.project import Pin, Project
from advisor.project.project_file import write_project
from tests.advisor.export.report_page.asked import (
    clustered,
    made,
    monitored,
    otherwise,
    read,
    section,
    unsearched,
    words,
)
from tests.choosing import choosing
from tests.conftest import two_machines
from tests.dummies.report_section import thanks

NAMES = ("question", "answer", "schedule", "causes", "use", "plans", "flips", "tables",
         "assumptions", "validity", "carry-out", "versions")  # fmt: skip


def said(report: object, name: str) -> str:
    return words(section(read(report), name))  # type: ignore[arg-type]


def test_all_sections_are_there_in_their_order() -> None:
    assert [one.name for one in page_of(made(two_machines(2))).chapters] == list(NAMES)


def test_a_section_with_nothing_to_say_is_left_out() -> None:
    report = unsearched(two_machines())
    assert {"plans", "flips"}.isdisjoint(one.name for one in page_of(report).chapters)


def test_a_new_section_is_a_file_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "SECTIONS", (*sections.SECTIONS, thanks.SECTION))
    root = read(made(two_machines(2)))
    assert "Thanks for asking about A then B." in words(section(root, "thanks"))
    assert "#thanks" in [one.get("href") for one in root.iter() if one.get("href")]


def test_of_many_contenders_the_rest_is_counted() -> None:
    text = said(unsearched(two_machines(9)), "assumptions")
    assert "job 6 (1 computing), 3 more." in text
    assert "more." not in said(unsearched(two_machines(2)), "assumptions").split("M1 is slowed")[1]


def test_the_answer_is_the_move_its_gain_and_its_proof() -> None:
    text = said(made(two_machines(2)), "answer")
    assert "Move A to M2: saves 10.0 s (21 %)." in text
    assert "Makespan 48.0 s" in text
    assert "As advised 38.0 s −10.0 s (−21 %)" in text
    assert "Proof none is better Shortest path" in text
    assert "Proved best of 4 allocations" in text


def test_a_plan_that_is_the_answer_says_what_to_run_where() -> None:
    project = replace(two_machines(2), plan=Plan((1, 0)))
    text = said(made(project), "answer")
    assert "Run A on M2, B on M1: makespan 38.0 s, 10.0 s (21 %) less than with all on M1" in (
        text.replace("both on M1", "all on M1")
    )
    assert "Keep A on M2, B on M1: none is better" in text


def test_both_schedules_are_on_one_axis_where_another_plan_is_advised() -> None:
    root = section(read(made(two_machines(2))), "schedule")
    text = words(root)
    assert "makespan 48.0 s" in text
    assert "makespan 38.0 s" in text
    assert text.count("20.0 s") == text.count("40.0 s") == 2
    assert "1 of 2 tasks moves" in text


def test_pins_are_compared_and_one_that_can_not_run_is_told() -> None:
    project = two_machines(2)
    small = replace(project.platform.machines[1], memory_bytes=1)
    platform = replace(project.platform, machines=(project.platform.machines[0], small))
    tasks = tuple(replace(task, memory_bytes=10) for task in project.workload.tasks)
    workload = replace(project.workload, tasks=tasks)
    pins = (Pin("mine", Plan((0, 0), (0, 1))), Pin("full", Plan((1, 1))))
    text = said(made(replace(project, platform=platform, workload=workload, pins=pins)), "plans")
    assert "pinned “mine”" in text
    assert "The pinned plan “full” can't run" in text


def test_every_assumption_has_a_source() -> None:
    for name in ("campaign", "multicomputer", "solvers", "survey", "two-machines-loaded"):
        (block,) = ASSUMPTIONS.blocks(unsearched(load_example(name)))
        assert isinstance(block, Listing)
        assert len(block.items) > 6
        assert all(text and source for text, source in block.items)


def test_contenders_and_presets_are_told_with_their_sources() -> None:
    text = said(unsearched(load_example("two-machines-loaded")), "assumptions")
    assert "M1 is slowed ×3.00, beside" in text
    assert "arrival theorem; exact processor sharing" in text
    assert "Figueira" in text
    published = replace(two_machines(2), reading="published")
    assert "Figueira & Berman 1996, sec. 3.2" in said(unsearched(published), "assumptions")


def test_programs_and_laws_are_told() -> None:
    text = said(unsearched(load_example("solvers")), "assumptions")
    assert "scales by" in text
    assert "program" in said(unsearched(load_example("multicomputer")), "assumptions")


ALWAYS = len(exports_of(PLAN)) + 1  # and everything


@pytest.mark.parametrize(
    ("project", "expected"),
    [
        (two_machines(2), ALWAYS),
        (choosing(), ALWAYS + 2 * len(exports_of(MAPPING)) + len(exports_of(TREE)) - 1),
    ],
    ids=["machines", "every choice"],
)
def test_every_command_of_a_report_writes_its_file(
    project: Project,
    expected: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Those of the plan, of each task's mapping and each overlay's tree, and of everything."""
    monkeypatch.chdir(tmp_path)
    write_project(project, "a b.placewise")
    commands = [
        line
        for block in CARRY_OUT.blocks(made(project, "a b.placewise"))
        if isinstance(block, Code) and not block.folded
        for line in block.text.splitlines()
    ]
    assert len(commands) == expected
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "placewise"
        assert cli.main(arguments) == 0, capsys.readouterr().err
        assert Path(arguments[-1]).stat().st_size > 0


def test_what_a_fold_holds_is_what_the_command_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project = two_machines(2)
    write_project(project, "p.placewise")
    folds = {
        block.title: block.text
        for block in CARRY_OUT.blocks(made(project))
        if isinstance(block, Code) and block.folded
    }
    assert cli.main(["export", "p.placewise", "--to", "csv", "--output", "p-csv.csv"]) == 0
    assert folds["p-csv.csv"] == Path("p-csv.csv").read_text(encoding="utf-8").rstrip("\n")


def test_what_to_change_is_listed_task_by_task() -> None:
    text = said(made(two_machines(2)), "carry-out")
    assert "What to change of what from to A machine M1 M2" in text


def test_the_warnings_of_the_models_and_the_files_are_there() -> None:
    report = clustered()
    given = replace(report.given, warnings=("a task without a runtime is kept as 0",))
    assert "A task without a runtime is kept as 0" in said(replace(report, given=given), "validity")
    assert "no warnings" in said(made(two_machines()), "validity")


def test_machines_without_a_limit_say_so_and_links_their_load() -> None:
    text = said(clustered(), "tables")
    assert "1.00 GB" in text
    assert "no limit" in text
    assert "Links and switches link moved bandwidth busy" in text


def test_every_kind_of_decision_is_told_with_what_it_saves() -> None:
    report = unsearched(load_example("monitored"))
    gains = (
        DecisionGain(("style",), "Message style of fft: short", 60.0, 0.0),
        DecisionGain(("tree",), "Tree: monitor: 8×8 tree", -6.0, None),
    )
    explanation = replace(report.explanation, by_decision=gains)
    text = said(replace(report, explanation=explanation), "decisions")
    assert "Message style of fft: short −1 min" in text
    assert "Tree: monitor: 8×8 tree +6.00 s" in text
    assert "can't run" in text
    for kind in ("message style", "mapping", "processors", "tree"):
        assert kind in text
    assert "left open" in text


def test_what_to_change_names_every_kind_of_decision() -> None:
    report = unsearched(load_example("monitored"))
    plan = report.project.plan
    advised = otherwise(report.project)
    saved = saving("the present allocation", "makespan", report.prediction, report.prediction)
    explanation = replace(report.explanation, advised=advised, against_current=saved)
    text = said(replace(report, explanation=explanation), "carry-out").partition("In the")[0]
    for kind in differing(report.problem, plan, advised):
        assert (kind.title.lower() if kind is not ALLOCATION else " machine ") in text
    assert len(differing(report.problem, plan, advised)) >= 4


def test_overlays_are_a_part_of_the_question_and_rest_on_their_model() -> None:
    report = unsearched(load_example("monitored"))
    assert "1 overlay" in said(report, "question")
    assert "Roth, Arnold & Miller 2003" in said(report, "assumptions")


def test_a_plan_without_choices_has_no_section_on_decisions() -> None:
    page = page_of(unsearched(two_machines()))
    assert "decisions" not in [one.name for one in page.chapters]


def test_money_and_energy_are_told_where_machines_have_a_price_and_watts() -> None:
    project = two_machines(2)  # 48 s on M1 alone
    machines = tuple(
        replace(one, price_per_hour=3600.0, watts=36000.0) for one in project.platform.machines
    )
    platform = replace(project.platform, machines=machines)
    text = said(made(replace(project, platform=platform)), "answer")
    assert "Money 48.0 1 machine paid until the makespan" in text
    assert "Energy 480 Wh" in text
    assert "Money" not in said(made(project), "answer")


def test_what_plans_decide_otherwise_is_told_beside_their_times() -> None:
    text = said(monitored(), "plans")
    assert "Times of the plans plan makespan ± total ±" in text
    assert "What the plans take" in text
    _, _, choices = text.partition("What the plans decide plan decision choice")
    pinned = choices.partition("pinned “other”")[2]
    assert "processors" in pinned
    assert "tree" in pinned
    assert "processors of tasks" not in pinned
