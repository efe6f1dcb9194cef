"""What Dask tells of each task, in its task stream and in its performance report.

A record has spans: transfers of inputs, reading from disk, the computation. Dask fetches before a
task takes its thread: what of the last transfers fell into time in which the thread was idle is
taken for fetching in the slot, which lasts as long to all that follow. Each worker's times are its
own clock's, corrected by what it measured against the scheduler's.

Dask's task stream as JSON: the list that `distributed.get_task_stream` gathers.

A record a task: `key` (a text or a tuple), `worker` (an address), `thread`, `status`, and
`startstops` with seconds since 1970. Bytes are of results, not of what was fetched. A list that is
cut is read up to the last whole record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from advisor.basics.content import read_content
from advisor.runs.logs.gathering import Gathering, real
from advisor.runs.logs.json_items import is_json_with, items
from advisor.runs.logs.reader import LogReader
from advisor.runs.record import FAILED, OK, Run

COMPUTE = "compute"
_TOGETHER_S = 0.001  # transfers closer than that are one stretch
_WORDS = 300  # characters of what a failed task said

Span = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class DaskRecord:
    """One try of one task.

    `key`, `worker`, `thread`: the task, the address of its worker, and its thread there.
    `spans`: each (action, start, end); "transfer", "disk-read", "deserialize", "compute", …;
        seconds since 1970.
    `status`, `output`: as of `TaskRun`.
    """

    key: str
    worker: str
    thread: str
    spans: tuple[Span, ...]
    status: str = OK
    output: str = ""

    @property
    def computed(self) -> tuple[float, float] | None:
        """Start and end of the computation; None: there was none."""
        own = [(start_s, end_s) for action, start_s, end_s in self.spans if action == COMPUTE]
        if not own:
            return None
        return min(start_s for start_s, _ in own), max(end_s for _, end_s in own)


def run_of(records: Iterable[DaskRecord], where: str, name: str, notes: tuple[str, ...]) -> Run:
    """The run that records tell of."""
    found = Gathering(where, since_1970=True)
    free: dict[tuple[str, str], float] = {}
    known = [(record, record.computed) for record in records]
    for record, computed in sorted(known, key=lambda one: one[1] or (0.0, 0.0)):
        if computed is None:
            found.add_wrong(record.key, "it has no computation")
            continue
        start_s, end_s = computed
        thread = (record.worker, record.thread)
        taken_s = max(_fetched_from(record.spans, start_s), free.get(thread, 0.0))
        free[thread] = max(end_s, free.get(thread, 0.0))
        found.add(
            record.key, record.worker, start_s, end_s, status=record.status,
            fetch_start_s=taken_s if taken_s < start_s else None,
            output=record.output[-_WORDS:] if record.status == FAILED else "",
        )  # fmt: skip
    return found.run(name, "dask", notes)


def _fetched_from(spans: Iterable[Span], start_s: float) -> float:
    """When the last stretch of transfers before the computation began; else its start."""
    before = sorted(
        (begin_s, min(end_s, start_s))
        for action, begin_s, end_s in spans
        if action != COMPUTE and 0 < begin_s < start_s and end_s > begin_s
    )
    stretch = start_s
    last_s = 0.0
    for begin_s, end_s in before:
        if begin_s > last_s + _TOGETHER_S:
            stretch = begin_s
        last_s = max(last_s, end_s)
    return stretch


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
    text = item.get("exception_text") or item.get("traceback_text")
    return DaskRecord(
        key,
        str(item.get("worker") or ""),
        str(item.get("thread") or ""),
        tuple(span for span in map(_span, spans) if span is not None),
        OK if item.get("status") == "OK" else FAILED,
        text if isinstance(text, str) else "",
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


READER = LogReader("Dask task stream", "dask", _holds, _read)
