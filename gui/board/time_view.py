"""Lanes over time on a scrolling surface: where they lie, zoom, fit, what comes into view."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.basics.figures import FIGURE, TALLEST
from gui.basics.theme import GRID
from gui.board.bar_painting import CARD_PX
from gui.board.cards import card_rect, header_width
from gui.board.carrying import Carrying
from gui.board.frame import HIGHEST, Frame, lane_tops
from gui.board.lanes import Lanes
from gui.board.offers import Offers
from gui.board.surface import Surface
from gui.document.document import Document
from machines.arrays import Floats, Ints

_WIDEST_PX = 1e8
_RIGHT_MARGIN = 0.04
_MOST_ZOOM = 4.0


class TimeView(Surface):
    """A surface with a time axis and a lane for each machine.

    `lanes`: what the lanes hold; None before the first prediction. `px_per_s`, `lane_zoom`: zoom of
    time and of the lanes' height.
    """

    lowest = 0.35  # least zoom of the lanes' height

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.lanes: Lanes | None = None
        self.px_per_s = 1.0
        self.lane_zoom = 1.0
        self._fitted = True
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self.renew())
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.renew())

    def renew(self) -> None:
        """The frame has changed: everything has another place."""
        raise NotImplementedError

    def frame(self) -> Frame:
        """The schedule's place on the viewport."""
        size = self.viewport().size()
        return self.frame_of(
            size.width(),
            size.height(),
            self.px_per_s,
            self.horizontalScrollBar().value(),
            self.verticalScrollBar().value(),
        )

    def whole(self, width: float, height: float) -> Frame:
        """Everything on a surface of that size, whatever the zoom on screen."""
        frame = self.frame_of(width, height, 1.0, lane_zoom=1.0)
        share = min(1.0, frame.ground_height / float(frame.tops[-1]))
        return replace(frame, px_per_s=self.fitting(frame.ground_width), tops=frame.tops * share)

    def figure_size(self) -> QSize:
        """The size of exported pictures: lanes as high as they should be."""
        width, height = FIGURE
        frame = self.frame_of(width, height, 1.0, lane_zoom=1.0)
        needed = frame.axis + float(frame.tops[-1]) + frame.footer
        return QSize(width, min(math.ceil(needed), TALLEST))

    def frame_of(
        self,
        width: float,
        height: float,
        px_per_s: float,
        x: float = 0.0,
        y: float = 0.0,
        lane_zoom: float | None = None,
    ) -> Frame:
        """A schedule's place on a surface of that size; the lanes' zoom is the one on screen."""
        ink, zoom = self.ink, self.lane_zoom if lane_zoom is None else lane_zoom
        rows = np.ones(1, dtype=np.int64) if self.lanes is None else self.shown_rows(self.lanes)
        axis, section = ink.line + 2 * GRID, self.section_height(height)
        footer = ink.line + 2 * GRID + section
        base = (ink.line + 3 * ink.small_line + 3 * GRID) * zoom
        row = (ink.small_line + 4) * zoom
        strips = self.strip_heights(len(rows)) * (rows > 0)
        tops = lane_tops(rows, base, row, max(1.0, height - axis - footer), strips)
        return Frame(
            width=width,
            height=height,
            header=header_width(ink),
            axis=axis,
            footer=footer,
            px_per_s=px_per_s,
            scroll_x=x,
            scroll_y=y,
            tops=tops,
            rows=rows,
            row_most=3.5 * ink.line * max(1.0, zoom),
            critical_least=ink.small_line + 2.0,
            strips=strips,
            section=section,
        )

    def _most_lane_zoom(self) -> float:
        """At which the rows of every lane can be read."""
        ink, most = self.ink, 1 if self.lanes is None else int(self.lanes.rows.max())
        base, row = ink.line + 3 * ink.small_line + 3 * GRID, ink.small_line + 4
        return max(_MOST_ZOOM, 1.1 * most * row / (HIGHEST * base))

    def shown_rows(self, lanes: Lanes) -> Ints:
        """Rows of every lane, 0 of one that is not shown."""
        return lanes.rows

    def lane_beside(self, lane: int, step: int) -> int:
        """As everywhere, of the lanes that are shown."""
        shown = self.frame().shown
        at = int(np.searchsorted(shown, lane)) + step
        return int(shown[min(max(at, 0), len(shown) - 1)])

    def strip_heights(self, lanes: int) -> Floats:
        """Pixels below the bars of every lane that something else takes, array (lanes,)."""
        return np.zeros(lanes)

    def section_height(self, _height: float) -> float:
        """Pixels below all lanes that something else takes, of a surface so high."""
        return 0.0

    def lane_at(self, position: QPointF) -> int | None:
        """The lane, its card included."""
        inside = 0 <= position.x() < self.viewport().width()
        return self.frame().lane_at(position.y()) if inside and self.lanes is not None else None

    def card_rect(self, machine: int) -> QRectF:
        """The machine's card, at the left of its lane."""
        frame = self.frame()
        return card_rect(*frame.lane_box(machine), frame.header)

    def card_at(self, position: QPointF) -> int | None:
        """The machine whose card is under a point."""
        return self.lane_at(position) if position.x() < self.frame().header else None

    def fit(self) -> None:
        """Show the whole schedule."""
        self._fitted = True
        self._fit_both()
        self._stretch()
        self.horizontalScrollBar().setValue(0)
        self.verticalScrollBar().setValue(0)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge time around a point, or the middle."""
        if self.lanes is None:
            return
        frame = self.frame()
        x = frame.header + frame.ground_width / 2 if at is None else max(at.x(), frame.header)
        time = frame.time(x)
        least = 0.2 * self.fitting(frame.ground_width)
        most = _WIDEST_PX / max(self.span_s, 1e-300)
        self.px_per_s = min(max(self.px_per_s * factor, least), max(most, least))
        self._fitted = False
        self._stretch()
        self.horizontalScrollBar().setValue(round(time * self.px_per_s - (x - frame.header)))

    def wheel_zoom(self, factor: float, event: QWheelEvent) -> None:
        """The wheel zooms time; with Ctrl it changes the height of the lanes."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(factor, event.position())
            return
        frame, y = self.frame(), event.position().y()
        share = (y - frame.axis + frame.scroll_y) / float(frame.tops[-1])
        self.lane_zoom = min(max(self.lane_zoom * factor, self.lowest), self._most_lane_zoom())
        self._stretch()
        self.verticalScrollBar().setValue(
            round(share * float(self.frame().tops[-1]) - (y - frame.axis))
        )

    def reveal(self, item: int) -> None:
        """Scroll until a bar is on screen; nothing moves when it is."""
        if self.lanes is None:
            return
        frame = self.frame()
        box = self.frame().boxes(self.lanes)
        x0, x1 = float(box.x0[item]), float(box.x1[item])
        if x0 < frame.header or x0 > frame.width - 3 * GRID or x1 > frame.width > x0 + frame.width:
            middle = frame.header + frame.ground_width / 2
            self.pan(min(x0, (x0 + x1) / 2) - middle, 0.0)
        self.reveal_lane(int(self.lanes.lane[item]))

    def centre(self, item: int) -> None:
        """Bring a bar to the middle, large enough to be read."""
        if self.lanes is None:
            return
        length = float(self.lanes.end_s[item] - self.lanes.start_s[item]) * self.px_per_s
        if 0 < length < CARD_PX:
            self.zoom(3 * CARD_PX / length)
        frame, rect = self.frame(), self.frame().boxes(self.lanes)
        middle = (float(rect.x0[item]) + float(rect.x1[item])) / 2
        self.pan(middle - frame.header - frame.ground_width / 2, 0.0)
        self.reveal_lane(int(self.lanes.lane[item]))

    def reveal_lane(self, machine: int) -> None:
        """Scroll until a lane is on screen."""
        frame = self.frame()
        top, height = frame.lane_box(machine)
        if top < frame.axis:
            self.pan(0.0, top - frame.axis)
        elif top + height > frame.height - frame.footer:
            self.pan(0.0, top + height - (frame.height - frame.footer))

    def refit(self) -> None:
        """Parts have another height: keep the whole schedule in view if it was."""
        if self._fitted:
            self._fit_both()
        self._stretch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the whole schedule in view if it was."""
        self.refit()
        super().resizeEvent(event)

    def _fit_both(self) -> None:
        """Time to the width; lanes as high as they should be, or lower so that all are seen."""
        self.lane_zoom = 1.0
        for _ in range(8):  # parts of a lane keep their height, so that one step is not enough
            frame = self.frame()
            share = min(1.0, frame.ground_height / float(frame.tops[-1]))
            self.lane_zoom = max(self.lowest, self.lane_zoom * share)
        self.px_per_s = self.fitting(self.frame().ground_width)

    @property
    def span_s(self) -> float:
        """How much time the axis shows when it shows all: until the makespan."""
        return self.lanes.makespan_s if self.lanes is not None else 0.0

    def fitting(self, ground_width: float) -> float:
        span_s = self.span_s * (1 + _RIGHT_MARGIN)
        return ground_width / span_s if span_s > 0 else ground_width

    def needs_fit(self) -> bool:
        """Whether a new makespan has left the view, or fills but a part of it."""
        frame = self.frame()
        end = (frame.x(self.span_s) if self.lanes else 0.0) - frame.header
        return not 0.5 * frame.ground_width < end < frame.ground_width

    def overflows(self) -> bool:
        """Whether the lanes are higher than the view."""
        frame = self.frame()
        return bool(float(frame.tops[-1]) > frame.ground_height + 1.0)

    def _stretch(self) -> None:
        """Give the scroll bars their ranges."""
        frame = self.frame()
        across = 0 if self._fitted else round(self.span_s * (1 + _RIGHT_MARGIN) * self.px_per_s)
        wide, high = round(frame.ground_width), round(frame.ground_height)
        for bar, length, page in (
            (self.horizontalScrollBar(), across, wide),
            (self.verticalScrollBar(), round(float(frame.tops[-1])), high),
        ):
            bar.setRange(0, max(0, length - page))
            bar.setPageStep(page)
            bar.setSingleStep(3 * GRID)
        self.renew()
