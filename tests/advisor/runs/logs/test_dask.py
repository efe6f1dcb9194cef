"""Dask's logs: tries, transfers, failures, cut files and packed columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.runs.logs.reading import read_runs
from advisor.runs.run_record import Run, TaskRun
from machines import InputError
from tests.advisor.runs.logs.small_logs import (
    A,
    B,
    dask_columns,
    dask_map,
    dask_record,
    dask_records,
    dask_report,
    dask_stream,
    packed,
    write,
)


def of_stream(folder: Path, *records: object) -> Run:
    return read_runs([write(folder, "stream.json", dask_stream(records))])[0]


def by_name(run: Run) -> dict[str, TaskRun]:
    return {one.task: one for one in run.tasks}


def test_a_transfer_into_an_idle_thread_is_fetching_in_the_slot(tmp_path: Path) -> None:
    (run,) = read_runs([write(tmp_path, "s.json", dask_stream())])
    tasks = by_name(run)
    assert tasks["split"].fetch_start_s is None
    assert tasks["right"].fetch_start_s == pytest.approx(2.0, abs=1e-5)
    assert tasks["join"].fetch_start_s == pytest.approx(6.1, abs=1e-5)
    assert run.engine == "dask"


def test_a_transfer_while_the_thread_computes_takes_no_slot(tmp_path: Path) -> None:
    run = of_stream(
        tmp_path,
        dask_record("before", A, 0.0, 3.0),
        dask_record("all hidden", A, 3.0, 4.0, transfer=(1.0, 2.0)),
        dask_record("half", A, 6.0, 7.0, transfer=(3.5, 5.0)),
        dask_record("other thread", A, 2.0, 7.0, transfer=(1.5, 2.0), thread=8),
    )
    tasks = by_name(run)
    assert tasks["all hidden"].fetch_start_s is None
    assert tasks["half"].fetch_start_s == pytest.approx(4.0, abs=1e-5)
    assert tasks["other thread"].fetch_start_s == pytest.approx(1.5, abs=1e-5)


def test_only_the_last_stretch_of_transfers_counts(tmp_path: Path) -> None:
    record = dask_record("t", A, 10.0, 11.0, transfer=(9.0, 10.0))
    early = {"action": "transfer", "start": record["startstops"][0]["start"] - 8.0,  # type: ignore[index]
             "stop": record["startstops"][0]["start"] - 7.0}  # type: ignore[index]  # fmt: skip
    record["startstops"] = [early, *record["startstops"]]  # type: ignore[misc]
    (one,) = of_stream(tmp_path, record).tasks
    assert one.start_s - one.taken_s == pytest.approx(1.0, abs=1e-5)


def test_a_failed_try_keeps_what_it_said_and_the_next_is_there_too(tmp_path: Path) -> None:
    run = of_stream(
        tmp_path,
        dask_record("t", A, 0.0, 1.0, status="error"),
        dask_record("t", B, 1.0, 2.0),
    )
    assert [(one.status, one.output) for one in run.tasks] == [
        ("failed", "ValueError('boom')"), ("ok", ""),
    ]  # fmt: skip


def test_keys_may_be_tuples(tmp_path: Path) -> None:
    run = of_stream(tmp_path, dask_record(["x", 3, 0], A, 0, 1), dask_record("('y', 1)", A, 1, 2))
    assert [one.task for one in run.tasks] == ["('x', 3, 0)", "('y', 1)"]


def test_a_stream_that_is_cut_is_read_up_to_its_last_whole_record(tmp_path: Path) -> None:
    text = dask_stream()
    (run,) = read_runs([write(tmp_path, "s.json", text[: text.index('"join"')])])
    assert sorted(by_name(run)) == ["left", "right", "split"]
    assert "cut" in run.notes[0]


def test_impossible_times_are_left_out_and_said(tmp_path: Path) -> None:
    zero = dask_record("zero", A, 0, 1)
    zero["startstops"] = [{"action": "compute", "start": 0, "stop": 5}]
    huge = dask_record("huge", A, 0, 1)
    huge["startstops"] = [{"action": "compute", "start": 10**400, "stop": 10**401}]
    run = of_stream(
        tmp_path, dask_record("good", A, 0, 1), dask_record("back", A, 5, 4), zero, huge,
        {"startstops": [], "key": "none"}, {"startstops": 3, "key": "x"}, 7,
    )  # fmt: skip
    assert [one.task for one in run.tasks] == ["good"]
    assert "2 entries are no records" in run.notes[0]
    assert "4 lines" in run.notes[1]


def test_a_stream_in_which_nothing_computed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this log has no finished task"):
        of_stream(tmp_path, {"startstops": [], "key": "none"})


def test_a_report_tells_what_its_stream_tells(tmp_path: Path) -> None:
    records = [*dask_records(), dask_record("bad <1>", B, 8.0, 9.0, status="error")]
    (told,) = read_runs([write(tmp_path, "s.json", dask_stream(records))])
    (found,) = read_runs([write(tmp_path, "r.html", dask_report(dask_map(records)))])
    assert len(found.tasks) == len(told.tasks)
    for one, other in zip(found.tasks, told.tasks, strict=True):
        assert (one.task, one.machine, one.status) == (other.task, other.machine, other.status)
        assert one.taken_s == pytest.approx(other.taken_s, abs=1e-5)
        assert (one.start_s, one.end_s) == pytest.approx((other.start_s, other.end_s), abs=1e-5)


@pytest.mark.parametrize("order", ["little", "big"])
def test_packed_columns_and_older_pages_are_read(order: str, tmp_path: Path) -> None:
    columns: dict[str, object] = {**dask_columns(dask_records())}
    for name in ("start", "duration"):
        values = columns[name]
        assert isinstance(values, list)
        new = packed(values, order)
        old = {"__ndarray__": new["array"]["data"], "shape": [len(values)],  # type: ignore[index]
               "dtype": "float64", "order": order}  # fmt: skip
        columns[name] = new if name == "start" else old
    (run,) = read_runs([write(tmp_path, "r.html", dask_report(columns))])
    assert by_name(run)["left"].end_s == pytest.approx(5.0, abs=1e-5)


@pytest.mark.parametrize(
    "column",
    [
        {"__ndarray__": "?", "shape": [4], "dtype": "float64"},
        {"__ndarray__": "AAAA", "shape": [4], "dtype": "float64"},
        {"__ndarray__": "AAAA", "shape": [4], "dtype": "object"},
        {"__ndarray__": "AAAA", "shape": [2, 2], "dtype": "float64"},
        {"__ndarray__": "AAAA", "shape": [4], "dtype": ["float64"], "order": {}},
        {"type": "ndarray"},
        3,
    ],
)
def test_columns_of_no_known_form_are_refused(column: object, tmp_path: Path) -> None:
    columns = {**dask_columns(dask_records()), "start": column}
    with pytest.raises(InputError, match="column"):
        read_runs([write(tmp_path, "r.html", dask_report(columns))])


def test_a_page_without_a_task_stream_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no task stream"):
        read_runs([write(tmp_path, "r.html", dask_report({"x": [1]}))])
    text = dask_report(dask_map())
    with pytest.raises(InputError, match="no task stream"):  # cut inside the document
        read_runs([write(tmp_path, "r.html", text[: len(text) // 2])])


def test_spans_of_a_report_that_are_no_numbers_are_left_out(tmp_path: Path) -> None:
    columns = dask_columns(dask_records())
    columns["start"][0], columns["duration"][1] = 10**400, None
    (run,) = read_runs([write(tmp_path, "r.html", dask_report({**columns}))])
    assert sorted(by_name(run)) == ["join", "right"]


def test_a_report_is_never_run(tmp_path: Path) -> None:
    page = dask_report(json.loads(json.dumps(dask_map()))).replace("Bokeh.run()", "throw 1")
    assert read_runs([write(tmp_path, "r.html", page)])[0].tasks


def test_scripts_that_never_end_are_looked_through_once(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    page.write_text("<!DOCTYPE html><p>bokeh" + '<script type="application/json">' * 40_000)
    with pytest.raises(InputError, match="no task stream"):
        read_runs([page])
