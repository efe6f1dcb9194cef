"""Where the arrow keys lead on the graph."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from gui.board.layers import Layers

Key = Qt.Key
_UPRIGHT = {Key.Key_Up: -1.0, Key.Key_Down: 1.0}
_NEAR = 0.5  # columns: what is nearer counts as one column
_ENDS = {Key.Key_Home: 0, Key.Key_End: -1}


def first(layers: Layers) -> int:
    """The topmost source."""
    return int(np.lexsort((layers.place, layers.column))[0])


def neighbour(layers: Layers, card: int, key: Qt.Key) -> int | None:
    """Up and down within the column, left and right to the nearest card of the next one.

    Returns None at an edge.
    """
    column, place = float(layers.column[card]), float(layers.place[card])
    mine = np.flatnonzero(np.abs(layers.column - column) < _NEAR)
    mine = mine[np.argsort(layers.place[mine], kind="stable")]
    if key in _ENDS:
        return int(mine[_ENDS[key]])
    if key in _UPRIGHT:
        at = int(np.flatnonzero(mine == card)[0]) + round(_UPRIGHT[key])
        return int(mine[at]) if 0 <= at < len(mine) else None
    right = layers.column >= column + _NEAR
    side = right if key == Key.Key_Right else layers.column <= column - _NEAR
    if not side.any():
        return None
    nearest = np.abs(layers.column[side] - column).min()
    there = np.flatnonzero(side & (np.abs(layers.column - column) < nearest + _NEAR))
    return int(there[np.argmin(np.abs(layers.place[there] - place))])
