"""The legend as a widget of a plot: a click on a name, or Space, may hide what it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from gui.plots.plot_legend import Entry, boxes, paint_legend

Key = Qt.Key
_STEPS = {Key.Key_Left: -1, Key.Key_Up: -1, Key.Key_Right: 1, Key.Key_Down: 1}


class LegendRow(QWidget):
    """Names of a picture, which gives it its place; with `toggles` they can be clicked."""

    chosen = Signal(object)  # the name whose curve should be hidden or shown

    def __init__(self, name: str, parent: QWidget, *, toggles: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("Legend")
        self._toggles = toggles
        if toggles:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.entries: tuple[Entry, ...] = ()
        self.opacity = 1.0
        self._current = 0

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show other names."""
        self.entries = tuple(entries)
        self._current = min(self._current, max(len(self.entries) - 1, 0))
        self.setAccessibleDescription("; ".join(_told(entry) for entry in self.entries))
        self.update()

    def entry_at(self, position: QPointF) -> int | None:
        """The place of the entry at a point."""
        for place, box in enumerate(self._boxes()):
            if box.contains(position):
                return place
        return None

    def place_of(self, name: str) -> QPointF:
        """The middle of a name's entry, which has room."""
        names = [entry.name for entry in self.entries]
        return self._boxes()[names.index(name)].center()

    def hint_at(self, position: QPointF) -> str:
        """What a click does; all names where not all have room."""
        place, names = self.entry_at(position), [entry.name for entry in self.entries]
        if place is None:
            return "\n".join(names)
        told = _told(self.entries[place])
        return f"{told}\n{_DOES[self.entries[place].shown]}" if self._toggles else told

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all names, and a frame around the one that the keys are at."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(self.opacity)
        paint_legend(painter, QRectF(self.rect()), self.entries)
        found = self._boxes()
        if self.hasFocus() and self._current < len(found):
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 1))
            painter.drawRoundedRect(found[self._current].adjusted(-3, 0, 3, 0), 3, 3)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hide or show what is pressed."""
        place = self.entry_at(event.position())
        left = event.button() == Qt.MouseButton.LeftButton
        if self._toggles and left and place is not None:
            self._current = place
            self.chosen.emit(self.entries[place].name)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows choose a name, Space hides or shows it."""
        count = len(self._boxes())
        if event.key() in _STEPS and count:
            self._current = (self._current + _STEPS[Key(event.key())]) % count
            self.update()
        elif event.key() in (Key.Key_Space, Key.Key_Return) and self._current < count:
            self.chosen.emit(self.entries[self._current].name)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys are."""
        super().focusInEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Keep arrows and Space from shortcuts; answer the pointer that rests."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in {*_STEPS, Key.Key_Space}
        ):
            event.accept()
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.hint_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def _boxes(self) -> list[QRectF]:
        return boxes(self.entries, QRectF(self.rect()), QFontMetricsF(self.font()))


_DOES = {True: "Click to hide it", False: "Click to show it"}


def _told(entry: Entry) -> str:
    return entry.name if entry.shown else f"{entry.name} (hidden)"
