"""Names of any length in a narrow sheet: buttons cut them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from gui.basics.theme import GRID


class CutButton(QPushButton):
    """A button as narrow as its place; its tooltip says what is cut of its text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # a usual button is never narrower than its text
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

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
