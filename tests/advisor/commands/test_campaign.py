"""`campaign` computes what the folder lacks, says what all rows show, and goes on with a part."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.commands import campaign as command
from advisor.computing import Here
from tests.advisor.campaigns.small import HEAD, LAYERED, Known, Plain
from tests.advisor.campaigns.small import campaign as small
from tests.advisor.commands.asking import Capture, answer

CAMPAIGN = ("campaign", "c.toml", "--out", "out")


class Telling(Plain):
    """Sends this process Ctrl-C before the seventh answer."""

    def each(self, function, items):  # type: ignore[no-untyped-def]
        for place, found in super().each(function, items):
            if place == 6:
                os.kill(os.getpid(), signal.SIGINT)
            yield place, found


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """A campaign of 20 cases in c.toml; who was asked to compute."""
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text(HEAD + LAYERED, encoding="utf-8")
    found: list[tuple[object, ...]] = []

    @contextmanager
    def computing(scheduler: str, workers: int | None, *_more: object) -> Iterator[object]:
        found.append((scheduler, workers))
        yield Telling() if scheduler == "stopping" else known

    known = Known(small())
    monkeypatch.setattr(command, "computing", computing)
    return found


def test_all_cases_are_computed_and_what_they_show_is_said(
    asked: list[tuple[object, ...]], capsys: Capture
) -> None:
    status, out, err = answer(capsys, *CAMPAIGN)
    assert status == 0
    assert asked == [("", None)]
    assert "HEFT" in out.splitlines()[0]
    assert "Strategies\n" in out
    assert out.endswith("Results: out/results.jsonl, out/results.csv, out/timings.csv\n")
    assert err.splitlines()[0] == "20 cases: 10 of layered × 2 strategies"
    assert Path("out/results.csv").read_text().count("\n") == 21


def test_the_same_command_goes_on_and_a_third_time_computes_nothing(
    asked: list[tuple[object, ...]], capsys: Capture
) -> None:
    status, out, err = answer(capsys, *CAMPAIGN, "--scheduler", "stopping", "--json")
    kept = json.loads(out)["done"]
    assert (status, json.loads(out)["complete"]) == (130, False)
    assert 5 <= kept <= 7
    assert f"placewise: {kept} of 20 cases are done; the same command resumes\n" in err
    status, out, err = answer(capsys, *CAMPAIGN, "--workers", "3", "--json")
    assert (status, json.loads(out)["done"]) == (0, 20)
    assert f"{kept} of 20 cases are done already\n" in err
    status, again, err = answer(capsys, *CAMPAIGN, "--json")
    assert (status, again) == (0, out)
    assert asked == [("stopping", None), ("", 3)]


def test_ctrl_c_ends_it_with_how_many_are_done(
    asked: list[tuple[object, ...]], capsys: Capture
) -> None:
    status, out, err = answer(capsys, *CAMPAIGN, "--scheduler", "stopping")
    assert (status, out) == (130, "")
    assert err.endswith("of 20 cases are done; the same command resumes\n")
    assert asked


def test_json_is_one_object_with_the_findings(
    asked: list[tuple[object, ...]], capsys: Capture
) -> None:
    told = json.loads(answer(capsys, *CAMPAIGN, "--json", "--baseline", "min-min")[1])
    assert (told["campaign"], told["cases"], told["failed"]) == ("small", 20, 0)
    assert told["product"] == "10 of layered × 2 strategies"
    assert told["results"][1] == "out/results.csv"
    assert told["against"] == "min-min"
    assert told["tables"]
    assert asked


def test_a_terminal_is_told_how_far_it_is_on_one_line(
    asked: list[tuple[object, ...]], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    clock = iter(range(1000))
    monkeypatch.setattr(command, "monotonic", lambda: float(next(clock)))
    _, _, err = answer(capsys, *CAMPAIGN)
    shown = err.partition("strategies\n")[2].split("\r")
    assert shown[1] == "0 of 20 cases"
    assert shown[2].startswith("20 of 20 cases, ")
    assert "a second" in shown[2]
    assert not shown[3].strip()  # nothing of it stays
    assert asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("campaign", "none.toml", "--out", "out"), "no shipped campaign of this name"),
        (("campaign", "c.toml"), "required: --out"),
        ((*CAMPAIGN, "--workers", "0"), "'0' is no whole number"),
        ((*CAMPAIGN, "--workers", "2", "--scheduler", "tcp://a:1"), "not allowed with"),
        (("campaign", "c.toml", "--out", "c.toml"), "c.toml/campaign.json: can't be written"),
        ((*CAMPAIGN, "--baseline", "hefty"), "unknown strategy"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(
    arguments: tuple[str, ...], message: str, asked: list[tuple[object, ...]], capsys: Capture
) -> None:
    status, out, err = answer(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert not asked


def test_names_that_nobody_knows_are_told_before_anything_is_computed(
    asked: list[tuple[object, ...]], capsys: Capture
) -> None:
    text = (HEAD + LAYERED).replace("min-min", "mni-min") + 'platforms = ["labb"]\n'
    Path("c.toml").write_text(text, encoding="utf-8")
    status, _, err = answer(capsys, *CAMPAIGN)
    assert status == 2
    assert "no mni-min" in err
    assert "labb" in err
    assert not Path("out").exists()
    assert not asked


def test_one_worker_is_this_process(capsys: Capture, tmp_path: Path) -> None:
    with command.computing("", 1) as shards:
        assert isinstance(shards, Here)
    assert tmp_path.exists()
    assert capsys.readouterr().err == ""
