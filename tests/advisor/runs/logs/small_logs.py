"""Small logs as engines write them, made here: a diamond of four tasks that ran on two machines."""

from __future__ import annotations

import base64
import html
import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from advisor.runs.run_record import render
from tests.advisor.runs.diamond import plain_run

BEGAN_S = 1_795_000_000.0
A, B = "tcp://10.0.0.1:4001", "tcp://10.0.0.2:4002"
NAMES = {A: "M1", B: "M2"}
RECORD = render([plain_run()])


def dask_record(
    key: object, worker: str, start_s: float, end_s: float, *,
    transfer: tuple[float, float] | None = None, status: str = "OK", thread: int = 7,
) -> dict[str, object]:  # fmt: skip
    """One record of a task stream; times from the run's start."""
    spans = [] if transfer is None else [{
        "action": "transfer", "start": BEGAN_S + transfer[0], "stop": BEGAN_S + transfer[1],
        "source": A,
    }]  # fmt: skip
    spans.append({"action": "compute", "start": BEGAN_S + start_s, "stop": BEGAN_S + end_s})
    said = {} if status == "OK" else {"exception_text": "ValueError('boom')"}
    return {"worker": worker, "thread": thread, "startstops": spans, "status": status,
            "key": key, "nbytes": 28, **said}  # fmt: skip


def dask_records() -> list[dict[str, object]]:
    """The diamond; M2 fetches for half a second."""
    return [
        dask_record("split", A, 0.0, 2.0),
        dask_record("left", A, 2.0, 5.0),
        dask_record("right", B, 2.5, 6.0, transfer=(2.0, 2.5)),
        dask_record("join", A, 6.5, 8.0, transfer=(6.1, 6.5)),
    ]


def dask_stream(records: Iterable[object] | None = None) -> str:
    """A task stream."""
    return json.dumps(list(dask_records() if records is None else records), indent=1)


def dask_workers(names: dict[str, str] = NAMES) -> str:
    """`Client.scheduler_info()`."""
    workers = {address: {"type": "Worker", "name": name} for address, name in names.items()}
    return json.dumps({"type": "Scheduler", "id": "s", "workers": workers})


def dask_columns(records: Iterable[dict[str, object]]) -> dict[str, list[object]]:
    """The columns that a dashboard draws of records: a row a span, the middle of each in ms."""
    columns: dict[str, list[object]] = {name: [] for name in (
        "start", "duration", "key", "name", "color", "worker", "worker_thread",
    )}  # fmt: skip
    for one in records:
        for span in one["startstops"]:  # type: ignore[attr-defined]
            moved = span["action"] != "compute"
            failed = "black" if one["status"] != "OK" else "#1f77b4"
            row = (
                (span["start"] + span["stop"]) / 2 * 1000, (span["stop"] - span["start"]) * 1000,
                one["key"], f"{span['action']}-{one['key']}" if moved else str(one["key"]),
                "red" if moved else failed, one["worker"], f"{one['worker']}-{one['thread']}",
            )  # fmt: skip
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return columns


def packed(values: Sequence[object], order: str = "little") -> dict[str, object]:
    """A column as Bokeh 3 packs arrays."""
    array = np.array(values, dtype=np.dtype("f8").newbyteorder("<" if order == "little" else ">"))
    content = base64.b64encode(array.tobytes()).decode()
    return {"type": "ndarray", "array": {"type": "bytes", "data": content},
            "shape": [len(values)], "dtype": "float64", "order": order}  # fmt: skip


def dask_report(data: object) -> str:
    """A page of Bokeh with the columns somewhere in its document."""
    source = {"type": "object", "name": "ColumnDataSource", "attributes": {"data": data}}
    text = {"text": "<h1>Dask Performance Report</h1> & 'more'"}
    document = {"d1": {"version": "3.9.2", "roots": [{"attributes": {"tabs": [text, source]}}]}}
    inside = html.escape(json.dumps(document), quote=False)
    return (
        "<!DOCTYPE html>\n<html><head><title>Dask Performance Report</title>"
        '<script src="https://cdn.bokeh.org/bokeh.min.js"></script></head><body>'
        f'<script type="application/json" id="e1">\n{inside}\n</script>'
        "<script>Bokeh.run()</script></body></html>\n"
    )


