"""Lines of a log become tasks: impossible ones are left out, counted and said, not fatal."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from advisor.basics.quantities import count
from advisor.runs.run_record import OK, Run, TaskRun
from machines.checks import written_number
from machines.errors import InputError, readable
from machines.files import MIB, read_bytes

_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?) ?([KMGTP]?)i?[Bb]?", re.IGNORECASE)
_LONGEST_SIZE = 48  # letters


def real(value: object) -> float | None:
    """A number of a log's JSON; None: it is none, or too large for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number of hundreds of digits
        return None


class Gathering:
    """The tasks of one run, line by line.

    `where`: the file, and the run if it holds several.
    `since_1970`: times are seconds since 1970: 0 or less is a clock that was not set, or a missing
        time.
    """

    def __init__(self, where: str, *, since_1970: bool = False) -> None:
        self.tasks: list[TaskRun] = []
        self._where = where
        self._since_1970 = since_1970
        self._wrong: list[str] = []
        self._open: list[str] = []

    def add(
        self,
        task: str,
        machine: str,
        start_s: float,
        end_s: float,
        *,
        ready_s: float | None = None,
        fetch_start_s: float | None = None,
        bytes_in: float | None = None,
        status: str = OK,
        output: str = "",
        after: tuple[str, ...] = (),
        peak_bytes: float | None = None,
        made_bytes: float | None = None,
    ) -> None:
        """One try of a task; as of `TaskRun`."""
        if self._since_1970 and start_s <= 0:
            self.add_wrong(task, "its start is not a time since 1970")
            return
        try:
            one = TaskRun(
                task, machine, start_s, end_s, ready_s, fetch_start_s, bytes_in, status, output,
                after, peak_bytes, made_bytes,
            )  # fmt: skip
        except InputError as error:
            self._wrong.append(f'"{readable(task)}": {error.what}')
        else:
            self.tasks.append(one)

    def add_open(self, task: str) -> None:
        """A task that began, and of which no end is told."""
        self._open.append(task)

    def add_wrong(self, task: str, why: str) -> None:
        """A line that can't be used."""
        self._wrong.append(f'"{readable(task)}": {why}')

    def run(self, name: str, engine: str, notes: tuple[str, ...] = ()) -> Run:
        """The run, from its own zero."""
        said = []
        if self._wrong:
            many = count(len(self._wrong), "line")
            said.append(f"{many} with impossible times or values left out, the first: "
                        f"{self._wrong[0]}")  # fmt: skip
        if self._open:
            said.append(f"{count(len(self._open), 'task')} without an end left out, as of a run "
                        f"that was killed: {readable(self._open[0])}")  # fmt: skip
        if not self.tasks:
            raise InputError(
                "this log has no finished task", where=self._where, remedy="; ".join(said)
            )
        instant = sum(one.end_s == one.start_s for one in self.tasks if one.status == OK)
        if instant:
            said.append(f"{count(instant, 'task')} took no time, as far as the log can tell")
        try:
            return Run(name, tuple(self.tasks), engine, notes=(*notes, *said)).from_zero()
        except InputError as error:  # times too far apart for numbers
            raise error.at(self._where) from None


# The text of a log of lines, gzipped or not: what is no UTF-8 in it spoils no more than itself.

_LARGEST_BYTES = 64 * MIB  # rows take up to 15 times as much
_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 64 * 1024


def text_of(path: Path, notes: list[str]) -> str:
    """The text of a log.

    `notes`: a sentence is appended if there are bytes that are no UTF-8: names in another encoding.
    """
    where = str(path)
    content = read_bytes(path, _LARGEST_BYTES)
    if content.startswith(_GZIP):
        content = _unpacked(content, where)
    if b"\0" in content[:_HEAD_BYTES]:
        raise InputError("this is not a text file", where=where, remedy="Save it as UTF-8 text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        notes.append(f"What is no UTF-8 text is replaced (first at byte {error.start:,})")
        return content.decode("utf-8-sig", "replace")


def _unpacked(content: bytes, where: str) -> bytes:
    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(content, _LARGEST_BYTES + 1)
    except zlib.error as error:
        raise InputError(f"not a whole gzip file ({error})", where=where) from None
    if len(found) > _LARGEST_BYTES:
        remedy = f"Allowed: {_LARGEST_BYTES // MIB} MiB, unpacked"
        raise InputError("the file is too large", where=where, remedy=remedy)
    if not unpacking.eof:
        remedy = "The file seems to be cut off; fetch it again"
        raise InputError("not a whole gzip file", where=where, remedy=remedy)
    return found


# Times as logs write them → seconds since 1970, of which only differences matter.

LATEST_S = 253_402_300_800.0
"""The year 10000."""


def instant(text: str) -> float | None:
    """Seconds since 1970 of an ISO date and time; None: the text is none, or earlier.

    Without a zone it is taken as UTC: a log of one zone has the right differences, but for the hour
    in which its clocks are set back.
    """
    try:
        found = datetime.fromisoformat(text.strip())
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        seconds = found.timestamp()
    except (ValueError, OverflowError):
        return None
    return seconds if seconds >= 0.0 else None


def since_1970(text: str, unit_s: float = 1.0) -> float | None:
    """Seconds of a plain count of them, or of milliseconds (`unit_s` = 0.001); None: it is none."""
    value = written_number(text.strip()) if text.strip() else None
    if value is None or not math.isfinite(value) or not 0.0 <= value * unit_s < LATEST_S:
        return None
    return value * unit_s


def day_and_time(seconds: float) -> str:
    """What a run that began then is called ("2026-11-22 07:04:46"), in the zone that was read."""
    return datetime.fromtimestamp(min(seconds, LATEST_S - 1.0), UTC).strftime("%Y-%m-%d %H:%M:%S")


def stretches(spans: Iterable[tuple[float, float]], gap_s: float) -> list[int]:
    """Which stretch of activity each (start, end) belongs to: spans in order of their starts.

    A stretch ends where nothing goes on for longer than `gap_s`.
    """
    found: list[int] = []
    last, number = -math.inf, -1
    for start_s, end_s in spans:
        if start_s > last + gap_s:
            number += 1
        found.append(number)
        last = max(last, end_s)
    return found


def bytes_of(cell: str) -> float | None:
    """The bytes of a size as logs write it: "12.3 MB", "1024K", "512" bytes, units of 1024."""
    found = _SIZE.fullmatch(cell.strip()) if len(cell) < _LONGEST_SIZE else None
    if found is None:
        return None
    return float(found[1]) * 1024.0 ** " KMGTP".index(found[2].upper() or " ")
