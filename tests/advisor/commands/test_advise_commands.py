"""`advise`, `predict` and `compare` on the command line."""

from __future__ import annotations

import contextlib
import json
import re
import resource
import signal
from pathlib import Path

import pytest

from advisor.commands import advise_commands as allocation
from advisor.commands import robust_answer
from advisor.search import portfolio
from tests.advisor.commands.asking import (
    ADVISE,
    PLATFORM,
    WORKLOAD,
    Capture,
    answer,
    answer_json,
    fill_the_disk,
)


def test_advice_is_the_published_one(folder: Path, capsys: Capture) -> None:
    found = answer_json(capsys, *ADVISE)
    assert found["allocation"] == {"A": "M2", "B": "M1"}
    assert found["value_s"] == pytest.approx(38.0)
    assert found["proved_optimal"] is True
    assert found["ties"] == []


def test_advice_states_what_is_advised_what_is_alike_and_what_staying_costs(
    folder: Path, capsys: Capture
) -> None:
    explanation = answer_json(capsys, *ADVISE)["explanation"]
    assert isinstance(explanation, dict)
    assert explanation["advised"]["allocation"] == {"A": "M2", "B": "M1"}
    assert explanation["advised"]["value_s"] == pytest.approx(38.0)
    assert explanation["alike"] == []
    flip = next(one for one in explanation["flips"] if one["parameter"].startswith("link"))
    assert (flip["at"], flip["lost_s"]) == (3.5, pytest.approx(10.0))  # 18 + 28 + 12 s, not 48 s
    assert flip["lost_share"] == pytest.approx(10 / 58)


def test_a_strategy_that_was_asked_for_is_kept(folder: Path, capsys: Capture) -> None:
    found = answer_json(capsys, *ADVISE, "--strategy", "heft")
    assert found["strategy"] == "heft"
    assert found["explanation"]["advised"]["allocation"] == found["allocation"]  # type: ignore[index]


def test_a_comparison_names_the_best_and_what_is_alike(folder: Path, capsys: Capture) -> None:
    arguments = ("compare", "w.toml", "--platform", "p.toml", "--strategies", "chain,exact")
    found = answer_json(capsys, *arguments)
    assert (found["best"], found["alike"]) == ("chain", ["exact"])
    _, out, _ = answer(capsys, *arguments)
    assert out.startswith("Best makespan: chain, 38.0 s. Tied within the model's 3 %: exact.")


def test_plain_advice_says_the_sentence_first(folder: Path, capsys: Capture) -> None:
    status, out, err = answer(capsys, *ADVISE)
    assert (status, err) == (0, "")
    assert out.startswith("Run A on M2, B on M1: makespan 38.0 s.\n")
    assert re.search(r"^B \*\s+M1\s+26\.0 s\s+38\.0 s\s+×3\.00$", out, re.MULTILINE)


def test_the_same_question_gives_the_same_bytes(folder: Path, capsys: Capture) -> None:
    texts = [answer(capsys, *ADVISE, "--json")[1] for _ in range(2)]
    plain = [re.sub(r'"seconds_spent": .*', "", text) for text in texts]
    assert plain[0] == plain[1]


def test_the_objective_model_and_strategy_are_taken(folder: Path, capsys: Capture) -> None:
    options = ("--objective", "total", "--model", "published", "--strategy", "cut")
    found = answer_json(capsys, *ADVISE, *options, "--seconds", "0.5", "--seed", "3")
    assert (found["objective"], found["model"], found["strategy"]) == ("total", "published", "cut")


def test_what_advise_prints_is_predicted_as_advised(folder: Path, capsys: Capture) -> None:
    advice = answer_json(capsys, *ADVISE)
    (folder / "plan.json").write_text(json.dumps(advice), encoding="utf-8")
    arguments = ("predict", "w.toml", "--platform", "p.toml", "--allocation", "plan.json")
    found = answer_json(capsys, *arguments)
    assert found["makespan_s"] == advice["value_s"]


def test_a_plain_allocation_is_predicted(folder: Path, capsys: Capture) -> None:
    (folder / "a.json").write_text('{"A": "M1", "B": "M1"}', encoding="utf-8")
    arguments = ("predict", "w.toml", "--platform", "p.toml", "--allocation", "a.json")
    found = answer_json(capsys, *arguments)
    assert found["total_s"] == pytest.approx(48.0)
    status, out, _ = answer(capsys, *arguments)
    assert status == 0
    assert out.startswith("Makespan 48.0 s, total 48.0 s.")


def test_strategies_are_compared_with_the_best_single_machine(
    folder: Path, capsys: Capture
) -> None:
    arguments = ("compare", "w.toml", "--platform", "p.toml")
    found = answer_json(capsys, *arguments, "--strategies", "heft,chain")
    plans = found["plans"]
    assert isinstance(plans, list)
    assert [plan["name"] for plan in plans] == ["all on M1", "heft", "chain"]
    assert plans[2]["makespan_difference_s"] == pytest.approx(-10.0)
    status, out, _ = answer(capsys, *arguments, "--strategies", "heft,exact")
    assert status == 0
    assert out.startswith("Best makespan: ")
    assert "−10.0 s" in out


