"""Dask's performance report, and a task stream that was saved as a page: Bokeh's document in HTML.

The page holds, as JSON in a script element that no browser runs, every figure with its columns. The
task stream's are: `start` (the middle of a span, ms since 1970), `duration` (ms), `key`, `name`
(with the action in front of it), `color` (black: failed), `worker` and `worker_thread`. Columns are
lists, or base64 of an array. Nothing of the page is run. Names of workers are not in it.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from advisor.basics import json_text
from advisor.basics.content import read_content
from advisor.runs.logs.dask_records import COMPUTE, DaskRecord, Span, run_of
from advisor.runs.logs.dask_stream import key_text
from advisor.runs.logs.log_lines import real
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import FAILED, OK, Run
from machines.errors import InputError, PlacewiseError

_SCRIPT = re.compile(rb'<script[^>]{0,400}type="application/json"[^>]{0,400}>')
_SCRIPT_END = b"</script>"
_COLUMNS = ("start", "duration", "key", "name", "color", "worker", "worker_thread")
_ACTIONS = ("transfer", "disk-write", "disk-read", "deserialize")
_ESCAPED = ((b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b'\\"'), (b"&#x27;", b"'"),
            (b"&amp;", b"&"))  # fmt: skip
_DTYPES = frozenset(("float64", "float32", "int64", "int32", "int16", "int8",
                     "uint64", "uint32", "uint16", "uint8"))  # fmt: skip
_FAILED_COLOUR = "black"
_REMEDY = "Save it with distributed.performance_report, or the task stream as JSON"

Columns = dict[str, list[object]]


def _holds(path: Path, head: bytes) -> bool:
    del path
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return text.startswith((b"<!doctype html", b"<html")) and b"bokeh" in text


def _read(path: Path) -> tuple[Run, ...]:
    content, _ = read_content(path)
    where = str(path)
    columns = _task_stream(content, where)
    notes = (
        "A performance report tells addresses of workers, seconds of transfers and no bytes; only "
        "the newest 100,000 tasks are in it",
    )
    return (run_of(_records(columns), where, "", notes),)


def _task_stream(content: bytes, where: str) -> Columns:
    """The columns of the task stream, whichever figure has them."""
    error: PlacewiseError | None = None
    for script in _scripts(content):
        text = script
        for sign, plain in _ESCAPED:
            text = text.replace(sign, plain)
        try:
            document = json_text.parse(text, where)
        except PlacewiseError as refused:
            error = refused
            continue
        for columns in _sources(document):
            if all(name in columns for name in _COLUMNS):
                return {name: _values(columns[name], where) for name in _COLUMNS}
    if error is not None:
        raise error
    raise InputError("no task stream is in this page", where=where, remedy=_REMEDY)


def _scripts(content: bytes) -> Iterator[bytes]:
    """The JSON of each script element that is closed, one after the other."""
    end = 0
    while script := _SCRIPT.search(content, end):
        end = content.find(_SCRIPT_END, script.end())
        if end < 0:
            return
        yield content[script.end() : end]


def _sources(document: object) -> Iterator[dict[str, object]]:
    """Every table of columns in the document, as any version of Bokeh writes it."""
    todo = [document]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            entries = value.get("entries")
            if isinstance(entries, list) and value.get("type") == "map":
                yield {
                    pair[0]: pair[1]
                    for pair in entries
                    if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
                }
            yield value
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(one for one in value if isinstance(one, dict | list))


def _values(column: object, where: str) -> list[object]:
    """The values of a column: a list, or an array in base64 (`type` ndarray, or `__ndarray__`)."""
    if isinstance(column, list):
        return column
    if isinstance(column, dict):
        packed, shape = column.get("__ndarray__", column.get("array")), column.get("shape")
        if isinstance(packed, dict):
            packed = packed.get("data")
        if isinstance(packed, list):
            return packed
        dtype, order = str(column.get("dtype")), column.get("order", "little")
        plain = isinstance(shape, list) and len(shape) == 1
        if isinstance(packed, str) and plain and dtype in _DTYPES and order in ("little", "big"):
            return _unpacked(packed, dtype, str(order), where)
    raise InputError("a column of the task stream is of an unknown form", where=where,
                     value=str(column)[:80], remedy=_REMEDY)  # fmt: skip


def _unpacked(packed: str, dtype: str, order: str, where: str) -> list[object]:
    try:
        content = base64.b64decode(packed, validate=True)
        kind = np.dtype(dtype).newbyteorder("<" if order == "little" else ">")
        values: list[object] = np.frombuffer(content, dtype=kind).tolist()
    except (binascii.Error, ValueError) as error:
        raise InputError(f"a packed column can't be read ({error})", where=where) from None
    return values


def _records(columns: Columns) -> Iterator[DaskRecord]:
    """Spans of one key and thread that follow each other are one try: its computation ends it."""
    spans: list[Span] = []
    before: tuple[str, str] | None = None
    for start, duration, key, name, color, worker, thread in zip(
        *(columns[one] for one in _COLUMNS), strict=False
    ):
        owner = (key_text(key), str(thread))
        if before is not None and owner != before:
            spans = []
        before = owner
        middle_ms, lasted_ms = real(start), real(duration)
        if middle_ms is None or lasted_ms is None:
            continue
        action, half_ms = _action(str(name)), lasted_ms / 2
        spans.append((action, (middle_ms - half_ms) / 1000, (middle_ms + half_ms) / 1000))
        if action == COMPUTE:
            status = FAILED if color == _FAILED_COLOUR else OK
            yield DaskRecord(owner[0], str(worker), owner[1], tuple(spans), status)
            spans = []


def _action(name: str) -> str:
    return next((one for one in _ACTIONS if name.startswith(f"{one}-")), COMPUTE)


READER = LogReader("Dask performance report", "dask", _holds, _read, (".html",))
