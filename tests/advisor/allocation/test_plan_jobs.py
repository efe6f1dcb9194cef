"""Jobs of plans: their order, and that whoever waits as they say keeps every machine's cores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.predict import predict
from machines.runtime import PLAN
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan

SEEDS = range(20)


def random_jobs(seed: int, *, shuffled: bool = False) -> Jobs:
    """Of up to twelve tasks; shuffled: by a prediction that contradicts what tasks need."""
    problem = random_executed(seed, most_tasks=12)
    plan = random_plan(problem, seed)
    prediction = predict(problem, plan)
    if shuffled:
        places = np.random.default_rng(seed).permutation(len(prediction.end_s))
        prediction = replace(prediction, taken_s=None, start_s=prediction.start_s[places],
                             end_s=prediction.end_s[places])  # fmt: skip
    return jobs_of(problem, plan, prediction)


@pytest.mark.parametrize("shuffled", [False, True])
def test_what_a_job_needs_comes_before_it(shuffled: bool) -> None:
    for seed in SEEDS:
        found = random_jobs(seed, shuffled=shuffled)
        jobs, strict = found.jobs, found.order == PLAN
        assert sorted(job.priority for job in jobs) == list(range(1, len(jobs) + 1))
        for at, job in enumerate(jobs):
            assert all(one < at for one in {*job.after, *job.over})
            assert job.behind in job.over if job.over and strict else job.behind is None
            # what the platform has may be taken over from another machine
            elsewhere = {one for one in job.over if jobs[one].machine != job.machine}
            assert all(job.licences and jobs[one].licences for one in elsewhere)


def test_no_machine_holds_more_than_it_has_however_long_tasks_take() -> None:
    for seed in SEEDS:
        plan = random_jobs(seed)
        rng = np.random.default_rng(seed)
        begin, end = [0.0] * len(plan.jobs), [0.0] * len(plan.jobs)
        for at, job in enumerate(plan.jobs):
            begin[at] = max((end[one] for one in {*job.after, *job.over}), default=0.0)
            end[at] = begin[at] + float(rng.exponential())
        cores = {name: count for name, _, count in plan.machines}
        for at, job in enumerate(plan.jobs):
            beside = (one for one in range(len(plan.jobs)) if begin[one] <= begin[at] < end[one])
            running = [plan.jobs[one] for one in beside]
            here = [one for one in running if one.machine == job.machine]
            assert sum(one.cores for one in here) <= cores[job.machine]
            for kind, room in plan.room_by_machine[job.machine].items():
                assert sum(one.held.get(kind, 0) for one in here) <= room
            for kind, room in plan.shared:
                assert sum(dict(one.licences).get(kind, 0) for one in running) <= room
