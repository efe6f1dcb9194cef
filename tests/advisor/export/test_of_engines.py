"""Exports that carry plans out: what they say beside the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.export.of_engines import ENGINE_EXPORTS
from advisor.export.planned import Planned
from machines import Machine, Platform, Runtime
from machines.catalogue.runtimes import RUNTIMES

WORKLOAD = Workload("w", (Task("A", work=1.0, command="true"),))


def notes(engine: str, runtime: Runtime) -> str:
    platform = Platform("p", (Machine("M1"),), runtime=runtime)
    problem, plan = Problem.of(platform, WORKLOAD), Plan((0,))
    export = next(one for one in ENGINE_EXPORTS if one.name == engine)
    return " ".join(export.notes(Planned(problem, plan, predict(problem, plan))))


@pytest.mark.parametrize("runtime", ["ideal", "slurm"])
def test_a_plan_predicted_for_another_runtime_is_said(runtime: str) -> None:
    said = notes("parsl", RUNTIMES.load(runtime).runtime)
    assert f'Predicted with the runtime "{runtime}"; parsl takes about 6.00 ms a task' in said
    assert said.endswith("predict with --runtime parsl")


def test_the_engines_own_runtime_or_one_that_was_learnt_needs_no_note() -> None:
    own = RUNTIMES.load("parsl").runtime
    assert "--runtime" not in notes("parsl", own)
    assert "--runtime" not in notes("parsl", replace(own, task_overhead_s=0.0123))
