"""Judges: where they are exact, and that they value plans as predictions do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.contest import exact_judge, pool_judge
from advisor.allocation.data_files import DataFile
from advisor.allocation.objectives import OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Task, Workload
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan
from tests.conftest import cluster


def test_a_chain_is_no_sum_where_files_come_together_or_a_runtime_adds_to_it() -> None:
    tasks = (Task("a", work=1.0, writes=("f", "g")), Task("b", work=1.0, reads=("f", "g")))
    files = (DataFile("f", 1e6), DataFile("g", 1e6))
    platform = cluster(machines=3).platform
    one = replace(tasks[1], reads=("f",))
    alone = Problem.of(platform, Workload("one", (tasks[0], one), files=files))
    judge = exact_judge(alone, "makespan")
    assert judge is not None
    verdict = judge(platform, Plan((0, 1)))
    assert verdict.value_s == pytest.approx(predict(alone, Plan((0, 1))).makespan_s)
    both = Workload("both", tasks, files=files)
    assert exact_judge(Problem.of(platform, both), "makespan") is None
    assert exact_judge(Problem.of(platform, both, sharing=NONE), "makespan") is not None
    assert exact_judge(Problem.of(platform, both), "total") is not None
    slow = replace(platform, runtime=Runtime(task_overhead_s=1.0))
    assert exact_judge(Problem.of(slow, alone.workload), "makespan") is None


@given(st.integers(0, 2**32 - 1))
def test_judges_value_plans_as_predictions_do(seed: int) -> None:
    problem = random_executed(seed)
    plan = random_plan(problem, seed)
    for objective in OBJECTIVES:
        predicted_s = predict(problem, plan).value_s(objective)
        verdict = pool_judge(problem, objective, [])(problem.platform, plan)
        assert verdict.value_s == pytest.approx(predicted_s, rel=1e-12)
        exact = exact_judge(problem, objective)
        if exact is not None:
            assert exact(problem.platform, plan).value_s == pytest.approx(predicted_s)
