"""`placewise report`: a project or plan in, one file for people out, or nothing and the reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from advisor.allocation.plan import Plan
from advisor.commands import cli
from advisor.export.report_page.page_blocks import Page
from advisor.project.project_file import write_project
from tests.advisor.commands.asking import ADVISE, PLATFORM, WORKLOAD, Capture, answer
from tests.conftest import two_machines

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("w.toml").write_text(WORKLOAD, encoding="utf-8")
    Path("p.toml").write_text(PLATFORM, encoding="utf-8")
    write_project(two_machines(2), "case.placewise")


def test_a_project_becomes_a_page(capsys: Capture) -> None:
    status, out, err = answer(capsys, "report", "case.placewise", "--output", "r.html")
    assert (status, err) == (0, "")
    assert out == "Move A to M2: saves 10.0 s (21 %).\nThe report is in r.html.\n"
    text = Path("r.html").read_text(encoding="utf-8")
    assert fromstring(text).tag.endswith("html")
    assert "placewise export case.placewise --to csv" in text


def test_what_advise_printed_is_reported_too(capsys: Capture) -> None:
    _, out, _ = answer(capsys, *ADVISE, "--objective", "total", "--json")
    Path("plan.json").write_text(out, encoding="utf-8")
    status, out, _ = answer(capsys, "report", "plan.json", "--output", "r.htm", "--date", "May 4")
    assert status == 0
    assert ": none is better" in out
    text = Path("r.htm").read_text(encoding="utf-8")
    assert "May 4" in text
    assert "the sum of all task and transfer times" in text
    assert "placewise export plan.json --to csv" in text


@pytest.mark.usefixtures("usual_draws")
def test_the_same_bytes_in_every_process(capsys: Capture) -> None:
    status, _, _ = answer(capsys, "report", "case.placewise", "--output", "here.html")
    assert status == 0
    subprocess.run(
        [sys.executable, "-m", "advisor.commands.cli", "report", "case.placewise",
         "--output", "there.html"],
        env=os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)},  # here it is another
        check=True, capture_output=True,
    )  # fmt: skip
    assert Path("here.html").read_bytes() == Path("there.html").read_bytes()


def test_ctrl_c_leaves_a_report_of_the_best_so_far(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def stopped() -> Iterator[Callable[[], bool]]:
        yield lambda: True

    monkeypatch.setattr("advisor.commands.report_command.interruptible", stopped)
    status, out, _ = answer(capsys, "report", "case.placewise", "--output", "r.html")
    assert status == 130
    assert "The report is in r.html." in out
    assert fromstring(Path("r.html").read_text(encoding="utf-8")).tag.endswith("html")


def test_a_pdf_is_made_by_whoever_can(capsys: Capture) -> None:
    pages: list[Page] = []

    def make_pdf(page: Page) -> bytes:
        pages.append(page)
        return b"%PDF"

    assert cli.main(["report", "case.placewise", "--output", "r.pdf"], make_pdf) == 0
    assert Path("r.pdf").read_bytes() == b"%PDF"
    assert [one.title for one in pages] == ["A then B"]
    status, _, err = answer(capsys, "report", "case.placewise", "--output", "s.pdf")
    assert status == 2
    assert "a PDF needs Qt" in err
    assert ".html and print that in a browser" in err
    assert not Path("s.pdf").exists()


@pytest.mark.parametrize("name", ["report", "r.txt", "r.html.zip"])
def test_another_ending_is_refused(capsys: Capture, name: str) -> None:
    status, _, err = answer(capsys, "report", "case.placewise", "--output", name)
    assert status == 2
    assert ".html or .pdf" in err
    assert not Path(name).exists()


def test_what_can_not_be_written_or_read_is_told_before_anything_is_searched(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.export.report_page.subject.advise", None)
    status, _, err = answer(capsys, "report", "case.placewise", "--output", "no/r.html")
    assert (status, "no/r.html" in err) == (2, True)
    status, _, err = answer(capsys, "report", "w.toml", "--output", "r.html")
    assert status == 2
    Path("x.json").write_text("{}", encoding="utf-8")
    status, _, err = answer(capsys, "report", "x.json", "--output", "r.html")
    assert (status, "neither a plan nor a project" in err) == (2, True)
    assert not Path("r.html").exists()


def test_a_date_that_steers_a_terminal_is_refused(capsys: Capture) -> None:
    status, _, err = answer(
        capsys, "report", "case.placewise", "--output", "r.html", "--date", "\x1b[2J"
    )
    assert (status, "date" in err) == (2, True)


def test_an_unknown_objective_of_a_plan_is_refused(capsys: Capture) -> None:
    _, out, _ = answer(capsys, *ADVISE, "--json")
    Path("plan.json").write_text(json.dumps(json.loads(out) | {"objective": "joy"}))
    status, _, err = answer(capsys, "report", "plan.json", "--output", "r.html")
    assert (status, "joy" in err) == (2, True)


def test_a_plan_that_can_not_run_has_no_report(capsys: Capture) -> None:
    project = two_machines()
    small = tuple(replace(one, memory_bytes=1) for one in project.platform.machines)
    tasks = tuple(replace(one, memory_bytes=2) for one in project.workload.tasks)
    write_project(
        replace(
            project,
            platform=replace(project.platform, machines=small),
            workload=replace(project.workload, tasks=tasks),
            plan=Plan((0, 0)),
        ),
        "full.placewise",
    )
    status, _, err = answer(capsys, "report", "full.placewise", "--output", "r.html")
    assert (status, "M1" in err) == (3, True)
    assert not Path("r.html").exists()


def test_a_workload_is_reported_from_its_simplest_plan(capsys: Capture) -> None:
    Path("mine.toml").write_text(
        'format = "placewise-workload"\nversion = 1\nname = "mine"\n'
        '[[task]]\nname = "read"\nwork = 5.0\n',
        encoding="utf-8",
    )
    words = ("report", "mine.toml", "--platform", "lab", "--output", "mine.html", "--seconds", "1")
    status, out, err = answer(capsys, *words)
    assert (status, err) == (0, "")
    assert "mine.html" in out
    assert "read" in Path("mine.html").read_text(encoding="utf-8")
