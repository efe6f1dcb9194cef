"""Slurm's accounting: ``sacct -P`` (or ``squeue`` with the same bars), columns in any order.

A row for each job and, unless ``-X`` was given, for each of its steps: ``12.batch``, ``12.extern``,
``12.0``. A job is a task by its name; where one job runs several named steps, the steps are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.runs.logs.log_lines import bytes_of, text_of
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.logs.slurm_jobs import (
    ENGINE,
    STATES,
    SlurmJob,
    end_of,
    first_node,
    has_ended,
    job_number,
    needs_of,
    plain_state,
    renamed,
    runs_of,
    said,
    time_of,
)
from advisor.runs.run_record import Run
from machines.errors import InputError

_ALIASES = {
    "name": "jobname", "nodes": "nodelist", "start_time": "start", "end_time": "end",
    "submit_time": "submit", "eligible_time": "eligible", "st": "state", "time": "elapsed",
}  # fmt: skip
_NEEDED = ("jobid", "jobname", "state", "start", "end")
_REMEDY = (
    "Print it with: sacct -P -o JobID,JobName,State,Submit,Eligible,Start,End,ElapsedRaw,NodeList"
)
_ELAPSED = re.compile(r"(?:([0-9]+)-)?(?:([0-9]+):)?([0-9]+):([0-9]+)(?:\.[0-9]+)?")
_STEP = re.compile(r"([^.]+)\.(.+)")
_OWN_STEPS = frozenset(("batch", "extern", "interactive"))


@dataclass(frozen=True)
class _Row:
    """A job or step, before what it lacks is looked at."""

    ident: str
    step: str
    cells: dict[str, str]
    place: str


def _holds(path: Path, head: bytes) -> bool:
    del path
    first = head.lstrip().partition(b"\n")[0].decode("utf-8", "replace").split("|")
    return len(first) > 1 and {"jobid", "state"} <= set(_columns(first))


def _columns(cells: list[str]) -> list[str]:
    """Titles as sacct writes them, whoever wrote them, in lower case."""
    lower = [cell.strip().lower() for cell in cells]
    return [_ALIASES.get(one, one) if _ALIASES.get(one) not in lower else one for one in lower]


def _read(path: Path) -> tuple[Run, ...]:
    where = str(path)
    notes: list[str] = []
    text = text_of(path, notes)
    rows = list(_rows(text, where, notes))
    steps: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        if row.step and row.step not in _OWN_STEPS:
            steps[row.ident].append(row)
    peaks = _peaks(rows)
    jobs: list[SlurmJob] = []
    left: Counter[str] = Counter()
    wide, later, clocks = [], 0, 0
    for row in rows:
        if row.step:
            continue
        number, part, component = job_number(row.ident, row.place)
        if component:
            later += 1
            continue
        mine = steps[row.ident]
        names = {one.cells["jobname"] for one in mine}
        tasks = mine if len(names) > 1 and len(names) == len(mine) else [row]
        for one in tasks:
            state = plain_state(one.cells["state"])
            found, several, turned = _job(one, row, number, part, state)
            key = row.ident, "" if one is row else one.step
            if found is None:
                left[state] += 1
                continue
            clocks += turned
            found = replace(found, peak_bytes=peaks.get(key))
            if several:
                wide.append(found.name)
            jobs.append(found if one is row else renamed(found, one.cells["jobname"]))
    notes += said(left, wide, later, clocks)
    return runs_of(jobs, notes, where)


def _peaks(rows: list[_Row]) -> dict[tuple[str, str], float]:
    """MaxRSS of jobs, the largest of their steps, and of steps; by job and step."""
    found: dict[tuple[str, str], float] = {}
    for row in rows:
        size = bytes_of(row.cells.get("maxrss", ""))
        for key in ((row.ident, ""), (row.ident, row.step)):
            if size is not None:
                found[key] = max(size, found.get(key, 0.0))
    return found


def _rows(text: str, where: str, notes: list[str]) -> Iterator[_Row]:
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    header = _columns(_cells(lines[first])) if lines else []
    barred = bool(lines) and lines[first].rstrip().endswith("|")
    lacking = [name for name in _NEEDED if name not in header]
    if lacking:
        raise InputError(
            "a column is missing", where=f"{where}: line {first + 1}", value=lacking[0],
            remedy=_REMEDY,
        )  # fmt: skip
    cut = not text.endswith(("\n", "\r"))
    for number, line in enumerate(lines[first + 1 :], first + 2):
        place = f"{where}: line {number}"
        cells = _cells(line) if barred else line.split("|")
        if not line.strip() or _columns(cells) == header:
            continue
        if len(cells) < len(header) and cut and number == len(lines):
            notes.append("The last line is cut and left out")
            return
        if len(cells) > len(header):
            cells = _with_bars(cells, header)
        if len(cells) != len(header):
            raise InputError(
                f"{len(cells)} cells under {len(header)} titles", where=place, value=line[:80],
                remedy="Another column than the name holds bars: leave it out",
            )  # fmt: skip
        row = dict(zip(header, (cell.strip() for cell in cells), strict=True))
        step = _STEP.fullmatch(row["jobid"])
        ident, inner = (step[1], step[2]) if step else (row["jobid"], "")
        yield _Row(ident, inner, row, place)


def _cells(line: str) -> list[str]:
    """The cells of a line, which --parsable ends with a bar."""
    return line.rstrip().removesuffix("|").split("|")


def _with_bars(cells: list[str], header: list[str]) -> list[str]:
    """The cells of a row whose last cell, a command, or whose job's name holds bars."""
    if header[-1] == "submitline":
        return [*cells[: len(header) - 1], "|".join(cells[len(header) - 1 :])]
    name, more = header.index("jobname"), len(cells) - len(header)
    joined = [*cells[:name], "|".join(cells[name : name + more + 1]), *cells[name + more + 1 :]]
    return joined if plain_state(joined[header.index("state")]) in STATES else cells


def _job(
    row: _Row, job: _Row, number: int, part: str, state: str
) -> tuple[SlurmJob | None, bool, bool]:
    """A job that ran, whether on several nodes, and whether clocks were set; None: it did not."""
    cells, place = row.cells, row.place
    start_s, end_s = time_of(cells["start"], place), time_of(cells["end"], place)
    if not has_ended(state) or start_s is None or end_s is None:
        return None, False, False
    nodes = cells.get("nodelist", "") or job.cells.get("nodelist", "")
    machine, several = first_node(nodes, place)
    if state == "CANCELLED" and "nodelist" in cells and not machine:
        return None, False, False
    end_s, turned = end_of(start_s, end_s, _elapsed(cells, place))
    found = SlurmJob(
        number, part, cells["jobname"], state, machine, start_s, end_s,
        time_of(job.cells.get("submit", ""), place),
        time_of(job.cells.get("eligible", ""), place) if row is job else None,
        place,
        needs_of(job.cells.get("submitline", "")),
    )  # fmt: skip
    return found, several, turned


def _elapsed(cells: dict[str, str], place: str) -> float | None:
    raw = cells.get("elapsedraw", "")
    if raw:
        if not raw.isascii() or not raw.isdigit() or len(raw) > 12:
            raise InputError("ElapsedRaw is no number of seconds", where=place, value=raw)
        return float(raw)
    match = _ELAPSED.fullmatch(cells.get("elapsed", ""))
    if match is None or sum(map(len, filter(None, match.groups()))) > 24:
        return None
    days, hours, minutes, seconds = (float(one or 0) for one in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


READER = LogReader("Slurm sacct -P", ENGINE, _holds, _read, (".txt", ".log"))