def test_what_does_not_suit_the_workload_is_left_out_of_a_comparison(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = allocation.STRATEGIES
    few = {name: known[name] for name in ("cut", "chain", "heft")}
    monkeypatch.setattr(allocation, "STRATEGIES", few)
    plans = answer_json(capsys, "compare", "w.toml", "--platform", "p.toml")["plans"]
    assert isinstance(plans, list)
    assert [plan["name"] for plan in plans] == ["all on M1", "chain", "heft"]
    asked = ("compare", "w.toml", "--platform", "p.toml", "--strategies", "cut")
    status, _, err = answer(capsys, *asked)
    assert status == 2
    assert "cut does not apply" in err
    status, out, err = answer(capsys, *asked[:-1], "cut,heft")
    assert (status, "heft" in out) == (0, True)
    assert "cut: strategy: cut does not apply" in err
    status, _, err = answer(capsys, *asked[:-1], "heft,nothing")
    assert status == 2
    assert "unknown strategy" in err


def test_heuristics_from_the_literature_are_compared_where_they_are_named(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = allocation.STRATEGIES
    few = {name: known[name] for name in ("heft", "mct", "dls")}
    monkeypatch.setattr(allocation, "STRATEGIES", few)
    asked = ("compare", "w.toml", "--platform", "p.toml")
    plans = answer_json(capsys, *asked)["plans"]
    assert [plan["name"] for plan in plans] == ["all on M1", "heft"]
    plans = answer_json(capsys, *asked, "--strategies", "dls,lookahead")["plans"]
    assert [plan["name"] for plan in plans] == ["all on M1", "dls", "lookahead"]


def test_a_comparison_without_any_plan_is_infeasible(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = WORKLOAD.replace("seconds = { M1 = 12.0, M2 = 18.0 }", "seconds = { M1 = 12.0 }")
    apart = apart.replace("seconds = { M1 = 4.0, M2 = 30.0 }", "seconds = { M2 = 30.0 }")
    apart = apart.replace('seconds = { "M1>M2" = 7.0, "M2>M1" = 8.0 }', "data_sets = [[1, 10]]")
    (folder / "apart.toml").write_text(apart, encoding="utf-8")
    (folder / "unlinked.toml").write_text(PLATFORM.partition("[[link]]")[0], encoding="utf-8")
    few = {"heft": allocation.STRATEGIES["heft"]}
    monkeypatch.setattr(allocation, "STRATEGIES", few)
    status, out, err = answer(capsys, "compare", "apart.toml", "--platform", "unlinked.toml")
    assert (status, out) == (3, "")
    assert "no strategy found a plan" in err


def test_a_comparison_that_is_stopped_shows_the_plans_so_far(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = portfolio.advise

    def interrupted(*arguments: object, **options: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return search(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(portfolio, "advise", interrupted)
    arguments = ("compare", "w.toml", "--platform", "p.toml", "--strategies", "chain,heft")
    status, out, _ = answer(capsys, *arguments, "--json")
    assert status == 130
    assert [plan["name"] for plan in json.loads(out)["plans"]] == ["all on M1", "chain"]


def test_a_long_schedule_is_cut_in_plain_output(folder: Path, capsys: Capture) -> None:
    tasks = [{"name": f"t{i}", "work": 1.0} for i in range(50)]
    document = {"format": "placewise-workload", "version": 1, "name": "w", "task": tasks}
    (folder / "many.json").write_text(json.dumps(document), encoding="utf-8")
    allocation = {f"t{i}": "M2" for i in range(50)}
    (folder / "all.json").write_text(json.dumps(allocation), encoding="utf-8")
    arguments = ("predict", "many.json", "--platform", "p.toml", "--allocation", "all.json")
    status, out, _ = answer(capsys, *arguments)
    assert status == 0
    assert "… and 10 more tasks; --json gives all." in out


def test_out_writes_plan_and_schedule(folder: Path, capsys: Capture) -> None:
    status, *_ = answer(capsys, *ADVISE, "--out", "new/folder")
    assert status == 0
    plan = json.loads((folder / "new/folder/plan.json").read_text(encoding="utf-8"))
    assert plan["allocation"] == {"A": "M2", "B": "M1"}
    rows = (folder / "new/folder/schedule.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 3


def test_a_full_disk_leaves_the_old_plan(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "plan.json").write_text("old", encoding="utf-8")
    fill_the_disk(monkeypatch)
    status, _, err = answer(capsys, *ADVISE, "--out", ".")
    assert status == 2
    assert "full" in err
    assert (folder / "plan.json").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("out", ["w.toml", "w.toml/new", "x" * 300, "taken"])
def test_out_that_can_not_be_written_is_refused_before_the_search(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    (folder / "taken" / "schedule.csv").mkdir(parents=True)

    def searched(*_arguments: object, **_options: object) -> object:
        pytest.fail("it searched")

    monkeypatch.setattr(robust_answer, "advise", searched)
    status, printed, err = answer(capsys, *ADVISE, "--out", out)
    assert (status, printed) == (2, "")
    assert err.count("\n") == 1
    assert "can't be written" in err


def test_a_disk_that_fills_during_the_search_leaves_the_answer(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, limits = robust_answer.advise, resource.getrlimit(resource.RLIMIT_FSIZE)

    def filling(*arguments: object, **options: object) -> object:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        return search(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(robust_answer, "advise", filling)
    try:
        status, out, err = answer(capsys, *ADVISE, "--out", "new", "--json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert status == 2
    assert json.loads(out)["allocation"] == {"A": "M2", "B": "M1"}
    assert err.count("\n") == 1
    assert "plan.json: can't be written (file too large)" in err
    assert list((folder / "new").iterdir()) == []


def test_a_stopped_search_prints_its_best_and_is_status_130(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = robust_answer.advise

    def interrupted(*arguments: object, **options: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return search(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(robust_answer, "advise", interrupted)
    status, out, _ = answer(capsys, *ADVISE, "--json")
    assert status == 130
    assert set(json.loads(out)["allocation"]) == {"A", "B"}


def test_a_plan_of_a_file_is_set_against_the_best_strategy(folder: Path, capsys: Capture) -> None:
    (folder / "mine.json").write_text('{"A": "M1", "B": "M1"}', encoding="utf-8")
    asked = ("compare", "w.toml", "--platform", "p.toml", "--strategies", "chain")
    found = answer_json(capsys, *asked, "--against", "mine.json")
    sentence = (
        "“mine.json” against “chain”: 48.0 s → 38.0 s (−21 %); 1 of 2 tasks moves; "
        "what limits: M1 100 % utilised → M2 47 % utilised."
    )
    against = found["against"]
    assert isinstance(against, dict)
    assert against["moved"] == [{"task": "A", "from": "M1", "to": "M2"}]
    assert against["makespan_s"] == pytest.approx([48.0, 38.0])
    assert found["plans"][0]["name"] == "mine.json"  # type: ignore[index]
    _, out, _ = answer(capsys, *asked, "--against", "mine.json")
    assert out.startswith(against["sentence"])
    assert against["sentence"].partition("; what limits")[0] == sentence.partition("; what")[0]


def test_a_strategy_is_set_against_the_best_of_the_others(folder: Path, capsys: Capture) -> None:
    asked = ("compare", "w.toml", "--platform", "p.toml", "--strategies", "chain,heft")
    _, out, _ = answer(capsys, *asked, "--against", "heft")
    assert out.startswith("“heft” against “chain”: ")
    status, _, err = answer(capsys, *asked, "--against", "exact")
    assert status == 2
    assert "no plan to compare others with" in err
    status, _, err = answer(capsys, *asked, "--against", "nowhere.json")
    assert status == 2
    assert "nowhere.json" in err


def test_odds_and_robust_plans_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from advisor.commands import cli

    (tmp_path / "p.toml").write_text(
        'format = "placewise-platform"\nversion = 1\nname = "p"\n'
        '[[machine]]\nname = "a"\nspeed = { value = 2.0, low = 0.5, high = 2.5 }\n'
        '[[machine]]\nname = "b"\n'
        '[[link]]\nbetween = ["a", "b"]\nstartup_s = "50 us"\nbandwidth = "1 MB/s"\n'
    )
    (tmp_path / "w.toml").write_text(
        'format = "placewise-workload"\nversion = 1\nname = "w"\n'
        '[[task]]\nname = "x"\nwork = "10 s"\n[[task]]\nname = "y"\nwork = 10\n'
        '[[flow]]\nfrom = "x"\nto = "y"\ndata_sets = [[1, 1000]]\n'
    )
    question = [str(tmp_path / "w.toml"), "--platform", str(tmp_path / "p.toml")]
    assert cli.main(["advise", *question, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["p10_s"] < found["p50_s"] < found["p90_s"]
    assert found["expected_s"] > found["value_s"]
    assert found["draws"] == 64
    assert all(0.0 <= one["odds_better"] <= 1.0 for one in found["alternatives"])
    assert cli.main(["advise", *question, "--exact", "--json", "--draws", "64"]) == 0
    exact = json.loads(capsys.readouterr().out)
    assert exact["rests_on"] == "1 stated range"
    assert exact["draws"] == 64
    assert cli.main(["compare", *question, "--json"]) == 0
    plans = json.loads(capsys.readouterr().out)["plans"]
    assert all("p90_s" in one and "odds_better" in one for one in plans)
    assert cli.main(["advise", *question, "--objective", "p90"]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("9 of 10 runs end within")
    figure = first.split("within ")[1].split(" s")[0].rstrip(":,")
    (expected,) = (one for one in others if one.startswith("Expect "))
    assert f"9 of 10 runs end within {figure} s" in expected  # one figure, of the same draws
    alone = ["--objective", "p90", "--deadline", "4"]
    for wrong in (["--draws", "0"], ["--objective", "deadline"], ["--chance", "2"], alone):
        with contextlib.suppress(SystemExit):
            assert cli.main(["advise", *question, *wrong]) == 2
