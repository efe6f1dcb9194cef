"""What the checks by simulation share: jobs one by one, deviations, and the table of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.networks import Clock
from advisor.studies import Check, CheckProgress
from advisor.studies.simulated import Job, Point, deviations, settled, simulated, table
from machines.stopping import ask

CYCLES, SECONDS = Clock("cycle", 1.0), Clock("s", 1e-6)
MODELS = ("first", "second", "third")


def point(name: str = "one", time: float = 100.0, *estimates: float | None) -> Point:
    return Point((name,), time, 2.0, estimates)


def jobs(*points: Point | None) -> list[Job]:
    def job(one: Point | None) -> Job:
        return Job(f"case {one.of[0] if one else '?'}", (lambda: one,))

    return [job(one) for one in points]


def made(points: Sequence[Point], complete: bool) -> Check:
    said = " ".join(str(one.of[0]) for one in points)
    return Check(said, (), table("T", (("case", ""),), (), points, CYCLES), complete=complete)


def names(check: Check | None) -> list[object]:
    return [] if check is None else [cells[0] for cells in check.table.rows]


def counted(job: Job, done: list[str]) -> Job:
    """Notes its text whenever it is done."""

    def does() -> Point | None:
        done.append(job.text)
        found: Point | None = job.parts[0]()
        return found

    return Job(job.text, (does,))


ABC = [point("a"), point("b"), point("c")]


def test_every_job_is_done_in_turn() -> None:
    found = simulated(jobs(*ABC), made, None, None)
    assert (found.complete, names(found)) == (True, ["a", "b", "c"])


@pytest.mark.parametrize("begun", [0.0, 0.4])
def test_each_job_is_told_of_before_it_with_what_is_done(begun: float) -> None:
    told: list[CheckProgress] = []
    simulated(jobs(*ABC), made, told.append, None, begun)
    assert [one.sentence for one in told] == [f"Simulating case {name}" for name in "abc"]
    left = 1.0 - begun
    assert [one.fraction for one in told] == pytest.approx(
        [begun, begun + left / 3, begun + 2 * left / 3]
    )
    assert told[0].partial is None
    assert [names(one.partial) for one in told] == [[], ["a"], ["a", "b"]]
    assert not any(one.partial.complete for one in told if one.partial is not None)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_stopped_between_jobs_what_is_done_is_kept(after: int) -> None:
    begun: list[CheckProgress] = []
    done: list[str] = []
    every = [counted(job, done) for job in jobs(*ABC)]
    found = simulated(every, made, begun.append, lambda: len(done) >= after)
    assert (found.complete, names(found)) == (False, list("abc"[:after]))
    assert len(begun) == after  # a job that does not begin is not told of


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_job_that_was_stopped_counts_for_nothing(place: int) -> None:
    given: list[Point | None] = [*ABC]
    given[place] = None
    done: list[str] = []
    every = [counted(job, done) for job in jobs(*given)]
    found = simulated(every, made, None, lambda: False)
    assert (found.complete, names(found)) == (False, list("abc"[:place]))
    assert len(done) == place + 1  # none is begun after it


def test_nothing_to_do_is_done_at_once() -> None:
    assert simulated([], made, None, None).complete


def test_a_deviation_is_a_share_of_what_was_simulated() -> None:
    found = point("x", 200.0, 150.0, None, 250.0)
    assert found.deviations == (-0.25, None, 0.25)
    assert deviations(MODELS, found) == "first predicts 25 % less, third 25 % more"
    assert deviations(MODELS, point("x", 100.0, None, None, None)) == ""


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (100.0, "the same"),
        (100.009, "the same"),  # within 10⁻⁴ it is none
        (99.991, "the same"),
        (100.02, "0.020 % more"),
        (99.5, "0.50 % less"),
        (350.0, "250 % more"),
    ],
)
def test_a_deviation_that_means_nothing_is_none(estimate: float, said: str) -> None:
    one = point("x", 100.0, estimate)
    assert deviations(("model",), one) == f"model predicts {said}"
    shown = table("T", (("case", ""),), ("model",), [one], CYCLES).rows[0][-1]
    expected = 0.0 if said == "the same" else estimate - 100.0
    assert shown == pytest.approx(expected)


@given(st.floats(1e-6, 1e9), st.floats(0.0, 1e3))
def test_an_interval_of_rounding_is_none_and_any_other_stays(time: float, share: float) -> None:
    assert settled(time, share * time) == (share * time if share * time > 1e-9 * time else 0.0)


def test_an_interval_that_is_not_known_is_none() -> None:
    assert settled(5.0, float("nan")) == 0.0


def cells(found: Any) -> list[dict[str, object]]:
    columns = [name for name, _ in found.columns]
    return [dict(zip(columns, row, strict=True)) for row in found.rows]


def test_a_row_has_the_case_the_simulated_the_models_and_what_else_there_is() -> None:
    one = Point(("ring", 4), 200.0, 3.0, (150.0, None, 250.0), (7.0,))
    other = Point(("star", 5), 100.0, 0.0, (100.0, 90.0, None), (None,))
    found = table(
        "Check", (("order", ""), ("nodes", "")), MODELS, [one, other], CYCLES, (("wait", "cycle"),)
    )
    assert found.title == "Check"
    assert found.columns == (
        ("order", ""), ("nodes", ""), ("simulated", "cycle"), ("±", "cycle"),
        ("first", "cycle"), ("first is off", "%"), ("second", "cycle"), ("second is off", "%"),
        ("third", "cycle"), ("third is off", "%"), ("wait", "cycle"),
    )  # fmt: skip
    first, second = found.rows
    assert first == ("ring", 4, 200.0, 3.0, 150.0, -25.0, None, None, 250.0, 25.0, 7.0)
    assert second[:8] == ("star", 5, 100.0, 0.0, 100.0, 0.0, 90.0, pytest.approx(-10.0))
    assert second[8:] == (None, None, None)


def test_a_model_that_never_applies_has_no_column() -> None:
    points = [point("a", 100.0, 90.0, None, None), point("b", 100.0, None, None, 80.0)]
    found = table("T", (("case", ""),), MODELS, points, CYCLES)
    assert [name for name, _ in found.columns] == [
        "case", "simulated", "±", "first", "first is off", "third", "third is off",
    ]  # fmt: skip
    assert cells(found)[1]["first"] is None
    assert cells(found)[1]["third"] == 80.0
    assert table("T", (("case", ""),), MODELS, [], CYCLES).rows == ()


def test_times_are_shown_by_the_clock_and_deviations_are_not() -> None:
    one = point("x", 200.0, 150.0)
    in_cycles, in_seconds = (
        cells(table("T", (("case", ""),), ("model",), [one], clock))[0]
        for clock in (CYCLES, SECONDS)
    )
    for column in ("simulated", "±", "model"):
        assert in_seconds[column] == pytest.approx(1e-6 * in_cycles[column])  # type: ignore[operator]
    assert in_seconds["model is off"] == in_cycles["model is off"] == -25.0


def test_a_job_that_is_stopped_deep_inside_leaves_what_was_found_before() -> None:
    asked: list[int] = []

    def deep() -> Point:
        for _ in range(1000):
            asked.append(1)
            ask()
        return point("b")

    every = [*jobs(point("a")), Job("case b", (deep,)), *jobs(point("c"))]
    found = simulated(every, made, None, lambda: len(asked) >= 5)
    assert (found.complete, names(found), len(asked)) == (False, ["a"], 5)


def test_the_parts_of_a_job_are_joined_in_their_order() -> None:
    told: list[CheckProgress] = []

    def joined(found: Sequence[int]) -> Point:
        return point("".join(map(str, found)))

    parts = tuple((lambda part=part: part) for part in (1, 2, 3))
    found = simulated([Job("three", parts, joined), *jobs(point("b"))], made, told.append, None)
    assert (found.complete, names(found)) == (True, ["123", "b"])
    assert [one.fraction for one in told] == [0.0, 0.25, 0.5, 0.75]
    assert [names(one.partial) for one in told] == [[], [], [], ["123"]]
