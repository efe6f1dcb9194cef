"""Snakemake's metadata: a JSON file for each output, named by the base64 of its path.

Kept in ``.snakemake/metadata``; written when a job ended well, over what an earlier run left. A
long name is cut into folders that begin with ``@``. The start is when the job was handed out; the
end is when its output was last changed.
"""

from __future__ import annotations

import binascii
import os
from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from advisor.basics import json_text
from advisor.basics.quantities import count
from advisor.runs.logs.log_lines import LATEST_S
from advisor.runs.logs.snakemake_jobs import SnakemakeJob
from machines.errors import InputError, PlacewiseError
from machines.files import MIB, read_bytes

_MOST_FILES = 200_000
_LARGEST_BYTES = 4 * MIB
_LOOKED_AT = 5
_OLD_S = 60.0  # by which an output is older than its job: it keeps the time of another file
_EARLY_S = 1.0  # by which a job may begin before its input's time: clocks of file servers differ


class _Record(NamedTuple):
    path: str
    start_s: float
    end_s: float
    document: dict[str, object]


def is_metadata(folder: Path) -> bool:
    """Whether a folder holds such files: one of the first few is."""
    return any(
        output and b'"rule"' in _content(file)
        for file, output in islice(_files(folder), _LOOKED_AT)
    )


def read(folder: Path, notes: list[str]) -> list[SnakemakeJob]:
    """The jobs that the files of a folder tell of.

    `notes`: what was left out is appended.
    """
    left: dict[str, list[str]] = defaultdict(list)
    groups: dict[tuple[object, ...], list[_Record]] = defaultdict(list)
    for number, (file, output) in enumerate(_files(folder)):
        if number >= _MOST_FILES:
            remedy = f"Allowed: {_MOST_FILES:,}"
            raise InputError("too many files of metadata", where=str(folder), remedy=remedy)
        document = _document(file) if output else None
        why, found = _record(output, document)
        if found is None:
            left[why].append(output or file.name)
        else:
            groups[_job(found.document)].append(found)
    for why, names in left.items():
        notes.append(f"{count(len(names), 'file')} of metadata {why}, left out: {names[0]}")
    return _without_old_starts([_as_job(records) for records in groups.values()])


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file, with the path of the output that it tells of; "": its name tells none."""
    for place, folders, files in os.walk(folder):
        folders.sort()
        above = Path(place).relative_to(folder).parts
        for name in sorted(files):
            letters = "".join(part.removeprefix("@") for part in above) + name
            try:
                output = urlsafe_b64decode(letters.encode("ascii")).decode("utf-8")
            except (binascii.Error, ValueError):
                output = ""
            yield Path(place) / name, output


def _content(file: Path) -> bytes:
    try:
        return read_bytes(file, _LARGEST_BYTES)
    except PlacewiseError:
        return b""


def _document(file: Path) -> dict[str, object] | None:
    """What a file says; None: it is cut or no record, which Snakemake passes over, too."""
    try:
        found = json_text.parse(_content(file), str(file))
    except PlacewiseError:
        return None
    return found if isinstance(found, dict) else None


def _record(output: str, document: dict[str, object] | None) -> tuple[str, _Record | None]:
    """A record that tells of a job that ended, or why it is none."""
    if document is None or not isinstance(document.get("rule"), str):
        return "can't be read", None
    if document.get("incomplete") is True:
        return "tell of jobs that did not end", None
    start_s, end_s = _time(document.get("starttime")), _time(document.get("endtime"))
    if start_s is None:
        return "tell no start", None
    return "", _Record(output, start_s, start_s if end_s is None else end_s, document)


def _time(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0.0 < value < LATEST_S else None


def _job(document: dict[str, object]) -> tuple[object, ...]:
    """What the files of one job have in common, and those of no other."""
    told = document.get("job_hash")
    if isinstance(told, int):
        return document["rule"], told
    same = ("rule", "shellcmd", "input", "params", "log")
    return tuple(repr(document.get(key)) for key in same)


def _as_job(records: list[_Record]) -> SnakemakeJob:
    """A job; what can't be is not known.

    An output that keeps the time of what it was copied from ended long before; a rule in Python
    has its start recorded when it is over, which is a little later than its output was written.
    """
    document = records[0].document
    start_s, end_s = min(one.start_s for one in records), max(one.end_s for one in records)
    old = end_s < start_s - _OLD_S
    return SnakemakeJob(
        str(document["rule"]),
        tuple(sorted(one.path for one in records)),
        start_s if old else min(start_s, end_s),
        start_s if old else end_s,
        command=str(document.get("shellcmd") or ""),
        params=_texts(document.get("params")),
        inputs=_texts(document.get("input")),
        start_known=old or start_s <= end_s,
        end_known=not old,
        end_seen=False,
    )


def _without_old_starts(jobs: list[SnakemakeJob]) -> list[SnakemakeJob]:
    """The jobs; one that ended after, and began before, what it reads was made has an old start.

    Rules in Python have that of the run before, if there was one.
    """
    made = {output: job for job in jobs for output in job.outputs}
    found = []
    for job in jobs:
        ends = [made[one].end_s for one in job.inputs if one in made and made[one].end_known]
        last = max((end for end in ends if end < job.end_s), default=job.start_s)
        old = job.start_s < last - _EARLY_S and job.end_known
        found.append(replace(job, start_s=job.end_s, start_known=False) if old else job)
    return found


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
