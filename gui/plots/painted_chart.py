"""A chart: a widget that paints itself through `render_to`, so that screen and files agree.

Charts dim while what they show is older than the project, tell their content as a table, and
answer tooltips from the places that they painted.
"""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.basics.figures import FIGURE, Table
from gui.basics.snapshots import snapshot_of
from gui.basics.theme import theme

DIMMED = 0.45
_SMALLEST_PT = 9.0


class Plot(QWidget):
    """What a `PlotPanel` can hold: a widget that draws itself anywhere and tells its numbers."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)

    def table(self) -> Table:
        """What is drawn, as numbers."""
        raise NotImplementedError

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw everything into `rect` of any painter: a widget, a file, the clipboard."""
        raise NotImplementedError

    def figure_size(self) -> QSize:
        """The size of exported pictures: as high as what is in them needs."""
        return QSize(FIGURE[0], self.minimumSizeHint().height())

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        raise NotImplementedError

    def small_font(self) -> QFont:
        """The font of ticks and legends, a point below the window's but never below 9 pt."""
        font = QFont(self.font())
        font.setPointSizeF(max(_SMALLEST_PT, font.pointSizeF() - 1.0))
        return font


class Chart(Plot):
    """Base of all painted plots; subclasses implement `paint` and `table`."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setMouseTracking(True)
        self._dimmed = False
        self._places: list[tuple[QRectF, str]] = []
        theme().changed.connect(self.update)

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw everything into `rect`."""
        raise NotImplementedError

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw everything into `rect`, in the small font."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.small_font())
        self.paint(painter, rect)
        painter.restore()

    def still(self) -> Self:
        """What draws the picture of this moment, on any thread."""
        made, font, rect = snapshot_of(self), self.small_font(), self.rect()
        made._places = []
        # what drawing asks of the widget
        vars(made).update(small_font=lambda: font, rect=lambda: rect, width=rect.width)
        return made

    @property
    def dimmed(self) -> bool:
        """Whether what is drawn is older than the project."""
        return self._dimmed

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            self.update()

    def place(self, rect: QRectF, hint: str) -> None:
        """Remember that `rect` of the picture on screen answers with `hint`."""
        self._places.append((rect, hint))

    def hint_at(self, position: QPointF) -> str:
        """The tooltip at a point of the widget; empty where nothing is drawn."""
        for rect, hint in reversed(self._places):
            if rect.contains(position):
                return hint
        return ""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint on screen; only this painting fills the places that answer tooltips."""
        del event
        painter = QPainter(self)
        if self._dimmed:
            painter.setOpacity(DIMMED)
        self._places.clear()
        self.render_to(painter, QRectF(self.rect()))
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of the place under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            show_hint(self, event, self.hint_at(QPointF(event.pos())))
            return True
        return super().event(event)


def show_hint(plot: QWidget, event: QHelpEvent, hint: str) -> None:
    """Show a tooltip where the pointer rests, or none for an empty one."""
    if hint:
        QToolTip.showText(event.globalPos(), hint, plot)
    else:
        QToolTip.hideText()


def readable_on(colour: QColor) -> QColor:
    """Black or white, whichever has the greater contrast on `colour` (WCAG 2 luminance)."""
    luminance = sum(
        weight * (channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)
        for weight, channel in zip(
            (0.2126, 0.7152, 0.0722),
            (colour.redF(), colour.greenF(), colour.blueF()),
            strict=True,
        )
    )
    return QColor("#000000") if luminance > 0.179 else QColor("#FFFFFF")


def elided(text: str, metrics: QFontMetricsF, width: float) -> str:
    """`text`, shortened with an ellipsis to `width` pixels."""
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


def placeholder(painter: QPainter, rect: QRectF, text: str) -> None:
    """What an empty chart says: what it needs."""
    painter.setPen(QColor(theme().colours.muted))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(rect.adjusted(16, 8, -16, -8), flags, text)
