"""How much of the window docks have: a share of it, which follows the window's size.

Qt keeps a dock's pixels and gives all that a window gains to its centre. What the user draws with
the mouse is kept as a share, too. Shares are of each side, however its docks lie there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import shiboken6
from PySide6.QtCore import QByteArray, QRect, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from gui.basics.theme import GRID

_Area = Qt.DockWidgetArea
_SIDES = {
    "left": _Area.LeftDockWidgetArea,
    "right": _Area.RightDockWidgetArea,
    "top": _Area.TopDockWidgetArea,
    "bottom": _Area.BottomDockWidgetArea,
}
_FLAT = {"top", "bottom"}  # whose height is their share; of the others it is the width
_HEIGHT = 0.34
_WIDTH, _LEAST_WIDTH, _MOST_WIDTH = 0.26, 42 * GRID, 60 * GRID  # sentences and fields need no more
_CLOSE = 1  # pixel: as near as rounding leaves a size
_OWN = Qt.FindChildOption.FindDirectChildrenOnly


class DockShares:
    """Keeps the docks of a window at their shares.

    `docks`: by name; those in sight count.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        self._window, self._docks = window, docks
        self._own: dict[str, float] = {}  # what users drew, by side
        self._pressed: dict[str, int] = {}
        self._lent: dict[str, float] = {}

    def fit(self) -> None:
        """Give every side its share of the window as it is now."""
        for side in _SIDES:
            docks, size = self._in_sight(side), self._size(side)
            wanted = self._wanted(side)
            if not docks or abs(size - wanted) <= _CLOSE:
                continue
            axis = Qt.Orientation.Vertical if side in _FLAT else Qt.Orientation.Horizontal
            sizes = [_along(side, self._place(dock).size()) for dock in docks]
            parts = [max(1, round(one * wanted / max(1, size))) for one in sizes]
            self._window.resizeDocks(docks, parts, axis)

    def press(self) -> None:
        """The mouse may begin to draw a side's edge."""
        self._pressed = {side: self._size(side) for side in _SIDES if self._in_sight(side)}

    def release(self) -> None:
        """What was drawn since then is the user's share."""
        for side, before in self._pressed.items():
            if self._in_sight(side) and self._size(side) != before:
                self._own[side] = self._share(side)
                self._lent.pop(side, None)
        self._pressed = {}

    def give(self, side: str, share: float) -> None:
        """At least so much for a side, as if the user had drawn it."""
        if self._wanted(side) < round(share * self._room(side)):
            self._own[side] = share
        self.fit()

    def lend(self, side: str, share: float | None) -> None:
        """At least so much for a side for a while; None: no longer. Nothing for a window gone."""
        if not shiboken6.isValid(self._window):
            return
        self._lent.pop(side, None)
        if share is not None:
            self._lent[side] = share
        self.fit()

    def reset(self) -> None:
        """As at first."""
        self._own = {}

    def written(self) -> QByteArray:
        """The user's shares, to be kept."""
        return QByteArray(json.dumps(self._own).encode())

    def read(self, kept: QByteArray | None) -> None:
        """What was kept; nothing, or what can't be read: as at first."""
        self._own = {}
        try:
            found = json.loads(bytes(kept.data())) if kept is not None else None
        except ValueError:
            return
        if isinstance(found, dict) and all(map(_is_share, found.values())):
            self._own = {side: share for side, share in found.items() if side in _SIDES}

    def _in_sight(self, side: str) -> list[QDockWidget]:
        """The docks of a side that are seen."""
        return [
            dock
            for dock in self._docks.values()
            if in_front(self._window, dock)
            and not dock.isFloating()
            and self._window.dockWidgetArea(dock) == _SIDES[side]
        ]

    def _size(self, side: str) -> int:
        """How high or wide a side is, all its docks together."""
        place = QRect()
        for dock in self._in_sight(side):
            place = place.united(self._place(dock))
        return _along(side, place.size())

    def _place(self, dock: QDockWidget) -> QRect:
        """Where a dock lies, with the bar of its tabs, as Qt counts its size."""
        place = dock.geometry()
        for bar in self._window.findChildren(QTabBar, options=_OWN):
            if bar.isVisible() and bar.geometry().adjusted(0, 0, 0, _CLOSE).intersects(place):
                return place.united(bar.geometry())
        return place

    def _room(self, side: str) -> int:
        return _along(side, self._window.size())

    def _share(self, side: str) -> float:
        return self._size(side) / max(1, self._room(side))

    def _wanted(self, side: str) -> int:
        return max(self._usual(side), round(self._lent.get(side, 0.0) * self._room(side)))

    def _usual(self, side: str) -> int:
        room = self._room(side)
        if side in self._own:
            return round(self._own[side] * room)
        if side in _FLAT:
            return round(_HEIGHT * room)
        return min(max(round(_WIDTH * room), _LEAST_WIDTH), _MOST_WIDTH)


def in_front(window: QMainWindow, dock: QDockWidget) -> bool:
    """Whether a dock is seen; Qt puts one that lies behind another beside the window."""
    placed = dock.isFloating() or dock.geometry().intersects(window.rect())
    return dock.isVisible() and placed


def _along(side: str, size: QSize) -> int:
    return size.height() if side in _FLAT else size.width()


def _is_share(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value) and 0.0 < value < 1.0
