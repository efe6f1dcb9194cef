"""Studies and searches whose pieces are computed elsewhere: the same answers to the last bit."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.explain import explain
from advisor.allocation.problem import Problem
from advisor.basics.shards import computing_on
from advisor.messages.mapping.mapping_measures import OBJECTIVES
from advisor.search import STRATEGIES, advise
from advisor.search.portfolio import each_strategy
from advisor.studies import STUDIES, CheckProgress, StudyProgress, parse_settings
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import DecisionMap
from advisor.studies.decision_map.run import run as run_map
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run as run_mapping
from advisor.studies.study import StudyResult
from advisor.studies.study_json import study_report
from tests.campaign import campaign
from tests.conftest import cluster, two_machines
from tests.shuffled import Shuffled

pytestmark = pytest.mark.usefixtures("compiled")


def two_tasks() -> Problem:
    project = two_machines(contenders=2)
    return Problem.of(project.platform, project.workload)


def graph() -> Problem:
    project = cluster(machines=3, width=3, stages=2)
    return Problem.of(project.platform, project.workload)


def open_choices() -> Problem:
    project = campaign()
    return Problem.of(project.platform, project.workload)


def said(study: str, result: StudyResult, problem: Problem | None = None) -> str:
    return json.dumps(study_report(STUDIES[study], result, problem), sort_keys=True)


# Decision maps ----------------------------------------------------------------------------


def drawn(result: StudyResult) -> DecisionMap:
    found = result.picture(DecisionMap)
    assert found is not None
    return found


@pytest.mark.parametrize("make", [two_tasks, graph, open_choices])
def test_a_decision_map_is_the_same_whoever_computes_its_points(
    make: Callable[[], Problem],
) -> None:
    asked = DecisionMapParameters(make(), points=5, seconds=0.02)
    here, shards = run_map(asked), Shuffled()
    with computing_on(shards):
        there = run_map(asked)
    assert said("decision-map", there, asked.problem) == said("decision-map", here, asked.problem)
    one, other = drawn(here), drawn(there)
    assert (one.region == other.region).all()
    assert np.array_equal(one.values_s, other.values_s, equal_nan=True)
    assert (one.plans, one.labels, one.cells) == (other.plans, other.labels, other.cells)
    points = len(one.x_values)
    sent = sum(many for name, many in shards.calls if name == "_verdict")
    assert sent >= points**2 - 1  # a single point is not sent
    if len(one.plans) > 1:
        assert any(name == "crossings" for name, _ in shards.calls)


def test_a_map_that_is_stopped_elsewhere_keeps_what_it_has() -> None:
    asked = itertools.count()
    axes = {"x": "contenders:M1", "y": "link slowdown:M1-M2"}
    with computing_on(Shuffled()):
        result = run_map(
            DecisionMapParameters(two_tasks(), points=17, **axes),  # type: ignore[arg-type]
            should_stop=lambda: next(asked) >= 15,
        )
    assert not result.complete
    known = int(np.isfinite(drawn(result).values_s).sum())
    assert 9 <= known < 25  # every eighth point, and some of the fourth


def test_a_map_tells_its_progress_whatever_the_order() -> None:
    told: list[StudyProgress] = []
    with computing_on(Shuffled()):
        run_map(DecisionMapParameters(two_tasks(), points=9), told.append)
    shares = [one.fraction for one in told]
    assert shares == sorted(shares)
    assert sum(one.partial is not None for one in told) == 4


# Flips ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [two_tasks, graph, open_choices])
def test_flips_are_the_same_whoever_searches_them(make: Callable[[], Problem]) -> None:
    problem = make()
    found = advise(problem, seconds=0.02)
    here, shards, told = explain(problem, found), Shuffled(), []
    with computing_on(shards):
        there = explain(problem, found, on_progress=told.append)
    assert there.flips == here.flips
    assert there.reasons == here.reasons
    assert told == sorted(told)
    assert any(name == "_walked" for name, _ in shards.calls)


# Strategies -------------------------------------------------------------------------------


def test_every_strategy_finds_the_same_wherever_it_searches() -> None:
    problem, names = graph(), tuple(STRATEGIES)
    here = list(each_strategy(problem, "makespan", names, 0.01))
    with computing_on(Shuffled()):
        there = list(each_strategy(problem, "makespan", names, 0.01))
    assert [one.strategy for one in there] == [one.strategy for one in here] == list(names)
    for one, other in zip(here, there, strict=True):
        assert str(one.refusal) == str(other.refusal)
        if one.found is not None and other.found is not None:
            assert replace(one.found, seconds_spent=0.0) == replace(other.found, seconds_spent=0.0)


# Mappings with several starts -------------------------------------------------------------


def scattered(
    restarts: int, objective: str = "hop-bytes", seconds: float = 0.02
) -> MappingParameters:
    return MappingParameters(
        dims="4x4", pattern="random", messages=60, objective=objective, seconds=seconds,
        restarts=restarts,
    )  # fmt: skip


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_of_several_starts_the_best_is_the_same_in_any_order(objective: str) -> None:
    asked, shards = scattered(6, objective), Shuffled()
    here = run_mapping(asked)
    with computing_on(shards):
        there = run_mapping(asked)
    assert said("mapping", there) == said("mapping", here)
    assert there.answer == here.answer
    assert shards.calls == [("_Search", 6)]
    assert shards.sent < 40_000  # routes follow from the network and are not sent


# Simulations ------------------------------------------------------------------------------

CHECKS = {
    "styles": ("dims=2x2", "largest_bytes=200"),
    "styles of a hotspot": ("pattern=hotspot", "dims=2x2", "largest_bytes=200"),
    "mapping": ("pattern=all-to-all", "dims=3x2", "seconds=0.01", "own=5,4,3,2,1,0"),
    "blocks": ("n=64", "processors=4", "mapping=random"),
    "trees": ("back_ends=16",),
}


@pytest.mark.parametrize("case", CHECKS)
def test_a_check_by_simulation_is_the_same_whoever_simulates(case: str) -> None:
    study = STUDIES[case.split(maxsplit=1)[0]]
    asked = parse_settings(study.record, CHECKS[case])
    assert study.check is not None
    here, shards, told = study.check(asked), Shuffled(), []
    with computing_on(shards):
        there = study.check(asked, told.append)
    assert (there.sentence, there.table, there.series) == (here.sentence, here.table, here.series)
    assert there.complete
    assert [one.fraction for one in told] == sorted(one.fraction for one in told)
    assert any(name == "_part" and many > 1 for name, many in shards.calls)


def test_a_check_that_is_stopped_elsewhere_has_the_points_up_to_the_first_missing() -> None:
    study = STUDIES["trees"]
    asked = parse_settings(study.record, CHECKS["trees"])
    assert study.check is not None
    whole, calls = study.check(asked), itertools.count()
    told: list[CheckProgress] = []
    with computing_on(Shuffled()):
        found = study.check(asked, told.append, lambda: next(calls) >= 8)
    assert not found.complete
    assert found.table.rows == whole.table.rows[: len(found.table.rows)]
