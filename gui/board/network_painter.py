"""Painting of the network's picture: symbols, lines by bandwidth and load, names where they fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen

from advisor.basics import causes, quantities
from gui.basics.ink import CENTRE, LEFT, Ink, thin
from gui.basics.theme import theme
from gui.board.network_layout import MACHINE, STORE, SWITCH, NetworkLayout, Node
from gui.document.document import Selection

_RADIUS = 6.0
_THINNEST, _THICKEST = 1.2, 5.0
_NAMES = 0.45  # of the width, for the names of the leaves at most
_NEAR = 8.0
_BOW = 40.0  # how far a line between parts of one column is drawn aside
_MANY = 150  # lines, from which on they are thin and plain: others draw slowly

Busy = dict[tuple[str, int], float]  # ("link" or "switch", position) → share of its capacity


@dataclass(frozen=True, eq=False)
class NetworkPlaces:
    """A layout on screen; parts are its nodes, then its edges."""

    layout: NetworkLayout
    area: QRectF
    points: tuple[QPointF, ...]  # of the nodes
    paths: tuple[QPainterPath, ...]  # of the edges
    radius: float  # of the symbols, pixels
    named: bool  # whether there is room for the leaves' names beside them
    pitch: float  # distance of the leaves, pixels

    def node_rect(self, node: int) -> QRectF:
        """Around a symbol."""
        at, radius = self.points[node], self.radius
        return QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)

    def part_at(self, position: QPointF) -> int | None:
        """The part under a point: the nearest symbol, or a line."""
        found = [(_distance(position, at), index) for index, at in enumerate(self.points)]
        distance, node = min(found, default=(math.inf, 0))
        if distance <= self.radius + 2:
            return node
        stroker = QPainterPathStroker()
        stroker.setWidth(_NEAR)
        for edge, path in enumerate(self.paths):
            if stroker.createStroke(path).contains(position):
                return len(self.points) + edge
        return None


def placed(layout: NetworkLayout, ink: Ink, area: QRectF) -> NetworkPlaces:
    """The layout in an area, with room for names where they can be read."""
    leaves = [i for i, node in enumerate(layout.nodes) if _is_leaf(layout, i, node)]
    named = layout.layered and len(leaves) * ink.small_line <= area.height() * 1.02
    widest = max((ink.width(layout.nodes[i].label, ink.small) for i in leaves), default=0.0)
    right = min(widest + 8, _NAMES * area.width()) if named else _RADIUS
    top = 0.0 if layout.layered else ink.small_line
    bowed = any(_bowed(layout, edge.first, edge.second) for edge in layout.edges)
    left = _RADIUS + 2 + (_BOW / 2 if bowed and layout.layered else 0.0)
    inner = area.adjusted(left, top + _RADIUS, -right - _RADIUS - 2, -top - _RADIUS)
    pitch = area.height() / max(1, len(leaves))
    points = tuple(
        QPointF(inner.left() + x * inner.width(), inner.top() + y * inner.height())
        for x, y in zip(layout.x.tolist(), layout.y.tolist(), strict=True)
    )
    paths = tuple(_path(points[edge.first], points[edge.second]) for edge in layout.edges)
    radius = min(_RADIUS, max(2.0, 0.42 * pitch)) if layout.layered else _RADIUS
    return NetworkPlaces(layout, area, points, paths, radius, named, pitch)


def busy_colour(ink: Ink, share: float) -> QColor:
    """From a quiet line (idle) over the colour of shared links to that of contention (full)."""
    share = min(1.0, max(0.0, share))
    ends = [ink.faded(ink.muted, 0.55), theme().cause(causes.LINK_WAIT)]
    ends.append(theme().cause(causes.NETWORK_CONTENTION))
    low, high = (ends[0], ends[1]) if share < 0.5 else (ends[1], ends[2])
    part = 2 * share if share < 0.5 else 2 * share - 1
    mixed = (
        a + part * (b - a)
        for a, b in (
            (low.redF(), high.redF()),
            (low.greenF(), high.greenF()),
            (low.blueF(), high.blueF()),
        )
    )
    return QColor.fromRgbF(*mixed)


def paint_network(
    painter: QPainter,
    ink: Ink,
    places: NetworkPlaces,
    busy: Busy,
    selection: Selection,
    focus: int | None,
) -> None:
    """Lines, then symbols, then names, as many as have room."""
    layout = places.layout
    many = len(layout.edges) > _MANY
    thickest = min(_THICKEST, max(_THINNEST, places.pitch / 4))
    widths = [1.0] * len(layout.edges) if many else _widths(layout, thickest)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
    for index, (edge, path) in enumerate(zip(layout.edges, places.paths, strict=True)):
        share = max(busy.get(("link", link), 0.0) for link in edge.links)
        chosen = selection.link in edge.links
        if chosen or focus == len(layout.nodes) + index:
            glow = ink.accent if chosen else ink.text
            style = Qt.PenStyle.SolidLine if chosen else Qt.PenStyle.DotLine
            painter.strokePath(path, QPen(glow, widths[index] + 4, style))
        painter.setPen(QPen(busy_colour(ink, share), widths[index]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for index, node in enumerate(layout.nodes):
        _paint_node(painter, ink, places, index, _node_share(layout, node, busy))
        if _chosen(layout, node, selection):
            _ring(painter, places.node_rect(index), thin(ink.accent, 2.5))
        if focus == index:
            _ring(painter, places.node_rect(index), thin(ink.text, 1.5, Qt.PenStyle.DotLine))
    _paint_names(painter, ink, places, busy)


def _paint_names(painter: QPainter, ink: Ink, places: NetworkPlaces, busy: Busy) -> None:
    """Names that meet neither a symbol nor one another; the busiest line's share first."""
    layout = places.layout
    taken = [places.node_rect(index) for index in range(len(layout.nodes))]
    shares = [max(busy.get(("link", one), 0.0) for one in edge.links) for edge in layout.edges]
    for index in sorted(range(len(shares)), key=lambda one: -shares[one])[:1]:
        if shares[index] > 0.005:
            text = quantities.percent(shares[index])
            at = places.paths[index].pointAtPercent(0.5)
            size = QRectF(0, 0, ink.width(text, ink.small_bold) + 8, ink.small_line)
            size.moveCenter(at)
            _write_free(painter, ink, places, taken, size, text, bold=True)
    order = sorted(range(len(layout.nodes)), key=lambda one: _rank(layout, one))
    for index in order:
        node, rect = layout.nodes[index], places.node_rect(index)
        text = node.label
        if node.kind == SWITCH and (share := _node_share(layout, node, busy)) > 0.005:
            text = f"{text} {quantities.percent(share)}"
        wide = ink.width(text, ink.small) + 4
        if _is_leaf(layout, index, node) and layout.layered:
            if places.named:
                room = min(wide, places.area.right() - rect.right() - 2)
                middle = rect.center().y() - ink.small_line / 2
                stack = 3.0 if len(node.names) > 1 or node.inside else 0.0
                box = QRectF(rect.right() + 3 + stack, middle, room - stack, ink.small_line)
                _write_free(painter, ink, places, taken, box, text)
            continue
        for above in (True, False):
            box = QRectF(0, 0, wide, ink.small_line)
            box.moveCenter(rect.center())
            box.moveLeft(min(max(box.left(), places.area.left()), places.area.right() - wide))
            box.moveTop(rect.top() - ink.small_line if above else rect.bottom() + 1)
            if _write_free(painter, ink, places, taken, box, text):
                break


