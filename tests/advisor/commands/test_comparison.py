"""`compare` prints what tells plans apart and marks the Pareto front that is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.commands.cli import main
from tests.advisor.commands.open_question import OPEN, write_open

PLATFORM = """format = "placewise-platform"
version = 1
name = "p"
[[machine]]
name = "fast"
speed = 2.0
price_per_hour = 9.0
watts = 400.0
[[machine]]
name = "slow"
price_per_hour = 1.0
[[link]]
between = ["fast", "slow"]
startup_s = 0.0
bandwidth = 1e9
"""
WORKLOAD = """format = "placewise-workload"
version = 1
name = "w"
[[task]]
name = "a"
work = 7200.0
"""
ASKED = ("compare", "w.toml", "--platform", "p.toml", "--strategies", "heft", "--seconds", "0.05")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.toml").write_text(PLATFORM, encoding="utf-8")
    (tmp_path / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    (tmp_path / "slow.json").write_text('{"a": "slow"}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def asked(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main([*ASKED, *more]) == 0
    return capsys.readouterr().out


def test_the_front_of_makespan_and_money_keeps_the_slow_and_cheap(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # fast: 1 h at 9; slow: 2 h at 1
    out = asked(capsys, "--against", "slow.json", "--pareto", "money")
    lines = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "money" in lines["plan"]
    assert " * " in lines["slow.json"]
    assert " * " in lines["heft"]
    assert "  2  " in lines["slow.json"]
    assert "  9  " in lines["heft"]
    assert "* on the Pareto front of makespan and money" in out
    total = asked(capsys, "--against", "slow.json")
    slow = next(line for line in total.splitlines() if line.startswith("slow.json"))
    assert "*" not in slow
    assert "makespan and total time" in total


def test_who_has_no_watts_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    out = asked(capsys, "--against", "slow.json", "--pareto", "energy")
    assert "Energy is not known of every plan: slow has no watts." in out
    heft = next(line for line in out.splitlines() if line.startswith("heft"))
    assert "  400 Wh  " in heft


def test_json_carries_all(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(asked(capsys, "--against", "slow.json", "--pareto", "money", "--json"))
    assert found["pareto"] == "money"
    slow, fast = found["plans"][0], found["plans"][-1]
    assert (slow["money"], slow["energy_j"], slow["without_watts"]) == (2.0, None, ["slow"])
    assert (fast["money"], fast["energy_j"]) == (9.0, 400.0 * 3600.0)
    assert (slow["machines_used"], slow["processors_used"]) == (1, 1)
    assert (slow["on_pareto_front"], fast["on_pareto_front"]) == (True, True)
    assert fast["pareto_fronts"] == ["total", "machines", "processors", "money", "energy", "p90"]
    assert slow["pareto_fronts"] == ["money"]


def test_an_unknown_measure_is_refused_before_anything_is_searched(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*ASKED, "--pareto", "beauty"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Measures: total, machines, processors, money, energy" in told.err


def test_predict_says_what_a_plan_takes(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["predict", "w.toml", "--platform", "p.toml", "--allocation", "slow.json", "--json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["money"] == 2.0


def test_against_a_plan_says_what_each_decision_gains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_open(tmp_path)
    plan = '{"spectra": "alewife", "align": "alewife", "report": "login"}'
    (tmp_path / "now.json").write_text(plan, encoding="utf-8")
    against = ("--strategies", "heft", "--seconds", "0.1", "--against", "now.json")
    assert main(["compare", *OPEN, *against]) == 0
    out = capsys.readouterr().out
    assert "By decision: " in out
    assert "message style of spectra: asynchronous long non-blocking" in " ".join(out.split())
    assert main(["compare", *OPEN, *against, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = report["against"]
    gains = found["by_decision"]
    assert {name for one in gains for name in one["decisions"]} >= {"allocation", "style", "tree"}
    saved_s = found["makespan_s"][0] - found["makespan_s"][1]
    assert sum(one["gain_s"] for one in gains) == pytest.approx(saved_s)
    assert {one["decision"] for one in found["changed"]} >= {"style", "block", "tree"}
    style = next(one for one in found["changed"] if one["decision"] == "style")
    assert style == {
        "decision": "style",
        "about": "spectra",
        "from": "asynchronous short",
        "to": "asynchronous long non-blocking",
    }


def test_a_deadline_has_the_share_of_runs_of_every_plan(
    capsys: pytest.CaptureFixture[str],
) -> None:
    by = ("--strategies", "heft,deadline:5400:0.9:money", "--against", "slow.json")
    out = asked(capsys, *by)
    lines = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "within 1 h 30 min" in lines["plan"]
    report = json.loads(asked(capsys, *by, "--json"))
    shares = {one["name"]: one["in_time"][0]["share"] for one in report["plans"]}
    assert report["plans"][0]["in_time"][0]["deadline_s"] == 5400.0
    assert shares["slow.json"] < 0.1  # two hours, one and a half are allowed
    assert shares["heft"] > 0.9  # one hour
