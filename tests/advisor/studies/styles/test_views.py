"""Tables and curves of the styles study: formulas written out, one answer in any unit and order."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest

from advisor.basics.quantities import number, percent, size
from advisor.messages.styles import STYLES, Style
from advisor.studies import Series, StudyResult
from advisor.studies.styles.parameters import StyleCase, StylesParameters
from advisor.studies.styles.run import run
from machines.catalogue import interconnect

FREE = StylesParameters(dims="2x2", measured_contention=0.0, largest_bytes=300)
LOADED = StylesParameters(dims="4x2", message_bytes=500, largest_bytes=600)
OWN = StylesParameters(
    network="own numbers", latency=6.0, overhead=2.0, overhead_receive=3.0, gap=4.0,
    gap_per_byte=0.05, dims="2x2 torus", message_bytes=200, largest_bytes=300,
)  # fmt: skip
PARTS = (
    "computation", "overheads", "latency", "gap", "network contention", "processor contention",
)  # fmt: skip


def rows(result: StudyResult, title: str = "Styles") -> dict[str, dict[str, Any]]:
    (found,) = [one for one in result.tables if one.title == title]
    names = [name for name, _ in found.columns]
    return {str(cells[0]): dict(zip(names, cells, strict=True)) for cells in found.rows}


def times(result: StudyResult) -> dict[str, float]:
    return {style: row["time per message"] for style, row in rows(result).items()}


def curves(result: StudyResult, x_label: str) -> dict[str, Series]:
    found = [one for one in result.series if (one.x_label, one.kind) == (x_label, "line")]
    return {one.name: one for one in found}


def by_hand(B: int, computation: float = 0.0) -> dict[str, float]:
    """Moritz & Frank 2001, sec. 5.1, of Alewife's numbers without contention, in cycles."""
    short, p = interconnect("alewife").short, interconnect("alewife").long
    n = math.ceil(B / 16)
    both = short.o_s + short.o_r
    receive = max(p.o_r + B * p.G_m, (B - 1 - p.a) * p.G)
    request = p.o_s + p.L + max(p.o_r + p.a * p.G + B * p.G_m, (B - 1) * p.G)
    reply = short.o_s + short.L + short.o_r
    engine = max(p.g, B * p.G, B * p.G_m)
    send = p.o_s + (B - 1) * p.G
    return {
        "synchronous short": n * (2 * (both + short.L) + both) + computation,
        "synchronous long blocking": request + reply + receive + short.o_s + computation,
        "synchronous long non-blocking": request + reply + p.o_r + short.o_s + computation,
        "asynchronous short": n * both + computation,
        "asynchronous long blocking": send + receive + computation,
        "asynchronous long non-blocking": max(p.o_s + p.o_r + computation, engine),
    }


@pytest.mark.parametrize("B", [1, 16, 17, 100, 300])
@pytest.mark.parametrize("computation", [0.0, 900.0])
def test_without_contention_every_style_takes_what_its_formula_says(
    B: int, computation: float
) -> None:
    found = times(run(replace(FREE, message_bytes=B, computation=computation)))
    assert found == pytest.approx(by_hand(B, computation))


def test_the_curves_are_the_formulas_at_every_size() -> None:
    drawn = curves(run(FREE), "message size")
    assert list(drawn) == [style.name for style in STYLES]
    sizes = drawn["asynchronous short"].x
    assert (sizes[0], sizes[-1]) == (1.0, 300.0)
    assert all(low < high for low, high in pairwise(map(float, sizes)))
    for name, one in drawn.items():
        assert one.y == pytest.approx([by_hand(int(str(x).partition(".")[0]))[name] for x in one.x])


def test_crossovers_are_those_of_looking_at_every_size() -> None:
    prices = {B: by_hand(B) for B in range(1, 301)}
    names = [style.name for style in STYLES]
    expected = set()
    for one, other in combinations(names, 2):
        (sync, way), (same, how) = (name.split(" ", 1) for name in (one, other))
        if (sync == same) == (way == how):
            continue
        leaders = [(B, min(one, other, key=prices[B].__getitem__)) for B in prices
                   if not math.isclose(prices[B][one], prices[B][other])]  # fmt: skip
        for (_, before), (B, after) in pairwise(leaders):
            if before != after:
                expected.add((before, after, B))
    (table,) = [one for one in run(FREE).tables if one.title == "Crossovers"]
    found: list[tuple[Any, ...]] = list(table.rows)
    assert {cells[:3] for cells in found} == expected
    assert [cells[3] for cells in found] == pytest.approx(
        [prices[cells[2]][cells[1]] for cells in found]
    )


@pytest.mark.parametrize("B", [8, 40, 250])
def test_the_best_style_is_said_to_hold_as_far_as_it_does(B: int) -> None:
    result = run(replace(FREE, message_bytes=B))
    best = min(by_hand(B), key=by_hand(B).__getitem__)
    assert result.headline.startswith(f"Send {best} messages: ")
    holds = [n for n in range(1, 301) if by_hand(n)[best] <= min(by_hand(n).values()) * (1 + 1e-9)]
    low, high = B, B
    while low - 1 in holds:
        low -= 1
    while high + 1 in holds:
        high += 1
    start = "from the smallest" if low == 1 else f"from {size(low)}"
    end = "to the largest drawn, 300 B" if high == 300 else f"to {size(high)}"
    (said,) = [text for text in result.reasons if text.startswith("It stays best")]
    assert said == f"It stays best, or ties within that error, {start} {end}."


