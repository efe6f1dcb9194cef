"""What holds for every study that is checked by simulation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.studies import STUDIES, Check, CheckProgress, parse_settings
from advisor.studies.blocks.check import check as check_blocks
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.mapping.check import check as check_mapping
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.styles.check import check as check_styles
from advisor.studies.styles.parameters import StylesParameters
from machines.catalogue import interconnect_names

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.parametrize("name", interconnect_names())
def test_every_preset_is_checked(name: str) -> None:
    styles = StylesParameters(network=name, processors=4, message_bytes=500, largest_bytes=1000)
    assert check_styles(styles, messages=200).complete
    assert check_mapping(MappingParameters(name, processes=4, seconds=0.01), runs=2).complete
    assert check_blocks(BlocksParameters(name, n=64, processors=4), drawn=2).complete


@pytest.mark.parametrize("name", ["styles", "mapping", "blocks"])
def test_progress_rises_and_shows_what_there_is(name: str) -> None:
    study = STUDIES[name]
    assert study.check is not None
    settings = {
        "styles": ["dims=2x2", "largest_bytes=500"],
        "mapping": ["pattern=all-to-all", "dims=2x2", "seconds=0.01"],
        "blocks": ["n=64", "processors=3", "mapping=snake"],
    }[name]
    parameters = parse_settings(study.record, settings)
    seen: list[CheckProgress] = []
    found = study.check(parameters, seen.append)
    shares = [one.fraction for one in seen]
    assert shares == sorted(shares)
    assert min(shares) >= 0.0
    assert max(shares) < 1.0
    assert all(one.sentence for one in seen)
    partial = [one.partial for one in seen if one.partial is not None]
    if name != "mapping":  # of a single order there is nothing between
        assert [len(one.table.rows) for one in partial] == list(range(1, len(found.table.rows)))
    assert not any(one.complete for one in partial)
    assert found.complete


@pytest.mark.parametrize("name", ["styles", "mapping", "blocks"])
def test_stopped_at_once_nothing_is_invented(name: str) -> None:
    study = STUDIES[name]
    assert study.check is not None
    found = study.check(study.record(), None, lambda: True)
    assert not found.complete
    assert found.sentence == "Stopped before anything was simulated."
    assert (found.series, found.table.rows) == ((), ())


def test_studies_of_allocation_have_nothing_to_simulate() -> None:
    assert {name for name, study in STUDIES.items() if study.check is not None} == {
        "styles",
        "mapping",
        "blocks",
        "trees",
    }


def width(found: Check, row: int = 0) -> float:
    at = [name for name, _ in found.table.columns].index("±")
    half_width = found.table.rows[row][at]
    assert isinstance(half_width, float)
    return half_width


def test_nine_times_as_many_runs_make_the_intervals_a_third_as_wide() -> None:
    styles = StylesParameters(dims="4x4", message_bytes=500, largest_bytes=500)
    usual = width(check_styles(styles, messages=1500))
    narrow = width(check_styles(styles, messages=1500, times=9))
    assert narrow == pytest.approx(usual / 3.0, rel=0.4)  # each is an estimate itself
    mapping = MappingParameters(dims="3x3", pattern="random", messages=60, seconds=0.01)
    usual, narrow = (width(check_mapping(mapping, runs=20, times=times)) for times in (1, 9))
    assert narrow == pytest.approx(usual / 3.0, rel=0.4)


def test_several_simulations_of_a_style_are_the_mean_of_single_ones() -> None:
    asked = StylesParameters(dims="4x4", message_bytes=500, largest_bytes=500, seed=5)
    alone = [check_styles(replace(asked, seed=seed), messages=500) for seed in (5, 6, 7)]
    together = check_styles(asked, messages=500, times=3)
    place = [name for name, _ in together.table.columns].index("simulated")
    for row, cells in enumerate(together.table.rows):
        single = [one.table.rows[row][place] for one in alone]
        assert cells[place] == pytest.approx(sum(single) / 3)  # type: ignore[arg-type]
        assert width(together, row) == pytest.approx(
            sum(width(one, row) ** 2 for one in alone) ** 0.5 / 3
        )
