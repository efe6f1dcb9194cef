"""Blocks checked by simulation: the wavefront under its mapping, and under random ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.studies.blocks.check import check as check_blocks
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run as run_blocks
from machines import InputError, PlacewiseError
from tests.advisor.studies.checking import drawn_over, rows

pytestmark = pytest.mark.usefixtures("compiled")

PAPER = BlocksParameters(bytes_per_value=20_000.0, blocks=64)


def test_the_wavefront_is_simulated_under_its_mapping() -> None:
    found = check_blocks(PAPER, drawn=8)
    drawn_over(found, run_blocks(PAPER))
    own, mean, *others = rows(found)
    assert (own["mapping"], own["blocks b"], own["±"]) == ("random, seed 0", 64, 0.0)
    assert mean["mapping"] == "mean of 8 random ones"
    # the published model describes the mean of random mappings; the other is an upper bound
    assert mean["published (physical) is off"] == pytest.approx(0, abs=8)
    assert mean["route-aware is off"] > 10  # type: ignore[operator]
    assert 0 < own["contention C_n"] < own["contention C_n, route-aware"]  # type: ignore[operator]
    assert own["contention C_n, ±"] > 0  # type: ignore[operator]
    assert len(others) == 5
    single, several = found.series
    assert len(single.x) == 6 and single.half_width == ()
    assert several.x == (64.0,) and several.half_width[0] > 0


def test_without_shared_channels_simulation_and_closed_form_agree() -> None:
    asked = replace(PAPER, mapping="snake")
    found = check_blocks(asked)
    for one in rows(found):
        late = 31 * 25 / one["simulated"]  # type: ignore[operator]  # (P − 1) o_s, which d leaves out
        assert one["route-aware is off"] == pytest.approx(-100 * late, abs=0.011)
        assert one["contention C_n"] == 0.0
    assert any("does not apply" in note.text for note in found.notes)


def test_the_check_shows_that_the_formula_as_printed_is_too_short() -> None:
    quick = BlocksParameters(task_time=1.0, mapping="snake")
    own = check_blocks(quick)
    assert "for 87 blocks" in own.sentence
    assert "As printed, without the receiver's o_r of 129 cycles, it is 22 % too short." in (
        own.sentence
    )
    printed = check_blocks(replace(quick, receiving="printed"))
    assert "238 blocks" in printed.sentence
    assert "it is 41 % too short" in printed.sentence
    slow, fast = rows(printed)[0]["simulated"], rows(own)[0]["simulated"]
    assert slow == pytest.approx(1.20 * fast, rel=0.01)  # type: ignore[operator]


def test_too_many_blocks_are_refused() -> None:
    with pytest.raises(PlacewiseError, match="choose fewer blocks"):
        check_blocks(replace(PAPER, n=100_000, blocks=10_000))
    with pytest.raises(InputError, match="Allowed: 1 to"):
        check_blocks(replace(PAPER, blocks=5000))
