"""Every export is read back and says what the prediction says."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan, from_names
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.export.export_record import PLAN, Planned
from advisor.export.registry import export, exports_of
from machines import Direction, InputError, Link, Machine, PlacewiseError, Platform

FORMATS = exports_of(PLAN)
ODD = 'a "b", c; d'
FORMULA = "=1+1"


def _case(sharing: str = FAIR) -> Planned:
    line = Direction(1.0, 10.0)
    platform = Platform(
        "p",
        (Machine("M1", 2, 1.0, slowdown=2.0), Machine("M,2", 2)),
        (Link("M1", "M,2", line, line, slowdown=3.0),),
    )
    tasks = (Task(ODD, 4.0), Task(FORMULA, 2.0), Task("last", 3.0), Task("beside", 1.0))
    flows = (Flow(ODD, "last", ((1, 20.0),)), Flow(FORMULA, "last"), Flow(ODD, "beside"))
    problem = Problem.of(platform, Workload("w", tasks, flows), sharing=sharing)
    plan = Plan((0, 0, 1, 0), None, "manual")
    return Planned(problem, plan, predict(problem, plan))


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_plan_in_json_is_the_plan_again() -> None:
    problem, plan, prediction = _case()
    report = json.loads(FORMATS["json"].render(Planned(problem, plan, prediction)))
    again = from_names(report["allocation"], problem.workload, problem.platform, report["order"])
    assert again.allocation == plan.allocation
    assert predict(problem, again).makespan_s == prediction.makespan_s == report["makespan_s"]
    assert report["tasks"][ODD]["end_s"] == prediction.end_s[0] == 8.0


def test_the_schedule_in_csv_is_the_prediction_task_by_task() -> None:
    problem, plan, prediction = _case()
    rows = _rows(FORMATS["csv"].render(Planned(problem, plan, prediction)))
    assert [row["task"] for row in rows] == [ODD, f"'{FORMULA}", "beside", "last"]
    assert {row["task"]: row["machine"] for row in rows}["last"] == "M,2"
    first = rows[0]
    assert [float(first[key]) for key in ("start_s", "end_s", "dedicated_s", "slowdown")] == [
        0.0,
        8.0,
        4.0,
        2.0,
    ]
    assert [row["critical"] for row in rows] == ["1", "0", "0", "1"]
    assert max(float(row["end_s"]) for row in rows) == prediction.makespan_s


@pytest.mark.parametrize(("sharing", "sources"), [(FAIR, [ODD]), (NONE, [f"'{FORMULA}", ODD])])
def test_the_transfers_in_csv_are_those_between_machines(sharing: str, sources: list[str]) -> None:
    """Executed, a flow without data moves nothing; in the classical timeline it takes 0 s."""
    rows = _rows(FORMATS["transfers-csv"].render(_case(sharing)))
    assert [row["from_task"] for row in rows] == sources
    last = rows[-1]
    assert (last["from_machine"], last["to_machine"]) == ("M1", "M,2")
    keys = ("start_s", "end_s", "dedicated_s", "slowdown", "bytes")
    assert [float(last[key]) for key in keys] == [8.0, 17.0, 3.0, 3.0, 20.0]


def test_the_graph_has_a_cluster_a_machine_and_an_edge_a_flow() -> None:
    text = FORMATS["dot"].render(_case())
    assert text.count("subgraph cluster_") == 2
    assert text.count(" -> ") == 3
    assert 'label="a \\"b\\", c; d\\n8.00 s", style=bold' in text
    assert 't0 -> t2 [label="9.00 s", style=bold];' in text


def test_the_trace_draws_simultaneous_tasks_in_rows_of_their_own() -> None:
    problem, plan, prediction = _case()
    trace = json.loads(FORMATS["trace"].render(Planned(problem, plan, prediction)))
    events = trace["traceEvents"]
    tasks = {event["name"]: event for event in events if event["ph"] == "X"}
    assert tasks[ODD]["dur"] == 8e6
    assert {tasks[ODD]["tid"], tasks[FORMULA]["tid"]} == {0, 1}
    assert tasks["last"]["pid"] == 1
    machines = [event["args"]["name"] for event in events if event["ph"] == "M"]
    assert machines == ["M1", "M,2"]
    arrows = [event for event in events if event["ph"] in "sf"]
    assert len(arrows) == 4
    for start, end in zip(arrows[::2], arrows[1::2], strict=True):
        assert start["id"] == end["id"]
        assert start["ts"] <= end["ts"]


def test_a_row_is_used_again_once_its_task_has_ended() -> None:
    problem = Problem.of(Platform("p", (Machine("M"),)), Workload("w", tuple(_tasks(5))))
    plan = Plan((0,) * 5)
    trace = json.loads(FORMATS["trace"].render(Planned(problem, plan, predict(problem, plan))))
    assert {event["tid"] for event in trace["traceEvents"] if event["ph"] == "X"} == {0}


def _tasks(count: int) -> list[Task]:
    return [Task(f"t{number}", 1.0) for number in range(count)]


@pytest.mark.parametrize("name", FORMATS)
def test_an_export_writes_what_its_format_renders(name: str, tmp_path: Path) -> None:
    case = _case()
    path = tmp_path / f"out{FORMATS[name].suffix}"
    export(name, case, path)
    assert path.read_bytes().decode() == FORMATS[name].render(case)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [name for name in FORMATS if FORMATS[name].parse])
def test_a_text_of_another_plan_is_not_written(name: str, tmp_path: Path) -> None:
    problem, plan, _ = case = _case()
    moved = replace(plan, allocation=(1, 1, 0, 1))
    other = FORMATS[name].render(Planned(problem, moved, predict(problem, moved)))
    assert FORMATS[name].text(case) != other
    lying = replace(FORMATS[name], render=lambda planned: other)
    with pytest.raises(PlacewiseError, match="does not hold this plan"):
        lying.write(case, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_an_unknown_format_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'unknown export format.*Did you mean "json"'):
        export("jsn", _case(), tmp_path / "x")


def test_a_target_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Check the folder"):
        export("csv", _case(), tmp_path / "gone" / "x.csv")