def _write_free(
    painter: QPainter,
    ink: Ink,
    places: NetworkPlaces,
    taken: list[QRectF],
    box: QRectF,
    text: str,
    bold: bool = False,
) -> bool:
    """Write where nothing else is; whether there was room."""
    inside = places.area.adjusted(-2, -ink.small_line, 2, ink.small_line)
    if not inside.contains(box) or any(box.intersects(other) for other in taken):
        return False
    taken.append(box)
    ground = QColor(ink.board)
    ground.setAlphaF(0.8)
    painter.fillRect(box.adjusted(0, 1, 0, -1), ground)
    font = ink.small_bold if bold else ink.small
    ink.write(painter, box, text, ink.text, font, CENTRE if bold else LEFT)
    return True


def _paint_node(
    painter: QPainter, ink: Ink, places: NetworkPlaces, index: int, share: float
) -> None:
    """A square for a machine, a drum for a store, a diamond for a switch."""
    node, rect = places.layout.nodes[index], places.node_rect(index)
    painter.setPen(thin(ink.text if node.kind != MACHINE else ink.muted))
    painter.setBrush(theme().tint(0, 1) if node.kind == MACHINE else ink.surface)
    if len(node.names) > 1 or node.inside:
        painter.drawRoundedRect(rect.translated(2.5, -2.5), 2, 2)  # several, one behind the other
    if node.kind == SWITCH:
        painter.setBrush(busy_colour(ink, share) if share > 0 else ink.surface)
        at, radius = rect.center(), places.radius + 1
        corners = ((0, -radius), (radius, 0), (0, radius), (-radius, 0))
        painter.drawPolygon([at + QPointF(x, y) for x, y in corners])
    elif node.kind == STORE:
        body = rect.adjusted(0, 1, 0, -1)
        painter.drawRoundedRect(body, rect.width() / 2, 3)
        lid = QRectF(body.left(), body.top(), body.width(), body.height() * 0.45)
        painter.drawEllipse(lid)
    else:
        painter.drawRoundedRect(rect, 2, 2)


