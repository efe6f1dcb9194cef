"""A made-up export of mappings: `EXPORT` is its line in `advisor.export.registry`."""

from __future__ import annotations

from advisor.export.export_record import Export, Lines
from advisor.export.process_placement import MAPPING, OPTIONS, Placement, hosts_of


def render(placement: Placement) -> str:
    """The host of each rank, on one line."""
    return " ".join(placement.hosts) + "\n"


def parse(text: str) -> object:
    """The hosts again."""
    return tuple(text.split())


def _commands(_placement: Placement, file: str) -> Lines:
    return (f"dummyrun --line {file}",)


def _notes(placement: Placement) -> Lines:
    return (f"dummyrun knows {len(placement.slots)} ranks.",)


EXPORT = Export(
    "mapping-text", "Hosts on one line", ".line", MAPPING,
    render, parse, hosts_of, _commands, _notes, OPTIONS,
)  # fmt: skip
