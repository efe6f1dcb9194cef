"""Chrome traces: both shapes, pairs of events, cut files, and our own predictions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.export.export_record import Planned
from advisor.export.trace_events import EXPORT
from advisor.runs.logs.chrome_trace_log import PREDICTED
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from machines import InputError
from tests.advisor.runs.diamond import diamond
from tests.advisor.runs.logs.small_logs import trace_events, write


def read(folder: Path, text: str) -> Run:
    return read_runs([write(folder, "trace.json", text)])[0]


def test_a_bare_list_and_an_object_tell_the_same(tmp_path: Path) -> None:
    events = trace_events()
    bare = read(tmp_path, json.dumps(events))
    whole = read(tmp_path, json.dumps({"displayTimeUnit": "ms", "traceEvents": events}))
    assert bare == whole
    assert sorted(one.task for one in bare.tasks) == ["inside", "join", "left", "right", "split"]
    assert bare.makespan_s == pytest.approx(8.0)


@pytest.mark.parametrize("closing", ["", ",", ",\n", "]}garbage", ', {"name": "x", "ph": "X", "ts'])
def test_a_trace_without_its_end_is_read_as_far_as_it_goes(closing: str, tmp_path: Path) -> None:
    text = '{"traceEvents": ' + json.dumps(trace_events())[:-1] + closing
    run = read(tmp_path, text)
    assert len(run.tasks) == 5
    assert "cut" in run.notes[0]


def test_begins_without_ends_are_said(tmp_path: Path) -> None:
    run = read(tmp_path, json.dumps([one for one in trace_events() if one["ph"] != "E"]))
    assert "split" not in {one.task for one in run.tasks}
    assert "1 task without an end" in run.notes[0]


def test_nested_begins_end_inside_out_and_threads_are_apart(tmp_path: Path) -> None:
    moments = [("a", "B", 1, 0), ("b", "B", 1, 1), ("c", "B", 2, 2), ("", "E", 1, 3),
               ("", "E", 1, 5), ("", "E", 2, 9)]  # fmt: skip
    events = [
        {"name": name, "ph": phase, "pid": "p", "tid": thread, "ts": at_s * 1e6}
        for name, phase, thread, at_s in moments
    ]
    run = read(tmp_path, json.dumps(events))
    assert {one.task: one.end_s - one.start_s for one in run.tasks} == {"a": 5, "b": 2, "c": 7}
    assert {one.machine for one in run.tasks} == {"p"}
    assert "without a name" in run.notes[0]


def test_impossible_durations_are_left_out_and_said(tmp_path: Path) -> None:
    more = [
        {"name": "odd", "ph": "X", "pid": 1, "ts": 1, "dur": value} for value in (-5, "x", None)
    ]
    run = read(tmp_path, json.dumps([*trace_events(), *more]))
    assert "odd" not in {one.task for one in run.tasks}
    assert any("1 line" in note for note in run.notes)
    assert any("2 tasks without an end" in note for note in run.notes)


def test_what_placewise_exported_is_read_as_it_was_and_called_a_prediction(tmp_path: Path) -> None:
    problem, plan = diamond(), Plan((0, 0, 1, 0))
    prediction = predict(problem, plan)
    found = matched(read(tmp_path, EXPORT.render(Planned(problem, plan, prediction))), problem)
    assert found.notes == (PREDICTED,)
    assert found.start_s == pytest.approx(prediction.start_s, abs=1e-6)
    assert found.makespan_s == pytest.approx(prediction.makespan_s)
    assert found.machine.tolist() == [0, 0, 1, 0]


def test_a_trace_without_events_of_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this log has no finished task"):
        read(tmp_path, json.dumps({"traceEvents": [{"ph": "M", "name": "x"}]}))
