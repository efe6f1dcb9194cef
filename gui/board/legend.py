"""What the colours of the bars mean: causes of time, or kinds of task."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from advisor import causes
from gui.board.ink import LEFT, Ink
from gui.board.lanes import Kinds
from gui.theme import GRID, theme

_SWATCH = 10.0
_MOST = 16
_ALWAYS = (causes.COMPUTING, causes.PROCESSOR_WAIT, causes.TRANSFERRING)


class Legend(QWidget):
    """One line of coloured squares with words, as many as there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("board-legend")
        self._kinds: Kinds | None = None
        self._causes = _ALWAYS
        self._ink = Ink(self.font())
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._renew)
        self._renew()

    @property
    def names(self) -> tuple[str, ...]:
        """The entries, in order."""
        if self._kinds is not None:
            return self._kinds.names[:_MOST]
        return self._causes

    def set_kinds(self, kinds: Kinds | None) -> None:
        """Show kinds of task; None: causes of time."""
        self._kinds = kinds
        self._renew()

    def set_causes(self, present: Iterable[str]) -> None:
        """Show those causes of time beside the ones that every schedule may have."""
        shown = {*_ALWAYS, *present}
        self._causes = tuple(cause for cause in causes.CAUSES if cause in shown)
        self._renew()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, round(self._ink.small_line) + GRID)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Entries from left to right."""
        x, middle = 2.0 * GRID, self.height() / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index, name in enumerate(self.names):
                width = self._ink.width(name, self._ink.small) + _SWATCH + 3 * GRID
                if x + width > self.width():
                    rest = QRectF(x, 0, self.width() - x, self.height())
                    self._ink.write(painter, rest, "…", self._ink.muted, self._ink.small)
                    return
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(
                    theme().cause(name) if self._kinds is None else self._ink.kind(index)
                )
                painter.drawRoundedRect(QRectF(x, middle - _SWATCH / 2, _SWATCH, _SWATCH), 2, 2)
                text = QRectF(x + _SWATCH + 6, 0, width, self.height())
                self._ink.write(painter, text, name, self._ink.muted, self._ink.small, LEFT)
                x += width

    def _renew(self) -> None:
        self._ink = Ink(self.font())
        what = "causes of time" if self._kinds is None else "kinds of task"
        self.setAccessibleName(f"Colours of {what}: {', '.join(self.names)}")
        self.setToolTip(f"Colours: {what}. The critical path has a heavy outline.")
        self.update()
