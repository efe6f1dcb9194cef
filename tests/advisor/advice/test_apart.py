"""Machines without a way to each other are named, where that keeps tasks together."""

from __future__ import annotations

import pytest

from advisor.advice.apart import apart_sentence
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, Link, Machine, Platform

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
