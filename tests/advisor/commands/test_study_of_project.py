"""`placewise study --project`: opens with the project's values and writes its answer back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.project.case_edits import add_case
from advisor.project.project_file import read_project, write_project
from advisor.project.study_case import StudyCase, Subject
from advisor.studies import STUDIES
from advisor.studies.of_project import new_case
from tests.advisor.commands.asking import Capture, answer, fill_the_disk
from tests.campaign import campaign

FILE = "c.placewise"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The campaign in the present folder."""
    monkeypatch.chdir(tmp_path)
    write_project(campaign(), FILE)
    return tmp_path / FILE


def test_the_answer_is_written_into_the_project(capsys: Capture, project: Path) -> None:
    status, out, _ = answer(
        capsys, "study", "blocks", "--project", FILE, "--subject", "align", "--use"
    )
    assert status == 0
    (choice,) = read_project(project).plan.choices
    assert (choice.task, choice.name) == (1, "block")
    assert out.startswith(f"On grid, cut each stripe into {choice.value} blocks:")
    assert out.endswith(f"\nUse {choice.value} blocks for align: written to {FILE}.\n")


def test_out_leaves_the_project_as_it_was(capsys: Capture, project: Path) -> None:
    before = project.read_bytes()
    status, out, _ = answer(
        capsys, "study", "trees", "--project", FILE, "--subject", "monitor", "--set", "shape=flat",
        "--use", "--out", "d.placewise", "--json",
    )  # fmt: skip
    assert status == 0
    assert json.loads(out)["used"].startswith("Use a flat tree for monitor: written to d.placewise")
    assert project.read_bytes() == before
    (tree,) = read_project("d.placewise").plan.overlays
    assert tree is not None
    assert tree.shape == "8"


@pytest.mark.parametrize("out", ["c.placewise/d", "x" * 300, "."])
def test_an_out_that_can_not_be_written_is_refused_before_the_study(
    capsys: Capture, out: str
) -> None:  # which finds no such subject
    asked = ("study", "trees", "--project", FILE, "--subject", "gone", "--use", "--out", out)
    status, said, err = answer(capsys, *asked)
    assert (status, said) == (2, "")
    assert "can't be written" in err


def test_a_full_disk_leaves_the_project_and_the_answer_on_standard_output(
    capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = project.read_bytes()
    fill_the_disk(monkeypatch)
    asked = ("study", "blocks", "--project", FILE, "--subject", "align", "--use")
    status, out, err = answer(capsys, *asked)
    assert (status, project.read_bytes()) == (2, before)
    assert out.startswith("On grid, cut each stripe into ")
    assert "written" not in out
    assert "The disk is full" in err


def test_a_stated_setting_comes_before_the_project_s(capsys: Capture) -> None:
    status, out, _ = answer(
        capsys, "study", "blocks", "--project", FILE, "--subject", "align", "--set", "n=64",
        "--json",
    )  # fmt: skip
    assert status == 0
    settings = ("--set", "n=64", "--set", "network=own", "--set", "latency=10", "--set",
                "overhead=5", "--set", "gap=5", "--set", "gap_per_byte=0.5", "--set", "unit=cycle",
                "--set", "cycle_ns=50", "--set", "dims=4x2", "--set", "task_time=10", "--set",
                "mapping=row-major")  # fmt: skip
    _, alone, _ = answer(capsys, "study", "blocks", *settings, "--json")
    assert json.loads(out)["facts"][0]["value"] == pytest.approx(
        json.loads(alone)["facts"][0]["value"]
    )


def test_a_case_of_the_project_is_asked(capsys: Capture, project: Path) -> None:
    case = new_case(campaign(), STUDIES["blocks"], Subject("task", "align"))
    few = StudyCase("few", "blocks", (("blocks", "4"), *case.settings), case.subject)
    write_project(add_case(campaign(), few), FILE)
    status, _, err = answer(capsys, "study", "blocks", "--project", FILE, "--case", "few", "--use")
    assert (status, err) == (0, "")
    found = read_project(project)
    assert found.plan.choices[0].value == 4
    assert found.cases == (few,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("styles", "--use"), "--use needs a project"),
        (("styles", "--subject", "fft"), "--subject needs a project"),
        (("styles", "--project", FILE, "--subject", "ftt"), 'Did you mean "fft"'),
        (("styles", "--project", FILE, "--case", "x"), "no such case"),
        (("styles", "--project", FILE, "--use"), "about nothing of the project"),
        (
            ("mapping", "--project", FILE, "--subject", "fft", "--use", "--set", "processes=4",
             "--set", "seconds=0.01"),
            "the mapping is for 4 processes, and the task has 8",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    capsys: Capture, project: Path, arguments: tuple[str, ...], message: str
) -> None:
    before = project.read_bytes()
    status, _, err = answer(capsys, "study", *arguments)
    assert status == 2
    assert message in err
    assert project.read_bytes() == before


def test_a_stopped_study_writes_nothing(
    capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from advisor.commands import study

    class Stopped:
        def __enter__(self) -> object:
            return lambda: True

        def __exit__(self, *_: object) -> None:
            return None

    monkeypatch.setattr(study, "interruptible", Stopped)
    before = project.read_bytes()
    status, _, _ = answer(
        capsys, "study", "trees", "--project", FILE, "--subject", "monitor", "--use"
    )
    assert status == 130
    assert project.read_bytes() == before
