"""The presets: all load, all say where they come from, and the paper's figures are in them."""

from __future__ import annotations

import pytest

from machines import InputError, catalogue
from machines.formats.platform_toml import dump_platform, parse_platform
from resources import folder


@pytest.mark.parametrize("name", [entry.name for entry in catalogue.entries()])
def test_a_preset_loads_and_says_where_it_comes_from(name: str) -> None:
    entry = catalogue.entry(name)
    platform = catalogue.load(name)
    assert parse_platform(dump_platform(platform)) == platform
    assert entry.title
    assert entry.source
    assert all(each.key.startswith(("machine.", "link.")) and each.why for each in entry.assumed)


def test_every_platform_file_is_in_the_catalogue() -> None:
    files = {path.stem for path in folder("platforms").glob("*.toml")} - {"catalogue"}
    assert files == {entry.name for entry in catalogue.entries()}


def test_an_unknown_preset_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match='Did you mean "cluster"'):
        catalogue.load("clusters")


def test_an_assumption_reads_as_a_sentence() -> None:
    assert str(catalogue.entry("lab").assumed[0]).startswith("machine.cores: ")


def test_the_loaded_variant_has_two_busy_contenders_on_m1() -> None:
    m1, m2 = catalogue.load("two-machines-loaded").machines
    assert [contender.compute for contender in m1.contenders] == [1.0, 1.0]
    assert m2.contenders == ()


def test_the_link_of_the_third_variant_is_slowed_three_times() -> None:
    assert catalogue.load("two-machines-loaded-link").links[0].slowdown == 3.0


def test_the_paragon_link_changes_its_line_at_1024_words() -> None:
    above = catalogue.load("sun-paragon").links[0].to_second.above
    assert above is not None
    assert above.threshold_bytes == 1024 * 4
