"""Advise, run, learn, advise and run again: three workloads on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.learning.calibrations import calibrated, calibrations
from advisor.runs.matching import matched
from advisor.search import advise
from tests.real_workloads import COMMANDS, Running, asked_of, running

pytestmark = pytest.mark.engines


def round_of(asked: Problem, by: Running, folder: Path) -> tuple[float, float, Problem]:
    """What was predicted, what the run took, and the problem after what it taught."""
    folder.mkdir()
    plan = advise(asked).plan
    actual = matched(by(asked, plan, folder), asked)
    assert actual.complete
    learnt = [one for one in calibrations(asked, plan, [actual]) if one.learnt]
    known = Problem.of(*calibrated(asked, learnt))
    return predict(asked, plan).makespan_s, actual.makespan_s, known


@pytest.mark.parametrize("engine", ["dask", "bash", "snakemake", "parsl", "slurm"])
def test_workloads_go_round_twice_and_the_second_prediction_is_nearer(
    tmp_path: Path, engine: str
) -> None:
    with running(engine) as by:
        for name in COMMANDS:
            first_s, ran_s, learnt = round_of(asked_of(name), by, tmp_path / f"{name} 1")
            second_s, again_s, _ = round_of(learnt, by, tmp_path / f"{name} 2")
            said = f"{name}: {first_s:.2f} s, ran {ran_s:.2f}; {second_s:.2f}, ran {again_s:.2f}"
            print(f"{engine}, {said}")
            assert abs(second_s / again_s - 1.0) < abs(first_s / ran_s - 1.0), said
