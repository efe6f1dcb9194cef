"""Results written as they come: whole rows whatever ends the process, gone on with by the next.

Three files have a line for each case, in the order of cases. A block of lines is one write to a
file without a buffer, so that what is killed leaves whole rows and at most one cut line in each;
whoever goes on brings the files to the same last whole row.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from advisor.campaigns.answer_case import Answer
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.campaign_record import (
    NAME,
    Record,
    changes,
    expect_same,
    gone_on,
    read_record,
    record_of,
    write_record,
)
from advisor.campaigns.lines import CSV, KINDS, Whole, line, whole
from machines.errors import InputError
from machines.files import expect_writable, is_there, keep_others_out, refusal

_ELSEWHERE = "Name another folder"


class Writing:
    """Where the rows of a campaign go.

    `done`: rows that are there: the number of the next case. `failed`: those without an answer.
    `notes`: what to know about those that were there before.
    """

    def __init__(
        self, out: Path, record: Record, files: Sequence[BinaryIO], found: Sequence[Whole]
    ) -> None:
        self.done, self.failed = found[0].rows, found[KINDS.index(CSV)].failed
        self.notes = changes(record)
        self._out, self._record, self._files = out, record, files
        self._ends = [one.end for one in found]
        self._with_plan = record.campaign.plans

    def append(self, answers: Sequence[Answer]) -> None:
        """Write the rows of the next cases; the operating system has them when this returns."""
        blocks = [b"".join(line(kind, one, self._with_plan) for one in answers) for kind in KINDS]
        for kind, file, block in zip(KINDS, self._files, blocks, strict=True):
            try:
                _write(file, block)
            except OSError as error:
                self._take_back()
                raise self._full(self._out / kind.name, error) from error
        self._ends = [end + len(block) for end, block in zip(self._ends, blocks, strict=True)]
        self.done += len(answers)
        self.failed += sum(bool(one.row.error) for one in answers)

    def end(self) -> None:
        """All rows are there: on the disk, and the record says so."""
        for file in self._files:
            with suppress(OSError):  # a device
                os.fsync(file.fileno())
        write_record(self._out, replace(self._record, complete=True))

    def _take_back(self) -> None:
        """Cut the files to the rows that all of them have."""
        for file, end in zip(self._files, self._ends, strict=True):
            with suppress(OSError):  # a device; whoever goes on cuts it
                os.truncate(file.fileno(), end)

    def _full(self, path: Path, error: OSError) -> InputError:
        told = refusal("can't be written any more", path, error)
        kept = f"{self.done:,} of {self._record.cases:,} cases are kept"
        return InputError(
            told.what, where=told.where, remedy=f"{told.remedy}. {kept}; the same command resumes"
        )


def rows_in(out: Path, cases: Cases) -> int:
    """How many rows of these cases a folder holds; raises as `writing`, and changes nothing."""
    before = _before(out, record_of(cases))
    expect_writable(out / NAME, new_folders=True)
    return 0 if before is None else _rows(out)


@contextmanager
def writing(out: Path, cases: Cases, text: str = "") -> Iterator[Writing]:
    """Begin, or go on with, the results of a campaign in a folder.

    `out`: made if it is missing. `text`: of the campaign's file.
    """
    record = record_of(cases, text)
    _before(out, record)
    expect_writable(out / NAME, new_folders=True)
    with ExitStack() as stack:
        try:
            out.mkdir(parents=True, exist_ok=True)
            files = [
                stack.enter_context((out / kind.name).open("ab", buffering=0)) for kind in KINDS
            ]
        except OSError as error:
            raise refusal("can't be written", out, error) from error
        keep_others_out(files[0], out, "another campaign", f"Wait for it. {_ELSEWHERE}")
        before = _before(out, record)  # again: nobody else changes it now
        rows = _rows(out)
        record = gone_on(record, before, rows)
        write_record(out, record)
        yield Writing(out, record, files, _brought_to(rows, out, files))


def _before(out: Path, record: Record) -> Record | None:
    """What the folder says of itself; None: nothing is there yet."""
    for path in (out / kind.name for kind in KINDS):
        if is_there(path) and not path.is_file():  # a device has no end to look for
            raise InputError("this is no file", where=str(path), remedy=_ELSEWHERE)
    if is_there(out / NAME):
        before = read_record(out)
        expect_same(record, before, str(out))
        return before
    strange = [kind.name for kind in KINDS if _has_content(out / kind.name)]
    if strange:
        raise InputError(
            f"{strange[0]} exists without {NAME}: not a campaign's folder",
            where=str(out),
            remedy=_ELSEWHERE,
        )
    return None


def _rows(out: Path) -> int:
    """How many rows all files have whole."""
    rows = {kind.name: whole(out / kind.name, kind).rows for kind in KINDS}
    if any(rows.values()) and not all(_has_content(out / name) for name in rows):
        lacking = [name for name in rows if not _has_content(out / name)]
        raise InputError(
            f"{lacking[0]} is missing, but other files of its rows exist",
            where=str(out),
            remedy=f"Put it back. {_ELSEWHERE}",
        )
    return min(rows.values())


def _brought_to(rows: int, out: Path, files: Sequence[BinaryIO]) -> list[Whole]:
    """Cut what is beyond a number of rows; an empty file gets its header."""
    found = []
    for kind, file in zip(KINDS, files, strict=True):
        path = out / kind.name
        one = whole(path, kind, rows)
        try:
            if path.stat().st_size > one.end:
                os.truncate(file.fileno(), one.end)
            if not one.end:
                _write(file, kind.header)
        except OSError as error:
            raise refusal("can't be written", path, error) from error
        found.append(replace(one, end=one.end or len(kind.header)))
    return found


def _has_content(path: Path) -> bool:
    return is_there(path) and path.stat().st_size > 0


def _write(file: BinaryIO, block: bytes) -> None:
    """A raw file may take less than it is given."""
    left = memoryview(block)
    while left:
        left = left[file.write(left) :]
