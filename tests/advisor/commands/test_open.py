"""`placewise open`, and the other subcommands on what it takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.commands import cli
from advisor.project.project_file import read_project
from advisor.runs.run_record import render
from machines.formats.platform_toml import read_platform
from tests.advisor.project.sources.site_files import SLURM_CONF
from tests.advisor.project.sources.small_files import DAX
from tests.advisor.project.test_gathering import RUN

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slurm.conf").write_text(SLURM_CONF)
    Path("w.dax").write_text(DAX)
    Path("log.csv").write_text(render([RUN]))


def said(capsys: Capture, *words: str) -> tuple[int, str, str]:
    status = cli.main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_open_writes_the_project_and_says_what_it_rests_on(capsys: Capture) -> None:
    status, out, err = said(capsys, "open", "w.dax", "slurm.conf", "--out", "p.placewise")
    assert status == 0
    assert out.splitlines()[:2] == ["w.dax: Pegasus DAX", "slurm.conf: slurm.conf"]
    assert "3 machines: n01 (16 cores), n02 (16 cores), g1 (6 cores)" in out
    assert "Taken: gigabit; --answer network=…" in out
    assert "note: Left out, as down: old" in err
    assert len(read_project("p.placewise").platform.machines) == 3


def test_an_out_that_ends_in_toml_has_the_machines_alone(capsys: Capture) -> None:
    assert said(capsys, "open", "slurm.conf", "--out", "p.toml")[0] == 0
    assert read_platform("p.toml").index.keys() == {"n01", "n02", "g1"}


def test_json_lists_facts_assumptions_and_questions(capsys: Capture) -> None:
    _, out, _ = said(capsys, "open", "w.dax", "slurm.conf", "--json", "--answer",
                     "network=10-gigabit")  # fmt: skip
    found = json.loads(out)
    assert (found["tasks"], found["dependencies"], found["kind"]) == (2, 1, "workload")
    assert found["machines"][2] == {"name": "g1", "cores": 6, "speed": 1.0, "memory_bytes": None}
    assert [(one["key"], one["value"]) for one in found["questions"]] == [
        ("network", "10-gigabit")]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "p.json"], "--out ends in .placewise or .toml"),
        (["--answer", "network"], "an answer is KEY=VALUE"),
        (["missing.log"], "missing.log: there is no such file"),
    ],
)
def test_what_can_not_be_done_is_one_message(capsys: Capture, words: list[str], told: str) -> None:
    status, out, err = said(capsys, "open", "slurm.conf", *words)
    assert (status, out) == (2, "")
    assert told in err


def test_advise_takes_a_log_and_says_first_what_is_better(capsys: Capture) -> None:
    _, out, err = said(capsys, "advise", "log.csv", "--seconds", "0.2")
    assert out.startswith("With these machines 20.1 s instead of 30.0 s, both predicted")
    assert "90 % ranges: n01 1, n02 1.99 (2 to 2)" in err


def test_a_plan_of_several_files_is_exported_from_its_sources(capsys: Capture) -> None:
    files = ["w.dax", "slurm.conf"]
    said(capsys, "advise", *files, "--answer", "network=infiniband", "--out", "out")
    plan = json.loads(Path("out/plan.json").read_text())
    assert plan["sources"]["files"] == "../w.dax\n../slurm.conf"
    status, _, err = said(capsys, "export", "out/plan.json", "--to", "csv", "--output", "x.csv")
    assert (status, err) == (0, "")


def test_a_site_stands_for_a_platform(capsys: Capture) -> None:
    status, out, _ = said(capsys, "advise", "w.dax", "--platform", "slurm.conf", "--json")
    assert status == 0
    assert set(json.loads(out)["allocation"].values()) <= {"n01", "n02", "g1"}


def test_a_study_takes_a_site_as_its_platform(capsys: Capture) -> None:
    settings = ["--set", "workload=w.dax", "--set", "platform=slurm.conf"]
    status, out, _ = said(capsys, "study", "what-if", *settings, "--json")
    assert status == 0
    assert json.loads(out)["tables"]
