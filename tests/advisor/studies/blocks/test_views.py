"""Numbers of blocks against a wavefront followed event by event, and words against the tables."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.basics.quantities import count, number, percent, takes_prefix
from advisor.messages.diamond_blocks import Gantt
from advisor.studies import Series, StudyResult
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run
from machines import LogGP
from machines.catalogue import interconnect

SMALL = BlocksParameters(n=24, processors=4, task_time=20.0, mapping="snake")
ALEWIFE = interconnect("alewife").long


def followed(asked: BlocksParameters, b: int, p: LogGP = ALEWIFE, o_r: bool = True) -> float:
    """When the last stripe ends: each block waits for the one above and for its processor."""
    P = asked.processors or 0
    B = asked.bytes_per_value * asked.n / b
    work = (asked.task_time * asked.n**2 / P + asked.aggregation * asked.n) / b
    send, receive = p.o_s + (B - 1) * p.G, (B - 1 - p.a) * p.G + (p.o_r if o_r else 0.0)
    computed = [0.0] * b  # when the stripe above has computed each block
    for stripe in range(P):
        free = 0.0
        for block in range(b):
            if stripe > 0:
                free = max(free, computed[block] + p.L + p.a * p.G) + receive
            free += work
            computed[block] = free
            free += send if stripe < P - 1 else 0.0
    return computed[-1]


def rows(result: StudyResult, title: str = "Numbers of blocks") -> list[dict[str, Any]]:
    (found,) = [one for one in result.tables if one.title == title]
    names = [name for name, _ in found.columns]
    return [dict(zip(names, cells, strict=True)) for cells in found.rows]


def curve(result: StudyResult, name: str) -> Series:
    (found,) = [one for one in result.series if one.name == name]
    return found


def reason(result: StudyResult, part: str) -> str:
    (found,) = [text for text in result.reasons if part in text]
    return found


@settings(max_examples=8)
@given(
    n=st.integers(2, 20), P=st.integers(3, 6), task=st.floats(0.5, 500.0),
    alpha=st.sampled_from([0.0, 3.0]), own=st.booleans(),
)  # fmt: skip
def test_without_contention_every_number_of_blocks_is_the_wavefront_followed(
    n: int, P: int, task: float, alpha: float, own: bool
) -> None:
    asked = replace(
        SMALL, n=n, processors=P, task_time=task, aggregation=alpha,
        receiving="network" if own else "printed",
    )  # fmt: skip
    points = curve(run(asked), "without contention")
    expected = [followed(asked, round(float(str(b))), o_r=own) for b in points.x]
    assert points.y == pytest.approx(expected)


@pytest.mark.parametrize("task", [0.001, 1.0, 30.0, 1000.0])
def test_the_best_number_is_the_best_of_all_that_can_be(task: float) -> None:
    asked = replace(SMALL, task_time=task)
    result = run(asked)
    most = int(24 * 8 / 9)  # messages of 1 + a = 9 bytes
    ends = {b: followed(asked, b) for b in range(1, most + 1)}
    best = min(ends, key=ends.__getitem__)
    assert curve(result, "best").x == (float(best),)
    assert curve(result, "best").y == pytest.approx((ends[best],))


def test_work_wants_many_blocks_and_messages_want_few() -> None:
    def best(task: float) -> float:
        return float(str(curve(run(replace(SMALL, task_time=task)), "best").x[0]))

    found = [best(task) for task in (1e-6, 1.0, 10.0, 100.0, 1e6)]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (1.0, 21.0)


def test_with_two_processors_the_closed_form_is_never_too_short() -> None:
    asked = replace(SMALL, processors=2)
    points = curve(run(asked), "without contention")
    for b, makespan in zip(points.x, points.y, strict=True):
        assert makespan >= followed(asked, round(float(str(b)))) * (1 - 1e-12)


def test_the_table_lists_what_matters_and_says_why() -> None:
    kinds = {row["blocks b"]: row["kind"] for row in rows(run(replace(SMALL, blocks=5, against=7)))}
    best = 8
    assert kinds == {
        1: "equal blocks", 2: "equal blocks", 3: "equal blocks", 4: "equal blocks", 5: "chosen",
        6: "equal blocks", 7: "compared", best: "best", 12: "equal blocks",
    }  # fmt: skip
    unasked = {row["blocks b"]: row["kind"] for row in rows(run(replace(SMALL, against=7)))}
    assert unasked[7] == "compared"
    assert "chosen" not in unasked.values()


def test_a_row_costs_what_its_parts_do() -> None:
    asked = BlocksParameters(n=64, processors=16, dims="4x4", task_time=1.0, bytes_per_value=400.0)
    found = rows(run(asked))
    least = min(row["makespan"] for row in found)
    assert any(row["contention C_n"] > 0.0 for row in found)
    for row in found:
        b = row["blocks b"]
        assert row["message"] == pytest.approx(400.0 * 64 / b)
        assert row["without contention"] == pytest.approx(followed(asked, b))
        # (P − 1) C_n on the way down and 2 C_n for each further block
        added = (15 + 2 * (b - 1)) * row["contention C_n"]
        assert row["makespan"] - row["without contention"] == pytest.approx(added, abs=1e-6)
        assert row["times the best"] == pytest.approx(row["makespan"] / least)


def test_equal_blocks_divide_the_matrix_and_are_marked_where_they_lie() -> None:
    result = run(SMALL)
    marks = curve(result, "equal blocks")
    assert marks.x == tuple(float(b) for b in range(1, 22) if 24 % b == 0)
    assert marks.kind == "points"
    along = dict(zip(*(getattr(curve(result, "with contention, route-aware"), one)
                       for one in "xy"), strict=True))  # fmt: skip
    assert [along[b] for b in marks.x] == list(marks.y)


@pytest.mark.parametrize(("against", "clipped"), [(2, 2), (16, 16), (500, 21)])
def test_the_headline_compares_with_what_was_asked_as_far_as_it_can_be(
    against: int, clipped: int
) -> None:
    asked = replace(SMALL, against=against)
    best = int(float(str(curve(run(asked), "best").x[0])))
    ratio = followed(asked, clipped) / followed(asked, best)
    faster = f"{number(ratio, digits=2)} times" if ratio >= 1.1 else percent(ratio - 1.0)
    result = run(asked)
    assert result.headline.startswith(f"Cut each stripe into {best} blocks: ")
    assert result.alternative == f"{faster} faster than {clipped} blocks."


def test_the_best_is_not_compared_with_itself() -> None:
    best = int(float(str(curve(run(SMALL), "best").x[0])))
    alone = run(replace(SMALL, against=best))
    time = alone.facts[0].said(followed(SMALL, best))
    assert alone.headline == f"Cut each stripe into {best} blocks: {time}."
    assert alone.alternative == "No other number of blocks is faster."
    assert [fact.difference for fact in alone.facts] == [None] * len(alone.facts)
    printed = run(replace(SMALL, against=best, receiving="printed")).sentence
    assert "(receiving overhead O_r as printed)" in printed


def test_symbols_stand_beside_their_words_and_messages_have_no_prefix_for_all() -> None:
    columns = dict(run(SMALL).tables[0].columns)
    assert {"blocks b", "contention C_n"} <= set(columns)
    assert columns["message"] == "bytes"  # is written without a prefix: 9.92 and not 0.00992 k
    assert not takes_prefix(columns["message"])
    long = run(replace(SMALL, n=600, task_time=500.0, blocks=3))
    assert re.search(r"one computes \d+(,\d{3})+ cycles", reason(long, "one computes"))


def test_a_block_is_told_with_what_it_computes_and_sends() -> None:
    said = reason(run(replace(SMALL, blocks=6, aggregation=5.0)), "one computes")
    work = 20.0 * 24 * 24 / (4 * 6) + 5.0 * 24 / 6
    send = ALEWIFE.o_s + 31 * ALEWIFE.G
    receive = (31 - ALEWIFE.a) * ALEWIFE.G + ALEWIFE.o_r
    assert said == (
        f"Of 6 blocks on each of 4 processors one computes {work:.0f} cycles, its message of 32 B "
        f"takes {number(send)} cycles to send and {number(receive)} cycles to receive."
    )


@pytest.mark.parametrize("task", [0.5, 20.0, 400.0])
def test_what_the_reading_as_printed_costs_is_that_of_the_wavefront(task: float) -> None:
    asked = replace(SMALL, task_time=task)
    every = range(1, 22)
    own = min(every, key=lambda b: followed(asked, b))
    printed = min(every, key=lambda b: followed(asked, b, o_r=False))
    said = reason(run(asked), "A receiver pays the network's own overhead o_r, 129 cycles")
    if own == printed:
        assert said.endswith(", which does not change the best number of blocks here.")
    else:
        more = percent(followed(asked, printed) / followed(asked, own) - 1.0)
        assert said.endswith(
            f"advises {count(printed, 'block')}, which costs {more} more than {own}."
        )


def test_the_nearest_equal_blocks_are_told_where_the_best_are_unequal() -> None:
    asked = replace(SMALL, n=25, task_time=20.0)
    ends = {b: followed(asked, b) for b in range(1, 23)}
    best = min(ends, key=ends.__getitem__)
    whole = min((1, 5), key=ends.__getitem__)
    assert best not in (1, 5)
    said = reason(run(asked), "Equal blocks")
    assert said == (
        f"Equal blocks: the best, {count(whole, 'block')}, takes "
        f"{percent(ends[whole] / ends[best] - 1.0)} longer."
    )
    notes = [note.text for note in run(asked).notes]
    assert f"{best} blocks do not divide n = 25: unequal blocks" in notes


def test_an_optimum_beyond_what_is_possible_is_said_to_be() -> None:
    said = reason(run(replace(SMALL, task_time=1e5)), "the closed form is least")
    found = re.search(r"([\d.]+) blocks \(b\*\), beyond the 21 that are possible", said)
    assert found is not None and float(found[1]) > 21
    near = reason(run(SMALL), "the closed form is least")
    assert "beyond" not in near


@pytest.mark.parametrize("blocks", [1, 5, 8])
def test_the_chart_has_all_the_work_and_ends_when_the_wavefront_does(blocks: int) -> None:
    result = run(replace(SMALL, blocks=blocks, aggregation=2.0))
    chart = result.picture(Gantt)
    assert chart is not None
    ends = followed(replace(SMALL, aggregation=2.0), blocks)
    assert chart.makespan == pytest.approx(ends)
    work = chart.share("computing") * chart.processors * chart.makespan
    assert work == pytest.approx(20.0 * 24 * 24 + 4 * 2.0 * 24)
    assert f"ends at {result.facts[0].said(chart.makespan)}" in reason(result, "The Gantt chart")


def test_mappings_are_compared_each_once_with_their_own_hops() -> None:
    asked = replace(SMALL, processors=8, dims="4x2", blocks=6)
    found = {row["mapping"]: row for row in rows(run(asked), "Mappings")}
    assert list(found) == ["random", "row-major", "snake"]
    hops = [abs(a % 4 - (a + 1) % 4) + abs(a // 4 - (a + 1) // 4) for a in range(7)]
    assert found["row-major"]["hops in a dimension k_d"] == pytest.approx(sum(hops) / 7 / 2)
    assert found["snake"]["hops in a dimension k_d"] == pytest.approx(
        0.5
    )  # always a hop, in two dimensions
    alone = followed(asked, 6)
    for row in found.values():
        assert row["times without contention"] == pytest.approx(row["makespan"] / alone)
        assert row["times without contention"] >= 1.0
    (mine,) = [row for row in rows(run(asked)) if row["blocks b"] == 6]
    assert found["snake"]["makespan"] == pytest.approx(mine["makespan"])
    other = rows(run(replace(asked, mapping="gray")), "Mappings")
    assert [row["mapping"] for row in other] == ["random", "row-major", "snake", "gray"]


def test_a_random_mapping_is_the_one_of_its_seed() -> None:
    asked = BlocksParameters(n=64, dims="4x4", task_time=1.0, bytes_per_value=400.0)
    busiest = {
        rows(run(replace(asked, seed=seed)), "Mappings")[0]["contention C_n"] for seed in range(4)
    }
    assert len(busiest) > 1
    published = replace(asked, contention="published")
    means = {
        rows(run(replace(published, seed=seed)), "Mappings")[0]["hops in a dimension k_d"]
        for seed in range(2)
    }
    assert len(means) == 1  # the mean distance of all of them
    # computing takes so long that what messages wait is next to nothing
    idle = replace(asked, task_time=10_000.0)
    snake = replace(asked, mapping="snake")
    for case, doubted in ((asked, True), (snake, False), (idle, False)):
        notes = [note.text for note in run(case).notes]
        assert any("random mappings differ" in text for text in notes) == doubted


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1e3), ("ms", 1e-3), ("cycle", 1.0)])
def test_the_unit_of_the_numbers_changes_no_answer(unit: str, factor: float) -> None:
    def asked(unit: str, factor: float) -> BlocksParameters:
        return BlocksParameters(
            network="own numbers", unit=unit, dims="2x2", n=24, task_time=3.0 * factor,
            latency=6.0 * factor, overhead=2.0 * factor, gap=2.0 * factor,
            gap_per_byte=0.05 * factor, cycle_ns=1000.0 if unit == "cycle" else None,
        )  # fmt: skip

    one, other = run(asked("µs", 1.0)), run(asked(unit, factor))
    seconds = 1e-6 if unit == "cycle" else 1.0
    for mine, theirs in zip(rows(one), rows(other), strict=True):
        assert (mine["blocks b"], mine["kind"]) == (theirs["blocks b"], theirs["kind"])
        assert mine["makespan"] == pytest.approx(theirs["makespan"] * seconds)
    assert curve(other, "best").y_unit == ("cycle" if unit == "cycle" else "s")
