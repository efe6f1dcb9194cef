"""Dask's task stream as JSON: the list that `distributed.get_task_stream` gathers.

A record a task: `key` (a text or a tuple), `worker` (an address), `thread`, `status`, and
`startstops` with seconds since 1970. Bytes are of results, not of what was fetched. A list that is
cut is read up to the last whole record.
"""

from __future__ import annotations

import re
from pathlib import Path

from advisor.basics.content import read_content
from advisor.runs.logs.dask_records import DaskRecord, Span, run_of
from advisor.runs.logs.json_items import is_json_with, items
from advisor.runs.logs.log_lines import real
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import FAILED, OK, Run

_MARK = re.compile(rb'"startstops"\s*:')
CUT = "The log is cut: what follows its last whole record is lost"


def _holds(path: Path, head: bytes) -> bool:
    del path
    return is_json_with(head, _MARK)


def _read(path: Path) -> tuple[Run, ...]:
    content, _ = read_content(path)
    where = str(path)
    found, cut = items(content, where)
    records = [one for one in map(_record, found) if one is not None]
    notes = [CUT] if cut else []
    if len(records) < len(found):
        notes.append(f"{len(found) - len(records)} entries are no records of tasks and left out")
    return (run_of(records, where, "", tuple(notes)),)


def _record(item: object) -> DaskRecord | None:
    """None: it is no record."""
    if not isinstance(item, dict):
        return None
    key, spans = key_text(item.get("key")), item.get("startstops")
    if not key or not isinstance(spans, list):
        return None
    made = real(item.get("nbytes"))
    text = item.get("exception_text") or item.get("traceback_text")
    return DaskRecord(
        key,
        str(item.get("worker") or ""),
        str(item.get("thread") or ""),
        tuple(span for span in map(_span, spans) if span is not None),
        OK if item.get("status") == "OK" else FAILED,
        text if isinstance(text, str) else "",
        made if made is not None and made >= 0 else None,
    )


def key_text(key: object) -> str:
    """A task's key: a text, or a tuple as Python writes it; empty: none."""
    if isinstance(key, str):
        return key
    if isinstance(key, list) and all(isinstance(part, str | int | float) for part in key):
        return str(tuple(key))
    return str(key) if isinstance(key, int) else ""


def _span(item: object) -> Span | None:
    if not isinstance(item, dict):
        return None
    start_s, end_s = real(item.get("start")), real(item.get("stop"))
    return None if start_s is None or end_s is None else (str(item.get("action")), start_s, end_s)


READER = LogReader("Dask task stream", "dask", _holds, _read, (".json",))
