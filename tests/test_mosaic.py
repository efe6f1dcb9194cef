"""The mosaic that ships is what it says: a mosaic, whose tasks fetch what lies elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import resources
from advisor.project.examples import load_example
from resources import make_examples
from resources.programs import mosaic

MACHINES = ("M1", "M2")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mosaic, "SLOWER", {})
    monkeypatch.setattr(mosaic, "STARTUP_S", 0.0)
    monkeypatch.setattr(mosaic, "BANDWIDTH", 1e12)
    return tmp_path


def test_the_example_is_what_its_script_makes_of_the_program() -> None:
    path = resources.folder("examples") / "mosaic.json"
    assert path.read_text(encoding="utf-8") == make_examples.running()
    workload = load_example("mosaic").workload
    assert len(workload.tasks) == 29
    needs: dict[str, set[str]] = {task.name: set() for task in workload.tasks}
    for source, target in zip(workload.sources.tolist(), workload.targets.tolist(), strict=True):
        needs[workload.tasks[target].name].add(workload.tasks[source].name)
    assert needs == {name: set(inputs) for name, inputs in mosaic.NEEDS.items()}


def test_the_mosaic_shows_the_stars_and_no_background(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks in turn on two machines; fluctuations of the background are far below the stars."""
    monkeypatch.setattr(mosaic, "HEIGHT", 240)
    monkeypatch.setattr(mosaic, "WIDTH", 400)
    for place, task in enumerate(mosaic.NEEDS):
        monkeypatch.setenv("PLACEWISE_MACHINE", MACHINES[place % 2])
        mosaic.main(task)
    total = np.load(next(here.glob("M?/add.npy")))
    tiles = np.median(total.reshape(4, 60, 5, 80).swapaxes(1, 2).reshape(20, -1), 1)
    assert np.ptp(tiles) < 0.5
    assert np.percentile(total, 99.5) > 5.0
    assert (here / "preview.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_an_input_from_elsewhere_is_fetched_once_and_told(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLACEWISE_FETCHED", str(here / "told"))
    monkeypatch.setenv("PLACEWISE_MACHINE", "M1")
    mosaic.main("raw0")
    assert not (here / "told").exists()
    monkeypatch.setenv("PLACEWISE_MACHINE", "M2")
    mosaic.main("project0")
    size, seconds = map(float, (here / "told").read_text(encoding="utf-8").split())
    assert size == (here / "M1/raw0.npy").stat().st_size
    assert 0.0 < seconds < 60.0
    (here / "told").unlink()
    mosaic.main("project0")
    assert not (here / "told").exists()


def test_what_is_made_anew_is_fetched_anew(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, task in (("M1", "raw0"), ("M2", "project0"), ("M1", "raw0")):
        monkeypatch.setenv("PLACEWISE_MACHINE", machine)
        mosaic.main(task)
    assert [path.parent.name for path in here.glob("*/raw0.npy")] == ["M1"]


@pytest.mark.parametrize(
    ("task", "said"), [("add", "background0 is on no machine"), ("paint", 'no task "paint": raw0')]
)
def test_a_task_that_can_t_run_says_why(here: Path, task: str, said: str) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "resources.programs.mosaic", task],
        capture_output=True, text=True, check=False, cwd=here,
        env={"PLACEWISE_MACHINE": str(here / "nowhere")},
    )  # fmt: skip
    assert found.returncode == 1
    assert found.stderr.startswith(said)
