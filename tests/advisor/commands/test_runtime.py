"""`--runtime`: a preset in the place of what the platform says runs its tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.commands.inputs import read_planned
from tests.advisor.commands.asking import ADVISE, PLATFORM, WORKLOAD, Capture, answer


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.toml").write_text(PLATFORM)
    Path("w.toml").write_text(WORKLOAD)
    Path("a.json").write_text('{"A": "M2", "B": "M1"}')


PREDICT = ("predict", "w.toml", "--platform", "p.toml", "--allocation", "a.json", "--json")


def test_a_preset_takes_the_place_of_the_platforms_runtime(capsys: Capture) -> None:
    # A 18 s on M2, 8 s to M1, B 4 s slowed three times: 38 s; Slurm's 0.34 s before each of two
    ideal = json.loads(answer(capsys, *PREDICT)[1])["makespan_s"]
    assert ideal == pytest.approx(38.0)
    slurm = json.loads(answer(capsys, *PREDICT, "--runtime", "slurm")[1])["makespan_s"]
    assert slurm == pytest.approx(38.0 + 2 * 0.34)


def test_a_platforms_own_runtime_can_be_set_aside(capsys: Capture) -> None:
    Path("p.toml").write_text(PLATFORM + "[runtime]\ntask_overhead_s = 5.0\n")
    status, out, _ = answer(capsys, *PREDICT, "--runtime", "ideal")
    assert (status, json.loads(out)["makespan_s"]) == (0, pytest.approx(38.0))


def test_a_plan_keeps_the_runtime_that_it_was_advised_for(capsys: Capture) -> None:
    assert answer(capsys, *ADVISE, "--runtime", "dask", "--out", "out")[0] == 0
    assert json.loads(Path("out/plan.json").read_text())["sources"]["runtime"] == "dask"
    problem, _ = read_planned("out/plan.json", None, None)
    assert problem.platform.runtime.task_overhead_s == 0.01
    problem, _ = read_planned("out/plan.json", None, "p.toml")  # another platform has its own
    assert problem.platform.runtime.task_overhead_s == 0.0


def test_an_unknown_runtime_is_refused_with_the_nearest_name(capsys: Capture) -> None:
    status, _, err = answer(capsys, *PREDICT, "--runtime", "slrum")
    assert status == 2
    assert "unknown runtime" in err
    assert "slurm" in err


def test_the_catalogue_prints_a_runtime_as_it_goes_into_a_platform(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "catalogue", "snakemake")
    assert status == 0
    assert "# Source: Measured: Snakemake 9.27" in out
    assert "[runtime]" in out
    Path("q.toml").write_text(PLATFORM + out)
    replaced = [part if part != "p.toml" else "q.toml" for part in PREDICT]
    assert json.loads(answer(capsys, *replaced)[1])["makespan_s"] == pytest.approx(38.088)


def test_a_plan_finds_its_files_from_any_folder(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("in", "elsewhere"):
        (tmp_path / name).mkdir()
    Path("in/w.toml").write_text(WORKLOAD)
    Path("in/p.toml").write_text(PLATFORM)
    for name in ("w.toml", "p.toml"):
        Path(name).unlink()
    answer(capsys, "advise", "in/w.toml", "--platform", "in/p.toml", "--out", "out")
    monkeypatch.chdir(tmp_path / "elsewhere")
    answer(capsys, "export", "../out/plan.json", "--to", "csv", "--output", "s.csv")
    assert Path("s.csv").read_text().startswith('"task",')
