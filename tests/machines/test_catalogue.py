"""The presets: all load, all say where they come from, and the paper's figures are in them."""

from __future__ import annotations

import pytest

from machines import InputError, catalogue
from machines.catalogue.switched import MADE, text_of
from machines.formats.platform_toml import dump_platform, parse_platform
from machines.routes import routes
from machines.sharing import resources
from resources import folder


@pytest.mark.parametrize("name", [entry.name for entry in catalogue.entries()])
def test_a_preset_loads_and_says_where_it_comes_from(name: str) -> None:
    entry = catalogue.entry(name)
    platform = catalogue.load(name)
    assert parse_platform(dump_platform(platform)) == platform
    assert entry.title
    assert entry.source
    kinds = ("machine.", "link.", "switch.", "store.", "runtime.")
    assert all(each.key.startswith(kinds) and each.why for each in entry.assumed)


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


@pytest.mark.parametrize("name", MADE)
def test_the_file_of_a_made_platform_is_what_its_maker_says(name: str) -> None:
    path = folder("platforms") / f"{name}.toml"
    assert path.read_text(encoding="utf-8") == text_of(name)


@pytest.mark.parametrize(
    ("name", "machines", "switches", "links", "shared"),
    [
        ("star", 8, 1, 8, 16),
        ("bus", 8, 1, 8, 1),
        ("two-level-tree", 32, 5, 36, 72),
        ("fat-tree", 16, 20, 48, 96),
        ("dragonfly-group", 32, 8, 60, 120),
        ("lab-file-server", 4, 1, 5, 10),
    ],
)
def test_networks_are_whole(
    name: str, machines: int, switches: int, links: int, shared: int
) -> None:
    platform = catalogue.load(name)
    assert len(platform.machines) == machines
    assert len(platform.switches) == switches
    assert len(platform.links) == links
    assert len(resources(platform)) == shared
    hosts = len(platform.hosts)
    assert len(routes(platform)) == hosts * (hosts - 1)


@pytest.mark.parametrize(
    ("name", "lengths"),
    [
        ("star", {2}),
        ("two-level-tree", {2, 4}),
        ("fat-tree", {2, 4, 6}),
        ("dragonfly-group", {2, 3}),
    ],
)
def test_routes_pass_as_many_links_as_the_shape_says(name: str, lengths: set[int]) -> None:
    assert {len(route) for route in routes(catalogue.load(name)).values()} == lengths


def test_a_rack_shares_half_of_what_its_nodes_can_send() -> None:
    platform = catalogue.load("two-level-tree")
    up = platform.link("rack1", "core")
    down = platform.link("rack1-n1", "rack1")
    assert up is not None
    assert down is not None
    assert up.to_second.bandwidth == 8 * down.to_second.bandwidth / 2


def test_the_file_server_of_the_laboratory_is_a_store_behind_the_switch() -> None:
    platform = catalogue.load("lab-file-server")
    assert platform.hosts[4:] == ("files",)
    assert platform.runtime.fetch == "slot"


def test_prices_and_watts_that_ship_are_said_to_be_illustrative() -> None:
    for entry in catalogue.entries():
        machines = catalogue.load(entry.name).machines
        for key in ("price_per_hour", "watts"):
            if any(getattr(machine, key) is not None for machine in machines):
                said = [each for each in entry.assumed if each.key.endswith(key)]
                assert said, (entry.name, key)
                assert all(each.why.startswith("illustrative") for each in said)
