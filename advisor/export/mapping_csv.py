"""A mapping as CSV: one row a process, with its node, host, first core and threads."""

from __future__ import annotations

from advisor.basics import csv_text
from advisor.basics.host_list import Slot
from advisor.export.export_record import Export
from advisor.export.process_placement import MAPPING, OPTIONS, Placement
from machines.errors import InputError

HEADER = ("process", "node", "host", "core", "threads")


def render(placement: Placement) -> str:
    """CSV text, in the order of the processes."""
    rows = [
        (process, node, slot.host, slot.core, slot.threads)
        for process, (node, slot) in enumerate(zip(placement.nodes, placement.slots, strict=True))
    ]
    return csv_text.render(HEADER, rows)


def parse(text: str) -> Placement:
    """The placement that such a text holds; InputError: another header or order of processes."""
    rows = [row for _, row in csv_text.cells(text)]
    if not rows or tuple(rows[0]) != HEADER:
        raise InputError("expected the columns " + ", ".join(HEADER), where="line 1")
    for process, row in enumerate(rows[1:]):
        if len(row) != len(HEADER) or row[0] != str(process):
            raise InputError(f"expected process {process}", where=f"line {process + 2}", value=row)
    return Placement(
        tuple(int(row[1]) for row in rows[1:]),
        tuple(Slot(row[2], int(row[3]), int(row[4])) for row in rows[1:]),
    )


def _itself(placement: Placement) -> object:
    return placement


EXPORT = Export(
    "mapping-csv", "Mapping (CSV)", ".csv", MAPPING, render, parse, _itself, options=OPTIONS,
    stem="mapping",
)  # fmt: skip
