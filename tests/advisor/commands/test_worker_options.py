"""`--scheduler` and `--workers`: the same answers, and notes on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.advisor.commands.asking import ADVISE, PLATFORM, WORKLOAD, Capture, answer
from tests.shuffled import Shuffled

ADDRESS = "tcp://there:8786"
STARTS = ("study", "mapping", "--set", "dims=3x3", "--set", "pattern=random", "--set",
          "messages=40", "--set", "seconds=0.01", "--set", "restarts=3")  # fmt: skip
QUESTIONS = {
    "starts": (STARTS, "_Search"),
    "check": (("study", "trees", "--set", "back_ends=16", "--check"), "_part"),
    "flips": ((*ADVISE, "--seconds", "0.05"), "_walked"),
    "strategies": (
        ("compare", *ADVISE[1:], "--strategies", "heft,cpop", "--seconds", "0.05"),
        "_tried",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.toml").write_text(PLATFORM, encoding="utf-8")
    (tmp_path / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> tuple[Shuffled, list[tuple[str, int | None]]]:
    """Those that `computing` gives, and what it was asked for."""
    shards, asked = Shuffled(), []

    @contextmanager
    def computing(
        scheduler: str, workers: int | None, on_note: Callable[[str], None], *_: object,
        **how: object,
    ) -> Iterator[Shuffled]:  # fmt: skip
        asked.append((scheduler, workers))
        assert how["fallback"]
        on_note("The scheduler is back")
        yield shards

    monkeypatch.setattr("advisor.computing.computing", computing)
    return shards, asked


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_the_same_answer_whoever_computes_its_pieces(
    name: str, folder: Path, capsys: Capture, workers: tuple[Shuffled, list[object]]
) -> None:
    question, piece = QUESTIONS[name]
    shards, asked = workers
    here = answer(capsys, *question)
    assert not asked
    status, out, err = answer(capsys, *question, "--scheduler", ADDRESS)
    assert (status, out) == here[:2]
    assert err == f"placewise: note: The scheduler is back\n{here[2]}"
    assert asked == [(ADDRESS, None)]
    assert piece in {called for called, _ in shards.calls}


def test_processes_of_this_machine_share_the_work(
    capsys: Capture, workers: tuple[Shuffled, list[object]]
) -> None:
    assert answer(capsys, *STARTS, "--workers", "3")[0] == 0
    assert workers[1] == [("", 3)]
    assert answer(capsys, *STARTS, "--workers", "1")[0] == 0
    assert workers[1] == [("", 3)]  # one is this process


@pytest.mark.parametrize("wrong", [("--workers", "0"), ("--workers", "many"),
                                   ("--workers", "2", "--scheduler", ADDRESS)])  # fmt: skip
def test_what_can_not_be_is_refused(wrong: tuple[str, ...], capsys: Capture) -> None:
    status, out, err = answer(capsys, *STARTS, *wrong)
    assert (status, out) == (2, "")
    assert "--workers" in err
