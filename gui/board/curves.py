"""Flows as curves from the end of one bar to the start of the next, wider the longer they take."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen

from advisor.allocation.prediction import Prediction
from advisor.allocation.workload import Workload
from gui.basics.ink import Ink
from gui.board.bars import Picture
from machines.arrays import Ints

MANY = 80  # from here on only the critical path's and the selection's are drawn
MOST = 300
_WIDEST = 4.5
_CRITICAL = 2.5
_DOTTED = 30


def flows_to_draw(workload: Workload, prediction: Prediction, tasks: frozenset[int]) -> Ints:
    """Positions of the flows worth drawing, the longest transfers first among many.

    Parameters
    ----------
    tasks : frozenset of int
        The selection; its flows are always among them.
    """
    count = workload.sources.size
    if count <= MANY:
        return np.arange(count, dtype=np.int64)
    wanted = prediction.critical_flows.copy()
    if tasks and len(tasks) <= MANY:
        chosen = np.fromiter(tasks, dtype=np.int64)
        wanted |= np.isin(workload.sources, chosen) | np.isin(workload.targets, chosen)
    found = np.flatnonzero(wanted)
    longest = np.argsort(-prediction.flow_s[found], kind="stable")
    return found[longest[:MOST]]


def curve(picture: Picture, source: int, target: int) -> QPainterPath | None:
    """The curve between two tasks' bars; None within one bar."""
    first, last = (int(picture.lanes.bar_of[task]) for task in (source, target))
    if first == last:
        return None
    box = picture.boxes
    begin = QPointF(float(box.x1[first]), float(box.y[first] + box.height[first] / 2))
    end = QPointF(float(box.x0[last]), float(box.y[last] + box.height[last] / 2))
    reach = max(16.0, min(120.0, abs(end.x() - begin.x()) / 2))
    path = QPainterPath(begin)
    path.cubicTo(begin + QPointF(reach, 0), end - QPointF(reach, 0), end)
    return path


def paint_flows(
    painter: QPainter,
    ink: Ink,
    picture: Picture,
    prediction: Prediction,
    flows: Ints,
    strong: frozenset[int],
) -> None:
    """Draw `flows`; those in `strong`, and the critical ones, in full colour."""
    seen = QRectF(0, 0, picture.frame.width, picture.frame.height)
    longest = float(prediction.flow_s[flows].max(initial=0.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    workload = picture.workload
    for flow in flows.tolist():
        path = curve(picture, int(workload.sources[flow]), int(workload.targets[flow]))
        if path is None or not path.controlPointRect().adjusted(-1, -1, 1, 1).intersects(seen):
            continue
        seconds = float(prediction.flow_s[flow])
        critical = bool(prediction.critical_flows[flow])
        colour = ink.text if critical else (ink.transferring if seconds > 0 else ink.muted)
        if not critical and flow not in strong:
            colour = ink.faded(colour, 0.5)
        share = seconds / longest if longest > 0 else 0.0
        width = 1.0 + ((_WIDEST if len(flows) <= MANY else _WIDEST / 2) - 1.0) * share
        width = min(width, _CRITICAL) if critical else width
        dotted = seconds <= 0 and len(flows) <= _DOTTED  # dashes take ten times as long to draw
        style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
        painter.setPen(QPen(colour, width, style, Qt.PenCapStyle.FlatCap))
        painter.drawPath(path)


def flow_at(picture: Picture, flows: Ints, position: QPointF) -> int | None:
    """The drawn flow under a point, give or take 4 px."""
    stroker = QPainterPathStroker()
    stroker.setWidth(8.0)
    near = QRectF(position.x() - 5, position.y() - 5, 10, 10)
    for flow in flows.tolist():
        path = curve(
            picture, int(picture.workload.sources[flow]), int(picture.workload.targets[flow])
        )
        if path is None or not path.controlPointRect().adjusted(-1, -1, 1, 1).intersects(near):
            continue
        if stroker.createStroke(path).contains(position):
            return int(flow)
    return None
