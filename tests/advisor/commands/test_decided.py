"""What a plan decides beside machines: advised, said, printed and predicted again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.advisor.commands.asking import ADVISE, Capture, answer, answer_json
from tests.advisor.commands.open_question import OPEN, write_open

ADVISED = ("advise", *OPEN, "--seconds", "0.05")
HERE = {"spectra": "alewife", "align": "direct", "report": "login"}


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_open(tmp_path)


def predicted(capsys: Capture, **decided: object) -> dict[str, object]:
    Path("a.json").write_text(json.dumps({"allocation": HERE, **decided}))
    return answer_json(capsys, "predict", *OPEN, "--allocation", "a.json")


def test_a_row_for_each_choice_says_what_is_chosen(capsys: Capture) -> None:
    status, out, _ = answer(capsys, *ADVISED)
    assert status == 0
    table = out[out.index("decision  ") :].split("\n\n")[0].splitlines()
    assert table[0].split() == ["decision", "of", "chosen", "saves", "alone"]
    firsts = [tuple(line.split()[:2]) for line in table[1:]]
    assert firsts[0] == ("allocation", "3")
    assert firsts[1:7] == [
        ("style", "spectra"), ("mapping", "spectra"), ("mapping", "align"), ("block", "align"),
        ("tree", "monitor"), ("By", "decision:"),
    ]  # fmt: skip
    assert re.search(r"^style +spectra +asynchronous long", "\n".join(table), re.MULTILINE)
    assert re.search(r"Against everything on \w+, nothing chosen: [\d.]+ m?s\.$", table[-1])


def test_the_gains_by_decision_sum_up_to_what_the_plan_saves(capsys: Capture) -> None:
    found = answer_json(capsys, *ADVISED, "--sharing", "none")
    explanation = found["explanation"]
    assert isinstance(explanation, dict)
    against = explanation["by_decision_against"]
    assert len(set(against["allocation"].values())) == 1
    gains = sum(one["gain_s"] for one in explanation["by_decision"])
    assert gains == pytest.approx(against["value_s"] - found["value_s"])  # type: ignore[operator]
    kinds = [name for one in explanation["by_decision"] for name in one["decisions"]]
    assert "style" in kinds


def test_what_is_advised_is_predicted_as_advised(capsys: Capture) -> None:
    found = answer_json(capsys, *ADVISED, "--out", "d")
    assert found["choices"]["spectra"]["style"].startswith("asynchronous-long")  # type: ignore[index]
    again = answer_json(capsys, "predict", *OPEN, "--allocation", "d/plan.json")
    assert again["makespan_s"] == found["value_s"]


def test_a_file_with_choices_and_a_tree_is_predicted_with_them(capsys: Capture) -> None:
    plain = predicted(capsys)
    slow = predicted(capsys, choices={"spectra": {"style": "synchronous-short"}})
    assert slow["makespan_s"] > plain["makespan_s"]  # type: ignore[operator]
    tree = {"monitor": {"tree": "8x8", "placement": {"svc": 8}}}
    apart = predicted(capsys, overlays=tree)
    assert apart["makespan_s"] != plain["makespan_s"]
    kept = predicted(capsys, choices={"align": {"block": 16, "mapping": list(range(31, -1, -1))}})
    assert kept["makespan_s"] > 0  # type: ignore[operator]


def test_what_is_assumed_of_an_overlay_is_a_warning(capsys: Capture) -> None:
    warnings = predicted(capsys)["warnings"]
    assert isinstance(warnings, list)
    assert any(one.startswith('overlay "monitor": Assumed: an overhead o') for one in warnings)
    advised = answer_json(capsys, *ADVISED)["warnings"]
    assert any(one.startswith('overlay "monitor": ') for one in advised)  # type: ignore[union-attr]
    _, _, err = answer(capsys, "predict", *OPEN, "--allocation", "a.json")
    assert 'placewise: note: overlay "monitor": Assumed' in err


def test_a_question_without_choices_is_answered_as_before(folder: Path, capsys: Capture) -> None:
    found = answer_json(capsys, *ADVISE)
    assert found["explanation"]["by_decision"] == []  # type: ignore[index]
    assert "by_decision_against" not in found["explanation"]  # type: ignore[operator]
    assert "decision" not in answer(capsys, *ADVISE)[1]
