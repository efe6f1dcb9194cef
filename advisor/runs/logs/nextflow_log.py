"""Nextflow's ``trace.txt``: a line for each task, tab between cells, columns as the user chose.

Times are local ("2026-11-22 07:04:47.250") and durations rounded ("1m 2s", "350ms"), or both are
milliseconds with `trace.raw`. Without `start` and `complete`, which are not among the default
columns, a task ended when `duration` was over since `submit`. `realtime` is the command alone.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from advisor.basics.quantities import count
from advisor.runs.logs.log_lines import bytes_of, day_and_time, instant, since_1970, text_of
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import FAILED, OK, Run, TaskRun
from machines.checks import written_number
from machines.errors import InputError, visible

ENGINE = "nextflow"
_UNIT_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?(?:ms|[smhd])(?: |$))+")
_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|[smhd])")
_NOTHING = frozenset(("", "-"))
_REMEDY = (
    "Choose the columns with: trace.fields = 'task_id,hash,native_id,name,status,exit,attempt,"
    "submit,start,complete,duration,realtime,hostname,peak_rss'"
)
_MS = 0.001
_LONGEST = 60  # letters of a duration
_MOST_S = 1e10


class _Times(NamedTuple):
    """When a task ran, since 1970, and how exactly that is told."""

    submit_s: float | None
    start_s: float
    end_s: float
    step_s: float
    guessed: bool


def _holds(path: Path, head: bytes) -> bool:
    del path
    columns = set(_cells(head.lstrip().partition(b"\n")[0].decode("utf-8", "replace")))
    asked = ({"status"}, {"name", "process"}, {"task_id", "hash", "native_id", "realtime"})
    return all(columns & one for one in asked)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.rstrip("\r").split("\t")]


def _read(path: Path) -> tuple[Run, ...]:
    where = str(path)
    notes: list[str] = []
    text = text_of(path, notes)
    tasks: list[TaskRun] = []
    cached: list[str] = []
    left: Counter[str] = Counter()
    step_s, guessed, first_s = _MS, 0, 0.0
    for place, row in _rows(text, where, notes):
        name, status = _name(row), row["status"].upper()
        if status == "CACHED":
            cached.append(name)
            continue
        times = _times(row, place) if status in {"COMPLETED", "FAILED", "ABORTED"} else None
        if times is None:
            left[status] += 1
            continue
        step_s, guessed = max(step_s, times.step_s), guessed + times.guessed
        ok = status == "COMPLETED"
        output = "" if ok else f"Nextflow: {visible(status)}, exit {visible(row.get('exit', ''))}"
        machine = visible(_given(row.get("hostname")))
        try:
            one = TaskRun(
                visible(name), machine, times.start_s, times.end_s, ready_s=times.submit_s,
                status=OK if ok else FAILED, output=output,
                peak_bytes=bytes_of(row.get("peak_rss", "")),
            )  # fmt: skip
        except InputError as error:
            raise error.at(place) from None
        first_s = min(first_s, one.start_s) if tasks else one.start_s
        tasks.append(one)
    notes += _said(tasks, cached, left, guessed)
    if not tasks:
        raise InputError("no task of this trace ran", where=where, value=" ".join(notes) or None)
    run = Run(day_and_time(first_s), tuple(tasks), ENGINE, step_s, tuple(notes))
    return (run.from_zero(),)


def _rows(text: str, where: str, notes: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The lines as cells by column, with their places; a last one that is cut is left out."""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    header = _cells(lines[first]) if lines else []
    timed = {"start", "complete"} <= set(header) or {"submit", "duration"} <= set(header)
    if "status" not in header or not {"name", "process"} & set(header) or not timed:
        raise InputError(
            "a trace needs the columns name, status, and submit and duration or start and complete",
            where=f"{where}: line {first + 1}", value=", ".join(header), remedy=_REMEDY,
        )  # fmt: skip
    for number, line in enumerate(lines[first + 1 :], first + 2):
        cells = _cells(line)
        if not line.strip() or cells == header:
            continue
        place = f"{where}: line {number}"
        if len(cells) != len(header):
            if number == len(lines) and len(cells) < len(header):
                notes.append("The last line is cut and left out")
                return
            raise InputError(
                f"{len(cells)} cells under {len(header)} titles", where=place, value=line[:80]
            )
        yield place, dict(zip(header, cells, strict=True))


