"""Slurm's jobs as ``Key=value``: the file of jobcomp/filetxt, and ``scontrol show job``.

A record begins with ``JobId=``; values may hold blanks, up to the next key. The file of jobcomp
grows by every job that ends, for years.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from advisor.runs.logs.log_lines import text_of
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.logs.slurm_jobs import (
    ENGINE,
    SlurmJob,
    first_node,
    has_ended,
    job_number,
    plain_state,
    runs_of,
    said,
    time_of,
)
from advisor.runs.run_record import Run
from machines.errors import InputError

_BEGIN = re.compile(r"^JobId=", re.MULTILINE)
_KEY = re.compile(r"(?:^|\s)([A-Z][A-Za-z/:]{1,30})=")
_NEEDED = ("JobState", "StartTime", "EndTime")
_HEAD = re.compile(rb"\s*JobId=[0-9]+[ \t]+\S")


def _holds(path: Path, head: bytes) -> bool:
    del path
    return _HEAD.match(head) is not None and b"JobState=" in head


def _read(path: Path) -> tuple[Run, ...]:
    where = str(path)
    notes: list[str] = []
    text = text_of(path, notes)
    jobs: list[SlurmJob] = []
    left: Counter[str] = Counter()
    wide, later = [], 0
    for place, record in _records(text, where, notes):
        job, several = _job(record, place)
        if job is None:
            left[plain_state(record["JobState"])] += 1
        elif record.get("HetJobOffset", "0") != "0":
            later += 1
        else:
            jobs.append(job)
            wide += [job.name] * several
    notes += said(left, wide, later)
    return runs_of(jobs, notes, where)


def _job(record: dict[str, str], place: str) -> tuple[SlurmJob | None, bool]:
    """A job that ran, and whether on several nodes; None: it did not, or is not over."""
    state = plain_state(record["JobState"])
    start_s, end_s = (time_of(record[key], place) for key in ("StartTime", "EndTime"))
    machine, several = first_node(record.get("NodeList", ""), place)
    waited = state == "CANCELLED" and not machine
    if waited or not has_ended(state) or start_s is None or end_s is None:
        return None, False
    number, _, _ = job_number(record.get("ArrayJobId") or record["JobId"], place)
    name, part = record.get("Name") or record.get("JobName") or "", record.get("ArrayTaskId", "")
    submit_s, eligible_s = (
        time_of(record.get(key, ""), place) for key in ("SubmitTime", "EligibleTime")
    )
    found = SlurmJob(
        number, part, name, state, machine, start_s, end_s, submit_s, eligible_s, place
    )  # fmt: skip
    return found, several


def _records(text: str, where: str, notes: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each job with its place; a last one that is cut is left out."""
    starts = [match.start() for match in _BEGIN.finditer(text)]
    line, before = 1, 0
    for start, end in pairwise([*starts, len(text)]):
        line, before = line + text.count("\n", before, start), start
        place = f"{where}: line {line}"
        record = _fields(text[start:end])
        lacking = [key for key in _NEEDED if key not in record]
        if lacking and end == len(text) and len(starts) > 1:
            notes.append("The last job is cut and left out")
        elif lacking:
            remedy = "Give the file of jobcomp/filetxt, or scontrol show job, as it is"
            raise InputError("a job lacks a key", where=place, value=lacking[0], remedy=remedy)
        else:
            yield place, record


def _fields(text: str) -> dict[str, str]:
    """Keys and values, each up to the next key; of a key given twice the first counts."""
    keys = list(_KEY.finditer(text))
    ends = [match.start() for match in keys[1:]] + [len(text)]
    found: dict[str, str] = {}
    for match, end in zip(keys, ends, strict=True):
        found.setdefault(match[1], text[match.end() : end].strip())
    return found


READER = LogReader("Slurm jobcomp", ENGINE, _holds, _read, (".txt", ".log"))