def dask_map(records: Iterable[dict[str, object]] | None = None) -> dict[str, object]:
    """Columns as Bokeh 3 writes a table of them."""
    columns = dask_columns(dask_records() if records is None else records)
    return {"type": "map", "entries": [[name, values] for name, values in columns.items()]}


def trace_events() -> list[dict[str, object]]:
    """A trace: one task as begin and end, the others whole."""
    return [
        {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "M1"}},
        {"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "M2"}},
        {"name": "split", "ph": "B", "pid": 1, "tid": 0, "ts": 10e6},
        {"name": "inside", "ph": "X", "pid": 1, "tid": 0, "ts": 10.5e6, "dur": 0.5e6},
        {"name": "split", "ph": "E", "pid": 1, "tid": 0, "ts": 12e6},
        {"name": "left", "ph": "X", "pid": 1, "tid": 0, "ts": 12e6, "dur": 3e6},
        {"name": "right", "ph": "X", "pid": 2, "tid": 0, "ts": 12.5e6, "dur": 3.5e6},
        {"name": "load", "ph": "C", "pid": 2, "ts": 13e6, "args": {"cpu": 1}},
        {"name": "join", "ph": "X", "pid": 1, "tid": 0, "ts": 16.5e6, "dur": 1.5e6},
    ]


PARSL_TABLES = """
CREATE TABLE workflow (run_id TEXT NOT NULL, workflow_name TEXT, time_began DATETIME NOT NULL,
    time_completed DATETIME, rundir TEXT NOT NULL);
CREATE TABLE task (task_id INTEGER NOT NULL, run_id TEXT NOT NULL, task_depends TEXT,
    task_func_name TEXT NOT NULL, task_stdout TEXT);
CREATE TABLE try (try_id INTEGER NOT NULL, task_id INTEGER NOT NULL, run_id TEXT NOT NULL,
    hostname TEXT, task_executor TEXT NOT NULL, task_try_time_launched DATETIME,
    task_try_time_running DATETIME, task_try_time_returned DATETIME, task_fail_history TEXT);
CREATE TABLE status (task_id INTEGER NOT NULL, task_status_name TEXT NOT NULL,
    timestamp DATETIME NOT NULL, run_id TEXT NOT NULL, try_id INTEGER NOT NULL);
"""
ParslRow = tuple[int, str, str, str, str, float | None, float | None]
PARSL: tuple[ParslRow, ...] = (
    (0, "body", "", "", "M1", 0.0, 2.0), (1, "body", "0", "", "M1", 2.0, 5.0),
    (2, "body", "0", "", "M2", 2.5, 6.0), (3, "body", "1,2", "", "M1", 6.5, 8.0),
)  # fmt: skip


def moment(at_s: float | None) -> str | None:
    """As Parsl writes times."""
    if at_s is None:
        return None
    return datetime.fromtimestamp(BEGAN_S + at_s, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def parsl_database(
    rows: Iterable[ParslRow] = PARSL, *, ended: bool = True, host: str = ""
) -> bytes:
    """A monitoring database; rows of (number, function, depends, stdout, executor, start, end).

    Results are back half a second after the worker ended.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(PARSL_TABLES)
        whole = ("r1", "flow.py", moment(-1.0), moment(9.0) if ended else None, "/runs/runinfo/007")
        connection.execute("INSERT INTO workflow VALUES (?, ?, ?, ?, ?)", whole)
        for number, function, depends, stdout, executor, start_s, end_s in rows:
            task = (number, "r1", depends, function, stdout)
            connection.execute("INSERT INTO task VALUES (?, ?, ?, ?, ?)", task)
            back = None if end_s is None else moment(end_s + 0.5)
            launched = None if start_s is None else moment(start_s - 0.25)
            one = (0, number, "r1", host, executor, launched, moment(start_s), back, "")
            connection.execute("INSERT INTO try VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", one)
            states = [("running", start_s), ("running_ended", end_s), ("exec_done", end_s)]
            for state, at_s in states:
                if at_s is not None:
                    told = (number, state, moment(at_s), "r1", 0)
                    connection.execute("INSERT INTO status VALUES (?, ?, ?, ?, ?)", told)
        connection.commit()
        return connection.serialize()


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """The file."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
