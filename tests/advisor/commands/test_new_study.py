"""A study that is added, the one of `tests.dummies.study`, is on the command line by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.studies import STUDIES
from tests.advisor.commands.asking import Capture, answer, answer_json
from tests.dummies.study.lines import add_study


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    add_study(monkeypatch)


def test_it_is_listed_last_and_found_by_its_name() -> None:
    assert list(STUDIES)[-1] == "dice"
    assert STUDIES["dice"].question == "How many throws until a six?"
    assert not STUDIES["dice"].needs_problem


def test_a_wrong_name_lists_it(capsys: Capture) -> None:
    status, _, err = answer(capsys, "study", "nonsense")
    assert status == 2
    assert "shared_memory, dice" in err


def test_it_answers_in_text_with_its_settings(capsys: Capture) -> None:
    status, out, err = answer(capsys, "study", "dice", "--set", "sides=2", "--set", "sure=90")
    assert (status, err) == (0, "")
    assert out.startswith("A six shows in 4 throws with 94 %.\nthrows 4; certainty 93.8 %.\n")
    assert "\nOne throw misses with 50 %.\n" in out
    assert "Chances" in out


def test_its_settings_are_checked(capsys: Capture) -> None:
    status, _, err = answer(capsys, "study", "dice", "--set", "sides=1")
    assert status == 2
    assert "setting sides" in err
    assert "Allowed: 2 to 100" in err


def test_it_reports_series_tables_notes_and_what_is_its_own(capsys: Capture) -> None:
    found = answer_json(capsys, "study", "dice", "--set", "sides=2")
    assert found["series"][0]["y"] == [0.5]  # type: ignore[index]
    assert found["tables"][0]["rows"] == [[1, 50.0]]  # type: ignore[index]
    assert found["notes"][0]["source"] == "Huygens 1657"  # type: ignore[index]
    assert list(found)[-1] == "die"
    assert found["die"] == {"sides": 2, "noted": []}


def test_it_is_simulated(capsys: Capture) -> None:
    found = answer_json(capsys, "study", "dice", "--check")
    assert "throws on average" in found["check"]["sentence"]  # type: ignore[index]
    _, out, _ = answer(capsys, "study", "--help")
    assert "trees, dice" in " ".join(out.split())
    _, _, err = answer(capsys, "study", "sharing", "--check")
    assert "Studies with a check: styles, mapping, blocks, trees, dice" in err


def test_its_file_is_an_option_of_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "noted.txt"
    file.write_text("3\n6\n", encoding="utf-8")
    found = answer_json(capsys, "study", "dice", "--throws", str(file))
    assert found["die"] == {"sides": 6, "noted": [3, 6]}
    _, out, _ = answer(capsys, "study", "--help")
    assert "--throws FILE" in out
    assert "throws that were noted, one a line" in out


def test_no_other_study_takes_its_file(capsys: Capture) -> None:
    status, _, err = answer(capsys, "study", "styles", "--throws", "noted.txt")
    assert status == 2
    assert "this study takes no throws" in err
    assert "Leave --throws out, or ask study dice" in err
