"""Styles checked by simulation: what is drawn, compared, left out and refused."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from advisor.studies.styles.check import check as check_styles
from advisor.studies.styles.parameters import StylesParameters
from advisor.studies.styles.run import run as run_styles
from machines import PlacewiseError
from tests.advisor.studies.checking import drawn_over, rows

pytestmark = pytest.mark.usefixtures("compiled")

STYLES = StylesParameters(message_bytes=1000)
SMALL = StylesParameters(dims="4x2", message_bytes=1000, largest_bytes=4000)
BLOCKED, OVERLAPPED = "asynchronous long blocking", "asynchronous long non-blocking"


def test_styles_are_simulated_at_the_chosen_size_and_along_the_curves() -> None:
    found = check_styles(STYLES, messages=30_000)
    assert found.complete
    drawn_over(found, run_styles(replace(STYLES, largest_bytes=1000)))
    first = rows(found)[0]
    assert (first["style"], first["size"]) == (BLOCKED, 1000)
    # T is two occupancies here: −19 % on a flit-level simulation
    assert first["published (physical) is off"] == pytest.approx(-20, abs=4)
    assert first["route-aware is off"] == pytest.approx(0, abs=6)
    assert 10 < first["published (bytes) is off"] < 30  # type: ignore[operator]
    assert found.sentence.startswith("Simulated 1")
    blocked, overlapped = found.series
    assert blocked.name == f"simulated, {BLOCKED}"
    assert list(blocked.x) == sorted(blocked.x)
    assert 1000.0 in blocked.x and 100_000.0 in blocked.x
    assert len(blocked.half_width) == len(blocked.y)
    assert 0 < max(blocked.half_width[-3:]) < 0.05 * blocked.y[-1]
    # the engine of the other style rests less between messages
    assert all(low <= high for low, high in zip(overlapped.y, blocked.y, strict=True))


def test_the_models_of_a_check_are_those_of_the_study() -> None:
    found = rows(check_styles(SMALL, messages=2000))[0]
    for column, contention, occupancy in (
        ("route-aware", "route-aware", "physical"),
        ("published (physical)", "published", "physical"),
        ("published (bytes)", "published", "bytes"),
    ):
        asked = replace(SMALL, contention=contention, occupancy=occupancy)
        (row,) = [cells for cells in run_styles(asked).tables[0].rows if cells[0] == BLOCKED]
        assert found[column] == pytest.approx(row[1])


def test_a_program_that_its_network_keeps_waiting_for_nothing_takes_its_own_time() -> None:
    asked = replace(SMALL, message_bytes=64, largest_bytes=64)
    (row,) = [one for one in rows(check_styles(asked, messages=500)) if one["style"] == OVERLAPPED]
    assert (row["simulated"], row["±"], row["route-aware is off"]) == (154.0, 0.0, 0.0)


def test_shares_of_a_hotspot_are_simulated_over_their_curve() -> None:
    asked = replace(SMALL, pattern="hotspot", hotspot_share=0.1)
    found = check_styles(asked, messages=4000)
    drawn_over(found, run_styles(asked))
    (across,) = [one for one in found.series if one.x_label == "hotspot share"]
    assert across.x == pytest.approx((0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
    assert list(across.y) == sorted(across.y)
    hottest = next(one for one in rows(found) if one["hotspot share"] == 0.5)
    # the busiest receiver takes 1 + 6 · 0.5 messages of 500 cycles
    assert hottest["simulated"] == pytest.approx(2000, rel=0.05)
    assert hottest["route-aware is off"] == pytest.approx(0, abs=7)
    assert hottest["published (physical) is off"] < -30  # type: ignore[operator]
    assert any("busiest receiver" in note.text for note in found.notes)


def test_what_does_not_apply_is_left_out_with_a_note() -> None:
    found = check_styles(replace(SMALL, pattern="shift"), messages=500)
    assert not any("published" in name for name, _ in found.table.columns)
    texts = [note.text for note in found.notes]
    assert any("published model does not apply" in text for text in texts)
    assert any("fall into step" in text for text in texts)
    assert any("synchronous" in text for text in texts)
    seconds = check_styles(replace(SMALL, network="slingshot", dims=""), messages=500)
    assert not any("bytes" in name for name, _ in seconds.table.columns)
    assert seconds.series[0].y_unit == "s"


def test_a_network_too_large_is_refused() -> None:
    with pytest.raises(PlacewiseError, match="up to 1024 nodes"):
        check_styles(replace(STYLES, dims="33x32", pattern="shift"))


def test_stopped_on_the_way_it_keeps_what_is_known() -> None:
    asked = itertools.count()
    found = check_styles(SMALL, None, lambda: next(asked) > 30, messages=1500)
    assert not found.complete
    assert 1 <= len(found.table.rows) < 14
    assert found.sentence.startswith("Simulated ")
