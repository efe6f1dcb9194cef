"""Less load that delays a plan: told where it is real, and nowhere else."""

from __future__ import annotations

import pytest

from advisor.advice.anomalies import anomaly_sentence
from advisor.advice.competition import contest_of
from advisor.advice.explain import explain
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from machines import Contender, Direction, Link, Machine, Platform
from machines.runtime import Runtime

PLACES = {"A": ("M1", 3.0), "C": ("M2", 6.0), "D": ("M3", 5.0), "E": ("M2", 10.0)}
PLAN = Plan((0, 1, 2, 1, 2), order=(0, 1, 2, 3, 4))


def graham(contenders: int, order: str = "ready") -> Problem:
    """M2 runs E first while A is slow; once A is quick, C takes M2 before E, on which F waits."""
    load = tuple(Contender(f"other {at}", 1.0) for at in range(contenders))
    machines = (Machine("M1", contenders=load), Machine("M2"), Machine("M3"))
    way = Direction(1e-9, 1e12)
    pairs = (("M1", "M2"), ("M1", "M3"), ("M2", "M3"))
    links = tuple(Link(first, second, way, way) for first, second in pairs)
    places = PLACES | {"F": ("M3", 10.0)}
    tasks = tuple(Task(name, seconds=(place,)) for name, place in places.items())
    flows = (Flow("A", "C"), Flow("D", "E"), Flow("E", "F"))
    platform = Platform("p", machines, links, runtime=Runtime(order=order))
    return Problem.of(platform, Workload("w", tasks, flows))


def said(problem: Problem, plan: Plan = PLAN) -> str:
    found = advise(problem, seconds=0.02, clocked=False)
    return anomaly_sentence(contest_of(problem, found, predict(problem, found.plan)), plan)


def test_less_load_that_delays_a_plan_is_told_with_its_seconds() -> None:
    loaded, free = (predict(graham(count), PLAN).makespan_s for count in (1, 0))
    assert (loaded, free) == pytest.approx((25.0, 29.0))
    half = "with 0.5 CPU-bound contenders on M1 (now 1) it would end 5.50 s (22 %) later"
    assert half in said(graham(1))  # A ends after 4.5 s, so that C holds M2 until 10.5 s


def test_the_reasons_of_advice_tell_it() -> None:
    problem = graham(1)
    reasons = explain(problem, advise(problem, seconds=0.02, clocked=False)).reasons
    assert sum("Less load can delay this plan" in one for one in reasons) == 1


def test_nothing_is_told_where_less_load_only_helps() -> None:
    assert said(graham(1, order="plan")) == ""
    assert said(graham(0)) == ""
