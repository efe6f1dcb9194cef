"""The picture of a mapping: its drawing, the part of it in view, and what is where.

What the mouse and keys do to it is in `gui.studies.mesh.mesh_canvas`.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gui.basics.figures import FIGURE, TALLEST, Table
from gui.plots.painted_chart import placeholder
from gui.studies.mesh import mesh_painter as painting
from gui.studies.mesh.mesh_facts import MeshFacts
from gui.studies.mesh.mesh_geometry import HALF_NODE, distances
from gui.studies.picture.carry_picture import CarryPicture

_REACH_PX = 7.0
_NODE_PX = 100.0  # pixels between neighbours in a file
_SMALLEST, _LARGEST = 2.0, 400.0  # pixels between neighbours


class MeshPicture(CarryPicture):
    """Draws a `Drawing`."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.drawing: painting.Drawing | None = None
        self.facts: MeshFacts | None = None
        self.view = painting.View(1.0, 0.0, 0.0)

    def show_drawing(self, drawing: painting.Drawing, facts: MeshFacts) -> None:
        """Show another drawing; the view stays when the nodes do."""
        before, self.drawing, self.facts = self.drawing, drawing, facts
        if before is None or before.geometry is not drawing.geometry:
            self.fit()
        self.redraw()

    # The part in view ---------------------------------------------------------------------

    def fit_view(self) -> None:
        """Take the view in which the whole network is seen."""
        if self.drawing is not None:
            self.view = painting.fitted(self.drawing.geometry, self.area)

    def figure_size(self) -> QSize:
        """The size of exported pictures: nodes that can be read."""
        if self.drawing is None:
            return super().figure_size()
        left, top, right, bottom = self.drawing.geometry.bounds
        return QSize(
            *(
                round(min(max(least, _NODE_PX * length), TALLEST))
                for least, length in zip(FIGURE, (right - left, bottom - top), strict=True)
            )
        )

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
        self.view = painting.View(scale, x, y)
        self.look()

    # What is where ------------------------------------------------------------------------

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

    def process_on(self, node: int) -> int | None:
        """The process of a node, if it has one."""
        holder = -1 if self.drawing is None else int(self.drawing.holders[node])
        return None if holder < 0 else holder

    def name_of(self, process: int) -> str:
        """What a process is called."""
        return f"Process {process if self.drawing is None else self.drawing.label(process)}"

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
        drawing = self.drawing
        if drawing is None:
            return Table(headings, ())
        ends, loads = drawing.geometry.ends.tolist(), drawing.loads.tolist()
        pairs = zip(ends, loads, strict=True)
        name = drawing.end if drawing.undrawn else int  # switches have names
        return Table(
            headings, tuple((name(start), name(end), load) for (start, end), load in pairs)
        )

    # Painting -----------------------------------------------------------------------------

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """The ground: channels, nodes and legend; all of it where `rect` is another size."""
        drawing = self.drawing
        if drawing is None:
            placeholder(painter, rect, "The picture of the mapping comes with the first answer.")
            return
        area = self.area_in(rect)
        same = rect == QRectF(self.rect())
        view = self.view if same else painting.fitted(drawing.geometry, area)
        painter.save()
        painter.setClipRect(area)
        painting.paint_channels(painter, drawing, view, area)
        painting.paint_nodes(painter, self.ink, drawing, view, area)
        painting.paint_numbers(painter, self.ink, drawing, view, area)
        painter.restore()
        painting.paint_legend(painter, self.ink, drawing, self.legend_in(rect))
