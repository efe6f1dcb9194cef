"""Machines without a way to each other are named, where that keeps tasks together."""

from __future__ import annotations

import math

import pytest

from advisor.advice.apart import apart_sentence
from advisor.advice.explain import explain
from advisor.allocation.objectives import alike
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from machines import Contender, Direction, Link, Machine, Platform

_WAY = Direction(0.001, 1e6)
_DATA = Flow("a", "b", ((1, 1e6),))


@pytest.mark.parametrize(
    ("linked", "flows", "told"),
    [
        (0, (_DATA,), "No link joins M2 or M3 to M1:"),
        (1, (_DATA,), "No link joins M3 to M1 or M2:"),
        (2, (_DATA,), ""),
        (0, (Flow("a", "b"),), ""),
        (0, (), ""),
    ],
)
def test_unlinked_machines_are_named_where_data_flow(
    linked: int, flows: tuple[Flow, ...], told: str
) -> None:
    links = tuple(Link("M1", f"M{other}", _WAY, _WAY) for other in (2, 3)[:linked])
    platform = Platform("lab", (Machine("M1"), Machine("M2"), Machine("M3")), links)
    workload = Workload("w", (Task("a", work=1.0), Task("b", work=1.0)), flows)
    found = apart_sentence(Problem.of(platform, workload))
    assert found.startswith(told)
    assert bool(found) == bool(told)


def test_tasks_that_exchange_data_are_never_advised_apart() -> None:
    """Both belong on the server; leaving one where it is would be a move less, and can't run."""
    desk = Machine("desk", contenders=(Contender("other", 1.0),))
    platform = Platform("p", (desk, Machine("server")))
    tasks = (Task("read", 10.0), Task("plot", 20.0))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("read", "plot", ((1, 1e6),)),)))
    current = Plan((0, 0))
    found = explain(problem, advise(problem, start=current), current)
    assert found.advised.allocation == (1, 1)
    assert found.apart.startswith("No link joins server to desk")
    assert not alike(math.inf, 30.0)
