"""The sensitivity table: which change of load would make another plan best.

It lists the flips of the latest advice; a double click sets the load to where the plan flips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from advisor.advice.flips import Flip
from advisor.allocation.comparison import label
from advisor.basics.units import Unit
from gui.basics.theme import GRID
from gui.document.document import Document
from gui.plots.plot_panel import Exports
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts

if TYPE_CHECKING:
    from gui.document.advise import Advice

_EMPTY = "Press Advise to see the break-even loads."
_NONE = "No change of a single load makes another plan better than the recommended one."
_ROWS = (
    "Each row is a break-even load: beyond it the recommended plan is no longer best. Double-click "
    "a row to set its load."
)


class SensitivityTable(QWidget):
    """Parameter, present value, where it flips, to which plan."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sensitivity")
        self.setAccessibleName("Sensitivity to the load")
        self._document = document
        self._advice: Advice | None = None
        self.sentence = QLabel(_EMPTY)
        self.sentence.setObjectName("sensitivity_sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = DataTable("sensitivity_table", "Break-even loads")
        self.exports = Exports(self, "sensitivity", None, self.table.chosen_table)
        self.table.addActions(self.exports.actions)
        self.table.row_activated.connect(self._set_load)
        body = QVBoxLayout(self)
        body.setContentsMargins(GRID, GRID, GRID, GRID)
        body.setSpacing(GRID)
        body.addWidget(self.sentence)
        body.addWidget(self.table, 1)
        self.table.hide()
        document.changed.connect(self._dim_if_old)
        document.replaced.connect(lambda _project: self.show_advice(None))

    @property
    def flips(self) -> tuple[Flip, ...]:
        """The flips that are shown, nearest first."""
        return () if self._advice is None else self._advice.explanation.flips

    def show_advice(self, advice: Advice | None) -> None:
        """Show the flips of `advice`; ``None``: say what the table needs."""
        chosen = {_which(self.flips[row]) for row in self.table.selected()}
        self._advice = advice
        self.table.set_columns(() if advice is None else _columns(advice))
        rows = (row for row, flip in enumerate(self.flips) if _which(flip) in chosen)
        self.table.select_rows(frozenset(rows))  # the same, which may have other places now
        self.table.setVisible(bool(self.flips))
        if advice is None:
            self.sentence.setText(_EMPTY)
        else:
            found = _ROWS if self.flips else _NONE
            searched = advice.explanation.flips_searched
            self.sentence.setText(f"{searched} {found} {advice.explanation.timeline}")
        self._dim_if_old()

    def _dim_if_old(self, _project: object = None) -> None:
        old = self._advice is not None and not self._advice.answers(self._document.project)
        self.table.columns_model.set_dimmed(old)

    def _set_load(self, row: int) -> None:
        """Set the load to the flip, as one undo step."""
        flip, project = self.flips[row], self._document.project
        if self._advice is None or not self._advice.answers(project):
            return  # the machine or link may be gone
        platform = flip.parameter.applied(project.platform, flip.value, project.reading)
        text = f"Set load: {flip.parameter.sentence(flip.value)}"
        self._document.apply(replace(project, platform=platform), text)


def _which(flip: Flip) -> tuple[str, bool]:
    """What tells a flip from others of the same advice: its load, and whether it is above now."""
    return flip.parameter.title, flip.value > flip.present


def _columns(advice: Advice) -> list[Column]:
    flips = advice.explanation.flips
    problem = advice.outcome.problem
    best = advice.plan.allocation
    return [
        Column("load", "What changes", Texts([flip.parameter.title for flip in flips])),
        _loads("now", "Its present value", flips, [flip.present for flip in flips]),
        _loads(
            "flips at",
            "Break-even: the nearest value at which another plan is better than the recommended "
            "one",
            flips,
            [flip.value for flip in flips],
        ),
        Column(
            "to",
            "What is best beyond",
            Texts([label(problem, flip.plan.allocation, best) for flip in flips]),
        ),
        Column(
            "staying costs",
            "Seconds that the recommended plan then takes more than the best",
            np.array([flip.lost_s for flip in flips]),
            Unit.of_times(np.array([flip.lost_s for flip in flips])).text,
            "s",
        ),
        _loads(
            "at",
            "The load beyond the break-even for which this cost is given",
            flips,
            [flip.at for flip in flips],
        ),
        Column("varied", "The range over which the load was varied", Texts(_ranges(flips))),
    ]


def _ranges(flips: Sequence[Flip]) -> list[str]:
    loads = [flip.parameter for flip in flips]
    return [f"{load.words(load.low)} to {load.words(load.high)}" for load in loads]


def _loads(heading: str, hint: str, flips: Sequence[Flip], values: Sequence[float]) -> Column:
    """Values of loads: bandwidths in their unit, pure numbers with equally many decimals."""
    rows = [(flip.parameter, value) for flip, value in zip(flips, values, strict=True)]
    plain = Unit.of("", np.array([value for load, value in rows if not load.unit]))
    words = {value: load.words(value) if load.unit else plain.text(value) for load, value in rows}
    return Column(heading, hint, np.array(values), words.__getitem__)
