"""One new heuristic is one file and one line: the dummy is found wherever strategies are."""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.advice.explain import explain
from advisor.allocation.objectives import OBJECTIVES
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.commands.cli import main
from advisor.search import STRATEGIES, Strategy, advise
from advisor.search.strategy import Role
from advisor.studies import STUDIES
from advisor.studies.parameters import parameters_of
from machines import InputError, Machine, Platform
from tests.advisor.commands.asking import PLATFORM, WORKLOAD
from tests.advisor.scalable_problems import random_scalable
from tests.dummies.heuristic import first_machine

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line in `advisor.search.portfolio`."""
    monkeypatch.setitem(STRATEGIES, "dummy", first_machine.STRATEGY)


def uneven() -> Problem:
    """Ten tasks on two machines: too many to be solved exactly at once, and no chain."""
    return Problem.of(
        Platform("p", (Machine("M0"), Machine("M1"))),
        Workload("w", tuple(Task(f"t{i}", work=float(i + 1)) for i in range(10))),
    )


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_new_heuristic_is_asked_for_by_its_name(objective: str) -> None:
    problem = Problem.of(
        Platform("p", (Machine("M0"), Machine("M1", speed=2.0))),
        Workload("w", tuple(Task(f"t{i}", work=1.0) for i in range(3))),
    )
    found = advise(problem, objective, "dummy", seconds=0.05)
    assert (found.strategy, found.plan.strategy) == ("dummy", "dummy")
    assert found.plan.allocation == (0, 0, 0)
    assert found.value_s == predict(problem, found.plan).value_s(objective) == 3.0
    assert explain(problem, found).headline


def test_a_new_heuristic_is_among_what_the_automatic_choice_tries() -> None:
    found = advise(uneven(), seconds=0.05)
    assert "dummy" in {name for name, _, _ in found.alternatives}


def test_a_new_heuristic_that_does_not_suit_is_left_to_those_who_ask_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shy = replace(first_machine.STRATEGY, suits=lambda problem, objective: False)
    monkeypatch.setitem(STRATEGIES, "dummy", shy)
    problem = uneven()
    assert "dummy" not in {name for name, _, _ in advise(problem, seconds=0.05).alternatives}
    assert advise(problem, strategy="dummy", seconds=0.05).strategy == "dummy"


def test_a_new_heuristic_places_scalable_tasks() -> None:
    found = advise(random_scalable(1), strategy="dummy", seconds=0.05)
    assert "dummy" in {found.strategy, *(name for name, _, _ in found.alternatives)}


def test_the_command_line_knows_a_new_heuristic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    (tmp_path / "p.toml").write_text(PLATFORM, encoding="utf-8")
    workload, platform = str(tmp_path / "w.toml"), str(tmp_path / "p.toml")
    asked = [workload, "--platform", platform, "--seconds", "0.05", "--json"]
    assert main(["advise", *asked, "--strategy", "dummy"]) == 0
    assert json.loads(capsys.readouterr().out)["strategy"] == "dummy"
    assert main(["compare", *asked]) == 0
    assert "dummy" in {plan["name"] for plan in json.loads(capsys.readouterr().out)["plans"]}


def test_the_study_offers_a_new_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    record = STUDIES["allocation"].record
    spec = importlib.util.spec_from_file_location("record_read_anew", inspect.getfile(record))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    again = getattr(module, record.__name__)
    choices = {one.name: one.choices for one in parameters_of(again)}
    assert "dummy" in choices["strategy"]


def test_what_is_refused_lists_the_strategies() -> None:
    with pytest.raises(InputError, match="dummy"):
        advise(uneven(), strategy="dumy")


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=lambda one: one.name)
def test_every_strategy_says_what_it_is_on_its_page_too(strategy: Strategy) -> None:
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    assert strategy.title
    assert strategy.help
    assert f"`{strategy.name}`" in page
    for word in strategy.source.replace("&", ",").split(","):
        assert all(part in page for part in word.split())
    assert bool(strategy.refusal) == (strategy.role in {Role.STRUCTURE, Role.PROOF})
