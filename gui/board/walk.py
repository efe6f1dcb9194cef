"""Where the arrow keys lead on the schedule."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from gui.board.lanes import Lanes

Key = Qt.Key


def neighbour(lanes: Lanes, bar: int, key: Qt.Key) -> int | None:
    """The bar next to `bar`.

    Left and right, Home and End go by start within the lane; up and down to the bar of the
    nearest lane that has one whose middle is nearest in time.

    Returns None at an edge.
    """
    if key in (Key.Key_Up, Key.Key_Down):
        return _other_lane(lanes, bar, 1 if key == Key.Key_Down else -1)
    mine = np.flatnonzero(lanes.lane == lanes.lane[bar])
    mine = mine[np.lexsort((mine, lanes.end_s[mine], lanes.start_s[mine]))]
    place = int(np.flatnonzero(mine == bar)[0])
    to = {
        Key.Key_Left: place - 1,
        Key.Key_Right: place + 1,
        Key.Key_Home: 0,
        Key.Key_End: len(mine) - 1,
    }[key]
    return int(mine[to]) if 0 <= to < len(mine) else None


def _other_lane(lanes: Lanes, bar: int, step: int) -> int | None:
    middle = (lanes.start_s + lanes.end_s) / 2
    lane = int(lanes.lane[bar]) + step
    while 0 <= lane < len(lanes.rows):
        there = np.flatnonzero(lanes.lane == lane)
        if there.size:
            return int(there[np.argmin(np.abs(middle[there] - middle[bar]))])
        lane += step
    return None
