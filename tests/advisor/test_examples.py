"""The examples open as projects whose plans can be carried out."""

from __future__ import annotations

import pytest

import resources
from advisor.examples import load_example
from advisor.formats.project_file import dump_project, parse_project
from advisor.plan import Plan
from advisor.predict import check_feasible, predict
from advisor.problem import Problem
from machines import InputError


@pytest.mark.parametrize("name", [example.name for example in resources.examples()])
def test_an_example_opens_with_a_plan_that_can_be_carried_out(name: str) -> None:
    project = load_example(name)
    check_feasible(Problem.of(project.platform, project.workload), project.plan)
    assert parse_project(dump_project(project)) == project


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("two-machines", {(0, 0): 16.0, (1, 0): 30.0, (1, 1): 48.0, (0, 1): 49.0}),
        ("two-machines-loaded", {(1, 0): 38.0, (0, 0): 48.0, (1, 1): 48.0, (0, 1): 73.0}),
        ("two-machines-loaded-link", {(0, 0): 48.0, (1, 1): 48.0, (1, 0): 54.0, (0, 1): 87.0}),
    ],
)
def test_the_papers_tables_come_out(name: str, values: dict[tuple[int, ...], float]) -> None:
    project = load_example(name)
    problem = Problem.of(project.platform, project.workload)
    for allocation, makespan_s in values.items():
        assert predict(problem, Plan(allocation)).makespan_s == pytest.approx(makespan_s, rel=1e-12)


def test_an_unknown_example_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match='Did you mean "campaign"'):
        load_example("campain")
