"""Every file of a plan speaks of the problem as the plan settles it: its choices, its overlays."""

from __future__ import annotations

import csv
import io
import json

import pytest

from advisor.export.registry import EXPORTS
from advisor.export.simgrid.check import check_with_simgrid
from advisor.export.simgrid.simgrid_document import simulated
from tests.advisor.export.decided import decided
from tests.simgrid_python import simgrid_here


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_schedule_has_a_column_for_each_kind_of_choice() -> None:
    found = {row["task"]: row for row in rows(EXPORTS["csv"].text(decided()))}
    assert list(found["align"])[-3:] == ["style", "mapping", "block"]
    align = [found["align"][key] for key in ("style", "mapping", "block")]
    assert align == ["", "snake", "16 blocks"]
    assert found["spectra"]["style"] == "asynchronous short"
    assert found["report"]["mapping"] == ""


def test_decisions_are_a_row_each_with_what_is_open() -> None:
    found = {
        (row["decision"], row["subject"]): (row["chosen"], row["open"])
        for row in rows(EXPORTS["decisions-csv"].text(decided()))
    }
    assert found["allocation", "align"] == ("direct", "1")
    assert found["block", "align"] == ("16 blocks", "1")
    assert found["mapping", "spectra"] == ("own nodes", "1")
    assert found["tree", "monitor"][0].startswith("8×8 tree")
    assert len(found) == 3 + 1 + 2 + 1 + 1


def test_the_trace_and_the_simulation_take_the_settled_times() -> None:
    planned = decided()
    plain = planned.problem.settled(planned.plan.bare()).costs.task_s
    events = json.loads(EXPORTS["trace"].text(planned))["traceEvents"]
    took = {event["name"]: event["dur"] for event in events if event["ph"] == "X"}
    assert took["align"] == pytest.approx(1e6 * planned.prediction.task_s[1])
    assert planned.prediction.task_s[1] > plain[1, 1]  # 16 blocks are not the best number
    script = simulated(planned.problem, planned.plan)
    work = {task["name"]: task for task in script.plan["tasks"]}
    assert set(work) >= {"spectra", "align", "report"}


def test_simgrid_agrees_with_a_plan_that_decides() -> None:
    simgrid_here()
    planned = decided()
    found = check_with_simgrid(planned.problem, planned.plan)
    assert found is not None
    assert found.agrees
