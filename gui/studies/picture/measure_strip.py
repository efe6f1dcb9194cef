"""A row of measures above a picture, each signed against those of something else.

Less is better for every measure here: ▼ and green; more is ▲ and vermilion.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from advisor.basics.quantities import percent
from advisor.basics.rounding import ALIKE
from gui.basics.theme import GRID, theme
from gui.studies.picture.hand import BETTER, SAME, WORSE

M = TypeVar("M")  # what is measured


@dataclass(frozen=True)
class Measure(Generic[M]):
    """One measure: how it is called, read, written, written in full, and explained."""

    name: str
    title: str
    value: Callable[[M], float]
    text: Callable[[float], str]
    full: Callable[[float], str]
    hint: str


@dataclass(frozen=True)
class Cell:
    """One measure: its value in words, what it compares with, and where it comes from."""

    text: str
    sign: str
    verdict: str
    tip: str


class MeasureStrip(QWidget):
    """All measures in a row.

    `name`, `title`: object name and what the row tells. `measures`: in the order of the row.
    `importance`: names, the most important first: in a narrow window the last ones go.
    """

    def __init__(
        self,
        name: str,
        title: str,
        measures: Sequence[Measure[M]],
        importance: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_measures")
        self.setAccessibleName(title)
        self._titles = {each.name: each.title for each in measures}
        self._importance = importance
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.setSpacing(2 * GRID)
        self.labels: dict[str, QLabel] = {}
        for each, words in self._titles.items():
            label = QLabel(f"{words}<br>–")
            label.setObjectName(f"{name}_measure_{each}")
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setAccessibleName(words)
            self.labels[each] = label
            row.addWidget(label)
        row.addStretch(1)
        self.against = QLabel()
        self.against.setObjectName(f"{name}_against")
        self.against.setProperty("role", "muted")
        self.against.setToolTip("What ▼ (less, better) and ▲ (more, worse) compare with")
        row.addWidget(self.against)
        self._shown: tuple[Mapping[str, Cell], str] | None = None
        theme().changed.connect(self._write)

    def minimumSizeHint(self) -> QSize:
        """One measure; where there is no room for all, the less important ones go."""
        return QSize(self._parts()[0].sizeHint().width(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what has room."""
        super().resizeEvent(event)
        self._fit()

    def show_cells(self, cells: Mapping[str, Cell], against: str) -> None:
        """Show these measures; `against` names what their signs compare with."""
        self._shown = cells, against
        self._write()

    def _parts(self) -> list[QLabel]:
        """From the most important label to the least."""
        return [*(self.labels[name] for name in self._importance), self.against]

    def _fit(self) -> None:
        room = self.width()
        for label in self._parts():
            room -= label.sizeHint().width() + 2 * GRID
            label.setVisible(room >= 0 or label is self._parts()[0])

    def _write(self) -> None:
        if self._shown is None:
            return
        cells, name = self._shown
        self.against.setText(f"▼▲ against<br>{html.escape(name)}")
        muted = theme().colours.muted
        for each, cell in cells.items():
            label = self.labels[each]
            label.setText(
                f'<span style="color:{muted}">{html.escape(self._titles[each])}</span><br>'
                f"<b>{html.escape(cell.text)}</b> "
                f'<span style="color:{_colour(cell.verdict)}">{cell.sign}</span>'
            )
            label.setToolTip(cell.tip)
            signed_as = cell.sign or "the same"
            label.setAccessibleDescription(f"{cell.text}, {signed_as} against {name}")
        self._fit()


def cells_of(measures: Sequence[Measure[M]], now: M, against: M, name: str) -> dict[str, Cell]:
    """The measures of `now`, signed against those of what is called `name`."""
    cells = {}
    for each in measures:
        value, before = each.value(now), each.value(against)
        tip = f"{each.hint}<br>{each.full(value)}; {html.escape(name)}: {each.full(before)}"
        cells[each.name] = Cell(each.text(value), *signed(value, before), tip)
    return cells


def signed(value: float, before: float) -> tuple[str, str]:
    """("▼ −38 %", verdict) of a value against another; empty where they are the same."""
    if math.isclose(value, before, rel_tol=ALIKE, abs_tol=0.0):
        return "", SAME
    arrow, verdict = ("▼", BETTER) if value < before else ("▲", WORSE)
    if not before:
        return f"{arrow} from 0", verdict
    sign = "+" if value > before else ""
    return f"{arrow} {sign}{percent(value / before - 1.0)}", verdict


def _colour(verdict: str) -> str:
    colours = theme().colours
    return {BETTER: colours.better, WORSE: colours.worse}.get(verdict, colours.muted)
