"""Published numbers in a table: what papers print, what models give, and the note of a row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.basics.quantities import UNKNOWN, count
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from gui.basics.theme import GRID
from gui.basics.widget_labels import said
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts

_MARKS = {REPRODUCED: "✓", DEVIATES: "≠", NOT_REPRODUCIBLE: "–"}
_CHOOSE = "Choose a number: its note is shown here."
_NO_NOTE = "no note."


class NumbersTable(QWidget):
    """The table, and below it the note of the chosen row: its column is far to the right."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figures: tuple[Figure, ...] = ()
        self.table = DataTable(f"{name}_table", "Published numbers and what the models give")
        self.table.rows_selected.connect(self._show_note)
        self.note = said(f"{name}_note")
        self.note.setAccessibleName("Note of the chosen number")
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing())
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)

    def show_numbers(self, figures: Sequence[Figure]) -> None:
        """Show these numbers."""
        self.figures = tuple(figures)
        self.table.set_columns(_columns(self.figures))
        self.table.fit_columns()
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._show_note(self.table.selected())

    def _show_note(self, rows: object) -> None:
        places = [place for place in rows if place < len(self.figures)]  # type: ignore[attr-defined]
        if not places:
            self.note.setText(_CHOOSE)
            return
        one = self.figures[places[0]]
        self.note.setText(f"{one.figure} ({one.where}): {one.note or _NO_NOTE}")


def counts(figures: Sequence[Figure]) -> list[str]:
    """How many of the numbers come out as printed, how many do not; parts of a sentence."""
    by_status = Counter(figure.status for figure in figures)
    parts = [
        f"{by_status[REPRODUCED]} of {count(len(figures), 'published number')} "
        f"{'comes' if len(figures) == 1 else 'come'} out as printed"
    ]
    if other := by_status[DEVIATES]:
        parts.append(f"{other} {'deviates' if other == 1 else 'deviate'}")
    if by_status[NOT_REPRODUCIBLE]:
        parts.append(f"{by_status[NOT_REPRODUCIBLE]} can't be reproduced")
    return parts


def _columns(figures: Sequence[Figure]) -> list[Column]:
    def texts(heading: str, hint: str, values: list[str]) -> Column:
        return Column(heading, hint, Texts.grouped(values))

    def numbers(heading: str, hint: str, values: list[float | None], said: list[str]) -> Column:
        known = np.array([math.nan if value is None else value for value in values])
        return Column(heading, hint, known, said=Texts([text or UNKNOWN for text in said]))

    return [
        texts(
            "Status",
            "Whether the model gives what the paper prints",
            [f"{_MARKS.get(one.status, '')} {one.status}" for one in figures],
        ),
        texts("Number", "What the paper prints, and its unit", [one.figure for one in figures]),
        numbers(
            "Printed",
            "With the paper's own digits",
            [one.printed for one in figures],
            [one.printed_text for one in figures],
        ),
        numbers(
            "Obtained",
            "What the model gives, rounded as the paper rounds where it is the same; – where the "
            "paper withholds too much for that",
            [one.obtained for one in figures],
            [one.obtained_text for one in figures],
        ),
        numbers(
            "Deviation",
            "Obtained/printed − 1",
            [one.deviation for one in figures],
            [one.difference_text for one in figures],
        ),
        texts("Source", "The paper", [one.model for one in figures]),
        texts("Where", "Table, equation or section", [one.where for one in figures]),
        texts("Inputs", "What it is computed from", [one.inputs for one in figures]),
        texts("Note", "Ties, variants, reasons", [one.note for one in figures]),
    ]
