"""The examples open as projects whose plans can be carried out."""

from __future__ import annotations

from dataclasses import replace

import pytest

import resources
from advisor.advice.gains_by_decision import gains_by_decision
from advisor.allocation.feasibility import check_feasible
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.messages.styles import SHORT, SYNCHRONOUS
from advisor.programs.remap import Remap
from advisor.project.examples import load_example
from advisor.project.project import Project
from advisor.project.project_edits import with_task
from advisor.project.project_file import dump_project, parse_project
from advisor.search import advise
from machines import InputError
from machines.catalogue import interconnect


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


def test_parallel_tasks_go_to_the_multicomputer_and_the_style_decides() -> None:
    project = load_example("multicomputer")
    assert project.platform.machines[1].network == interconnect("alewife")
    names = [task.name for task in project.workload.tasks]
    home = {"prepare": 0, "spectra": 1, "align": 1, "report": 0}
    assert advised(project) == tuple(home[name] for name in names)
    spectra = project.workload.tasks[names.index("spectra")]
    assert isinstance(spectra.program, Remap)
    slow = replace(spectra.program, completion=SYNCHRONOUS, transport=SHORT)
    changed = with_task(project, names.index("spectra"), replace(spectra, program=slow))
    assert advised(changed) == tuple((home | {"spectra": 0})[name] for name in names)


def test_solvers_take_the_processors_that_their_description_names() -> None:
    project = load_example("solvers")
    problem = Problem.of(project.platform, project.workload)
    plan = advise(problem, seconds=30.0).plan
    assert plan.counts(project.workload) == {"flow": 50, "structure": 11}
    best = predict(problem, plan)

    def changed(name: str, by: int) -> Plan:
        counts = list(plan.processors or ())
        counts[project.workload.index[name]] += by
        return replace(plan, processors=tuple(counts))

    for more in (1, 78):  # up to all 128
        assert predict(problem, changed("flow", more)).makespan_s > best.makespan_s
    assert predict(problem, changed("structure", -1)).makespan_s > best.makespan_s
    assert predict(problem, changed("structure", 20)).makespan_s == best.makespan_s


def test_every_kind_of_decision_matters_in_the_monitored_campaign() -> None:
    project = load_example("monitored")
    problem = project.problem()
    found = advise(problem, seconds=1.0, start=project.plan)
    gains = gains_by_decision(problem, "makespan", project.plan, found.plan)
    names = {name for one in gains for name in one.names}
    assert names == {"allocation", "processors", "style", "mapping", "tree"}
    saved_s = predict(problem, project.plan).makespan_s - found.value_s
    assert sum(one.gain_s for one in gains) == pytest.approx(saved_s, rel=1e-9)
    assert all(one.gain_s > 0.01 * saved_s for one in gains)
    (tree,) = found.plan.overlays
    assert tree is not None
    assert set(tree.internal) == {"svc"}  # off the nodes of the solvers


def advised(project: Project) -> tuple[int, ...]:
    problem = Problem.of(project.platform, project.workload)
    found = advise(problem, seconds=0.2)
    assert found.proved_optimal
    return found.plan.allocation


def test_an_unknown_example_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match='Did you mean "campaign"'):
        load_example("campain")
