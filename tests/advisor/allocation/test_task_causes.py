"""What every task's time goes to: columns sum to its time, rows to the prediction's breakdown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import task_causes
from advisor.basics.causes import (
    CAUSES,
    COMPUTING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    PROCESSOR_WAIT,
)
from advisor.project.examples import load_example
from advisor.project.project import Project
from machines import Contender
from tests.conftest import cluster


def loaded_multicomputer() -> Project:
    project = load_example("multicomputer")
    first, second = project.platform.machines
    busy = replace(second, contenders=(Contender("other", 1.0),))
    return replace(project, platform=replace(project.platform, machines=(first, busy)))


@pytest.mark.parametrize("make", [cluster, loaded_multicomputer])
def test_columns_sum_to_the_tasks_and_rows_to_the_breakdown(make) -> None:
    project = make()
    problem = Problem.of(project.platform, project.workload)
    prediction = predict(problem, project.plan)
    found = task_causes(problem.costs, prediction)
    assert list(found.causes) == [cause for cause in CAUSES if cause in found.causes]
    assert found.seconds.sum(axis=0) == pytest.approx(prediction.task_s)
    assert (found.seconds >= 0).all()
    transfers = float(prediction.flow_s.sum())
    rows = dict(zip(found.causes, found.seconds.sum(axis=1).tolist(), strict=True))
    for cause in (COMPUTING, PROCESSOR_WAIT, NETWORK_CONTENTION, MESSAGE_OVERHEAD):
        assert rows.get(cause, 0.0) == pytest.approx(prediction.breakdown_s.get(cause, 0.0))
    assert sum(rows.values()) + transfers == pytest.approx(prediction.total_s)


def test_a_parallel_task_shows_its_messages_and_a_serial_one_does_not() -> None:
    project = loaded_multicomputer()
    problem = Problem.of(project.platform, project.workload)
    found = task_causes(problem.costs, predict(problem, project.plan))
    index = project.workload.index
    assert set(found.of(index["prepare"])) == {COMPUTING, PROCESSOR_WAIT}
    assert {NETWORK_CONTENTION, MESSAGE_OVERHEAD} < set(found.of(index["spectra"]))
    assert found.of(index["spectra"])[COMPUTING] == pytest.approx(5.0)
