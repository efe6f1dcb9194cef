"""The page Evidence: every published number beside what the models give for it now."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from advisor.basics.quantities import UNKNOWN, count, percent
from advisor.published.validate import (
    DEVIATES,
    NOT_REPRODUCIBLE,
    REPRODUCED,
    Figure,
    published_figures,
)
from gui.basics.background_jobs import LatestWins
from gui.basics.steady import BETWEEN
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.plots.plot_panel import Exports
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts

_MARKS = {REPRODUCED: "✓", DEVIATES: "≠", NOT_REPRODUCIBLE: "–"}
_EVERY = "All papers"
_COMPUTING = "computing every published number"
_CHOOSE = "Choose a number: its note is shown here."
_NO_NOTE = "no note."
_EXPLANATION = (
    "What the papers print, what the models of Placewise give for it, and how far apart they are. "
    "✓ reproduced: the same, as exactly as it is printed, or not above a printed bound; the note "
    "says where a print is rough or adds rounded numbers. ≠ deviates: another number; the note "
    "says why. – not reproducible: a measurement, an input of the model, or the paper withholds "
    "what is needed; if the model gives a number all the same, it is beside it."
)


class EvidencePage(QWidget):
    """A table that is computed when the page is opened, and a sentence that sums it up."""

    told = Signal(object)  # str: what the status line says

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self.setAccessibleName("Evidence")
        self.figures: tuple[Figure, ...] = ()
        self.sentence = QLabel(f"{_COMPUTING.capitalize()} …")
        self.sentence.setObjectName("evidence_sentence")
        self.sentence.setProperty("role", "headline")
        self.sentence.setWordWrap(True)
        self.explanation = QLabel(_EXPLANATION)
        self.explanation.setObjectName("evidence_explanation")
        self.explanation.setProperty("role", "muted")
        self.explanation.setWordWrap(True)
        self.table = DataTable("evidence_table", "Published numbers and what the models give")
        self.table.setWordWrap(True)
        self.table.rows_selected.connect(self._show_note)
        self.note = QLabel()
        self.note.setObjectName("evidence_note")
        self.note.setAccessibleName("Note of the chosen number")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.setWordWrap(True)
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing())
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._exports = Exports(self, "evidence", None, self.table.chosen_table)
        self._lay_out()
        self._jobs = LatestWins(self, "evidence")
        self._jobs.done.connect(self._show)
        self._jobs.request(lambda _should_stop: published_figures())

    @property
    def tools(self) -> tuple[QAction, ...]:
        """What the toolbar offers while this page is in sight: nothing is to be done here."""
        return ()

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What can be copied and written: the table in sight, once it is computed."""
        return tuple(self._exports.actions) if self.figures else ()

    @property
    def status(self) -> str:
        """Which papers are in sight, and how many of their numbers come out as printed."""
        if not self.figures:
            return BETWEEN.join(("Evidence", _COMPUTING))
        return BETWEEN.join(("Evidence", self.papers.currentText(), *counts(self._chosen)))

    @property
    def _chosen(self) -> list[Figure]:
        """The figures of the chosen paper."""
        paper = self.papers.currentText()
        return [one for one in self.figures if paper in (_EVERY, one.model)]

    def _lay_out(self) -> None:
        self.papers = ChoiceBox()
        self.papers.setObjectName("evidence_papers")
        self.papers.setAccessibleName("Paper")
        self.papers.setToolTip("Show the numbers of one paper, or of all")
        self.papers.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.papers.addItem(_EVERY)
        self.papers.currentIndexChanged.connect(lambda _index: self._show_chosen())
        self.filter = QLineEdit()
        self.filter.setObjectName("evidence_filter")
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter the published numbers")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(32 * GRID)
        self.filter.textChanged.connect(self.table.columns_model.set_filter)
        top = QHBoxLayout()
        top.addWidget(self.sentence, 1)
        top.addWidget(self.papers)
        top.addWidget(self.filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addWidget(self.explanation)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)

    def _show(self, figures: object) -> None:
        self.figures = tuple(figures)  # type: ignore[arg-type]
        self.papers.addItems(list(dict.fromkeys(figure.model for figure in self.figures)))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """The figures of the chosen paper, and the sentence that sums them up."""
        chosen = self._chosen
        self.sentence.setText(summary(chosen))
        self.table.set_columns(_columns(chosen))
        self.table.fit_columns()
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._show_note(self.table.selected())
        self.told.emit(self.status)

    def _show_note(self, rows: object) -> None:
        """What the chosen row says beside its numbers: its column is far to the right."""
        chosen = self._chosen
        places = [place for place in rows if place < len(chosen)]  # type: ignore[attr-defined]
        if not places:
            self.note.setText(_CHOOSE)
            return
        one = chosen[places[0]]
        self.note.setText(f"{one.figure} ({one.where}): {one.note or _NO_NOTE}")


def summary(figures: Sequence[Figure]) -> str:
    """How many numbers come out as printed, in one sentence."""
    return f"{', '.join(counts(figures))}."


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
            [_deviation(one) for one in figures],
        ),
        texts("Source", "The paper", [one.model for one in figures]),
        texts("Where", "Table, equation or section", [one.where for one in figures]),
        texts("Inputs", "What it is computed from", [one.inputs for one in figures]),
        texts("Note", "Ties, variants, reasons", [one.note for one in figures]),
    ]


def _deviation(one: Figure) -> str:
    if one.deviation is None:
        return ""
    if one.as_printed:
        return "as printed"
    return f"+{percent(one.deviation)}" if one.deviation > 0 else percent(one.deviation)
