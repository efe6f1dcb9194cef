"""Slack as thin tails behind bars: how much later a bar could end while the makespan stays.

A tail lies under the bars that come after it in its row, so that it shows in the gaps between them.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from gui.basics.ink import Ink
from gui.board.bar_painting import Picture
from gui.board.merging import blended, coverage
from machines.arrays import Floats

_THICK = 3.0


def bar_slack(picture: Picture, slack_s: Floats) -> Floats:
    """Of every bar the least slack of its tasks, array (bars,)."""
    lanes = picture.lanes
    return np.minimum.reduceat(slack_s[lanes.members], lanes.member_from[:-1])


def gaps(picture: Picture, slack_s: Floats) -> tuple[Floats, Floats]:
    """Pixel columns of what can be seen of the tails, arrays (bars,): after each bar, to the next.

    Bars are sorted by row and start, so that the pieces of a row are disjoint.
    """
    lanes, boxes = picture.lanes, picture.boxes
    end = boxes.x1 + bar_slack(picture, slack_s) * picture.frame.px_per_s
    new = np.ones(end.size, dtype=np.bool_)
    new[1:] = (np.diff(lanes.lane) != 0) | (np.diff(lanes.row) != 0)
    # the longest tail so far in its row: rows are lifted apart, so that one pass serves all
    lift = np.cumsum(new) * (float(np.ptp(end)) + 1.0)
    reach = np.maximum.accumulate(end + lift) - lift
    begin = np.maximum.accumulate(boxes.x1 + lift) - lift
    following = np.full(end.size, np.inf)
    following[:-1][~new[1:]] = boxes.taken[1:][~new[1:]]
    return begin, np.maximum(begin, np.minimum(reach, following))


def paint_tails(painter: QPainter, ink: Ink, picture: Picture, slack_s: Floats) -> None:
    """All tails on screen, whatever their number."""
    begin, end = gaps(picture, slack_s)
    frame = picture.frame
    boxes, bottom = picture.boxes, frame.height - frame.footer
    seen = (end - begin >= 1.0) & (end >= frame.header) & (begin <= frame.width)
    shown = np.flatnonzero(seen & (boxes.y + boxes.height >= frame.axis) & (boxes.y <= bottom))
    if picture.moving or not shown.size:
        return
    lanes = picture.lanes
    change = np.ones(shown.size, dtype=np.bool_)
    change[1:] = (np.diff(lanes.lane[shown]) != 0) | (np.diff(lanes.row[shown]) != 0)
    rows, width = np.cumsum(change) - 1, int(frame.ground_width) + 1
    count = int(rows[-1]) + 1
    share = coverage(rows, begin[shown] - frame.header, end[shown] - frame.header, count, width)
    pixels = blended([(share, ink.muted.rgb() & 0xFFFFFF)], share > 1.0)
    image = QImage(pixels.data, width, count, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
    for index, bar in enumerate(shown[change].tolist()):
        tall = float(boxes.height[bar])
        thick = min(_THICK, tall)
        y = float(boxes.y[bar]) + (tall - thick) / 2
        painter.drawImage(QRectF(frame.header, y, width, thick), image, QRectF(0, index, width, 1))