def _chosen(layout: NetworkLayout, node: Node, selection: Selection) -> bool:
    """Whether the selected machine, store or switch is, or is among, what a symbol stands for."""
    platform = layout.platform
    parts = (
        (MACHINE, selection.machine, platform.machines),
        (STORE, selection.store, platform.stores),
        (SWITCH, selection.switch, platform.switches),
    )
    return any(
        kind == node.kind and at is not None and at < len(some) and some[at].name in node.names
        for kind, at, some in parts
    )


def _ring(painter: QPainter, rect: QRectF, pen: QPen) -> None:
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), 4, 4)


def _widths(layout: NetworkLayout, thickest: float) -> list[float]:
    """Pixels by the logarithm of bandwidth, from the narrowest link to the widest."""
    links = layout.platform.links
    each = [
        math.log(
            max(max(links[o].to_second.bandwidth, links[o].to_first.bandwidth) for o in e.links)
        )
        for e in layout.edges
    ]
    low, high = min(each, default=0.0), max(each, default=0.0)
    if high - low < 1e-9:
        return [(_THINNEST + thickest) / 2.4] * len(each)
    return [_THINNEST + (thickest - _THINNEST) * (one - low) / (high - low) for one in each]


def _node_share(layout: NetworkLayout, node: Node, busy: Busy) -> float:
    """How busy a switch is that has a bandwidth of its own."""
    if node.kind != SWITCH:
        return 0.0
    index = {switch.name: at for at, switch in enumerate(layout.platform.switches)}
    return max(busy.get(("switch", index[name]), 0.0) for name in node.names)


def _rank(layout: NetworkLayout, index: int) -> tuple[int, int]:
    """Whose name goes first: stores, the core, what hangs on it, machines."""
    node = layout.nodes[index]
    return (0 if node.kind == STORE else 1, round(100 * float(layout.x[index])))


def _bowed(layout: NetworkLayout, first: int, second: int) -> bool:
    """Whether a line stays in the column at the left."""
    return float(layout.x[first]) == float(layout.x[second]) == 0.0


def _is_leaf(layout: NetworkLayout, index: int, node: Node) -> bool:
    return float(layout.x[index]) >= 1.0 and (node.kind != SWITCH or bool(node.inside))


def _path(first: QPointF, second: QPointF) -> QPainterPath:
    """A line; bowed to the left between parts of one column, so that it shows."""
    path = QPainterPath(first)
    if abs(first.x() - second.x()) < 1.0:
        middle = (first + second) / 2 - QPointF(min(_BOW, abs(first.y() - second.y()) / 2), 0)
        path.quadTo(middle, second)
    else:
        path.lineTo(second)
    return path


def _distance(one: QPointF, other: QPointF) -> float:
    return math.hypot(one.x() - other.x(), one.y() - other.y())
