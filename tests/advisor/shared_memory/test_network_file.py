"""Networks of software shared memory: presets with their sources, own files, refusals."""

import math
from pathlib import Path

import pytest

from advisor.models import dvsm
from advisor.shared_memory.network_file import (
    dump_dvsm_network,
    dvsm_network,
    dvsm_network_names,
    read_dvsm_network,
)
from machines import InputError

OWN = (
    'format = "placewise-dvsm-network"\nversion = 1\nname = "own"\nsoftware_small = [10, 0.1]\n'
    "software_large = [20, 0.05]\nknee = 500\nwire_per_byte = 0.01\ninterface_latency = 2\n"
)


def test_the_paper_s_networks_come_first_and_equal_the_model_s():
    assert dvsm_network_names()[:2] == ("fast-ethernet", "oc3-atm")
    assert dvsm_network("fast-ethernet").network == dvsm.FAST_ETHERNET
    assert dvsm_network("oc3-atm").network == dvsm.OC3_ATM


@pytest.mark.parametrize("name", dvsm_network_names())
def test_a_preset_has_a_source_and_says_what_it_does_not_print(name, tmp_path: Path):
    preset = dvsm_network(name)
    assert len(preset.source) > 40
    assert preset.assumed
    path = tmp_path / f"{name}.toml"
    path.write_text(dump_dvsm_network(preset), encoding="utf-8")
    assert read_dvsm_network(path) == preset


def test_today_s_networks_are_faster_and_keep_the_latency_of_their_source():
    page = {name: dvsm.fault_time(dvsm_network(name).network, 1, 12, 4120)
            for name in dvsm_network_names()}  # fmt: skip
    assert page["infiniband-edr"] < page["cloud-ethernet"] < page["fast-ethernet"] / 10
    assert dvsm.hardware_latency(dvsm_network("infiniband-edr").network) == pytest.approx(1.6)
    assert dvsm.hardware_latency(dvsm_network("cloud-ethernet").network) == pytest.approx(30)


def test_a_network_of_one_s_own_is_read_with_its_defaults(tmp_path: Path):
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    preset = read_dvsm_network(path)
    assert (preset.key, preset.network.signal, preset.source) == ("own", 40.0, "")
    path.write_text(OWN.replace("500", "inf"))
    assert read_dvsm_network(path).network.knee == math.inf


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("interface_latency = 2\n", "", "interface_latency is missing"),
        ("interface_latency", "interface_delay", 'Did you mean "interface_latency"'),
        ("[10, 0.1]", "[10]", "software_small is a pair"),
        ("[10, 0.1]", "[-1, 0.1]", "base of software_small is out of range"),
        ("[20, 0.05]", "20", "software_large must be a list"),
        ("= 0.01", "= -0.01", "wire_per_byte is out of range"),
        ("= 500", "= nan", "knee is out of range"),
        ("= 2\n", "= true\n", "interface_latency must be a number"),
        ('"own"', '""', "name"),
    ],
)
def test_a_wrong_network_is_refused_with_its_place(tmp_path: Path, old, new, message):
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(old, new))
    with pytest.raises(InputError, match=message) as refused:
        read_dvsm_network(path)
    assert str(refused.value).startswith(str(path))


def test_an_unknown_network_is_refused_with_the_nearest():
    with pytest.raises(InputError, match='Did you mean "oc3-atm"'):
        dvsm_network("oc3_atm")
