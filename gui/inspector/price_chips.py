"""What an option would cost, as a chip in a list: sign, difference and colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from advisor.basics import quantities
from advisor.basics.units import Unit
from advisor.decisions.prices import Priced
from gui.basics.ink import Ink
from gui.basics.pill import PAD, paint_pill
from gui.basics.theme import theme
from gui.basics.verdicts import BETTER, ILLEGAL, PENDING, SAME, SIGNS, WORSE, verdict_colours

CHIP = Qt.ItemDataRole.UserRole + 2
_MARGIN = 2.0
_BESIDE_NAME = 8
_WORTH = 1e-4  # of the objective: it is known within some per cent, finer digits are noise


@dataclass(frozen=True)
class Chip:
    """What the chip says, and in a sentence."""

    verdict: str
    text: str
    sentence: str = ""
    best: bool = False


def unit_of(options: Sequence[Priced], now_s: float) -> Unit:
    """One unit for the differences of all options, with digits that tell them apart.

    All that differ from what is now do so in this unit, too. No digit is finer than what the
    objective is worth, `now_s` seconds.
    """
    finest_s = _finest_s(now_s)
    differences = np.abs(np.array([option.value_s for option in options]) - now_s)
    shown = differences[np.isfinite(differences) & (differences > finest_s / 2)]
    unit = Unit.of_times(shown)
    first = _decimals(shown.min()) if shown.size else 0  # digit of the smallest
    if unit.step_s:
        step_s = min(unit.step_s, 10.0 ** -max(first, 0))
        return replace(unit, step_s=max(step_s, min(finest_s, 1.0)))
    decimals = max(unit.decimals, first + _decimals(1.0 / unit.size))
    return replace(unit, decimals=min(decimals, max(0, _decimals(finest_s / unit.size))))


def chip_of(option: Priced, now_s: float, unit: Unit) -> Chip:
    """The chip of an option beside what is now; differences are in `unit`."""
    value = option.value_s
    if np.isnan(value):
        return Chip(PENDING, "…")
    if not np.isfinite(value):
        return Chip(ILLEGAL, "not possible")
    if abs(value - now_s) <= _finest_s(now_s) / 2:
        sentence = f"{quantities.duration(value)}, as now"
        return Chip(SAME, "= as now", sentence, option.is_best)
    difference = unit.text(value - now_s)
    if value > now_s:
        difference = f"+{difference}"
    verdict = BETTER if value < now_s else WORSE
    sentence = f"{quantities.duration(value)} ({difference})"
    return Chip(verdict, f"{SIGNS[verdict]} {difference}", sentence, option.is_best)


def _finest_s(now_s: float) -> float:
    """The last digit in which a difference to this objective is told, seconds."""
    return 10.0 ** -_decimals(_WORTH * now_s) if now_s > 0.0 else 0.0


def _decimals(step: float) -> int:
    """Digits after the point down to a step; below 0: it is above 1."""
    return -math.floor(math.log10(step) + 1e-9) if step > 0.0 else 99


class NameDelegate(QStyledItemDelegate):
    """Names in as many lines as they need in the width of their column."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As wide as the longest word, as high as the wrapped text."""
        view = self.parent()
        found = super().sizeHint(option, index)
        if not isinstance(view, QTreeView) or not index.parent().isValid():
            return QSize(0, found.height() + 4)  # a title has the width of all columns
        room = view.columnWidth(index.column()) - view.indentation() - _BESIDE_NAME
        metrics = QFontMetrics(QFont(index.data(Qt.ItemDataRole.FontRole) or view.font()))
        text, lines = str(index.data() or ""), QRect(0, 0, max(room, 40), 1000)
        used = metrics.boundingRect(lines, int(Qt.TextFlag.TextWordWrap), text)
        parts = text.replace("-", "- ").split()  # lines break at hyphens, too
        longest = max(map(metrics.horizontalAdvance, parts), default=0)
        return QSize(longest + _BESIDE_NAME, used.height() + 6)


class PriceDelegate(QStyledItemDelegate):
    """Paints the chips of a column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: tuple[QFont, Ink] | None = None
        theme().changed.connect(self._forget)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """The row's ground, then the pill."""
        chip = index.data(CHIP)
        if not isinstance(chip, Chip):
            super().paint(painter, option, index)
            return
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""
        QApplication.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, ground, painter, option.widget
        )
        ink = self._ink(option.font)
        font = ink.small_bold if chip.best else ink.small
        width = ink.width(chip.text, font) + 2 * PAD
        height = ink.small_line + 2.0
        area = QRectF(option.rect)
        pill = QRectF(area.right() - width - _MARGIN, 0, width, height)
        pill.moveTop(area.center().y() - height / 2)
        fill, colour = verdict_colours(ink, chip.verdict)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_pill(painter, ink, pill, chip.text, fill, colour, font, chip.best)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As the pill needs."""
        chip = index.data(CHIP)
        if not isinstance(chip, Chip):
            return super().sizeHint(option, index)
        ink = self._ink(option.font)
        width = ink.width(chip.text, ink.small_bold) + 2 * PAD + 2 * _MARGIN
        return QSize(round(width), round(ink.small_line + 6))

    def _ink(self, font: QFont) -> Ink:
        """Of a font: trees ask for sizes all the time, and to make one takes longer than to ask."""
        if self._known is None or self._known[0] != font:
            self._known = QFont(font), Ink(font)
        return self._known[1]

    def _forget(self) -> None:
        self._known = None
