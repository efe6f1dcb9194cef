"""All that a plan decides as CSV: one row a decision, in the order of their kinds."""

from __future__ import annotations

from advisor.basics import csv_text
from advisor.decisions.registry import present
from advisor.export.export_record import PLAN, Export, Planned
from machines.errors import InputError

HEADER = ("decision", "subject", "chosen", "open")


def render(planned: Planned) -> str:
    """CSV text; `open` is 1 where the workload leaves it to the plan, 0 where it states a value."""
    return csv_text.render(HEADER, _rows(planned))


def parse(text: str) -> object:
    """The rows that such a text holds; InputError: another header."""
    rows = [tuple(row) for _, row in csv_text.cells(text)]
    if not rows or rows[0] != HEADER:
        raise InputError("expected the columns " + ", ".join(HEADER), where="line 1")
    return rows[1:]


def _rows(planned: Planned) -> list[tuple[str, str, str, int]]:
    problem, plan, _ = planned
    return [
        (
            kind.name,
            kind.subject(problem, subject),
            kind.words(problem, subject, value),
            int(kind.is_open(problem, subject)),
        )
        for kind in present(problem, plan)
        for subject, value in kind.values(problem, plan).items()
    ]


def _says(planned: Planned) -> object:
    return [tuple(str(csv_text.safe_cell(cell)) for cell in row) for row in _rows(planned)]


EXPORT = Export(
    "decisions-csv", "Decisions (CSV)", ".csv", PLAN, render, parse, _says, stem="decisions"
)
