"""Run records, as our own runners write them (`advisor.runs.run_record`)."""

from __future__ import annotations

from pathlib import Path

from advisor.basics.content import read_content
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import Run, is_record, parse
from machines.errors import InputError
from machines.files import decoded


def _holds(path: Path, head: bytes) -> bool:
    del path
    return is_record(head.decode("utf-8-sig", "replace"))


def _read(path: Path) -> tuple[Run, ...]:
    content, _ = read_content(path)
    where = str(path)
    runs = parse(decoded(content, where), where)
    if not runs:
        raise InputError(
            "this log has no finished task", where=where,
            remedy="A run that is killed before its first task ends leaves such a record",
        )  # fmt: skip
    return runs


READER = LogReader("run record", "", _holds, _read, (".csv",))
