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
    assert (own["mapping"], own["b"], own["±"]) == ("random, seed 0", 64, 0.0)
    assert mean["mapping"] == "mean of 8 random ones"
    # the published model describes the mean of random mappings; the other is an upper bound
    assert mean["published (physical) is off"] == pytest.approx(0, abs=8)
    assert mean["route-aware is off"] > 10  # type: ignore[operator]
    assert 0 < own["C_n"] < own["C_n, route-aware"]  # type: ignore[operator]
    assert own["C_n ±"] > 0  # type: ignore[operator]
    assert len(others) == 5
    single, several = found.series
    assert len(single.x) == 6 and single.half_width == ()
    assert several.x == (64.0,) and several.half_width[0] > 0


def test_without_shared_channels_simulation_and_closed_form_agree() -> None:
    asked = replace(PAPER, mapping="snake")
    found = check_blocks(asked)
    for one in rows(found):
        assert one["route-aware is off"] == 0.0
        assert one["C_n"] == 0.0
    assert any("does not apply" in note.text for note in found.notes)


def test_too_many_blocks_are_refused() -> None:
    with pytest.raises(PlacewiseError, match="choose fewer blocks"):
        check_blocks(replace(PAPER, n=100_000, blocks=10_000))
    with pytest.raises(InputError, match="Allowed: 1 to"):
        check_blocks(replace(PAPER, blocks=5000))
