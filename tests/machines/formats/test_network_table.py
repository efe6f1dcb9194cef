"""The table of a network: exact round trips, and one clear refusal for every defect."""

import pytest
from hypothesis import given, settings

from machines import (
    Crossbar,
    Dragonfly,
    FatTree,
    Hypercube,
    InputError,
    LogGP,
    Machine,
    Mesh,
    Platform,
)
from machines.formats import toml_text
from machines.formats.network_table import (
    interconnect_from,
    interconnect_table,
    read_interconnect,
)
from machines.formats.platform_toml import dump_platform, parse_platform
from tests.machines.formats.interconnects import interconnects

TEXT = """
name = "mine"
kind = "torus"
dims = [4, 3]
unit = "cycle"
unit_s = 1e-8
short = { L = 1, o_s = 2, o_r = 3 }
long = { L = 4, o_s = 5, o_r = 6, g = 7, G = 0.5, G_m = 0.25, a = 8 }
"""


def read(text):
    return interconnect_from(toml_text.parse(text, "text"))


def test_every_key_is_read():
    found = read(TEXT + 'source = "a paper"\nassumed = ["unit_s: guessed"]')
    assert found.network == Mesh([4, 3], wrap=True)
    assert found.short == LogGP(1, 2, 3)
    assert found.long == LogGP(4, 5, 6, 7, 0.5, 0.25, 8)
    assert (found.name, found.unit, found.unit_s) == ("mine", "cycle", 1e-8)
    assert (found.source, found.assumed) == ("a paper", ("unit_s: guessed",))


def test_source_and_assumptions_may_be_left_out():
    assert (read(TEXT).source, read(TEXT).assumed) == ("", ())


@pytest.mark.parametrize(
    ("kind", "dims", "network"),
    [
        ("mesh", "[4, 3]", Mesh([4, 3])),
        ("hypercube", "[2, 2, 2]", Hypercube(3)),
        ("crossbar", "[9]", Crossbar(9)),
        ("fat tree", "[4, 3, 2]", FatTree([4, 3, 2])),
        ("fat tree 2:1", "[4, 3]", FatTree([4, 3], taper=2)),
        ("dragonfly", "[2, 4, 5]", Dragonfly([2, 4, 5])),
    ],
)
def test_every_kind_of_network_is_read(kind, dims, network):
    found = read(TEXT.replace("torus", kind).replace("[4, 3]", dims))
    assert found.network == network
    assert interconnect_from(interconnect_table(found)) == found


@settings(max_examples=20, deadline=None)
@given(interconnects)
def test_any_interconnect_survives_the_file_exactly(interconnect):
    assert interconnect_from(interconnect_table(interconnect)) == interconnect
    platform = Platform("p", (Machine("m", network=interconnect),))
    assert parse_platform(dump_platform(platform)) == platform


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"torus"', '"ring"', "unknown kind of network.*ring.*Known: mesh"),
        ('"torus"', '"hypercube"', "2 nodes along each dimension"),
        ('"torus"', '"crossbar"', "one dimension"),
        ("[4, 3]", "[4, 0]", "dims must be a whole number"),
        ("[4, 3]", "[]", "at least one dimension"),
        ("[4, 3]", "4", "dims must be a list"),
        ('kind = "torus"', "", "kind is missing"),
        ('name = "mine"', 'name = ""', "name must be a non-empty text"),
        ("unit_s = 1e-8", "unit_s = 0", "unit_s is out of range"),
        ("unit_s = 1e-8", "", "unit_s is missing"),
        ('"cycle"', "3", "unit must be a text"),
        ("L = 1,", "", "short: L is missing"),
        ("L = 4", "L = -4", "long: L is out of range"),
        ("L = 4", "L = true", "long: L must be a number"),
        ("g = 7", "h = 7", 'long: unknown key "h"'),
        ("short = {", "shorts = {", 'unknown key "shorts".*Did you mean "short"'),
        ('name = "mine"', 'name = "mine"\nassumed = [3]', "assumed must be a text"),
        ('name = "mine"', 'name = "mine"\nassumed = [" "]', "assumed must be a non-empty text"),
    ],
)
def test_a_defect_is_named_with_its_place(old, new, message):
    assert old in TEXT
    with pytest.raises(InputError, match=message):
        read(TEXT.replace(old, new, 1))


def test_a_preset_file_names_itself_in_errors(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('format = "placewise-network"\nversion = 1' + TEXT.replace("[4, 3]", "[0]"))
    with pytest.raises(InputError, match=r"mine\.toml.*dims"):
        read_interconnect(path)
    path.write_text('format = "placewise-network"\nversion = 1' + TEXT)
    assert read_interconnect(path) == read(TEXT)
