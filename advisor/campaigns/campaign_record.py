"""`campaign.json` in a folder of results: whose they are, of what, and what computed them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from advisor.basics.json_text import dump_rows, parse
from advisor.basics.quantities import count, few
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.campaign_file import Campaign, dump_campaign, parse_campaign
from advisor.computing.versions import versions
from machines.checks import flag, text, whole
from machines.errors import InputError, PlacewiseError
from machines.files import MIB, digest, digest_of, read_bytes, write_text
from machines.formats.fields import Table, place, required, table, whole_document
from machines.formats.platform_toml import dump_platform

NAME = "campaign.json"
FORMAT, VERSION = "placewise-campaign-results", 1
_KEYS = (
    "format", "version", "name", "folder", "cases", "product", "complete", "begun", "gone_on",
    "computed_with", "inputs", "text",
)  # fmt: skip
_LIMIT = 64 * MIB
_UNREADABLE = "can't be read"
_SHOWN = 3
_ANOTHER = "Name another folder with --out, or mend what differs"

Versions = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Record:
    """What a folder of results says about itself.

    `inputs`: digests of the files and machines that the cases follow from, by what the campaign
        calls them.
    `computed_with`: pairs (int, versions); from which case on rows were computed with what.
    `begun`, `gone_on`: when the first and the last process began, in UTC.
    """

    text: str  # of the campaign's file
    folder: str  # what its paths are relative to
    cases: int  # how many there are
    product: str  # what makes that number
    inputs: Mapping[str, str]
    computed_with: tuple[tuple[int, Versions], ...] = ()
    begun: str = ""
    gone_on: str = ""
    complete: bool = False

    @property
    def campaign(self) -> Campaign:
        """What is asked."""
        return parse_campaign(self.text, f"{NAME}: text")


def record_of(cases: Cases, text_: str = "") -> Record:
    """What a folder with results of these cases says before there is any.

    `text_`: of the campaign's file; empty: as `dump_campaign` writes it.
    """
    return Record(
        text_ or dump_campaign(cases.campaign),
        str(cases.folder.resolve()),
        len(cases),
        cases.product,
        _inputs(cases),
    )


def gone_on(record: Record, before: Record | None, done: int) -> Record:
    """The record of a process that begins now, after `done` cases of others."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    if before is None:
        return replace(record, computed_with=((0, versions()),), begun=now, gone_on=now)
    with_ = [one for one in before.computed_with if one[0] < done]
    if not with_ or with_[-1][1] != versions():
        with_.append((done, versions()))
    return replace(record, computed_with=tuple(with_), begun=before.begun, gone_on=now)


def expect_same(record: Record, before: Record, where: str) -> None:
    """InputError, telling what differs, if a folder's results are of another campaign."""
    differing = tuple(_differences(record, before))
    if differing:
        raise InputError(
            f'the folder holds results of another campaign, "{before.campaign.name}": '
            + few(differing, _SHOWN),
            where=where,
            remedy=_ANOTHER,
        )


def changes(record: Record) -> tuple[str, ...]:
    """What to know where rows were computed with different versions."""
    found = []
    for (_, old), (first, new) in pairwise(record.computed_with):
        told = dict(old)
        differing = [f"{name} {value}" for name, value in new if told.get(name) != value]
        found.append(f"From case {first:,} on rows were computed with {', '.join(differing)}")
    return tuple(found)


def read_record(folder: Path) -> Record:
    """What the folder's file says."""
    return record_in(folder / NAME)


def record_in(path: Path) -> Record:
    """What a file of that name says; raises as `read_record`."""
    where = str(path)
    document = parse(read_bytes(path, _LIMIT), where)
    with place(where):
        return _record(whole_document(document, _KEYS, FORMAT, VERSION))


def write_record(folder: Path, record: Record) -> None:
    """Put it into the folder in the place of the one that is there."""
    write_text(folder / NAME, dumped(record))


def dumped(record: Record) -> str:
    """The text of the file."""
    document: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "name": record.campaign.name,
        "folder": record.folder,
        "cases": record.cases,
        "product": record.product,
        "complete": record.complete,
        "begun": record.begun,
        "gone_on": record.gone_on,
        "computed_with": [
            {"from_case": first, **dict(with_)} for first, with_ in record.computed_with
        ],
        "inputs": dict(record.inputs),
        "text": record.text,
    }
    return dump_rows(document)


def _record(source: Table) -> Record:
    def word(key: str) -> str:
        return text(key, required(source, key, ""))

    listed = required(source, "computed_with", "")
    inputs = table(required(source, "inputs", ""), _any(source.get("inputs")), "inputs")
    if not isinstance(listed, list):
        raise InputError("computed_with must be a list", value=listed)
    record = Record(
        word("text"),
        word("folder"),
        whole("cases", required(source, "cases", "")),
        word("product"),
        {name: text(name, value, where="inputs") for name, value in inputs.items()},
        tuple(map(_with, listed)),
        word("begun"),
        word("gone_on"),
        flag("complete", required(source, "complete", "")),
    )
    record.campaign  # noqa: B018 - refused now
    return record


def _with(row: object) -> tuple[int, Versions]:
    source = table(row, _any(row), "computed_with")
    first = whole("from_case", required(source, "from_case", "computed_with"))
    told = ((name, text(name, value)) for name, value in source.items() if name != "from_case")
    return first, tuple(told)


def _any(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, dict) else ()


def _inputs(cases: Cases) -> dict[str, str]:
    """Digests of what the cases are made of beside the campaign's text."""
    found = {
        f"platform {name}": digest_of(dump_platform(platform).encode())
        for name, platform in cases.platforms.items()
    }
    for name in cases.files:
        try:
            found[name] = digest(cases.folder / name)
        except PlacewiseError:
            found[name] = _UNREADABLE
    return found


def _differences(record: Record, before: Record) -> Iterator[str]:
    now, then = record.campaign, before.campaign
    for field in fields(Campaign):
        if getattr(now, field.name) != getattr(then, field.name):
            yield f"its {field.name} differs" if field.name == "name" else f"other {field.name}"
    for name in {**before.inputs, **record.inputs}:
        if name not in record.inputs:
            yield f"{name} is gone"
        elif name not in before.inputs:
            yield f"{name} is new"
        elif record.inputs[name] != before.inputs[name]:
            yield f"{name} has another content"
    if record.cases != before.cases:
        yield f"{count(before.cases, 'case')} instead of {record.cases:,}"
