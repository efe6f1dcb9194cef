"""What all checks by simulation share: deviations, tables, words, progress and stopping."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.networks import Clock
from advisor.studies.simulated import Job, Point, deviations, settled, simulated, table
from advisor.studies.study import Check, CheckProgress, Table

MODELS = ("route-aware", "published", "bytes")
NOTHING = Table("", (), ())


def point(*estimates: float | None, time: float = 2.0, more: tuple[object, ...] = ()) -> Point:
    return Point(("case",), time, 0.25, estimates, more)


def counting(points: Sequence[Point], complete: bool) -> Check:
    return Check(f"{len(points)} known", (), NOTHING, complete=complete)


def jobs(*found: Point | None) -> tuple[list[Job], list[int]]:
    """Jobs with these results, and the numbers of those that were done."""
    done: list[int] = []

    def job(place: int) -> Callable[[], Point | None]:
        def do() -> Point | None:
            done.append(place)
            return found[place]

        return do

    return [(f"job {place}", job(place)) for place in range(len(found))], done


# Deviations -------------------------------------------------------------------------------


@given(st.floats(0.01, 1e6), st.floats(-0.9, 9.0))
def test_a_deviation_is_the_share_by_which_an_estimate_misses_the_simulation(
    time: float, share: float
) -> None:
    found = point(time * (1.0 + share), None, time, time=time).deviations
    assert found[0] == pytest.approx(share, abs=1e-9)
    assert found[1:] == (None, 0.0)


def test_deviations_are_told_with_their_sign_of_those_models_that_say_something() -> None:
    one = point(1.9, None, 3.0)
    assert deviations(MODELS, one) == "route-aware −5.0 %, bytes +50 %"
    # of rounding alone nothing is off
    same = point(2.0 * (1.0 + 5e-5), 2.0 * (1.0 - 5e-5), None)
    assert deviations(MODELS, same) == "route-aware 0 %, published 0 %"
    assert deviations(MODELS, point(None, None, None)) == ""


@pytest.mark.parametrize(
    ("time", "half_width", "kept"),
    [(2.0, 0.1, 0.1), (2.0, 1e-12, 0.0), (2.0, 0.0, 0.0), (2.0, float("nan"), 0.0),
     (0.0, 0.5, 0.5)],
)  # fmt: skip
def test_a_half_width_that_is_rounding_or_unknown_is_none(
    time: float, half_width: float, kept: float
) -> None:
    assert settled(time, half_width) == kept


# Tables -----------------------------------------------------------------------------------


def test_the_table_sets_each_estimate_beside_the_simulation_with_its_deviation_in_percent() -> None:
    near = 2.0 * (1.0 + 5e-5)
    points = [point(1.0, None, 3.0, more=("far",)), point(None, None, near, more=("near",))]
    clock = Clock("s", 1.0)
    found = table("Check", (("case", ""),), MODELS, points, clock, (("where", ""),))
    assert found.title == "Check"
    # the model that says nothing of any point has no column
    assert found.columns == (
        ("case", ""), ("simulated", "s"), ("±", "s"),
        ("route-aware", "s"), ("route-aware is off", "%"),
        ("bytes", "s"), ("bytes is off", "%"), ("where", ""),
    )  # fmt: skip
    assert found.rows == (
        ("case", 2.0, 0.25, 1.0, -50.0, 3.0, 50.0, "far"),
        ("case", 2.0, 0.25, None, None, near, 0.0, "near"),
    )


def test_the_table_is_in_the_unit_of_the_clock() -> None:
    seconds = table("Check", (("case", ""),), ("model",), [point(1.0)], Clock("s", 1e-6))
    assert seconds.rows[0] == ("case", pytest.approx(2e-6), pytest.approx(2.5e-7),
                               pytest.approx(1e-6), -50.0)  # fmt: skip
    cycles = table("Check", (("case", ""),), ("model",), [point(1.0)], Clock("cycles", 1.0))
    assert [unit for _, unit in cycles.columns] == ["", "cycles", "cycles", "cycles", "%"]


# Progress and stopping --------------------------------------------------------------------


def test_every_job_is_told_before_it_is_done_with_what_is_known_by_then() -> None:
    seen: list[CheckProgress] = []
    work, done = jobs(point(1.0), point(2.0), point(3.0), point(4.0))
    found = simulated(work, counting, seen.append, None)
    assert done == [0, 1, 2, 3]
    assert (found.sentence, found.complete) == ("4 known", True)
    assert [one.fraction for one in seen] == [0.0, 0.25, 0.5, 0.75]
    assert [one.sentence for one in seen] == [f"Simulating job {place}" for place in range(4)]
    partial = [one.partial.sentence if one.partial else None for one in seen]
    assert partial == [None, "1 known", "2 known", "3 known"]
    assert not any(one.partial.complete for one in seen if one.partial)


@given(st.integers(1, 9), st.floats(0.0, 0.95))
def test_what_was_done_before_counts_and_the_shares_never_reach_the_whole(
    many: int, begun: float
) -> None:
    seen: list[CheckProgress] = []
    simulated(jobs(*[point(1.0)] * many)[0], counting, seen.append, None, begun)
    shares = [one.fraction for one in seen]
    assert shares == sorted(shares)
    assert shares[0] == begun
    assert shares[-1] < 1.0


@pytest.mark.parametrize("before", range(4))
def test_stopped_before_a_job_it_keeps_the_points_of_those_before(before: int) -> None:
    work, done = jobs(*[point(1.0)] * 3)
    asked = itertools.count()
    found = simulated(work, counting, None, lambda: next(asked) >= before)
    assert done == list(range(min(before, 3)))
    assert found.sentence == f"{min(before, 3)} known"
    assert found.complete == (before == 3)


def test_a_job_that_was_stopped_within_ends_the_check() -> None:
    work, done = jobs(point(1.0), None, point(3.0))
    found = simulated(work, counting, None, None)
    assert (done, found.sentence, found.complete) == ([0, 1], "1 known", False)


def test_without_jobs_there_is_nothing_to_wait_for() -> None:
    found = simulated([], counting, None, None)
    assert (found.sentence, found.complete) == ("0 known", True)
