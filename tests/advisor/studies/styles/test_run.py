"""The styles study: the paper's table, crossovers on the curves, and advice that holds."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, count, pairwise
from typing import Any

import pytest

from advisor.basics.quantities import number, percent, size
from advisor.messages.patterns import KINDS
from advisor.messages.styles import STYLES, Style
from advisor.studies import STUDIES, Series, StudyProgress, StudyResult, parse_settings
from advisor.studies.styles.parameters import StyleCase, StyleFindings, StylesParameters
from advisor.studies.styles.run import holds_at_shares, run
from machines import InputError
from machines.catalogue import interconnect, interconnect_names
from machines.stopping import Stopped

SHORT = StylesParameters(message_bytes=16, contention="published", largest_bytes=2000)
COLUMNS = ("computation", "overheads", "latency", "gap", "network contention")


def row(result: StudyResult, style: str) -> dict[str, object]:
    table = result.tables[0]
    names = [name for name, _ in table.columns]
    (found,) = [cells for cells in table.rows if cells[0] == style]
    return dict(zip(names, found, strict=True))


@pytest.mark.parametrize(("C_n", "time"), [(0.0, 453.0), (23.0, 499.0)])
def test_the_synchronous_row_is_that_of_table_4(C_n: float, time: float) -> None:
    result = run(replace(SHORT, measured_contention=C_n))
    found = row(result, "synchronous short")
    assert found["time per message"] == time
    assert found["processor contention"] == 137
    assert found["overheads"] + found["latency"] == 316  # type: ignore[operator]
    assert row(result, "asynchronous short")["time per message"] == 137


def test_contention_of_short_messages_follows_the_published_parameters() -> None:
    found = row(run(replace(SHORT, occupancy="bytes")), "asynchronous short")
    assert found["contention C_n"] == pytest.approx(3.1735537)  # printed 31: not reproducible
    assert found["network contention"] == 0.0


def test_large_messages_take_2_22_cycles_a_byte() -> None:
    asked = replace(SHORT, occupancy="bytes", message_bytes=10**7)
    found = row(run(asked), "asynchronous long blocking")
    assert found["time per message"] / 1e7 == pytest.approx(2.2247, abs=1e-4)  # type: ignore[operator]


def test_the_total_counts_messages_for_all_bytes() -> None:
    found = row(run(replace(SHORT, total_bytes=1000.0)), "asynchronous short")
    assert found["in total"] == pytest.approx(63 * 137 / 20.5e6)
    local = replace(SHORT, pattern="em3d", total_bytes=1000.0, nonlocal_share=0.5)
    assert row(run(local), "asynchronous short")["in total"] == pytest.approx(32 * 137 / 20.5e6)


def test_crossovers_lie_on_the_curves_and_are_marked() -> None:
    result = run(SHORT)
    curves = {one.name: one for one in result.series if one.kind == "line"}
    (marks,) = [one for one in result.series if one.name == "crossovers"]
    rows = result.tables[1].rows
    assert len(marks.x) == len(rows) > 0
    for before, after, length, time, low, high in rows:
        assert low is None or low <= length - 1 <= high  # type: ignore[operator]
        place = marks.x.index(float(length))  # type: ignore[arg-type]
        assert marks.x[place] == length
        later = [y for x, y in zip(curves[after].x, curves[after].y, strict=True) if x >= length]  # type: ignore[index,operator]
        other = [y for x, y in zip(curves[before].x, curves[before].y, strict=True) if x >= length]  # type: ignore[index,operator]
        assert later[0] < other[0]
        assert time in marks.y
    assert ("asynchronous short", "asynchronous long blocking", 17) in {cells[:3] for cells in rows}


def test_the_advice_holds_where_it_says() -> None:
    result = run(replace(SHORT, message_bytes=1000))
    assert result.headline.startswith("Send asynchronous long non-blocking messages: ")
    (holds,) = [text for text in result.reasons if text.startswith("It stays best")]
    assert "from 17 B" in holds
    at_17 = run(replace(SHORT, message_bytes=17)).sentence
    at_16 = run(SHORT).sentence
    assert at_17.startswith("Send asynchronous long non-blocking messages: ")
    assert at_16.startswith("Send asynchronous short messages: 137 cycles for 16 B.")


def test_a_hotspot_changes_the_advice_where_the_reading_knows_it() -> None:
    asked = StylesParameters(
        message_bytes=64, short_bytes=64.0, pattern="hotspot", hotspot_share=0.0, dims="4x2",
        total_bytes=0.0, largest_bytes=64,
    )  # fmt: skip
    aware = run(asked)
    shares = [one for one in aware.series if one.x_label == "hotspot share"]
    assert len(shares) == 6
    for one in shares:
        assert one.y[-1] > one.y[0]
    assert any("up to a hotspot share of 50 %" in text for text in aware.reasons)
    blind = run(replace(asked, contention="published", hotspot_share=0.5))
    warned = [note.text for note in blind.notes if not note.inside_domain]
    assert any("hotspots" in text for text in warned)


@pytest.mark.parametrize("name", interconnect_names())
@pytest.mark.parametrize("contention", ["published", "route-aware"])
def test_every_preset_gets_an_answer(name: str, contention: str) -> None:
    asked = StylesParameters(network=name, processors=8, largest_bytes=100, contention=contention)
    result = run(asked)
    assert result.complete
    assert result.notes[-1].source
    bars = [one for one in result.series if one.kind == "bars"]
    times = [cells[1] for cells in result.tables[0].rows]
    assert [sum(column) for column in zip(*(one.y for one in bars), strict=True)] == pytest.approx(
        times
    )


@pytest.mark.parametrize("pattern", KINDS)
def test_every_pattern_gets_an_answer(pattern: str) -> None:
    asked = StylesParameters(pattern=pattern, dims="4x2", largest_bytes=64, message_bytes=16)
    assert len(run(asked).tables[0].rows) == 6


def test_the_share_where_another_style_takes_over_is_named() -> None:
    case = StyleCase.of(replace(SHORT, pattern="hotspot", hotspot_share=0.1, dims="2x2"))
    shares = [0.0, 0.1, 0.2, 0.3]
    best, other = STYLES[3], STYLES[5]
    times = {style: [9e9] * 4 for style in STYLES}
    times |= {best: [10.0, 20.0, 30.0, 40.0], other: [5.0, 25.0, 26.0, 27.0]}
    findings = StyleFindings({}, shares=shares, by_share=times)
    said = holds_at_shares(case, findings, best)
    # 5 ahead at 0.1, 4 behind at 0.2
    assert (
        said == "It stays best up to a hotspot share of 16 %; then asynchronous long non-blocking."
    )
    times[best] = [1.0] * 4
    assert "30 % at least" in holds_at_shares(case, findings, best)


def test_a_stopped_study_hands_over_what_it_has() -> None:
    asked = iter([False] * 5)
    told: list[StudyProgress] = []
    result = run(SHORT, told.append, lambda: next(asked, True))
    assert not result.complete
    assert len(result.tables[0].rows) == 6
    assert {len(one.x) for one in result.series if one.kind == "line"} == {5}
    assert told


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        ("network=arpanet", "alewife"),
        ("dims=8by4", "8x4"),
        ("dims=2x2 crossbar", "dimension"),
        ("mapping=spiral", "snake"),
        ("hotspot_share=2", "range"),
        ("processors=33", "setting processors.*up to 32"),
        ("processors=1", "range"),
        ("message_bytes=0", "range"),
        ("contention=guess", "published"),
        ("measured_contention=-1", "range"),
    ],
)
def test_what_can_not_be_is_refused(setting: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        run(parse_settings(StylesParameters, [setting]))


def test_the_study_is_registered() -> None:
    assert STUDIES["styles"].run is run
    assert not STUDIES["styles"].needs_problem


def test_a_large_network_is_not_priced_to_its_end_when_stopped() -> None:
    asked = count()
    wide = parse_settings(StylesParameters, ["dims=9x9 torus"])
    with pytest.raises(Stopped):
        run(wide, None, lambda: next(asked) >= 30)
    assert next(asked) == 31


def test_a_study_stopped_while_a_share_is_priced_keeps_the_shares_before() -> None:
    """Told to stop in the middle of the third share."""
    texts: list[str] = []
    asked = count()

    def should_stop() -> bool:
        inside = [text for text in texts if text.startswith("hotspot share")]
        return len(inside) == 3 and next(asked) >= 40

    wide = parse_settings(StylesParameters, ["dims=9x9 torus", "pattern=hotspot"])
    result = run(wide, lambda told: texts.append(told.sentence), should_stop)
    (shares, *_) = {one.x for one in result.series if one.x_label.startswith("hotspot")}
    assert not result.complete
    assert len(shares) == 2
    assert next(asked) == 41


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


def test_the_recommended_bar_is_marked_and_the_shortest_where_it_is_another_one() -> None:
    """Styles that tie within the error: the one with the fewest messages under way is advised."""
    for asked in (SHORT, StylesParameters(largest_bytes=2000)):
        result = run(asked)
        bars = [one for one in result.series if one.kind == "bars"]
        marks = dict(zip(bars[0].x, bars[0].labels, strict=True))
        total = {style: sum(one.y[one.x.index(style)] for one in bars) for style in bars[0].x}
        shortest = min(total, key=lambda style: total[style])
        (advised,) = [style for style, said in marks.items() if said.startswith("recommended")]
        assert advised in result.headline
        tied = advised != shortest and total[advised] > total[shortest] * (1 + 1e-9)
        assert ("tie within" in marks[advised]) == tied
        assert marks[shortest] == ("shortest" if tied else "recommended")
        assert not any(one.labels for one in bars[1:])
