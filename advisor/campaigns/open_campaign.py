"""Opening a campaign: its file, or the folder of its results; what is there of them already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from math import nan
from pathlib import Path

import numpy as np

from advisor.basics.content import read_content
from advisor.campaigns.campaign_cases import Cases, planned
from advisor.campaigns.campaign_file import Campaign, parse_campaign
from advisor.campaigns.campaign_record import Record, changes, expect_same, read_record, record_of
from advisor.campaigns.lines import JSONL, TIMINGS, Kind, parsed, taken_s
from advisor.campaigns.results import Results
from advisor.campaigns.row_columns import Row
from advisor.project.campaign_files import RECORD
from machines.errors import InputError, PlacewiseError
from machines.files import decoded, expect_writable, is_folder, is_there, refusal


@dataclass(frozen=True, eq=False)
class OpenCampaign:
    """A campaign as it can be looked at and carried out."""

    file: Path | None  # what states it; None: it is known from its results alone
    text: str  # of that file
    campaign: Campaign
    cases: Cases | None  # None: it can't be carried out here
    out: Path  # folder of its results
    product: str  # what makes the number of its cases
    total: int  # how many there will be
    results: Results  # what is there of them
    notes: tuple[str, ...] = ()  # what was noticed while they were read
    refused: PlacewiseError | None = None  # why it can't be carried out into that folder

    @property
    def missing(self) -> int:
        """How many cases have no row."""
        return max(0, self.total - len(self.results))


def suggested_folder(file: Path) -> Path:
    """Where the results of a campaign's file go, unless somebody says otherwise: beside it."""
    return file.with_name(f"{file.stem}-results")


def open_campaign(path: Path, out: Path | None = None) -> OpenCampaign:
    """The campaign of a file, or that of a folder of results.

    `out`: folder of the results of a campaign's file; default: `suggested_folder`.
    """
    path = path.absolute()
    if path.name == RECORD:
        path = path.parent
    return _of_folder(path) if is_folder(path) else _of_file(path, out)


def read_again(campaign: OpenCampaign) -> OpenCampaign:
    """With what its folder holds now; InputError: that can't be read."""
    if not (campaign.out / RECORD).is_file():
        return campaign
    return replace(campaign, results=read_folder(campaign.out).results)


def _of_folder(out: Path) -> OpenCampaign:
    found = read_folder(out)
    try:
        cases, refused = planned(found.campaign, found.folder), None
    except PlacewiseError as error:
        cases, refused = None, error
    record = read_record(out)
    opened = OpenCampaign(
        None, record.text, found.campaign, cases, out, record.product, found.total,
        found.results, changes(record), refused,
    )  # fmt: skip
    return opened if cases is None else _checked(opened)


def _of_file(path: Path, out: Path | None) -> OpenCampaign:
    content, _ = read_content(path)
    text = decoded(content, str(path))
    campaign = parse_campaign(text, str(path))
    cases = planned(campaign, path.parent)
    out = suggested_folder(path) if out is None else out.absolute()
    none = Results((), np.zeros(0))
    return _checked(OpenCampaign(path, text, campaign, cases, out, cases.product, len(cases), none))


def _checked(opened: OpenCampaign) -> OpenCampaign:
    """With what its folder holds of it, or why that can't be gone on with."""
    out, cases = opened.out, opened.cases
    assert cases is not None
    try:
        if not is_there(out / RECORD):
            _expect_room(out)
            return opened
        before = read_record(out)
        _expect_same(record_of(cases, opened.text), before, out)
        return replace(opened, results=read_folder(out).results, notes=changes(before))
    except PlacewiseError as error:
        return replace(opened, refused=error)


def _expect_same(record: Record, before: Record, out: Path) -> None:
    try:
        expect_same(record, before, str(out))
    except InputError as error:
        raise InputError(
            error.what, where=str(out), remedy="Choose another folder, or mend what differs"
        ) from error


def _expect_room(out: Path) -> None:
    """Refuse a folder that can't be written to, or where other things lie."""
    expect_writable(out / RECORD, new_folders=True)
    try:
        is_taken = out.is_dir() and any(out.iterdir())
    except OSError as error:
        raise refusal("can't be read", out, error) from error
    if is_taken:
        raise InputError(
            "this folder holds other things",
            where=str(out),
            remedy="Choose another folder, or a new one",
        )


# A folder of results read: also while it is written, and whatever ended that.

_BLOCK = 10_000  # rows that are kept as objects at a time


@dataclass(frozen=True, eq=False)
class Folder:
    """What a folder of results holds."""

    campaign: Campaign  # what was asked
    folder: Path  # what the paths in it are relative to
    results: Results  # the rows that are there
    total: int  # how many there will be
    complete: bool  # whether that is all
    notes: tuple[str, ...] = ()  # what to know about them


def read_folder(out: str | Path) -> Folder:
    """The results that are there."""
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
