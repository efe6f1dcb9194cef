"""Networks with their costs: values that can be compared, stored and sent, and the presets."""

import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from machines import Crossbar, Hypercube, InputError, Interconnect, LogGP, Machine, Mesh, catalogue
from resources import folder

COSTS = LogGP(1, 2, 3)
MINE = Interconnect("mine", Crossbar(4), COSTS, COSTS, "µs", 1e-6)


def test_an_interconnect_is_a_value():
    other = Interconnect("mine", Crossbar(4), COSTS, COSTS, "µs", 1e-6)
    assert (MINE, hash(MINE)) == (other, hash(other))
    assert pickle.loads(pickle.dumps(MINE)) == MINE
    assert Machine("m", network=MINE) != Machine("m")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name must be"),
        ({"unit": ""}, "unit must be"),
        ({"unit_s": 0}, "unit_s is out of range"),
        ({"network": "mesh"}, "unknown kind of network"),
        ({"long": None}, "must be LogGP"),
        ({"assumed": ("",)}, "assumed must be"),
    ],
)
def test_a_field_that_is_no_such_thing_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        replace(MINE, **change)


@pytest.mark.parametrize("name", catalogue.interconnect_names())
def test_a_preset_says_where_it_comes_from_and_what_is_assumed(name):
    preset = catalogue.interconnect(name)
    assert len(preset.source) > 20
    assert all(": " in sentence for sentence in preset.assumed)
    assert preset.long.G_m < preset.long.G
    assert 1e-9 < preset.unit_s < 1e-3


def test_every_network_file_is_a_preset_and_the_papers_comes_first():
    names = catalogue.interconnect_names()
    assert set(names) == {path.stem for path in folder("networks").glob("*.toml")}
    assert names[0] == "alewife"


def test_an_unknown_preset_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match='Did you mean "paragon"'):
        catalogue.interconnect("paragn")


def test_alewife_is_the_paper_s():
    preset = catalogue.interconnect("alewife")
    assert preset.network == Mesh([8, 4])
    assert (preset.short.L, preset.short.o_s, preset.short.o_r) == (21, 15, 122)
    assert preset.long == LogGP(8, 25, 129, g=25, G=0.5, G_m=0.3625, a=8)
    # 2 bytes a cycle are 41 MB/s
    seconds = preset.long.G * preset.unit_s
    assert 1 / seconds == pytest.approx(41e6)


@pytest.mark.parametrize(
    ("name", "costs"), [("alewife-0", (9, 117)), ("alewife-1", (12, 119)), ("alewife", (15, 122))]
)
def test_a_short_message_of_alewife_costs_by_its_arguments(name, costs):
    preset = catalogue.interconnect(name)
    assert (preset.short.o_s, preset.short.o_r) == costs
    assert preset.long == catalogue.interconnect("alewife").long


def test_the_latency_of_the_ncube_follows_from_its_hops_and_channels():
    preset = catalogue.interconnect("ncube2")
    assert preset.network == Hypercube(6)
    cycles = preset.network.mean_distance() * 40 + 160
    assert cycles * 0.025 == pytest.approx(preset.short.L)


@pytest.mark.parametrize(("name", "megabytes"), [("paragon", 141), ("myrinet-now", 38)])
def test_the_gap_per_byte_is_the_printed_bandwidth(name, megabytes):
    gap = catalogue.interconnect(name).long.G
    assert 1 / gap == pytest.approx(megabytes)


def test_the_optional_parameters_are_zero():
    p = LogGP(L=5, o_s=1, o_r=2)
    assert (p.g, p.G, p.G_m, p.a) == (0.0, 0.0, 0.0, 0.0)


def test_parameters_are_floats_and_compare_by_value():
    assert LogGP(5, 1, 2) == LogGP(L=5.0, o_s=1.0, o_r=2.0)
    assert all(isinstance(getattr(LogGP(5, 1, 2), field.name), float) for field in fields(LogGP))


def test_a_value_is_frozen_and_replaced():
    p = LogGP(5, 1, 2)
    with pytest.raises(FrozenInstanceError):
        p.L = 6
    assert replace(p, G=0.5).G == 0.5


@pytest.mark.parametrize("name", ["L", "o_s", "o_r", "g", "G", "G_m", "a"])
@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf"), "1", True, 10**400])
def test_a_parameter_that_is_no_finite_number_from_zero_is_refused_by_name(name, value):
    arguments = {"L": 1.0, "o_s": 1.0, "o_r": 1.0, name: value}
    with pytest.raises(InputError, match=f"LogGP: {name} "):
        LogGP(**arguments)
