"""Labels whose places do not change with what they say.

A line of one height that is cut off where there is no room, and a line of parts, each of which
begins where it began before.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QStylePainter, QWidget

from gui.basics.theme import GRID
from gui.basics.tips import plain_tip

BETWEEN = "  ·  "


class SteadyLine(QLabel):
    """A label of one line that is cut off where there is no room; all of it is in its tooltip."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(self.fontMetrics().height() + GRID)

    def setText(self, text: str) -> None:
        """Show the text, and all of it in the tooltip."""
        super().setText(text)
        self.setToolTip(plain_tip(text))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """What fits of the text."""
        self.draw(((self.contentsRect(), self.text().replace("\n", " ")),))

    def draw(self, pieces: tuple[tuple[QRect, str], ...]) -> None:
        """Write texts into rectangles, cut off where there is no room."""
        painter = QStylePainter(self)
        option = QStyleOption()
        option.initFrom(self)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for room, text in pieces:
            cut = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            role = QPalette.ColorRole.WindowText
            self.style().drawItemText(painter, room, left, option.palette, enabled, cut, role)


class SteadyParts(SteadyLine):
    """Parts with a dot between them: a part that gets shorter leaves the next one where it is."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._widths: list[int] = []

    def begin_anew(self) -> None:
        """What comes is about something else: the parts' old places don't count."""
        self._widths = []

    @property
    def places(self) -> tuple[tuple[QRect, str], ...]:
        """Where each part is, with room for the dot behind it; as many parts: as before."""
        parts, metrics = self.text().split(BETWEEN), self.fontMetrics()
        needed = [metrics.horizontalAdvance(part + BETWEEN) for part in parts]
        if len(needed) == len(self._widths):
            needed = [max(pair) for pair in zip(needed, self._widths, strict=True)]
        self._widths = needed
        room = self.contentsRect()
        ends = [room.left() + end for end in accumulate(needed)]
        edges = [min(edge, room.right()) for edge in (room.left(), *ends[:-1], room.right())]
        return tuple(
            (QRect(left, room.top(), right - left, room.height()), part)
            for (left, right), part in zip(pairwise(edges), parts, strict=True)
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The parts, and dots at the ends of all but the last."""
        places = self.places
        dots = []
        for place, _ in places[:-1]:
            at = QRect(place)
            at.setLeft(max(at.left(), at.right() - self.fontMetrics().horizontalAdvance(BETWEEN)))
            dots.append((at, BETWEEN))
        self.draw((*places, *dots))