def test_the_headline_names_the_runner_up_and_by_how_much() -> None:
    (fast, first), (slow, second), *_ = sorted((t, s) for s, t in by_hand(250).items())
    sentence = run(replace(FREE, message_bytes=250)).sentence
    assert sentence == (
        f"Send {first} messages: {number(fast)} cycles for 250 B. "
        f"{number(slow / fast, digits=2)} times faster than {second}."
    )


def test_who_awaits_replies_is_told_the_best_of_those_that_do() -> None:
    for B in (8, 250):
        waiting = {s: t for s, t in by_hand(B).items() if s.startswith("synchronous")}
        best = min(waiting, key=waiting.__getitem__)
        said = f"Where the program awaits replies, use {best}: {number(waiting[best])} cycles."
        assert said in run(replace(FREE, message_bytes=B)).reasons


@pytest.mark.parametrize("pattern", ["all-to-all", "hotspot", "shift"])
def test_bars_are_the_columns_of_the_table_part_by_part(pattern: str) -> None:
    result = run(replace(LOADED, pattern=pattern))
    table, bars = rows(result), [one for one in result.series if one.kind == "bars"]
    shown = [name for name in PARTS if any(row[name] > 0.0 for row in table.values())]
    assert [one.name for one in bars] == shown
    for one in bars:
        assert one.x == tuple(style.name for style in STYLES)
        assert one.y == tuple(table[str(style)][one.name] for style in one.x)
    for row in table.values():
        assert row["time per message"] == pytest.approx(sum(row[name] for name in PARTS))


@pytest.mark.parametrize(
    ("pattern", "total", "B", "messages"),
    [("all-to-all", 1e4, 500, 20), ("all-to-all", 1e4, 501, 20), ("em3d", 1e4, 500, 10),
     ("all-to-all", 0.0, 500, 0)],
)  # fmt: skip
def test_the_whole_program_sends_whole_messages(
    pattern: str, total: float, B: int, messages: int
) -> None:
    asked = replace(LOADED, pattern=pattern, total_bytes=total, message_bytes=B, nonlocal_share=0.5)
    for row in rows(run(asked)).values():
        assert row["in total"] == pytest.approx(messages * row["time per message"] / 20.5e6)


def test_a_rounding_error_is_no_message() -> None:
    asked = replace(LOADED, pattern="em3d", total_bytes=100.0, message_bytes=7, nonlocal_share=0.07)
    assert asked.total_bytes * asked.nonlocal_share > 7.0  # by a last digit
    assert StyleCase.of(asked).messages == 1
    assert StyleCase.of(replace(asked, total_bytes=100.1)).messages == 2


def test_a_message_of_many_short_ones_counts_each_and_its_answer() -> None:
    table = rows(run(replace(LOADED, message_bytes=100)))
    sent = {style: row["messages sent"] for style, row in table.items()}
    assert sent == {
        "synchronous short": 14, "asynchronous short": 7, "synchronous long blocking": 1,
        "synchronous long non-blocking": 1, "asynchronous long blocking": 1,
        "asynchronous long non-blocking": 1,
    }  # fmt: skip


@pytest.mark.parametrize("contention", ["route-aware", "published"])
def test_contention_only_ever_adds_time(contention: str) -> None:
    free = times(run(replace(LOADED, measured_contention=0.0)))
    loaded = rows(run(replace(LOADED, contention=contention, dims="4x4")))
    for style, row in loaded.items():
        assert row["time per message"] >= free[style]
        assert row["contention C_n"] >= 0.0


def test_contention_that_was_measured_is_waited_for_as_often_as_messages_wait() -> None:
    free, slow = (rows(run(replace(LOADED, measured_contention=C))) for C in (0.0, 30.0))
    added = {
        style: slow[style]["network contention"] - free[style]["network contention"]
        for style in free
    }
    assert added["synchronous long blocking"] == pytest.approx(60.0)  # request and reply
    assert added["asynchronous long blocking"] == pytest.approx(30.0)
    assert added["synchronous short"] == pytest.approx(32 * 60.0)
    assert {row["contention C_n"] for row in slow.values()} == {30.0}


def test_nodes_may_be_numbered_in_any_order() -> None:
    plain = times(run(LOADED))
    for changes in ({"mapping": "snake"}, {"mapping": "random", "seed": 3}):
        other = times(run(replace(LOADED, **changes)))
        assert other == pytest.approx(plain)


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1000.0), ("ms", 1e-3), ("s", 1e-6)])
def test_the_unit_of_the_numbers_changes_no_answer(unit: str, factor: float) -> None:
    scaled = replace(
        OWN, unit=unit, latency=6.0 * factor, overhead=2.0 * factor, gap=4.0 * factor,
        overhead_receive=3.0 * factor, gap_per_byte=0.05 * factor,
    )  # fmt: skip
    one, other = run(OWN), run(scaled)
    assert other.sentence == one.sentence
    assert other.reasons == one.reasons
    for mine, theirs in zip(one.series, other.series, strict=True):
        assert mine.y_unit == theirs.y_unit == "s"
        assert mine.y == pytest.approx(theirs.y)


