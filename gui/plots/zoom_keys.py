"""The keys of plots that zoom and pan: F fits, + and − zoom (with Alt across), arrows pan.

While a plot has the focus they are its own, although the board has shortcuts of the same keys.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

STEP = 1.25
PAN = 0.15
Key = Qt.Key
_PANS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}
_ZOOMS = {Key.Key_Plus: STEP, Key.Key_Equal: STEP, Key.Key_Minus: 1 / STEP}
_KEYS = {*_PANS, *_ZOOMS, Key.Key_F}


class Zoomable(Protocol):
    """What the keys work on."""

    def fit(self) -> None:
        """Show everything."""

    def zoom(self, factor: float, *, across: bool) -> None:
        """Enlarge one axis around the middle."""

    def pan(self, along: float, across: float) -> None:
        """Move by shares of what is in view."""


def take_key(plot: Zoomable, event: QKeyEvent) -> bool:
    """Do what the key asks for; whether it is a plot's key."""
    key = event.key()
    if key in _PANS:
        right, up = _PANS[Key(key)]
        plot.pan(PAN * right, PAN * up)
    elif key in _ZOOMS:
        across = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        plot.zoom(_ZOOMS[Key(key)], across=across)
    elif key == Key.Key_F:
        plot.fit()
    else:
        return False
    return True


def kept_from_shortcuts(event: QEvent) -> bool:
    """Whether this asks if the plot wants a key of its own before a shortcut gets it."""
    return (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and event.key() in _KEYS
        and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
    )
