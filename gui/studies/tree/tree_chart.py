"""The picture of a tree: its drawing, the part of it in sight, what is where, the moment shown.

Three layers: edges and empty processes, who has the message by now, and the texts. Only the middle
one changes while a broadcast runs. What mouse and keys do is in `gui.studies.tree.tree_canvas`.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gui.basics.figures import Table
from gui.plots.painted_chart import DIMMED, placeholder
from gui.studies.picture.carry_picture import CarryPicture
from gui.studies.picture.layer import CLEAR, Layer
from gui.studies.tree import tree_painter as painting
from gui.studies.tree.tree_drawing import BROADCAST, TreeDrawing
from gui.studies.tree.tree_geometry import OPEN, Scene, Sight, fitted, rect, scene_of
from gui.studies.tree.tree_table import table_of
from gui.studies.tree.tree_words import name_of, pack_tip, process_tip, tree_sentence


class TreeChart(CarryPicture):
    """Draws a `TreeDrawing`.

    `operation`: {"broadcast", "reduction"}; which critical path and times are shown. `time`: the
    moment shown, µs; nobody has the message yet at 0.
    """

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.drawing: TreeDrawing | None = None
        self.operation, self.time = BROADCAST, 0.0
        self.sight = Sight(1.0, 0.0, 1.0, 0.0, 1.0)
        self._scene: Scene | None = None
        self._words = Layer(self)

    def show_drawing(self, drawing: TreeDrawing, keep: bool = False) -> None:
        """Show another tree, fitted unless `keep` and the user chose what to see."""
        self.drawing = drawing
        self.time = 0.0
        self.setAccessibleDescription(tree_sentence(drawing))
        if keep and not self._fits:
            self.redraw()
        else:
            self.fit()

    def show_moment(self, operation: str, time: float) -> None:
        """Show one moment of an operation."""
        if operation != self.operation:
            self.operation = operation
            self.redraw()
        self.time = time
        self.update()

    # The part in sight --------------------------------------------------------------------

    @property
    def scene(self) -> Scene | None:
        """What is in sight."""
        if self._scene is None and self.drawing is not None:
            self._scene = scene_of(self.drawing.layout, self.sight, self.area)
        return self._scene

    def fit_view(self) -> None:
        """Take the sight of the whole tree."""
        if self.drawing is not None:
            self.sight = self._fitted(self.drawing, self.area)

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom across so that `at` stays where it is."""
        if self.drawing is not None:
            back_ends = int(self.drawing.layout.below[0])
            self._look(self.sight.zoomed(factor, at.x(), back_ends, self.area.width()))

    def pan(self, dx: float, dy: float) -> None:
        """Move the tree by so many pixels, but not out of sight."""
        self._look(self.sight.moved(dx, dy))

    def _look(self, sight: Sight) -> None:
        """Take a sight in which the middle of the canvas still lies within the tree."""
        if self.drawing is not None:
            right = sight.left + float(self.drawing.layout.below[0]) * sight.scale
            bottom = sight.top + sight.row * self.drawing.tree.depth
            middle = self.area.center()
            dx = max(middle.x() - right, 0.0) + min(middle.x() - sight.left, 0.0)
            dy = max(middle.y() - bottom, 0.0) + min(middle.y() - sight.top, 0.0)
            self.sight = sight.moved(dx, dy)
            self.look()

    def show_process(self, process: int) -> None:
        """Move, and zoom in if need be, so that a process is drawn on its own."""
        drawing, area = self.drawing, self.area
        if drawing is None:
            return
        layout, sight = drawing.layout, self.sight
        below, left = int(layout.below[process]), int(layout.left[process])
        if below * sight.scale < OPEN:
            factor = 1.5 * OPEN / (below * sight.scale)
            middle = float(sight.x(np.array(left + below / 2)))
            self.zoom(factor, QPointF(middle, area.center().y()))
            sight = self.sight
        start, end = sight.x(np.array([left, left + below])).tolist()
        wide = min(end - start, area.width())  # of a wider span any part will do
        dx = max(area.left() - (end - wide), 0.0) + min(area.right() - (start + wide), 0.0)
        y = sight.top + sight.row * layout.depth_of(process)
        dy = max(area.top() + sight.high - y, 0.0) + min(area.bottom() - sight.high - y, 0.0)
        if dx or dy:
            self._look(sight.moved(dx, dy))

    def open_pack(self, pack: int) -> None:
        """Zoom in until a bundle is as wide as the canvas."""
        if self.scene is not None:
            box = rect(self.scene.packs[pack])
            middle = self.area.center().x()
            self.sight = self.sight.moved(middle - box.center().x(), 0.0)
            self.zoom(0.9 * self.area.width() / max(box.width(), 1e-9), self.area.center())

    # What is where ------------------------------------------------------------------------

    def node_at(self, position: QPointF) -> int | None:
        """The process under a point."""
        return None if self.scene is None else self.scene.node_at(position)

    def pack_at(self, position: QPointF) -> int | None:
        """The bundle under a point, if no process is."""
        scene = self.scene
        if scene is None or scene.node_at(position) is not None:
            return None
        return scene.pack_at(position)

    def place_of(self, process: int) -> QRectF | None:
        """Where a process is drawn, or the bundle that it is in; None out of sight."""
        scene = self.scene
        if scene is None or process >= scene.layout.tree.size:
            return None
        box = scene.rect_of(process)
        if box is None:
            pack = scene.pack_of(process)
            box = None if pack is None else rect(scene.packs[pack])
        return box

    def process_on(self, node: int) -> int | None:
        """Every process but the front-end can be taken."""
        return node or None

    def name_of(self, process: int) -> str:
        """What a process is called."""
        return "" if self.drawing is None else name_of(self.drawing, process)

    def hint_at(self, position: QPointF) -> str:
        """The tooltip of a process or bundle; none while something is carried."""
        drawing, scene = self.drawing, self.scene
        if drawing is None or scene is None or self.hand is not None:
            return ""
        process = scene.node_at(position)
        if process is not None:
            return process_tip(drawing, process, self.operation)
        pack = scene.pack_at(position)
        if pack is None:
            return ""
        start, end = scene.back_ends[pack].tolist()
        return pack_tip(drawing, int(scene.first[pack]), int(scene.last[pack]), (start, end))

    def table(self) -> Table:
        """The processes as numbers; of a large tree its levels."""
        return table_of(self.drawing)

    # Painting -----------------------------------------------------------------------------

    def redraw(self) -> None:
        """Paint the still layers anew."""
        self._scene = None
        self._words.forget()
        super().redraw()

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """All layers; the whole tree where `rect` has another size than the canvas."""
        drawing = self.drawing
        if drawing is None:
            placeholder(painter, rect, "The picture of the tree comes with the first answer.")
            return
        area, scene = self.area_in(rect), self.scene
        if rect != QRectF(self.rect()) or scene is None:
            scene = scene_of(drawing.layout, self._fitted(drawing, area), area)
        painter.save()
        painter.setClipRect(area)
        painting.paint_ground(painter, self.ink, drawing, scene)
        self._paint_moment(painter, drawing, scene)
        self._write(painter, drawing, scene)
        painter.restore()
        legend = self.legend_in(rect)
        painting.paint_legend(painter, self.ink, drawing, self.operation, scene, legend)

    def render_ground(self, painter: QPainter) -> None:
        """Edges, empty processes and the legend."""
        drawing, scene, area = self.drawing, self.scene, self.area
        if drawing is None or scene is None:
            super().render_ground(painter)
            return
        legend = self.legend_in(QRectF(self.rect()))
        painting.paint_legend(painter, self.ink, drawing, self.operation, scene, legend)
        painter.setClipRect(area)
        painting.paint_ground(painter, self.ink, drawing, scene)

    def paint_on_top(self, painter: QPainter) -> None:
        """Who has the message by now, the critical path, the texts."""
        drawing, scene = self.drawing, self.scene
        if drawing is None or scene is None:
            return

        def write(on: QPainter) -> None:
            on.setClipRect(scene.area)
            self._write(on, drawing, scene)

        painter.setOpacity(DIMMED if self.dimmed else 1.0)
        self._paint_moment(painter, drawing, scene)
        painter.drawPixmap(0, 0, self._words.painted(CLEAR, write))
        painter.setOpacity(1.0)

    def _paint_moment(self, painter: QPainter, drawing: TreeDrawing, scene: Scene) -> None:
        """Who has the message by now, and the messages under way."""
        if self.time > 0.0:
            run = drawing.run(self.operation)
            painting.paint_done(painter, self.ink, run, scene, self.time)
            painting.paint_messages(painter, self.ink, run, scene, self.time)

    def _write(self, painter: QPainter, drawing: TreeDrawing, scene: Scene) -> None:
        """The critical path and the texts."""
        run = drawing.run(self.operation)
        painting.paint_path(painter, self.ink, run, scene)
        painting.paint_words(painter, self.ink, drawing, run, scene)

    def _fitted(self, drawing: TreeDrawing, area: QRectF) -> Sight:
        return fitted(drawing.layout, area, self.ink.small_line)
