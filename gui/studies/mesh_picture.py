"""The picture of a mapping: its drawing, the part of it in view, and what is where.

What the mouse and keys do to it is in `gui.studies.mesh_canvas`.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.board.ink import Ink
from gui.figures import Table
from gui.plots.chart import DIMMED, Chart, placeholder
from gui.studies import mesh_painter as painting
from gui.studies.mesh_geometry import HALF_NODE, distances
from gui.theme import GRID, theme

_REACH_PX = 7.0
_SMALLEST, _LARGEST = 2.0, 400.0  # pixels between neighbours


class Facts(Protocol):
    """What the picture asks about the mapping that it shows."""

    def node_tip(self, node: int) -> str:
        """Everything about a node."""
        ...

    def channel_tip(self, channel: int) -> str:
        """Everything about a channel."""
        ...

    def node_sentence(self, node: int) -> str:
        """A node in a few words."""
        ...

    def channels_from(self, process: int) -> NDArray[np.int64]:
        """The channels that the messages of a process take."""
        ...


class MeshPicture(Chart):
    """Draws a `Drawing`; the ground is painted once into a pixmap, the rest on top of it."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setMinimumSize(40 * GRID, 24 * GRID)
        self.drawing: painting.Drawing | None = None
        self.facts: Facts | None = None
        self.view = painting.View(1.0, 0.0, 0.0)
        self.ink = Ink(self.font())
        self._fits = True
        self._ground: QPixmap | None = None
        theme().changed.connect(self._take_theme)

    def show_drawing(self, drawing: painting.Drawing, facts: Facts) -> None:
        """Show another drawing; the view stays when the nodes do."""
        before, self.drawing, self.facts = self.drawing, drawing, facts
        if before is None or before.geometry is not drawing.geometry:
            self.fit()
        self.redraw()

    # The part in view ---------------------------------------------------------------------

    def fit(self) -> None:
        """Show everything, also after a change of size."""
        self._fits = True
        if self.drawing is not None:
            self.view = painting.fitted(self.drawing.geometry, self.area)
        self.redraw()

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom so that `at` stays where it is."""
        view = self.view
        scale = min(max(view.scale * factor, _SMALLEST), _LARGEST)
        factor = scale / view.scale
        self._look(scale, at.x() + factor * (view.x - at.x()), at.y() + factor * (view.y - at.y()))

    def pan(self, dx: float, dy: float) -> None:
        """Move the ground by so many pixels."""
        self._look(self.view.scale, self.view.x + dx, self.view.y + dy)

    def show_node(self, node: int) -> None:
        """Move the ground so that a node is in sight."""
        rect, area = self.node_rect(node), self.area
        dx = max(area.left() - rect.left(), 0.0) + min(area.right() - rect.right(), 0.0)
        dy = max(area.top() - rect.top(), 0.0) + min(area.bottom() - rect.bottom(), 0.0)
        if dx or dy:
            self.pan(dx, dy)

    def _look(self, scale: float, x: float, y: float) -> None:
        self._fits = False
        self.view = painting.View(scale, x, y)
        self.redraw()

    # What is where ------------------------------------------------------------------------

    @property
    def area(self) -> QRectF:
        """The canvas without its legend."""
        return self._area(QRectF(self.rect()))

    def node_rect(self, node: int) -> QRectF:
        """The square of a node on the widget."""
        if self.drawing is None:
            return QRectF()
        return self.view.node_rect(self.drawing.geometry.nodes[node])

    def node_at(self, position: QPointF) -> int | None:
        """The node under a point."""
        if self.drawing is None:
            return None
        away = np.abs(self.drawing.geometry.nodes - self.view.units(position)).max(axis=1)
        node = int(np.argmin(away))
        return node if away[node] <= max(HALF_NODE, 5.0 / self.view.scale) else None

    def channel_at(self, position: QPointF) -> int | None:
        """The channel under a point."""
        if self.drawing is None:
            return None
        lines, owners = self.drawing.pieces[0]
        if not len(lines):
            return None
        away = distances(lines, self.view.units(position))
        nearest = int(np.argmin(away))
        return int(owners[nearest]) if away[nearest] * self.view.scale <= _REACH_PX else None

    def hint_at(self, position: QPointF) -> str:
        """The tooltip of a node or channel."""
        if self.facts is None:
            return ""
        node = self.node_at(position)
        if node is not None:
            return self.facts.node_tip(node)
        channel = self.channel_at(position)
        return "" if channel is None else self.facts.channel_tip(channel)

    def table(self) -> Table:
        """The load of every channel."""
        headings = ("from node", "to node", "load (B)")
        if self.drawing is None:
            return Table(headings, ())
        ends, loads = self.drawing.geometry.ends.tolist(), self.drawing.loads.tolist()
        pairs = zip(ends, loads, strict=True)
        return Table(headings, tuple((start, end, load) for (start, end), load in pairs))

    # Painting -----------------------------------------------------------------------------

    def redraw(self) -> None:
        """Paint the ground anew."""
        self._ground = None
        self.update()

    def figure_size(self) -> QSize:
        """Exported pictures are as large as the canvas."""
        return self.size()

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """The ground: channels, nodes and legend; all of it where `rect` is another size."""
        drawing = self.drawing
        if drawing is None:
            placeholder(painter, rect, "The picture of the mapping comes with the first answer.")
            return
        area = self._area(rect)
        same = rect == QRectF(self.rect())
        view = self.view if same else painting.fitted(drawing.geometry, area)
        painter.save()
        painter.setClipRect(area)
        painting.paint_channels(painter, drawing, view, area)
        painting.paint_nodes(painter, self.ink, drawing, view, area)
        painting.paint_numbers(painter, self.ink, drawing, view, area)
        painter.restore()
        legend = QRectF(rect.left(), area.bottom(), rect.width(), rect.bottom() - area.bottom())
        painting.paint_legend(painter, self.ink, drawing, legend)

    def paint_top(self, painter: QPainter, drawing: painting.Drawing) -> None:
        """What changes more often than the ground."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground from its pixmap, the rest on top."""
        del event
        if self._ground is None:
            ratio = self.devicePixelRatioF()
            self._ground = QPixmap(self.size() * ratio)
            self._ground.setDevicePixelRatio(ratio)
            self._ground.fill(self.ink.board)
            with QPainter(self._ground) as painter:
                self.render_to(painter, QRectF(self.rect()))
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), self.ink.board)
            painter.setOpacity(DIMMED if self.dimmed else 1.0)
            painter.drawPixmap(0, 0, self._ground)
            painter.setOpacity(1.0)
            if self.drawing is not None:
                painter.setClipRect(self.area)
                self.paint_top(painter, self.drawing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit again, unless the user has chosen what to see."""
        super().resizeEvent(event)
        if self._fits:
            self.fit()
        self.redraw()

    def _area(self, rect: QRectF) -> QRectF:
        return rect.adjusted(0, GRID / 2, 0, -painting.legend_height(self.ink))

    def _take_theme(self) -> None:
        self.ink = Ink(self.font())
        self.redraw()
