"""A plot between two axes that pyqtgraph draws: zoom and pan, legend, tooltips, files.

As on the board, the wheel zooms along at the pointer, with Ctrl across, with Shift it pans; F or a
double click shows everything, + and − zoom. pyqtgraph's own menu and picture export are not used:
the export fails on current Qt. pyqtgraph is imported by `build`, not with this module: a plot that
the window opens with (`RegionMap`) calls it when it first has something to show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from gui.basics.figures import FIGURE
from gui.basics.theme import GRID, theme
from gui.plots.axis_ticks import EDGE
from gui.plots.curve_values import logarithms
from gui.plots.legend_row import LegendRow
from gui.plots.painted_chart import DIMMED, Plot, placeholder, show_hint
from gui.plots.plot_legend import Entry, paint_legend, parted
from gui.plots.span import Span
from gui.plots.zoom_keys import kept_from_shortcuts, take_key
from machines.arrays import Floats

_NARROWEST = 1e-6  # of everything


class Canvas(Plot):
    """Base of plots over two axes; subclasses say what there is, and add its items in `build`.

    `canvas`, `plot`, `view_box`, `axes`: what `build` makes: pyqtgraph's widget, its plot, the area
        between the axes, and the horizontal and the vertical `QuantityAxis`.
    """

    legend_beside = False  # at the right, not above
    legend_toggles = False  # a click hides what a name stands for
    has_grid = True

    def __init__(self, name: str, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._empty = empty
        self._dimmed = False
        self.canvas: Any = None
        self.legend = LegendRow(f"{name}_legend", self, toggles=self.legend_toggles)
        theme().changed.connect(self.dress)

    @property
    def is_filled(self) -> bool:
        """Whether there is anything to draw."""
        raise NotImplementedError

    def entries(self) -> Sequence[Entry]:
        """The names of the legend."""
        raise NotImplementedError

    def wholes(self) -> tuple[Span, Span]:
        """Everything there is, along and across; logarithms on a logarithmic axis."""
        raise NotImplementedError

    def recolour(self) -> None:
        """Give items the colours of the theme, and axes their names."""
        raise NotImplementedError

    def hint_at(self, position: QPointF) -> str:
        """What is known at a point of the canvas; empty where there is nothing."""
        raise NotImplementedError

    def is_log(self, across: bool) -> bool:
        """Whether an axis is logarithmic."""
        del across
        return False

    def build(self) -> None:
        """Make the axes and the area between them."""
        import pyqtgraph as pg  # noqa: PLC0415

        from gui.plots.axis_item import QuantityAxis  # noqa: PLC0415
        from gui.plots.view_box import HandView  # noqa: PLC0415

        self.axes = QuantityAxis("bottom"), QuantityAxis("left")
        self.view_box = HandView()
        self.canvas = pg.PlotWidget(
            self, viewBox=self.view_box, axisItems={"bottom": self.axes[0], "left": self.axes[1]}
        )
        self.canvas.setObjectName(f"{self.objectName()}_canvas")
        self.canvas.setAccessibleName(self.accessibleName())
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are for the whole plot
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.canvas.viewport().setMouseTracking(True)
        self.canvas.viewport().installEventFilter(self)
        self.plot = self.canvas.getPlotItem()
        menu = self.plot.ctrlMenu  # nobody's otherwise: it would outlive the plot
        menu.setParent(self.canvas, menu.windowFlags())
        self.plot.hideButtons()
        for axis in self.axes:
            axis.setZValue(-1)  # the grid lies behind
            axis.setGrid(255 if self.has_grid else False)

    @property
    def view(self) -> tuple[Span, Span]:
        """What is looked at, along and across; logarithms on a logarithmic axis."""
        along, across = self.view_box.viewRange()
        return Span(*along), Span(*across)

    @property
    def is_fitted(self) -> bool:
        """Whether everything is in view."""
        return all(
            max(abs(seen.low - all_.low), abs(seen.high - all_.high)) <= 1e-9 * all_.length
            for seen, all_ in zip(self.view, self.wholes(), strict=True)
        )

    def part(self) -> tuple[Span, Span] | None:
        """What was zoomed to; ``None`` while everything is in view."""
        return None if self.is_fitted else self.view

    def fit(self) -> None:
        """Show everything."""
        if self.canvas is not None:
            self.look_at(None)

    def look_at(self, part: tuple[Span, Span] | None) -> None:
        """Show a part, as far as it is there, or everything."""
        along, across = self.wholes()
        self.view_box.setLimits(
            xMin=along.low, xMax=along.high, minXRange=_NARROWEST * along.length,
            yMin=across.low, yMax=across.high, minYRange=_NARROWEST * across.length,
        )  # fmt: skip
        right, up = part or (along, across)
        self.view_box.setRange(xRange=(right.low, right.high), yRange=(up.low, up.high), padding=0)

    def zoom(self, factor: float, *, across: bool = False) -> None:
        """Enlarge one axis around the middle."""
        if self.canvas is not None:
            self.view_box.scaleBy(**{"y" if across else "x": 1 / factor})

    def pan(self, along: float, across: float) -> None:
        """Move by shares of what is in view."""
        if self.canvas is not None:
            right, up = (
                view.length * by for view, by in zip(self.view, (along, across), strict=True)
            )
            self.view_box.translateBy(x=right, y=up)

    def area(self) -> QRectF:
        """Where the plane between the axes lies in the canvas."""
        self._settle()
        return QRectF(self.view_box.sceneBoundingRect())

    def position_of(self, x: float, y: float) -> QPointF:
        """The point of the canvas that shows these values."""
        found = self.placed(False, np.array([x])), self.placed(True, np.array([y]))
        return QPointF(*(float(one[0]) for one in found))

    def placed(self, across: bool, values: Floats) -> Floats:
        """Pixels of the canvas; NaN where a logarithmic axis has no place for a value."""
        area, view = self.area(), self.view[across]
        if self.is_log(across):
            values = logarithms(values)
        share = (values - view.low) / view.length
        if across:
            return np.asarray(area.bottom() - share * area.height())
        return np.asarray(area.left() + share * area.width())

    def values_at(self, position: QPointF) -> tuple[float, float]:
        """The values that a point of the canvas shows; inside what is in view."""
        area, (along, across) = self.area(), self.view
        found = (
            along.at(min(max((position.x() - area.left()) / area.width(), 0.0), 1.0)),
            across.at(min(max((area.bottom() - position.y()) / area.height(), 0.0), 1.0)),
        )
        x, y = (10.0**value if self.is_log(bool(at)) else value for at, value in enumerate(found))
        return x, y

    @property
    def dimmed(self) -> bool:
        """Whether what is drawn is older than the project."""
        return self._dimmed

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        self._dimmed = dimmed
        self.legend.opacity = DIMMED if dimmed else 1.0
        self.legend.update()
        if self.canvas is not None:
            self.plot.setOpacity(self.legend.opacity)

    def figure_size(self) -> QSize:
        """The size of exported pictures."""
        return QSize(*FIGURE)

    def minimumSizeHint(self) -> QSize:
        """Room for axes and a little in between."""
        return QSize(36 * GRID, 20 * GRID)

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw legend and plot into `rect` as vectors, bright; hidden names are left out."""
        painter.save()
        painter.setFont(self.small_font())
        if not self.is_filled:
            placeholder(painter, rect, self._empty)
        else:
            entries = [entry for entry in self.legend.entries if entry.shown]
            names, room = parted(entries, rect, QFontMetricsF(painter.font()), self.legend_beside)
            paint_legend(painter, names, entries)
            self._render_plot(painter, room)
        painter.restore()

    def dress(self) -> None:
        """Take the theme's colours and fonts, and the names of what is shown."""
        self.legend.setFont(self.small_font())
        self.legend.set_entries(self.entries() if self.is_filled else ())
        if self.canvas is not None:
            colours = theme().colours
            for axis in self.axes:
                axis.dress(self.small_font(), colours.line, colours.muted, colours.text)
            self.canvas.setBackground(None)
            self.recolour()
            self.canvas.setVisible(self.is_filled)
        self._lay_out()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F fits, + and − zoom (with Alt across), arrows pan."""
        if not take_key(self, event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep the plot's keys from the board's shortcuts while it has the focus."""
        if kept_from_shortcuts(event):
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answer the pointer that rests on the canvas; show everything after a double click."""
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self.fit()
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            show_hint(self, event, self.hint_at(QPointF(event.pos())))
            return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The legend takes what it needs, the canvas the rest."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Without anything to draw, say so."""
        del event
        if not self.is_filled:
            painter = QPainter(self)
            placeholder(painter, QRectF(self.rect()), self._empty)
            painter.end()

    def _lay_out(self) -> None:
        metrics = QFontMetricsF(self.legend.font())
        entries, rect = self.legend.entries, QRectF(self.rect())
        names, room = parted(entries, rect, metrics, self.legend_beside)
        self.legend.setGeometry(names.toAlignedRect())
        self.legend.setVisible(bool(entries))
        if self.canvas is not None:
            top = math.ceil(metrics.height()) + GRID
            self.plot.layout.setContentsMargins(GRID, top, EDGE, GRID / 2)
            room.setTop(math.ceil(room.top()))
            self.canvas.setGeometry(room.toRect())
        self.update()

    def _settle(self) -> None:
        """Lay the plot out now; labels may change their width, and once more the layout."""
        for _ in range(2):
            self.plot.layout.activate()

    def _render_plot(self, painter: QPainter, room: QRectF) -> None:
        """Draw axes and items, laid out for `room` instead of the screen."""
        inside = QRectF(0.0, 0.0, room.width(), max(room.height(), 1.0))
        scene, opacity = self.canvas.scene(), self.plot.opacity()
        items = [item for item in scene.items() if hasattr(item, "setExportMode")]
        self.plot.setOpacity(1.0)
        self.plot.setGeometry(inside)
        self._settle()
        for item in items:
            item.setExportMode(True, {"antialias": True})
        scene.prepareForPaint()
        painter.translate(room.topLeft())
        painter.setClipRect(inside)
        paint_items(painter, scene)
        for item in items:
            item.setExportMode(False)
        self.plot.setGeometry(QRectF(self.canvas.rect()))
        self.plot.setOpacity(opacity)


def paint_items(painter: QPainter, scene: QGraphicsScene) -> None:
    """Draw all visible items, the lowest first, as they lie in the scene; each in its own state.

    `QGraphicsScene.render` nests clips where Python does not see it, and Qt's SVG generator loses
    the outer one when the inner one ends (`gui.basics.svg`).
    """
    ground = painter.transform()
    for item in scene.items(Qt.SortOrder.AscendingOrder):
        if not item.isVisible() or item.flags() & QGraphicsItem.GraphicsItemFlag.ItemHasNoContents:
            continue
        option = QStyleOptionGraphicsItem()
        option.rect = item.boundingRect().toAlignedRect()
        option.exposedRect = item.boundingRect()
        painter.save()
        holder = item.parentItem()
        while holder is not None:
            if holder.flags() & QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape:
                painter.setTransform(holder.sceneTransform() * ground)
                painter.setClipPath(holder.shape(), Qt.ClipOperation.IntersectClip)
            holder = holder.parentItem()
        painter.setTransform(item.sceneTransform() * ground)
        painter.setOpacity(item.effectiveOpacity())
        item.paint(painter, option, None)
        painter.restore()
