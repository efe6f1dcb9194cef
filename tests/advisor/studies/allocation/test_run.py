"""The allocation study, as the window and the command line run it."""

from __future__ import annotations

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE, timeline_sentence
from advisor.studies import QUESTIONS, STUDIES, StudyProgress, parse_settings
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.allocation.run import run
from machines import InputError
from tests.conftest import cluster, two_machines


def slowed() -> Problem:
    project = two_machines(contenders=2)
    return Problem.of(project.platform, project.workload)


def test_the_answer_is_the_published_one() -> None:
    result = run(AllocationParameters(slowed(), Plan((0, 0))))
    assert result.sentence == "Move A to M2: saves 10.0 s (21 %)."
    assert result.recommendation is not None
    assert result.recommendation.plan.allocation == (1, 0)
    assert result.complete
    assert any("Proved best" in reason for reason in result.reasons)


@pytest.mark.parametrize("objective", ["makespan", "total"])
def test_the_bars_of_a_plan_stack_to_its_value(objective: str) -> None:
    project = cluster(machines=3, width=2, stages=2)
    problem = Problem.of(project.platform, project.workload)
    result = run(AllocationParameters(problem, project.plan, objective, seconds=0.1))
    (table,) = result.tables
    column = 1 if objective == "makespan" else 2
    for index, row in enumerate(table.rows):
        stacked = sum(series.y[index] for series in result.series)
        assert stacked == pytest.approx(row[column])
    assert [series.kind for series in result.series] == ["bars"] * len(result.series)


@pytest.mark.parametrize(
    ("sharing", "columns"),
    [(FAIR, ["contention-free", "busiest", "busy"]), (NONE, [])],
)
def test_the_table_and_the_reasons_say_on_which_timeline_they_are(
    sharing: str, columns: list[str]
) -> None:
    project = two_machines(contenders=2)
    problem = Problem.of(project.platform, project.workload, sharing=sharing)
    result = run(AllocationParameters(problem, Plan((0, 0))))
    (table,) = result.tables
    assert [name for name, _ in table.columns[4:]] == columns
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert result.reasons[-1] == timeline_sentence(sharing)


def test_progress_rises_to_its_end() -> None:
    seen: list[StudyProgress] = []
    run(AllocationParameters(slowed()), seen.append)
    shares = [progress.fraction for progress in seen]
    assert shares == sorted(shares)
    assert min(shares) >= 0.0
    assert max(shares) <= 1.0
    assert seen[-1].sentence


def test_stopping_gives_the_best_so_far() -> None:
    project = cluster(machines=3, width=2, stages=2)
    problem = Problem.of(project.platform, project.workload)
    result = run(AllocationParameters(problem, project.plan), should_stop=lambda: True)
    assert not result.complete
    assert result.recommendation is not None


def test_settings_choose_objective_and_strategy() -> None:
    settings = ["objective=total", "strategy=heft", "seconds=0.5", "seed=7"]
    parameters = parse_settings(AllocationParameters, settings, problem=slowed())
    assert (parameters.objective, parameters.strategy) == ("total", "heft")
    assert (parameters.seconds, parameters.seed) == (0.5, 7)
    with pytest.raises(InputError, match="heft"):
        parse_settings(AllocationParameters, ["strategy=luck"], problem=slowed())


def test_studies_are_found_by_their_names() -> None:
    assert [study.name for study in STUDIES.values()] == list(STUDIES) == list(QUESTIONS)
    assert [(one.title, one.question) for one in QUESTIONS.values()] == [
        (study.title, study.question) for study in STUDIES.values()
    ]
    needing = {name for name, study in STUDIES.items() if study.needs_problem}
    assert needing == {"allocation", "decision-map", "what-if"}
