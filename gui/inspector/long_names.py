"""Names of any length in a narrow sheet: buttons cut them, labels break them."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter

from gui.basics.theme import GRID

_LONG = 24  # letters of a word that fit the narrowest sheet


class CutButton(QPushButton):
    """A button as narrow as its place; its tooltip says what is cut of its text."""

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        found = super().minimumSizeHint()
        return QSize(min(found.width(), 8 * GRID), found.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """As usual, with the middle of a long text left out: names differ at their ends."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.width() - 2 * GRID
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


def breakable(text: str) -> str:
    """The text with places to break lines inside words that are too long for a sheet."""
    return re.sub(rf"\S{{{_LONG}}}(?=\S)", lambda found: f"{found[0]}\u200b", text)
