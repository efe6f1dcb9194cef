"""Tab goes through a window as one reads it, whatever was made first or put in between later.

Qt goes in the order in which widgets were made: rows that come and go, and pages that are filled a
part a turn, would have their stops anywhere in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFormLayout,
    QGridLayout,
    QLayout,
    QMainWindow,
    QScrollArea,
    QSplitter,
    QWidget,
)

_TAB = Qt.FocusPolicy.TabFocus


class InReadingOrder:
    """A window with that order; to stand before its class of Qt."""

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Give the keyboard to the next stop, or to the one before."""
        assert isinstance(self, QWidget)  # noqa: S101, RUF100 - see above
        stops = list(stops_of(self))
        now = QApplication.focusWidget()
        while now is not None and now not in stops:  # it is a part of one
            now = now.parentWidget()
        if all(stop is now for stop in stops):
            return False
        if now is None:
            found = stops[0 if forward else -1]
        else:
            found = stops[(stops.index(now) + (1 if forward else -1)) % len(stops)]
        reasons = Qt.FocusReason
        found.setFocus(reasons.TabFocusReason if forward else reasons.BacktabFocusReason)
        around = found.parentWidget()
        while around is not None:
            if isinstance(around, QScrollArea):
                around.ensureWidgetVisible(found)
            around = around.parentWidget()
        return True


def stops_of(widget: QWidget) -> Iterator[QWidget]:
    """What takes the keyboard by Tab in a widget that is in sight, itself first."""
    if widget.focusPolicy() & _TAB == _TAB and widget.focusProxy() is None:
        yield widget
    for part in _parts(widget):
        if part.isVisible() and part.isEnabled():
            yield from stops_of(part)


def _parts(widget: QWidget) -> list[QWidget]:
    """What lies right inside: as laid out, the rest by its place."""
    layout = widget.layout()
    found: list[QWidget] = []
    if isinstance(widget, QSplitter):
        found = [part for place in range(widget.count()) if (part := widget.widget(place))]
    elif layout is not None:
        found = list(_laid_out(layout))
    rest = [
        child
        for child in widget.children()
        if isinstance(child, QWidget) and not child.isWindow() and child not in found
    ]
    if isinstance(widget, QMainWindow):  # docks behind others are visible, but put outside
        rest = [child for child in rest if child.geometry().intersects(widget.rect())]
    return found + sorted(rest, key=lambda child: (child.y(), child.x()))


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout with an order of its own: row by row."""
    if not isinstance(layout, QBoxLayout | QFormLayout | QGridLayout):
        return
    places = list(range(layout.count()))
    if isinstance(layout, QGridLayout):
        places.sort(key=layout.getItemPosition)  # type: ignore[arg-type] # row, column, spans
    for place in places:
        item = layout.itemAt(place)
        assert item is not None  # noqa: S101, RUF100 - there are so many
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _laid_out(inner)
        elif widget is not None:
            yield widget
