"""What holds for every study that is checked by simulation."""

from __future__ import annotations

import pytest

from advisor.studies import STUDIES, CheckProgress, parse_settings
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
