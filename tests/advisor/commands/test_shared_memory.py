"""`placewise study shared_memory` with files, and what the catalogue has for it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from advisor.shared_memory.application_file import (
    application_names,
    parse_application,
    shipped_application,
    write_application,
)
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names
from advisor.shared_memory.shared_memory_costs import shared_memory_of
from advisor.studies.shared_memory.parameters import SharedMemoryParameters
from advisor.studies.shared_memory.run import run
from machines import catalogue
from machines.formats.platform_toml import parse_platform
from tests.advisor.commands.asking import Capture, answer, answer_json

STUDY = ("study", "shared_memory")


def test_it_answers_in_text_by_either_spelling(capsys: Capture) -> None:
    status, out, err = answer(capsys, *STUDY, "--set", "application=sor")
    assert status == 0
    assert out.startswith(
        "Keep Fast Ethernet: efficiency 85.8 % reaches 70 %. SOR (reconstruction) takes"
    )
    assert "Where the time goes" in out
    assert "upper bound" in err
    assert answer(capsys, "study", "shared-memory", "--set", "application=sor")[1] == out


def test_it_reports_in_json(capsys: Capture) -> None:
    settings = ("--set", "technology=today", "--set", "processor=4", "--set", "messages=100")
    found = answer_json(capsys, *STUDY, *settings)
    result = run(SharedMemoryParameters(technology="today", processor=4.0, messages=100))
    assert found["study"] == "shared_memory"
    assert found["sentence"] == result.sentence
    assert found["reasons"] == list(result.reasons)
    series = found["series"]
    assert isinstance(series, list)
    assert [one["y"] for one in series] == [list(one.y) for one in result.series]


def test_an_application_is_read_from_a_file(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "mine.toml"
    write_application(shipped_application("is"), path, "mine.csv")
    status, out, _ = answer(capsys, *STUDY, "--application", str(path))
    assert status == 0
    assert out.startswith("For efficiency 70 % take 8.1 % better protocol software")
    assert " IS (reconstruction) takes 1.10 s" in out
    with (tmp_path / "mine.csv").open("a", encoding="utf-8") as counts:
        counts.write("step,20,8,-5\n")
    status, out, err = answer(capsys, *STUDY, "--application", str(path))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "mine.csv: line 10" in err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((*STUDY, "--application", "none.toml"), "none.toml"),
        ((*STUDY, "--set", "protocol=2"), "Allowed: 0 to 1"),
        ((*STUDY, "--set", "network=etherent"), "fast-ethernet"),
        ((*STUDY, "--set", "protocl=1"), "Did you mean protocol"),
        ((*STUDY, "--set", "file=a", "--application", "b"), "twice"),
        (("study", "styles", "--application", "b"), "this study takes no application"),
    ],
)
def test_what_can_not_be_is_one_message(
    arguments: tuple[str, ...], word: str, capsys: Capture
) -> None:
    status, out, err = answer(capsys, *arguments)
    assert (status, out) == (2, "")
    assert word in err


def test_the_catalogue_lists_networks_and_applications(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "catalogue")
    for name in (*dvsm_network_names(), *application_names()):
        assert any(line.startswith(f"{name} ") for line in out.splitlines())


@pytest.mark.parametrize("name", dvsm_network_names())
def test_a_network_is_printed_as_workstations_to_put_into_a_platform(
    name: str, capsys: Capture
) -> None:
    status, out, _ = answer(capsys, "catalogue", name)
    assert status == 0
    (machine,) = parse_platform(out).machines
    assert machine.shared_memory == shared_memory_of(dvsm_network(name), 8)
    assert "  [machine.shared_memory]" in out.splitlines()


def test_an_application_is_printed_as_a_file(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "catalogue", "water")
    assert parse_application(out) == shipped_application("water")
    assert "A reconstruction, not measurements" in str(tomllib.loads(out)["source"])


def test_no_name_stands_for_two_things() -> None:
    names = [
        *(preset.name for preset in catalogue.entries()), *catalogue.interconnect_names(),
        *dvsm_network_names(), *application_names(),
    ]  # fmt: skip
    assert len(names) == len(set(names))
