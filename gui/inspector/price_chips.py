"""What an option would cost, as a chip in a list: sign, difference and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit
from advisor.decisions.prices import Priced
from gui.basics.ink import Ink
from gui.basics.pill import PAD, paint_pill
from gui.basics.theme import theme
from gui.basics.verdicts import BETTER, ILLEGAL, PENDING, SAME, SIGNS, WORSE, verdict_colours

CHIP = Qt.ItemDataRole.UserRole + 2
_MARGIN = 2.0


@dataclass(frozen=True)
class Chip:
    """What the chip says, and in a sentence."""

    verdict: str
    text: str
    sentence: str = ""
    best: bool = False


def unit_of(options: Sequence[Priced], now_s: float) -> Unit:
    """One unit for the differences of all options, with digits that tell them apart."""
    return Unit.of_times(np.array([option.value_s for option in options]) - now_s)


def chip_of(option: Priced, now_s: float, unit: Unit) -> Chip:
    """The chip of an option beside what is now; differences are in `unit`."""
    value = option.value_s
    if np.isnan(value):
        return Chip(PENDING, "…")
    if not np.isfinite(value):
        return Chip(ILLEGAL, "not possible")
    if abs(value - now_s) <= ALIKE * max(value, now_s):
        said = "best, as now" if option.is_best else "= as now"
        return Chip(SAME, said, f"{quantities.duration(value)}, as now", option.is_best)
    difference = unit.text(value - now_s)
    if value > now_s:
        difference = f"+{difference}"
    verdict = BETTER if value < now_s else WORSE
    sentence = f"{quantities.duration(value)} ({difference})"
    best = "best " if option.is_best else ""
    return Chip(verdict, f"{best}{SIGNS[verdict]} {difference}", sentence, option.is_best)


class NameDelegate(QStyledItemDelegate):
    """Names in as many lines as they need in the width of their column."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As high as the wrapped text."""
        view = self.parent()
        found = super().sizeHint(option, index)
        if not isinstance(view, QTreeView) or not index.parent().isValid():
            return QSize(found.width(), found.height() + 4)
        room = view.columnWidth(index.column()) - view.indentation() - 8
        font = QFont(index.data(Qt.ItemDataRole.FontRole) or view.font())
        text, lines = str(index.data() or ""), QRect(0, 0, max(room, 40), 1000)
        used = QFontMetrics(font).boundingRect(lines, int(Qt.TextFlag.TextWordWrap), text)
        return QSize(found.width(), used.height() + 6)


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
