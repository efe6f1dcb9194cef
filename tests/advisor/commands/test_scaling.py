"""`placewise study scaling` and `study sharing`: the same answers on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from tests.advisor.commands.asking import Capture, answer, answer_json

DATA = "P,time (s)\n1,100\n2,52\n4,28\n8,17\n16,11\n32,9\n"


def test_known_times_are_answered_in_text(capsys: Capture) -> None:
    settings = ("--set", "demands=40,40,40,40,40,160", "--set", "think_time=128000")
    status, out, err = answer(capsys, "study", "scaling", *settings)
    assert status == 0
    assert out.startswith("Use 830 processors: 794 times as fast as one.")
    assert "802" in out
    assert "Stages" in out
    assert "lower bounds" in err


def test_known_times_are_answered_in_json(capsys: Capture) -> None:
    settings = ("--set", "demands=5x40, 160", "--set", "budget=40")
    found = answer_json(capsys, "study", "scaling", *settings)
    result = run(ScalingParameters(budget=40.0))
    assert found["sentence"] == result.sentence
    series = found["series"]
    assert isinstance(series, list)
    assert [one["y"] for one in series] == [list(one.y) for one in result.series]


def test_parameters_that_are_unlike_have_digits_of_their_own(capsys: Capture) -> None:
    settings = ("--set", "source=data", "--set", "data=specsdm91", "--set", "replicates=0")
    _, out, _ = answer(capsys, "study", "scaling", *settings)
    (demand,) = [one for one in out.splitlines() if re.match(r"Erlang .* D ", one)]
    assert "0.001 " not in demand
    assert "5.60\u00b710\u207b\u2074" in demand


def test_a_file_of_measurements_is_fitted(folder: Path, capsys: Capture) -> None:
    (folder / "mine.csv").write_text(DATA, encoding="utf-8")
    found = answer_json(capsys, "study", "scaling", "--data", "mine.csv", "--set", "replicates=0")
    expected = run(ScalingParameters(source="data", data=DATA, replicates=0))
    assert found["sentence"] == expected.sentence
    status, out, _ = answer(
        capsys, "study", "scaling", "--data", "mine.csv", "--set", "replicates=0"
    )
    assert status == 0
    assert out.startswith(expected.sentence)
    assert "Parameters" in out
    assert "m1/s" not in out


def test_a_second_file_is_laid_over_the_first(folder: Path, capsys: Capture) -> None:
    (folder / "old.csv").write_text(DATA, encoding="utf-8")
    (folder / "new.txt").write_text(
        "PARAMETER p\nPOINTS 1 2 4 8 16 32\nMETRIC time (s)\n"
        + "".join(f"DATA {value} {1.01 * value}\n" for value in (50, 26, 14, 8, 5, 4)),
        encoding="utf-8",
    )
    files = ("--data", "old.csv", "--data", "new.txt")
    status, out, _ = answer(capsys, "study", "scaling", *files, "--set", "replicates=0")
    assert status == 0
    assert out.startswith("new is faster at P = 1 to 32, by ")
    assert "Side by side" in out


def test_contention_is_shown_both_ways(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "study", "sharing", "--set", "contenders=3x0.5")
    assert status == 0
    assert "Expect a slowdown of ×3.06 beside 3 contenders." in out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("scaling", "--data", "nowhere.csv"), "nowhere.csv"),
        (("scaling", "--data", "few.csv"), "fewer points than parameters"),
        (("scaling", "--data", "zero.csv"), "line 2"),
        (("scaling", "--data", "mixed.csv"), "mix kinds or units"),
        (("scaling", "--data", "few.csv", "--set", "source=data"), "twice"),
        (("scaling", *("--data", "few.csv") * 3), "at most"),
        (("shared_memory", *("--application", "few.csv") * 2), "once at most"),
        (("scaling", "--set", "demands=0"), "the network is empty"),
        (("scaling", "--set", "demnds=4"), "Did you mean demands"),
        (("sharing", "--set", "contenders=2"), "at most 1"),
        (("styles", "--data", "few.csv"), "takes no measurements"),
    ],
)
def test_what_can_not_be_is_one_message(
    arguments: tuple[str, ...], word: str, folder: Path, capsys: Capture
) -> None:
    (folder / "few.csv").write_text("P,time (s)\n1,10\n2,6\n", encoding="utf-8")
    (folder / "zero.csv").write_text("P,time (s)\n0,10\n2,6\n4,4\n", encoding="utf-8")
    (folder / "mixed.csv").write_text("P,time (s),time (ms)\n1,10,10\n2,6,6\n", encoding="utf-8")
    status, out, err = answer(capsys, "study", *arguments)
    assert (status, out) == (2, "")
    assert word in err
    assert err.count("\n") == 1
