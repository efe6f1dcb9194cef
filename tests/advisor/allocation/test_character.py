"""CCR and heterogeneity of a problem are what sums by hand give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.character import ccr, heterogeneity
from advisor.allocation.data_files import DataFile
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from machines import Contender, Direction, Link, LinkPiece, Machine, Platform

SLOW, QUICK = Direction(1.0, 100.0), Direction(0.5, 1000.0)
TWO = Platform(
    "two", (Machine("M1"), Machine("M2", speed=2.0)), (Link("M1", "M2", SLOW, QUICK),)
)  # fmt: skip


def of(tasks: tuple[Task, ...], flows: tuple[Flow, ...] = (), on: Platform = TWO) -> Problem:
    return Problem.of(on, Workload("w", tasks, flows))


A, B = Task("A", 4.0), Task("B", seconds=(("M1", 1.0), ("M2", 5.0)))


def test_the_ccr_is_mean_transfer_over_mean_task() -> None:
    problem = of((A, B), (Flow("A", "B", ((2, 100.0), (1, 300.0))),))
    there = 3 * 1.0 + 500.0 / 100.0
    back = 3 * 0.5 + 500.0 / 1000.0
    tasks = ((4.0 + 2.0) / 2 + (1.0 + 5.0) / 2) / 2
    assert ccr(problem) == pytest.approx((there + back) / 2 / tasks, rel=1e-11)


def test_stated_seconds_of_a_flow_count_as_they_are() -> None:
    stated = Flow("A", "B", (), ((("M1", "M2"), 7.0), (("M2", "M1"), 9.0)))
    assert ccr(of((A, B), (stated,))) == pytest.approx(8.0 / 3.0, rel=1e-11)
    one_way = replace(stated, seconds=((("M1", "M2"), 7.0),))
    assert ccr(of((A, B), (one_way,))) == pytest.approx(7.0 / 3.0, rel=1e-11)


def test_a_long_message_is_priced_by_its_own_piece() -> None:
    above = LinkPiece(50.0, 3.0, 10.0)
    way = Direction(1.0, 100.0, above)
    link = Link("M1", "M2", way, way)
    flows = (Flow("A", "B", ((1, 50.0),)), Flow("A", "C", ((1, 60.0),)))
    problem = of((A, B, Task("C", 4.0)), flows, replace(TWO, links=(link,)))
    assert ccr(problem) == pytest.approx((1.5 + 9.0) / 2 / 3.0, rel=1e-11)


def test_files_between_tasks_are_edges_and_files_from_outside_are_not() -> None:
    tasks = (
        Task("A", 4.0, writes=("f",), reads=("o",)),
        replace(B, reads=("f",)),
    )
    files = (DataFile("f", 100.0), DataFile("o", 1e9, at="M1"))
    problem = Problem.of(TWO, Workload("w", tasks, (), files))
    assert ccr(problem) == pytest.approx((2.0 + 0.6) / 2 / 3.0, rel=1e-11)


def test_load_changes_neither() -> None:
    busy = replace(TWO.machines[0], contenders=(Contender("other", 1.0),))
    flows = (Flow("A", "B", ((1, 100.0),)),)
    free, loaded = (
        of((A, B), flows),
        of((A, B), flows, replace(TWO, machines=(busy, TWO.machines[1]))),
    )
    assert (ccr(free), heterogeneity(free)) == (ccr(loaded), heterogeneity(loaded))


def test_pairs_without_a_route_and_machines_that_cannot_are_left_out() -> None:
    apart = replace(TWO, machines=(*TWO.machines, Machine("M3", speed=4.0)))
    barred = replace(A, allowed=("M1", "M3"))
    problem = of((barred, B), (Flow("A", "B", ((1, 100.0),)),), apart)
    assert ccr(problem) == pytest.approx((2.0 + 0.6) / 2 / ((2.5 + 3.0) / 2), rel=1e-11)
    # of 4 and 1 s: deviation 1.5 around 2.5; of 1 and 5 s: 2 around 3
    assert heterogeneity(problem) == pytest.approx((1.5 / 2.5 + 2.0 / 3.0) / 2, rel=1e-11)


def test_what_has_no_ccr_has_none() -> None:
    flow = (Flow("A", "B", ((1, 100.0),)),)
    assert ccr(of((A, B))) is None
    assert ccr(of((A, Task("B", 1.0)), flow, Platform("one", (Machine("M1"),)))) is None
    assert ccr(of((A, B), flow, replace(TWO, links=()))) is None
    assert ccr(of((Task("A", 0.0), Task("B", 0.0)), flow)) is None
    assert ccr(of((A, B), (Flow("A", "B"),))) == 0.0


def test_what_has_no_choice_has_no_heterogeneity() -> None:
    assert heterogeneity(of((A,), on=Platform("one", (Machine("M1"),)))) is None
    assert heterogeneity(of((replace(A, allowed=("M2",)), Task("B", 0.0)))) is None
    alike = Platform("alike", (Machine("M1"), Machine("M2")))
    assert heterogeneity(of((A,), on=alike)) == 0.0
