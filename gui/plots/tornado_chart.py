"""A tornado: a bar per assumption around the present value, coloured by the plan that is best.

Painted by hand, like the bars of the answer. A tick marks where another plan becomes best; rows are
selected with mouse or keys, two at a time.
"""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from advisor.advice.assumptions import TIME
from advisor.allocation.objectives import SPREAD
from advisor.basics.quantities import duration
from advisor.studies.what_if.run import Tornado
from advisor.studies.what_if.sides import Bar, Side
from gui.basics.figures import Table
from gui.basics.theme import GRID, theme
from gui.plots.axis_ticks import Axis
from gui.plots.bar_chart import roomy_ticks
from gui.plots.mini_board import Card, boards_height, paint_boards, tip_picture
from gui.plots.painted_chart import Chart, elided, placeholder
from gui.plots.plot_legend import Entry, paint_legend
from gui.plots.region_map import region_colour
from machines.errors import capital

_BAR, _GAP = 16.0, 6.0
_HEAD = 6.0  # above the first bar
_LEFT = 0.34  # of the width, at most, for names
_FAR = 4.0  # times the present value: bars are cut there
_SELECTED = 2
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_BESIDE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class TornadoChart(Chart):
    """Bars of a `Tornado`.

    `selected`: positions of the bars that are selected, the last two that were clicked.
    """

    selection_changed = Signal()
    activated = Signal(object)  # Bar, by double click or Enter

    def __init__(self, name: str, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._empty = empty
        self.found: Tornado | None = None
        self.bars: tuple[Bar, ...] = ()
        self.selected: tuple[int, ...] = ()
        self.current = 0
        self._written: set[int] = set()  # plans whose name is in a bar

    def set_empty(self, text: str) -> None:
        """What is said while there is no bar."""
        self._empty = text
        self.update()

    def show_tornado(self, found: Tornado | None) -> None:
        """Show the bars that change something; a selection stays where its bars do."""
        keys = [self.bars[place].assumption.key for place in self.selected]
        self.found = found
        present_s = 0.0 if found is None else found.present_s
        bars = () if found is None else found.bars
        self.bars = tuple(
            bar for bar in bars if bar.swing_s(present_s) > 1e-3 * present_s or _flips(bar)
        )
        known = {bar.assumption.key: place for place, bar in enumerate(self.bars)}
        self.selected = tuple(known[key] for key in keys if key in known)
        self.current = min(self.current, max(len(self.bars) - 1, 0))
        said = (f"{bar.assumption.title}: {_ends(bar)}" for bar in self.bars[:8])
        self.setAccessibleDescription("; ".join(said))
        self.setMinimumHeight(self.minimumSizeHint().height())
        self.update()

    def minimumSizeHint(self) -> QSize:
        """All bars below each other."""
        metrics = QFontMetricsF(self.small_font())
        rows = len(self.bars) * self._step(metrics)
        legend = len(self._entries()) * (metrics.height() + GRID / 4)
        boards = boards_height(self._cards(), max(self.width(), 40 * GRID) - 2 * GRID, metrics)
        return QSize(40 * GRID, round(rows + legend + boards + 2 * metrics.height() + 5 * GRID))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower chart has fewer small pictures beside each other."""
        super().resizeEvent(event)
        self.setMinimumHeight(self.minimumSizeHint().height())

    def table(self) -> Table:
        """One row an end of a bar."""
        rows: list[tuple[object, ...]] = []
        for bar in self.bars:
            one = bar.assumption
            for side in (bar.low, bar.high):
                taken = side.value_s if math.isfinite(side.value_s) else None
                beyond = ("", "") if self.found is None else self.found.beyond(one, side)
                rows.append(
                    (one.title, one.words(one.present), one.words(side.end), taken, *beyond)
                )
        objective = "value" if self.found is None else self.found.objective
        names = ("assumption", "now", "changed to", f"{objective} (s)")
        return Table((*names, "another plan is best", "which"), tuple(rows))

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the bars, the axis and the legend from the top down."""
        if self.found is None or not self.bars:
            placeholder(painter, rect, self._empty)
            return
        metrics = QFontMetricsF(painter.font())
        area = rect.adjusted(GRID, GRID / 2, -GRID, -GRID)
        axis = self._axis(area, metrics)
        top, step = rect.top() + _HEAD, self._step(metrics)
        bottom = top + step * len(self.bars)
        ticks = roomy_ticks(axis, metrics)
        width = title_right(axis, ticks, metrics) - area.left()
        below = QRectF(area.left(), bottom, width, metrics.height())
        painter.setPen(QColor(theme().colours.muted))
        painter.drawText(below, _RIGHT, elided(axis.title, metrics, below.width()))
        names = QRectF(rect.left(), below.bottom() + GRID, rect.width(), rect.bottom())
        entries = self._entries()
        paint_legend(painter, names, entries)
        under = names.top() + len(entries) * (metrics.height() + GRID / 4) + GRID
        paint_boards(
            painter, QRectF(QPointF(area.left(), under), area.bottomRight()), self._cards()
        )
        self._paint_ticks(painter, axis, ticks, top, bottom)
        self._written.clear()
        for place, bar in enumerate(self.bars):
            row = QRectF(area.left(), top + place * step, area.width(), step)
            self._paint_bar(painter, place, bar, axis, row)
        now = axis.position(self.found.present_s)
        painter.setPen(QPen(QColor(theme().colours.text), 2))
        painter.drawLine(QPointF(now, top - 4), QPointF(now, bottom))

    def _entries(self) -> list[Entry]:
        """What the lines are; the plans have pictures."""
        if self.found is None:
            return []
        text = QColor(theme().colours.text)
        lines = [Entry("the long line: the plan advised, now", text, symbol=_upright(1.0))]
        if any(map(_flips, self.bars)):
            more = f"further on by more than {100 * SPREAD:g} %"
            beyond = f"a tick: beyond it another plan is best, {more}"
            lines.append(Entry(beyond, text, symbol=_upright(0.6)))
        return lines

    def _cards(self) -> list[Card]:
        """The kept plan, and every plan that becomes best, with their small pictures."""
        if self.found is None:
            return []
        used = sorted({0}.union(*(bar.plans for bar in self.bars)))
        return [self._card(place) for place in used if place < len(self.found.boards)]

    def _card(self, place: int) -> Card:
        found = self.found
        assert found is not None
        name = f"best there: {found.names[place]}"
        if place == 0:
            name = f"the plan advised ({found.names[0]}), {duration(found.present_s)} now"
        return name, found.boards[place], region_colour(place)

    def hint_at(self, position: QPointF) -> str:
        """All of a bar in sentences, and pictures of the plans that it is about."""
        place = self._row_at(position.y())
        if place is None or self.found is None:
            return ""
        bar = self.bars[place]
        lines = "<br>".join(map(escape, self._hint(bar).split("\n")))
        plans = sorted({0, *bar.plans})
        return f"{lines}<br>{tip_picture([self._card(one) for one in plans], self.small_font())}"

    def _axis(self, area: QRectF, metrics: QFontMetricsF) -> Axis:
        found = self.found
        assert found is not None
        names = max(metrics.horizontalAdvance(bar.assumption.title) for bar in self.bars)
        names = max(names, metrics.horizontalAdvance(f"{found.objective} (ms)") + 2 * GRID)
        start = area.left() + min(names + 2 * GRID, _LEFT * area.width())
        values = [
            min(side.value_s, _FAR * found.present_s)
            for bar in self.bars
            for side in _sides(bar)
            if math.isfinite(side.value_s)
        ]
        low, high = min([*values, found.present_s]), max([*values, found.present_s])
        texts = max(metrics.horizontalAdvance(_ends(bar)) for bar in self.bars)
        end = max(area.right() - texts - 2 * GRID, start + 0.3 * area.width())
        return Axis(found.objective, "s", low, max(high, low * 1.01), start, end)

    def _paint_ticks(
        self,
        painter: QPainter,
        axis: Axis,
        ticks: list[tuple[float, str]],
        top: float,
        bottom: float,
    ) -> None:
        metrics = QFontMetricsF(painter.font())
        for value, text in ticks:
            x = axis.position(value)
            painter.setPen(QPen(QColor(theme().colours.line), 1))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            painter.setPen(QColor(theme().colours.muted))
            half = metrics.horizontalAdvance(text) / 2 + 2
            box = QRectF(x - half, bottom, 2 * half, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_bar(self, painter: QPainter, place: int, bar: Bar, axis: Axis, row: QRectF) -> None:
        found = self.found
        assert found is not None
        colours, metrics = theme().colours, QFontMetricsF(painter.font())
        if place in self.selected:
            painter.fillRect(row, QColor(colours.selected))
        if place == self.current and self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1, Qt.PenStyle.DotLine))
            painter.drawRect(row.adjusted(0, 0, -1, -1))
        label = QRectF(row.left(), row.top(), axis.start - row.left() - GRID, row.height())
        painter.setPen(QColor(colours.text))
        mode = Qt.TextElideMode  # names of tasks differ at their ends, those of hosts do not
        cut = mode.ElideMiddle if bar.assumption.kind == TIME else mode.ElideRight
        title = metrics.elidedText(bar.assumption.title, cut, label.width())
        painter.drawText(label, _RIGHT, title)
        for side in _sides(bar):
            self._paint_side(painter, side, axis, row)
        painter.setPen(QColor(colours.text))
        box = QRectF(axis.end + GRID, row.top(), row.right() - axis.end - GRID, row.height())
        painter.drawText(box, _BESIDE, elided(_ends(bar), metrics, box.width()))

    def _paint_side(self, painter: QPainter, side: Side, axis: Axis, row: QRectF) -> None:
        """From now to the border in the colour of the kept plan, then in those of the best."""
        found = self.found
        assert found is not None
        middle = row.center().y()
        reached = [found.present_s, *(one.kept_s for one in side.takeovers), side.value_s]
        borders = [axis.position(min(value_s, axis.high)) for value_s in reached]
        plans = [0, *(one.best for one in side.takeovers)]
        for first, last, plan in zip(borders, borders[1:], plans, strict=False):
            box = QRectF(QPointF(first, middle - _BAR / 2), QPointF(last, middle + _BAR / 2))
            if first != last:
                painter.setPen(QPen(QColor(theme().colours.edge), 1))
                painter.setBrush(region_colour(plan))
                painter.drawRect(box.normalized())
                painter.setBrush(Qt.BrushStyle.NoBrush)
                self._write_name(painter, box.normalized(), plan)
        for flip in borders[1:-1]:
            painter.setPen(QPen(QColor(theme().colours.text), 2))
            painter.drawLine(QPointF(flip, row.top() + 1), QPointF(flip, row.bottom() - 1))

    def _write_name(self, painter: QPainter, box: QRectF, plan: int) -> None:
        """Name a plan in its first bar with room: the legend may be out of sight."""
        assert self.found is not None
        name = "the plan advised" if plan == 0 else self.found.names[plan]
        metrics = QFontMetricsF(painter.font())
        if plan not in self._written and metrics.horizontalAdvance(name) + GRID <= box.width():
            self._written.add(plan)
            painter.setPen(QColor(theme().colours.text))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    def _hint(self, bar: Bar) -> str:
        """All of a bar in sentences."""
        found, one = self.found, bar.assumption
        if found is None:
            return ""
        lines = [f"{one.title}, now {one.words(one.present)}"]
        for side in _sides(bar):
            takes = "the plan can't run"
            if math.isfinite(side.value_s):
                takes = f"{found.objective} {duration(side.value_s)}"
            lines.append(f"{one.words(side.end)}: {takes}")
            for takeover in side.takeovers:
                tie = takeover.start == one.present
                at = "Both tie now; beyond" if tie else capital(takeover.place(one))
                lines.append(f"{at}, best is: {found.names[takeover.best]}")
        return "\n".join(lines)

    def _step(self, metrics: QFontMetricsF) -> float:
        return max(_BAR, metrics.height()) + _GAP

    def _row_at(self, y: float) -> int | None:
        """The bar at a height; None beside them."""
        metrics = QFontMetricsF(self.small_font())
        place = math.floor((y - _HEAD) / self._step(metrics))
        return place if 0 <= place < len(self.bars) else None

    def row_middle(self, place: int) -> QPointF:
        """The middle of a bar's row, for pointing at it."""
        metrics = QFontMetricsF(self.small_font())
        top = _HEAD + (place + 0.5) * self._step(metrics)
        return QPointF(self.width() / 2, top)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a bar, or take it out of the selection."""
        place = self._row_at(event.position().y())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.toggle(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set the assumption to where the plan flips."""
        place = self._row_at(event.position().y())
        if place is not None:
            self.activated.emit(self.bars[place])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with the arrows, select with Space, set with Enter."""
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in moves and self.bars:
            self.current = min(max(self.current + moves[Qt.Key(event.key())], 0),
                               len(self.bars) - 1)  # fmt: skip
            self.update()
        elif event.key() == Qt.Key.Key_Space and self.bars:
            self.toggle(self.current)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.bars:
            self.activated.emit(self.bars[self.current])
        else:
            super().keyPressEvent(event)

    def clear_selection(self) -> None:
        """Select no bar."""
        self.selected = ()
        self.update()

    def toggle(self, place: int) -> None:
        """Select a bar beside the last one, or no more."""
        self.current = place
        chosen = [one for one in self.selected if one != place]
        if place not in self.selected:
            chosen = [*chosen, place][-_SELECTED:]
        self.selected = tuple(chosen)
        self.update()
        self.selection_changed.emit()


def _sides(bar: Bar) -> tuple[Side, ...]:
    """The ends that are not the present value."""
    return tuple(side for side in (bar.low, bar.high) if side.end != bar.assumption.present)


def title_right(axis: Axis, ticks: list[tuple[float, str]], metrics: QFontMetricsF) -> float:
    """Where the axis' title ends, at the left of the first tick's text."""
    lefts = (axis.position(at) - metrics.horizontalAdvance(text) / 2 for at, text in ticks)
    return min((axis.start - 2 * GRID, *lefts)) - GRID


def _upright(height: float) -> QPainterPath:
    """The symbol of an upright line."""
    path = QPainterPath()
    path.addRect(QRectF(-0.07, -height / 2, 0.14, height))
    return path


def _flips(bar: Bar) -> bool:
    return any(side.flip is not None for side in (bar.low, bar.high))


def _ends(bar: Bar) -> str:
    """From where to where it goes; that the plan can't run at an end, or what only others gain."""
    one = bar.assumption
    ends = f"{one.words(one.low)} to {one.words(one.high)}"
    if one.is_multiple:
        ends = f"{one.low:.3g} to {one.words(one.high)}"
    runs = all(math.isfinite(side.value_s) for side in (bar.low, bar.high))
    if not runs:
        return f"{ends}: can't run"
    gained = [side.best_s for side in (bar.low, bar.high) if side.takeovers]
    if gained and math.isclose(bar.low.value_s, bar.high.value_s):  # a bar without length
        return f"{ends}; another plan: {duration(min(gained))}"
    return ends
