"""A map of two parameters, coloured by what is best where, with the present point.

Every region has a number, a label where there is room, and a place in the legend; colour alone
means nothing, and letters would be taken for names of tasks. Pointer and arrow keys read out a
point, a double click or Enter chooses it; wheel, + and − zoom. What is drawn is in
`gui.plots.region_items`, made with the first map.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import duration
from gui.basics.figures import Table
from gui.basics.theme import GRID, theme
from gui.plots.map_drawing import MapPicture, axis_title
from gui.plots.plot_canvas import Canvas
from gui.plots.plot_legend import Entry
from gui.plots.regions import UNKNOWN
from gui.plots.span import Span

Point = tuple[float, float]
Key = Qt.Key

_STEPS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Down: (0, -1), Key.Key_Up: (0, 1)}
_ONCE = {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease}
_NEAR = 6.0
# not red against green, which say worse and better elsewhere
_HUES = (215, 40, 285, 175, 60, 250, 320, 195, 20, 270, 75, 300)


class RegionMap(Canvas):
    """The map; `chosen` tells a point that the user picked.

    `cursor_point`: the point that is read out. `chooses`: a double click chooses, rather than show
    everything as it does beside the map.
    """

    hovered = Signal(object)  # (x, y) | None
    chosen = Signal(object)  # (x, y)
    legend_beside = True
    has_grid = False
    chooses = True

    def __init__(self, name: str, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, empty, parent)
        self.picture: MapPicture | None = None
        self.present: Point = (0.0, 0.0)
        self.cursor_point: Point | None = None

    @property
    def is_filled(self) -> bool:
        """Whether there is a map."""
        return self.picture is not None

    def build(self) -> None:
        """Make axes and items."""
        from gui.plots.region_items import RegionItems  # noqa: PLC0415 - imports pyqtgraph

        super().build()
        self.canvas.setAntialiasing(True)  # of the ring
        self._items = RegionItems(self.plot, self.colour, self.texts)
        self._items.show_cursor(None)

    def show_map(self, picture: MapPicture | None) -> None:
        """Show `picture`; ``None``: the sentence of the empty map. A zoom stays on equal axes."""
        before, self.picture = self.picture, picture
        if picture is None:
            self._move_cursor(None)
        else:
            if self.canvas is None:
                self.build()
            kept = self.part() if picture.alike(before) else None
            self.present = picture.present
            self._items.show_map(picture)
            for axis, shown in zip(self.axes, (picture.x, picture.y), strict=True):
                axis.setLogMode(shown.log)
                axis.measure(shown.name, shown.unit, shown.ticks)
            self.look_at(kept)
            self.set_dimmed(self.dimmed)
        self.dress()

    def move_present(self, point: Point) -> None:
        """The project lies elsewhere on the same map now."""
        self.present = point
        if self.picture is not None:
            self._items.move_present(point)

    def wholes(self) -> tuple[Span, Span]:
        """The ranges of both parameters."""
        return (Span(0.0, 1.0), Span(0.0, 1.0)) if self.picture is None else self.picture.spans

    def is_log(self, across: bool) -> bool:
        """As the map says."""
        picture = self.picture
        return picture is not None and (picture.x, picture.y)[across].log

    def colour(self, region: int) -> QColor:
        """The colour of a region."""
        return region_colour(region)

    def texts(self, region: int) -> tuple[str, ...]:
        """What may be written into a region, the longest first."""
        if region == UNKNOWN or self.picture is None:
            return "computing…", "…"
        return f"{region + 1}: {self.picture.labels[region]}", f"{region + 1}"

    def entries(self) -> list[Entry]:
        """The regions that there are, and the first: best now, it may be so on a line alone."""
        found = {0, *(patch.region for patch in self.picture.patches)} if self.picture else ()
        entries = [
            Entry(self.texts(region)[0], self.colour(region))
            for region in sorted(found)
            if region != UNKNOWN
        ]
        if self.picture is not None and self.picture.odds is not None:
            entries.append(Entry("faded: even odds", QColor(theme().colours.surface)))
        return entries

    def recolour(self) -> None:
        """Draw regions, boundaries and points in the theme's colours."""
        self._items.dress(self.small_font())

    def hint_at(self, position: QPointF) -> str:
        """What is best at a point, and its value."""
        point, picture = self.point_at(position), self.picture
        if point is None or picture is None:
            return ""
        region, value_s = picture.at(*point)
        if region == UNKNOWN:
            return self.texts(region)[0]
        about = "" if picture.cells else "≈ "
        return f"{self.texts(region)[0]}\n{picture.value_name} {about}{duration(value_s)}"

    def table(self) -> Table:
        """One row a sampled point: x, y, the region, the best plan and its value."""
        picture = self.picture
        if picture is None:
            return Table(("x", "y", "region", "best", "value"), ())
        rows = tuple(
            (
                float(x),
                float(y),
                f"{region + 1}" if region >= 0 else "",
                picture.labels[region] if region >= 0 else "",
                float(picture.values_s[row, column]),
            )
            for row, y in enumerate(picture.y.values)
            for column, x in enumerate(picture.x.values)
            for region in (int(picture.regions[row, column]),)
        )
        return Table(
            (
                axis_title(picture.x),
                axis_title(picture.y),
                "region",
                "best",
                f"{picture.value_name} (s)",
            ),
            rows,
        )

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and a few labels."""
        return QSize(40 * GRID, 16 * GRID)

    def point_at(self, position: QPointF) -> Point | None:
        """Parameter values at a point of the canvas; ``None`` outside the map."""
        picture = self.picture
        if picture is None:
            return None
        if not self.area().adjusted(-_NEAR, -_NEAR, _NEAR, _NEAR).contains(position):
            return None
        x, y = self.values_at(position)
        if not picture.cells:
            return x, y
        row, column = picture.cell(x, y)
        return float(picture.x.values[column]), float(picture.y.values[row])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The pointer reads out, a double click chooses; the middle button moves the map."""
        if isinstance(event, QMouseEvent) and not event.buttons() & Qt.MouseButton.MiddleButton:
            kind, point = event.type(), self.point_at(event.position())
            left = event.button() == Qt.MouseButton.LeftButton
            twice = left and kind == QEvent.Type.MouseButtonDblClick
            if twice and self.chooses and point is not None:
                self.chosen.emit(point)
                return True
            if kind == QEvent.Type.MouseMove or (left and kind in _ONCE):
                self._move_cursor(point)
                return True
        elif event.type() == QEvent.Type.Leave and not self.hasFocus():
            self._move_cursor(None)
        return super().eventFilter(watched, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor of the keyboard."""
        self._move_cursor(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the cursor, Enter chooses its point, Esc lets go; the rest zooms."""
        picture, key = self.picture, event.key()
        if picture is not None and key in _STEPS:
            (x, y), (right, up) = self.cursor_point or self.present, _STEPS[Key(key)]
            cells = picture.cells
            self._move_cursor((picture.x.stepped(x, right, cells), picture.y.stepped(y, up, cells)))
        elif key in (Key.Key_Return, Key.Key_Enter) and self.cursor_point is not None:
            self.chosen.emit(self.cursor_point)
        elif key == Key.Key_Escape and self.cursor_point is not None:
            self._move_cursor(None)
        else:
            super().keyPressEvent(event)

    def _move_cursor(self, point: Point | None) -> None:
        if point == self.cursor_point:
            return
        self.cursor_point, picture = point, self.picture
        if self.canvas is not None:
            at = point and picture and (picture.x.at(point[0]), picture.y.at(point[1]))
            self._items.show_cursor(at or None)
        self.hovered.emit(point)


def region_colour(position: int) -> QColor:
    """A quiet colour, far in hue from those of the neighbouring positions."""
    if position < 0:
        return QColor(theme().colours.raised)
    dark = theme().dark
    light = (62, 78)[position % 2] if dark else (214, 198)[position % 2]
    return QColor.fromHsl(_HUES[position % len(_HUES)], 70 if dark else 120, light)
