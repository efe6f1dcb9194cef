"""A folder of results read: also while it is written, and whatever ended that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat
from math import nan
from pathlib import Path

import numpy as np

from advisor.campaigns.campaign import Campaign
from advisor.campaigns.lines import JSONL, TIMINGS, Kind, parsed, taken_s
from advisor.campaigns.record import changes, read_record
from advisor.campaigns.results import Results
from advisor.campaigns.row import Row
from machines.errors import InputError
from machines.files import refusal

_BLOCK = 10_000  # rows that are kept as objects at a time


@dataclass(frozen=True, eq=False)
class Folder:
    """What a folder of results holds.

    Attributes
    ----------
    campaign : Campaign
        What was asked.
    folder : Path
        What the paths in it are relative to.
    results : Results
        The rows that are there.
    total : int
        How many there will be.
    complete : bool
        Whether that is all.
    notes : tuple of str
        What to know about them.
    """

    campaign: Campaign
    folder: Path
    results: Results
    total: int
    complete: bool
    notes: tuple[str, ...] = ()


def read_folder(out: str | Path) -> Folder:
    """The results that are there.

    Raises
    ------
    InputError
        They are none, or something else changed them.
    """
    out = Path(out)
    record = read_record(out)
    results = Results((), np.zeros(0))
    rows = _rows(out)
    while block := list(islice(rows, _BLOCK)):
        try:
            results = results.extended([row for row, _ in block], [taken for _, taken in block])
        except (TypeError, ValueError, OverflowError):
            raise _changed(out / JSONL.name, len(results), len(block)) from None
    complete = len(results) == record.cases
    return Folder(
        record.campaign, Path(record.folder), results, record.cases, complete, changes(record)
    )


def _changed(path: Path, before: int, many: int) -> InputError:
    return InputError(
        "a value has another type than was written: another program changed the file",
        where=f"{path}: lines {before + 1:,} to {before + many:,}",
        remedy="Put it back as it was",
    )


def _rows(out: Path) -> Iterator[tuple[Row, float]]:
    """Each row with its seconds; NaN where these are not written yet."""
    timings = chain(_lines(out, TIMINGS), repeat((b"", "")))
    for (line, where), (timing, there) in zip(_lines(out, JSONL), timings, strict=False):
        yield parsed(line, where), taken_s(timing, there) if timing else nan


def _lines(out: Path, kind: Kind) -> Iterator[tuple[bytes, str]]:
    """The whole lines of rows, and where each is."""
    path = out / kind.name
    try:
        with path.open("rb") as file:
            header = bool(kind.header and file.readline())
            for number, line in enumerate(file, 1 + header):
                if line.endswith(b"\n"):
                    yield line, f"{path}: line {number:,}"
    except OSError as error:
        raise refusal("can't be read", path, error) from error
