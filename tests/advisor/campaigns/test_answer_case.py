"""A case answered: the same whoever does it, and a row with the reason where it can't be."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.campaigns import answer_case as answering
from advisor.campaigns.answer_case import LOST, Answer, Asking, answer, lost, problem_of
from advisor.campaigns.lines import CSV, JSONL, line, parsed
from advisor.studies import STUDIES
from machines.stopping import Stopped, stoppable
from tests.advisor.campaigns.small import campaign, two_machines

OWN = 'workloads = ["w.toml"]\nplatforms = ["p.toml"]\nstrategies = ["heft", "exact"]\n'
BAD = 'workloads = ["*.toml"]\nplatforms = ["p.toml"]\nstrategies = ["heft"]\n'


def test_a_published_example_has_its_published_answer(tmp_path: Path) -> None:
    asking = Asking(campaign(OWN + 'sharing = ["none"]', two_machines(tmp_path)))
    heft, exact = (answer(asking(number)).row for number in range(2))
    # Figueira & Berman 1996, Table 2: two contenders on M1 slow it threefold; both on M2 take 48 s
    assert (exact.value, exact.unit, exact.proved, exact.gap) == (
        pytest.approx(38.0),
        "s",
        True,
        0.0,
    )
    assert heft.value is not None
    assert exact.value is not None
    assert heft.value >= exact.value
    assert (exact.tasks, exact.flows, exact.machines) == (2, 1, 2)
    assert (exact.workload, exact.platform, exact.strategy) == ("w.toml", "p.toml", "exact")


def test_a_load_slows_the_machines_that_it_names(tmp_path: Path) -> None:
    loads = 'loads = [{}, { "p.toml/M2" = 3 }]\nsharing = ["none"]\n'
    cases = campaign(OWN + loads, two_machines(tmp_path))
    free, busy = (answer(Asking(cases)(number)).row for number in (1, 3))
    assert (free.load, busy.load) == ("", "M2 3")
    assert free.value is not None
    assert busy.value is not None
    assert busy.value > free.value
    problem, _ = problem_of(Asking(cases)(3))
    assert [len(machine.contenders) > 0 for machine in problem.platform.machines] == [True, True]


def test_the_plan_is_kept_where_it_is_asked_for(tmp_path: Path) -> None:
    cases = campaign(OWN, two_machines(tmp_path))
    assert answer(Asking(cases)(0)).plan is None
    plan = answer(Asking(cases)(0, keeps_plan=True)).plan
    assert plan is not None
    assert set(plan["allocation"]) == {"A", "B"}  # type: ignore[call-overload]


def test_an_answer_is_the_same_bytes_in_another_process() -> None:
    cases = campaign()
    asks = [Asking(cases)(number) for number in (0, 7, 12)]
    program = (
        "import pickle, sys\n"
        "from advisor.campaigns.answer_case import answer\n"
        "from advisor.campaigns.lines import CSV, line\n"
        "asks = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(b''.join(line(CSV, answer(one), False) for one in asks))\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(asks), capture_output=True, check=True
    )
    assert said.stdout == b"".join(line(CSV, answer(one), False) for one in asks)
    assert said.stdout.count(b"\n") == 3


def test_neighbours_share_their_problem_and_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    of = answering.Problem.of
    monkeypatch.setattr(answering.Problem, "of", lambda *told: made.append(told) or of(*told))
    cases = campaign('sharing = ["fair", "none"]\n' + OWN, two_machines(tmp_path))
    asking = Asking(cases)
    for number in range(4):
        answer(asking(number))
    assert len(made) == 2
    answer(Asking(cases)(3))  # the file is read again: it may be another by now
    assert len(made) == 3


def test_a_file_that_can_not_be_read_is_an_answer_with_the_reason(tmp_path: Path) -> None:
    two_machines(tmp_path)
    cases = campaign(BAD, tmp_path)
    (tmp_path / "w.toml").write_text("nonsense", encoding="utf-8")
    rows = [answer(Asking(cases)(number)).row for number in range(2)]
    assert [one.workload for one in rows] == ["p.toml", "w.toml"]
    assert rows[0].error.startswith("p.toml: this is another kind of file")
    assert rows[1].error.startswith("w.toml: not valid TOML")
    assert all(one.value is None and not one.tasks for one in rows)


def test_a_workload_without_machines_needs_platforms(tmp_path: Path) -> None:
    lines = 'workloads = ["w.toml"]\nstrategies = ["heft"]\n'
    row = answer(Asking(campaign(lines, two_machines(tmp_path)))(0)).row
    assert row.error == "w.toml: the file names no machines. Give platforms"


def test_what_fits_nowhere_is_told_with_the_size_of_the_problem(tmp_path: Path) -> None:
    two_machines(tmp_path)
    path = tmp_path / "w.toml"
    path.write_text(path.read_text() + '[[task]]\nname = "C"\nwork = 1.0\ncores = 99\n')
    row = answer(Asking(campaign(OWN, tmp_path))(0)).row
    assert 'task "C"' in row.error
    assert (row.tasks, row.flows, row.machines, row.value) == (3, 1, 2, None)


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (MemoryError(), "not enough memory for this case"),
        (ZeroDivisionError("by\nnothing"), r"ZeroDivisionError: by\u000anothing"),
        (RecursionError("deep"), "RecursionError: deep"),
    ],
)
def test_whatever_goes_wrong_in_a_case_is_a_line_of_its_row(
    raised: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_told: object, **_more: object) -> None:
        raise raised

    monkeypatch.setattr(answering, "advise", failing)
    found = answer(Asking(campaign())(3))
    assert found.row.error == told
    assert (found.row.tasks, found.row.machines) == (4, 2)
    assert found.row == parsed(line(JSONL, found, with_plan=False), "")


def test_what_was_stopped_is_no_answer() -> None:
    with stoppable(lambda: True), pytest.raises(Stopped):
        answer(Asking(campaign())(0))


def test_a_study_is_answered_with_its_first_figure() -> None:
    lines = 'studies = [{ name = "styles", set = { processors = 4 }, seeds = [4] }]'
    row = answer(Asking(campaign(lines))(0)).row
    study = STUDIES["styles"]
    fact = study.run(study.record(processors=4, seed=4), None, None).facts[0]  # type: ignore[call-arg]
    assert (row.study, row.workload, row.seed, row.value, row.unit) == (
        "styles", "processors=4", 4, fact.value, fact.unit,
    )  # fmt: skip
    assert (row.strategy, row.objective, row.seconds, row.bound) == ("", "", 0.0, None)


def test_a_figure_that_is_not_finite_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    study = STUDIES["styles"]
    result = study.run(study.record(), None, None)
    endless = replace(result, facts=(replace(result.facts[0], value=float("inf")),))
    changed = {"styles": replace(study, run=lambda *_told: endless)}
    monkeypatch.setattr(answering, "STUDIES", changed)
    row = answer(Asking(campaign('studies = [{ name = "styles" }]'))(0)).row
    assert "not finite" in row.error


def test_a_case_that_ended_all_who_computed_it_has_a_row_that_says_so() -> None:
    row = lost(Asking(campaign())(5)).row
    assert (row.case, row.error, row.value) == (5, LOST, None)
    assert json.loads(line(JSONL, Answer(row, 0.0), with_plan=True))["plan"] is None
