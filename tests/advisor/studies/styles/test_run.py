"""The styles study: the paper's table, crossovers on the curves, and advice that holds."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from advisor.messages.patterns import KINDS
from advisor.messages.styles import STYLES
from advisor.studies import STUDIES, StudyProgress, StudyResult, parse_settings
from advisor.studies.styles.parameters import StyleCase, StyleFindings, StylesParameters
from advisor.studies.styles.run import holds_at_shares, run
from machines import InputError
from machines.catalogue import interconnect_names
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
    for before, after, size, time, low, high in rows:
        assert low is None or low <= size - 1 <= high  # type: ignore[operator]
        place = marks.x.index(float(size))  # type: ignore[arg-type]
        assert marks.x[place] == size
        later = [y for x, y in zip(curves[after].x, curves[after].y, strict=True) if x >= size]  # type: ignore[index,operator]
        other = [y for x, y in zip(curves[before].x, curves[before].y, strict=True) if x >= size]  # type: ignore[index,operator]
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
