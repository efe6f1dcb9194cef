"""Where the arrow keys lead on the graph."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from gui.board.layers import Layers

Key = Qt.Key
_UPRIGHT = {Key.Key_Up: -1.0, Key.Key_Down: 1.0}
_ENDS = {Key.Key_Home: 0, Key.Key_End: -1}


def first(layers: Layers) -> int:
    """The topmost source."""
    return int(np.lexsort((layers.place, layers.column))[0])


def neighbour(layers: Layers, card: int, key: Qt.Key) -> int | None:
    """Up and down within the column, left and right to the nearest card of the next one.

    Returns None at an edge.
    """
    column, place = float(layers.column[card]), float(layers.place[card])
    mine = np.flatnonzero(layers.column == column)
    mine = mine[np.argsort(layers.place[mine], kind="stable")]
    if key in _ENDS:
        return int(mine[_ENDS[key]])
    if key in _UPRIGHT:
        at = int(np.flatnonzero(mine == card)[0]) + round(_UPRIGHT[key])
        return int(mine[at]) if 0 <= at < len(mine) else None
    side = layers.column > column if key == Key.Key_Right else layers.column < column
    if not side.any():
        return None
    nearest = np.abs(layers.column[side] - column).min()
    there = np.flatnonzero(side & (np.abs(np.abs(layers.column - column) - nearest) < 1e-9))
    return int(there[np.argmin(np.abs(layers.place[there] - place))])