def _given(cell: str | None) -> str:
    return "" if cell is None or cell in _NOTHING else cell


def _name(row: dict[str, str]) -> str:
    """The task's name, "process (tag)", of whichever columns there are."""
    process, tag = _given(row.get("process")), _given(row.get("tag"))
    return _given(row.get("name")) or (f"{process} ({tag})" if tag else process)


def _times(row: dict[str, str], place: str) -> _Times | None:
    """When the command ran; None: it never began or ended.

    From the start that is told for as long as `realtime` says; what the task took besides (staging,
    containers, polling) is then a gap. Without a start it is counted from the end back.
    """
    start_s, submit_s, end_s = (_time(row, key, place) for key in ("start", "submit", "complete"))
    whole, whole_step_s = _duration(row, "duration", place)
    real, step_s = _duration(row, "realtime", place)
    if end_s is None and submit_s is not None and whole is not None:
        end_s, step_s = submit_s + whole, max(step_s, whole_step_s)
    if end_s is None:
        return None
    guessed = start_s is None
    if start_s is None:
        start_s = end_s - real if real is not None else submit_s
        if start_s is not None and submit_s is not None:
            start_s = max(start_s, submit_s)
    elif real is not None and start_s <= end_s:
        end_s = min(end_s, start_s + real)
    if start_s is None:
        return None
    return _Times(submit_s, start_s, end_s, step_s, guessed)


def _time(row: dict[str, str], key: str, place: str) -> float | None:
    cell = _given(row.get(key))
    if not cell:
        return None
    found = instant(cell) if "-" in cell else since_1970(cell, _MS)
    if found is None:
        raise InputError(
            f"{key} is no time", where=place, value=cell,
            remedy="Times are like 2026-11-22 07:04:47.250, or milliseconds with trace.raw",
        )  # fmt: skip
    return found


def _duration(row: dict[str, str], key: str, place: str) -> tuple[float | None, float]:
    """Seconds of a duration, and to how many it is rounded: more for a longer one."""
    cell = _given(row.get(key))
    if not cell:
        return None, 0.0
    raw = written_number(cell)
    if raw is None and len(cell) < _LONGEST and _DURATION.fullmatch(cell):
        parts = _PART.findall(cell)
        seconds = sum(float(each) * _UNIT_S[one] for each, one in parts)
        step_s = 0.001 if parts[0][1] == "ms" else 0.1 if parts[0][1] == "s" else 1.0
    else:
        seconds, step_s = math.nan if raw is None else raw * _MS, _MS
    if not 0.0 <= seconds < _MOST_S:
        raise InputError(
            f"{key} is no duration", where=place, value=cell,
            remedy="Durations are like 1m 2s or 350ms, or milliseconds with trace.raw",
        )  # fmt: skip
    return seconds, step_s


def _said(tasks: list[TaskRun], cached: list[str], left: Counter[str], guessed: int) -> list[str]:
    said = []
    if cached:
        said.append(
            f"{count(len(cached), 'task')} came from the cache and did not run ({cached[0]}): "
            "left out"
        )
    if left:
        kinds = ", ".join(f"{many} {visible(state)}" for state, many in left.items())
        said.append(f"Tasks that did not start and end are left out: {kinds}")
    if guessed:
        said.append(
            f"The trace lacks starts: {count(guessed, 'task')} ran for their realtime until "
            "Nextflow saw the end"
        )
    if tasks and not any(one.machine for one in tasks):
        said.append("The trace lacks hostname: it does not say on which machines tasks ran")
    tries = Counter(one.task for one in tasks)
    again = [name for name, many in tries.items() if many > 1]
    if again:
        said.append(f"{count(len(again), 'task')} ran more than once: {again[0]}")
    return said


READER = LogReader("Nextflow trace", ENGINE, _holds, _read, (".txt", ".tsv"))
