"""A tour of six steps on the real widgets: a card beside each, Next and Esc."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.basics.theme import GRID, RADIUS, theme

_CARD_WIDTH = 42 * GRID
_VEIL = 110


@dataclass(frozen=True)
class Step:
    """What is said beside the widget of that object name, once `prepare(window)` has shown it."""

    title: str
    text: str
    widget: str
    prepare: Callable[[Any], None]


class Tour(QWidget):
    """Covers the window, leaves the present step's widget clear, and explains it."""

    ended = Signal()

    def __init__(self, window: QWidget, steps: tuple[Step, ...]) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("tour")
        self.setAccessibleName("Tour")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._steps = steps
        self._followed: QWidget | None = None
        self.step = 0
        self.card = QFrame(self)
        self.card.setObjectName("tour_card")
        self.card.setProperty("role", "card")
        self.card.setFixedWidth(_CARD_WIDTH)
        self.title = QLabel()
        self.title.setProperty("role", "headline")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        self.back = QPushButton("Back")
        self.back.setObjectName("tour_back")
        self.next = QPushButton("Next")
        self.next.setObjectName("tour_next")
        self.next.setProperty("primary", True)
        self.skip = QPushButton("End tour")
        self.skip.setObjectName("tour_end")
        self._lay_out()
        self.back.clicked.connect(lambda: self.go(self.step - 1))
        self.next.clicked.connect(lambda: self.go(self.step + 1))
        self.skip.clicked.connect(self.end)
        window.installEventFilter(self)

    def start(self) -> None:
        """Cover the window and show the first step."""
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.setFocus()
        self.go(0)

    def go(self, step: int) -> None:
        """Show a step; beyond the last one the tour ends."""
        if not 0 <= step < len(self._steps):
            self.end()
            return
        self.step = step
        self._steps[step].prepare(self._window)
        self._follow(self._widget())
        self.title.setText(self._steps[step].title)
        self.text.setText(self._steps[step].text)
        self.count.setText(f"{step + 1} of {len(self._steps)}")
        self.back.setEnabled(step > 0)
        self.next.setText("Done" if step == len(self._steps) - 1 else "Next")
        self.card.resize(_CARD_WIDTH, self.card.heightForWidth(_CARD_WIDTH))
        self._place()

    def end(self) -> None:
        """Uncover the window."""
        self.hide()
        self.ended.emit()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and Enter walk, Esc ends; nothing reaches what is covered."""
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.key() in {Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.go(self.step + 1)
        elif event.key() == Qt.Key.Key_Left and self.step > 0:
            self.go(self.step - 1)

    def focusNextPrevChild(self, _forward: bool) -> bool:
        """Tab stays here: what is covered takes no keys."""
        return False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size, and the place of the widget."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move} and self.isVisible():
            self.setGeometry(self._window.rect())
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A veil over everything but the present widget, which gets a frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        clear = self._target()
        painter.setClipRegion(QRegion(self.rect()) - QRegion(clear))
        painter.fillRect(self.rect(), QColor(0, 0, 0, _VEIL))
        painter.setClipping(False)
        painter.setPen(QPen(QColor(theme().colours.accent), 2))
        painter.drawRoundedRect(clear.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.end()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self.card)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        row = QHBoxLayout()
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self.skip, self.back, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(button)
        layout.addLayout(row)

    def _follow(self, widget: QWidget) -> None:
        """Keep beside a widget, above what was prepared and with the keys."""
        if self._followed is not None:
            self._followed.removeEventFilter(self)
        widget.installEventFilter(self)
        self._followed = widget
        self.raise_()
        self.setFocus()

    def _widget(self) -> QWidget:
        name = self._steps[self.step].widget
        widget = self._window.findChild(QWidget, name)
        if widget is None:
            raise LookupError(name)
        return widget

    def _target(self) -> QRect:
        widget = self._widget()
        corner = widget.mapTo(self._window, QPoint(0, 0))
        return QRect(corner, widget.size()).intersected(self.rect())

    def _place(self) -> None:
        """Beside the widget where there is room, else in its lower right, where pages end."""
        target, size, gap = self._target(), self.card.size(), 2 * GRID
        room = self.rect().adjusted(gap, gap, -gap, -gap)
        places = (
            QPoint(target.right() + gap, target.top()),
            QPoint(target.left() - size.width() - gap, target.top()),
            QPoint(target.left(), target.bottom() + gap),
            QPoint(target.left(), target.top() - size.height() - gap),
        )
        corner = next(
            (place for place in places if room.contains(QRect(place, size))),
            target.bottomRight() - QPoint(size.width() + gap, size.height() + gap),
        )
        x = min(max(corner.x(), room.left()), room.right() - size.width())
        y = min(max(corner.y(), room.top()), room.bottom() - size.height())
        self.card.move(x, y)
        self.update()
