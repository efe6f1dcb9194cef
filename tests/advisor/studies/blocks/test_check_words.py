"""What the check of blocks says of its table, how many mappings it draws, and both readings."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

import pytest

from advisor.studies import Check, CheckProgress
from advisor.studies.blocks.check import check
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run
from tests.advisor.studies.checking import axes, rows

pytestmark = pytest.mark.usefixtures("compiled")

SMALL = BlocksParameters(n=16, dims="4x3", task_time=20.0, bytes_per_value=400.0, blocks=5)
SNAKE = replace(SMALL, mapping="snake")


def found(of: Check) -> list[dict[str, Any]]:
    return [dict(row) for row in rows(of)]


def test_the_headline_is_of_the_mean_of_the_random_mappings() -> None:
    whole = check(SMALL, drawn=4)
    own, mean, *_ = found(whole)
    assert own["mapping"] == "random, seed 0"
    assert mean["mapping"] == "mean of 4 random ones"
    for model in ("route-aware", "published (physical)", "as printed (no o_r)"):
        named = rf"{re.escape(model)}(?: predicts)? ([\d.]+) % (less|more)"
        said = re.search(named, whole.sentence)
        assert said is not None
        sign = -1.0 if said[2] == "less" else 1.0
        assert sign * float(said[1]) == pytest.approx(mean[f"{model} is off"], rel=0.06)


def test_the_mean_is_that_of_the_mappings_one_by_one() -> None:
    times = [found(check(replace(SMALL, seed=seed), drawn=2))[0]["simulated"] for seed in (3, 4, 5)]
    mean = found(check(replace(SMALL, seed=3), drawn=3))[1]
    assert mean["simulated"] == pytest.approx(sum(times) / 3)
    spread = (sum((one - sum(times) / 3) ** 2 for one in times) / 2) ** 0.5
    assert mean["±"] == pytest.approx(4.302653 * spread / 3**0.5, rel=1e-4)  # Student, 2 degrees


@pytest.mark.parametrize(("n", "blocks", "drawn"), [(16, 5, 12), (1000, 1000, 9)])
def test_few_messages_are_simulated_under_more_mappings(n: int, blocks: int, drawn: int) -> None:
    told: list[CheckProgress] = []
    asked = replace(SMALL, n=n, blocks=blocks, contention="published")
    check(asked, told.append, lambda: len(told) > 1)
    assert told[-1].sentence == f"Simulating {blocks:,} blocks, {drawn} random mappings"


def test_a_named_mapping_is_simulated_once() -> None:
    whole = check(SNAKE)
    assert {row["mapping"] for row in rows(whole)} == {"snake"}
    (series,) = whole.series
    assert series.half_width == ()
    bs = [row["blocks b"] for row in found(whole)]
    assert bs[0] == 5
    assert bs[1:] == sorted(set(bs) - {5})
    assert series.x == tuple(float(b) for b in sorted(bs))


def test_points_lie_on_the_axes_and_at_the_rows() -> None:
    whole = check(SMALL, drawn=3)
    by_b = {row["blocks b"]: row for row in found(whole) if row["mapping"] == "random, seed 0"}
    own, mean = whole.series
    for x, y in zip(own.x, own.y, strict=True):
        assert y == by_b[x]["simulated"]
    assert mean.name == "simulated, mean of 3 random ones"
    assert mean.half_width == (found(whole)[1]["±"],)
    assert axes(own) == axes(mean) == ("blocks of a stripe b", "", "makespan", "cycle")


def test_estimates_are_those_of_the_study_in_either_reading() -> None:
    for row in found(check(SNAKE))[:3]:
        for receiving, column in (("network", "route-aware"), ("printed", "as printed (no o_r)")):
            asked = replace(SNAKE, blocks=row["blocks b"], receiving=receiving)
            (table, _) = run(asked).tables
            names = [name for name, _ in table.columns]
            (mine,) = [dict(zip(names, cells, strict=True)) for cells in table.rows
                       if cells[0] == row["blocks b"]]  # fmt: skip
            assert row[column] == pytest.approx(mine["makespan"])
            assert row["contention C_n, route-aware"] == pytest.approx(mine["contention C_n"])


def test_what_is_simulated_is_the_same_whatever_the_reading() -> None:
    own, printed = (found(check(replace(SNAKE, receiving=one))) for one in ("network", "printed"))
    assert [row["simulated"] for row in own] == [row["simulated"] for row in printed]
    assert "with o_r" in printed[0]
    assert [row["with o_r"] for row in printed] == [row["route-aware"] for row in own]
    assert [row["route-aware"] for row in printed] == [row["as printed (no o_r)"] for row in own]


def test_a_receiver_that_pays_nothing_has_one_reading() -> None:
    free = replace(
        SNAKE, network="own numbers", latency=8.0, overhead=25.0, overhead_receive=0.0,
        gap_per_byte=0.5, task_time=5.0,
    )  # fmt: skip
    whole = check(free)
    assert "as printed" not in whole.sentence
    assert not any("as printed" in name for name, _ in whole.table.columns)
    paid = check(replace(free, overhead_receive=129.0))
    said = re.search(r"without the receiver's o_r of 129 µs, it is ([\d.]+) % too short",
                     paid.sentence)  # fmt: skip
    assert said is not None
    off = found(paid)[0]["as printed (no o_r) is off"]
    assert float(said[1]) == pytest.approx(-off, rel=0.06)


def test_the_best_number_is_simulated_unless_another_is_asked_for() -> None:
    best = run(replace(SNAKE, blocks=None)).sentence
    named = re.match(r"Cut each stripe into (\d+) block", best)
    assert named is not None
    assert found(check(replace(SNAKE, blocks=None)))[0]["blocks b"] == int(named[1])


def test_stopped_on_the_way_it_keeps_the_points_that_are_done() -> None:
    whole = check(SNAKE)
    for after in (40, 400, 4000):
        calls = itertools.count()
        part = check(SNAKE, None, lambda calls=calls, after=after: next(calls) >= after)  # type: ignore[misc]
        done = len(part.table.rows)
        assert rows(part) == rows(whole)[:done]
        assert part.complete == (done == len(whole.table.rows))