def test_cycles_of_one_nanosecond_are_nanoseconds() -> None:
    cycles = times(run(replace(OWN, unit="cycle", cycle_ns=2.0)))
    seconds = times(run(replace(OWN, unit="ns")))
    assert {style: time * 1e-9 for style, time in cycles.items()} == pytest.approx(seconds)
    total = rows(run(replace(OWN, unit="cycle", cycle_ns=2.0)))
    for style, row in rows(run(replace(OWN, unit="ns"))).items():
        assert total[style]["in total"] == pytest.approx(2.0 * row["in total"])


def test_a_curve_is_the_answer_of_each_of_its_sizes() -> None:
    drawn = curves(run(LOADED), "message size")
    for place in (0, 40, -1):
        at = drawn["asynchronous short"].x[place]
        found = times(run(replace(LOADED, message_bytes=round(float(str(at))))))
        assert {name: one.y[place] for name, one in drawn.items()} == pytest.approx(found)


def test_a_curve_by_shares_is_the_answer_of_each_of_them() -> None:
    asked = StylesParameters(
        dims="3", pattern="hotspot", hotspot_share=0.8, message_bytes=500, largest_bytes=20
    )
    result = run(asked)
    drawn = curves(result, "hotspot share")
    shares = drawn["asynchronous short"].x
    assert (shares[0], shares[-1]) == (0.0, 0.8)  # as far as the present one, if that is beyond .5
    for share, found in ((0.8, result), (0.0, run(replace(asked, hotspot_share=0.0)))):
        place = shares.index(share)
        assert {name: one.y[place] for name, one in drawn.items()} == pytest.approx(times(found))
    assert not curves(run(LOADED), "hotspot share")


def test_the_present_share_is_among_those_that_are_tried() -> None:
    asked = StylesParameters(dims="3", pattern="hotspot", hotspot_share=0.13, largest_bytes=20)
    shares = curves(run(asked), "hotspot share")["asynchronous short"].x
    assert 0.13 in shares and (shares[0], shares[-1]) == (0.0, 0.5)


def test_shares_are_not_tried_on_a_large_network() -> None:
    asked = replace(LOADED, pattern="hotspot", contention="published")
    small, large = (StyleCase.of(replace(asked, dims=dims)) for dims in ("16x8", "16x9"))
    assert (small.sweeps_shares, large.sweeps_shares) == (True, False)


def test_the_chosen_size_is_marked_at_the_style_that_is_advised() -> None:
    result = run(StylesParameters(message_bytes=1000, largest_bytes=1000))
    (mark,) = [one for one in result.series if one.name == "chosen size"]
    assert isinstance(result.answer, Style)
    assert (mark.kind, mark.x) == ("points", (1000.0,))
    assert mark.y == (times(result)[result.answer.name],)
    assert mark.y != (min(times(result).values()),)  # the fastest is alike, and leaves more


@pytest.mark.parametrize("pattern", ["all-to-all", "hotspot", "neighbours", "permutation"])
def test_messages_of_processes_go_somewhere_and_idle_nodes_send_none(pattern: str) -> None:
    asked = replace(LOADED, pattern=pattern, processors=5, mapping="snake", contention="published")
    chances = StyleCase.of(asked).probabilities()
    assert chances.shape == (8, 8)
    assert sorted(chances.sum(axis=1).round(9)) == [0.0] * 3 + [1.0] * 5
    assert not chances.diagonal().any()
    assert chances.sum(axis=0)[chances.sum(axis=1) == 0.0].sum() == 0.0


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({}, 0.06),
        ({"pattern": "shift"}, 0.10),
        ({"pattern": "permutation"}, 0.10),
        ({"contention": "published", "dims": "4x4"}, 0.12),
        ({"measured_contention": 5.0}, 0.03),
    ],
)
def test_the_note_names_the_error_of_the_model_that_was_asked(
    changes: dict[str, Any], error: float
) -> None:
    said = f"Times with contention are known to within {percent(error)}"
    (note,) = [one for one in run(replace(LOADED, **changes)).notes if said in one.text]
    own = changes.get("contention") != "published" and "measured_contention" not in changes
    assert note.source.startswith("Placewise's own" if own else "Moritz & Frank")


def test_the_network_is_noted_with_its_mean_hops() -> None:
    (note,) = [one for one in run(replace(FREE, dims="2x2")).notes if "k_d" in one.text]
    # of the three others two are a hop away and one two: 4/3 hops in two dimensions
    assert re.search(
        r"MIT Alewife.*, 2 × 2 mesh, mean hops in a dimension k_d = 0\.6667$", note.text
    )
    assert note.source.startswith("C. A. Moritz")
