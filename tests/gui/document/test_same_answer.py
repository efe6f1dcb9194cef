"""One question, one answer: what library, command line and window advise, and how they say it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.advice.explain import Explanation, explain
from advisor.project.examples import load_example
from advisor.project.project import Project, new_project
from advisor.project.project_file import write_project
from advisor.search import advise
from gui.basics.background_jobs import SearchProcess
from gui.document.advise import Advisor
from gui.document.document import Document
from gui.document.predictions import Predictions
from machines import InfeasibleError
from tests.advisor.commands.asking import Capture, answer_json
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan, random_problem
from tests.advisor.random_variants import random_variants
from tests.conftest import two_machines

EFFORT_S = 0.1


def project_of(seed: int) -> Project:
    """A few tasks on a few machines, with a present plan; a third of them have variants and GPUs.

    Another third share a network under any runtime, with memory, resources and unequal cores.
    """
    if seed % 3 == 1:
        problem = random_variants(seed)
        return new_project(problem.platform, problem.workload)
    if seed % 3 == 2:
        problem = random_executed(seed)
        return new_project(problem.platform, problem.workload)
    problem = random_problem(seed, most_tasks=6)
    return Project(problem.platform, problem.workload, random_plan(problem, seed))


def two_tasks() -> Project:
    """With variants, and so few plans that all are tried, however slow the window's process is."""
    problem = random_variants(4, most_tasks=2)
    return new_project(problem.platform, problem.workload)


@lru_cache
def by_library(project: Project) -> Explanation | None:
    problem = project.problem()
    try:
        found = advise(problem, project.objective, seconds=EFFORT_S, start=project.plan)
    except InfeasibleError:
        return None
    return explain(problem, found, project.plan)


def expect_alike(report: dict[str, object], expected: Explanation) -> None:
    told = report["explanation"]
    assert isinstance(told, dict)
    assert told["headline"] == expected.headline
    assert told["proof"] == expected.proof
    assert told["ties"] == expected.ties
    for name in ("timeline", "held", "anomaly"):
        assert told[name] == getattr(expected, name)
    assert told["limit"] == (expected.limit and expected.limit.sentence)
    assert report["value_s"] == expected.recommendation.value_s
    assert told["flips_searched"] == expected.flips_searched
    assert [one["value"] for one in told["flips"]] == [one.value for one in expected.flips]


def expect_same(project: Project, capsys: Capture, folder: Path) -> None:
    expected = by_library(project)
    if expected is None:
        return
    path = folder / "case.placewise"
    write_project(project, path)
    expect_alike(answer_json(capsys, "advise", str(path), "--seconds", str(EFFORT_S)), expected)


@pytest.mark.parametrize("seeds", [(0, 3), (1, 7), (2, 8)])
def test_the_command_line_says_what_the_library_does(
    seeds: tuple[int, ...], capsys: Capture, tmp_path: Path, compiled: None
) -> None:
    for seed in seeds:
        expect_same(project_of(seed), capsys, tmp_path)


def test_it_does_for_an_example_with_every_kind_of_decision(
    capsys: Capture, tmp_path: Path, compiled: None
) -> None:
    expect_same(load_example("monitored"), capsys, tmp_path)


@pytest.mark.parametrize("project", [two_machines(2), project_of(3), project_of(8), two_tasks()])
def test_the_window_says_it_too(project: Project, qtbot: QtBot) -> None:
    document = Document(project)
    predictions, search = Predictions(document), SearchProcess(warm_up=None)
    advisor = Advisor(document, search)
    try:
        predictions.request(document.project)
        advisor.start(EFFORT_S)
        qtbot.waitUntil(lambda: advisor.advice is not None)
        expected = by_library(project)
        assert expected is not None
        assert advisor.advice is not None
        assert advisor.advice.explanation.headline == expected.headline
        assert advisor.advice.explanation.proof == expected.proof
        assert advisor.advice.explanation.flips == expected.flips
        assert advisor.advice.explanation.reasons == expected.reasons
    finally:
        advisor.close()
        search.close()
        predictions.close()
