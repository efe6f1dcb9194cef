"""Paints the scene of a tree: edges, processes, bundles, who has the message, the critical path.

What has no room is left out, never laid over something else: every text stays within the span of
its process. Kinds differ in shape, not in colour alone: back-ends are square, internal processes
round, bundles have a comb of the children in them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPolygonF

from gui.basics.ink import CENTRE, LEFT, Ink, lines_of, thin
from gui.basics.theme import theme
from gui.studies.picture.picture_legend import LegendRow
from gui.studies.tree.tree_drawing import REDUCTION, Run, TreeDrawing
from gui.studies.tree.tree_geometry import Scene, rect
from gui.studies.tree.tree_words import (
    SHORT_BUNDLE,
    TOO_BUSY,
    labels_of,
    pack_lines,
    pack_short,
    time_text,
    tree_sentence,
)
from machines.arrays import Floats

_PAD = 4.0
_TOOTH = 3.0  # pixels of a child from which a bundle shows its comb
_ROUND = 6.0
_MOST_TEETH = 400


def paint_ground(painter: QPainter, ink: Ink, drawing: TreeDrawing, scene: Scene) -> None:
    """Edges, empty processes and empty bundles."""
    _paint_fans(painter, ink, scene)
    painter.setPen(thin(ink.hatch))
    painter.drawLines(lines_of(scene.edges[1:]))
    _paint_packs(painter, ink, drawing, scene)
    inner = drawing.tree.fanouts[scene.nodes] > 0
    busy = [drawing.share(int(each)) > 1.0 for each in scene.nodes]
    filled = ink.raised if theme().dark else ink.surface
    for place, (box, late) in enumerate(zip(scene.boxes, busy, strict=True)):
        painter.setBrush(ink.worse_surface if late else filled)
        painter.setPen(thin(ink.worse, 2.0) if late else thin(ink.muted))
        if inner[place]:
            painter.drawRoundedRect(rect(box), _ROUND, _ROUND)
        else:
            painter.drawRect(rect(box))


def paint_path(painter: QPainter, ink: Ink, run: Run, scene: Scene) -> None:
    """The critical path, as far as it is drawn."""
    painter.setPen(thin(ink.accent, 3.0))
    painter.drawLines(lines_of(path_edges(scene, run)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(thin(ink.accent, 2.0))
    for place in _path_places(scene, run):
        painter.drawRoundedRect(rect(scene.boxes[place]), _ROUND, _ROUND)


def paint_done(painter: QPainter, ink: Ink, run: Run, scene: Scene, time: float) -> None:
    """Fill who has the message at a time; bundles by the share of their back-ends."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(done_colour(ink))
    inset = 1.0
    for box in scene.boxes[run.times.done[scene.nodes] <= time]:
        painter.drawRoundedRect(rect(box).adjusted(inset, inset, -inset, -inset), 4.0, 4.0)
    up = run.operation == REDUCTION
    rects = []
    for pack, share in zip(scene.packs, shares_done(run, scene, time), strict=True):
        full = rect(pack).adjusted(inset, inset, -inset, -inset)
        height = full.height() * float(share)
        top = full.bottom() - height if up else full.top()
        rects.append(QRectF(full.left(), top, full.width(), height))
    painter.drawRects(rects)


def paint_messages(painter: QPainter, ink: Ink, run: Run, scene: Scene, time: float) -> None:
    """The messages that are under way on the edges drawn."""
    sent, done = run.times.sent[scene.nodes[1:]], run.times.done[scene.nodes[1:]]
    way = (sent < time) & (time < done)
    share = ((time - sent[way]) / (done[way] - sent[way]))[:, None]
    edges = scene.edges[1:][way]
    if run.operation == REDUCTION:
        share = 1.0 - share
    places = edges[:, :2] + share * (edges[:, 2:] - edges[:, :2])
    painter.setPen(thin(ink.board))
    painter.setBrush(ink.accent)
    for x, y in places.tolist():
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)


def paint_words(painter: QPainter, ink: Ink, drawing: TreeDrawing, run: Run, scene: Scene) -> None:
    """All texts: of processes, of bundles, and the times on the critical path."""
    for node, box, room in zip(scene.nodes.tolist(), scene.boxes, scene.rooms, strict=True):
        if room > ink.small_line:
            _write_node(painter, ink, drawing, node, rect(box))
    for pack, first, last, span in zip(
        scene.packs, scene.first.tolist(), scene.last.tolist(), scene.back_ends, strict=True
    ):
        seen = rect(pack).intersected(scene.area)
        if seen.width() > ink.small_line:
            held = (drawing, first, last, int(span[1] - span[0]))
            _write_pack(painter, ink, seen, pack_lines(*held), pack_short(*held))
    _write_path_times(painter, ink, run, scene)


def paint_legend(
    painter: QPainter, ink: Ink, drawing: TreeDrawing, operation: str, scene: Scene, strip: QRectF
) -> None:
    """What the signs mean, and how large the tree is."""
    row = LegendRow(painter, ink, strip)
    row.write(tree_sentence(drawing), ink.text)
    painter.setPen(thin(ink.accent, 3.0))
    painter.drawLine(QPointF(row.x, row.middle), QPointF(row.x + 18, row.middle))
    row.x += 22
    row.write("critical path", ink.muted)
    painter.setPen(thin(ink.muted))
    painter.setBrush(done_colour(ink))
    painter.drawRoundedRect(QRectF(row.x, row.middle - 5, 14, 10), 3, 3)
    row.x += 18
    row.write("has delivered" if operation == REDUCTION else "is informed", ink.muted)
    if drawing.costs.rate > 0.0:
        row.write(f"{TOO_BUSY} too busy", ink.worse)
    if scene.packs.size:
        row.write(SHORT_BUNDLE, ink.muted)


def done_colour(ink: Ink) -> QColor:
    """The ground of who has the message; text on it stays readable."""
    return ink.faded(ink.accent, 0.38 if theme().dark else 0.2)


def shares_done(run: Run, scene: Scene, time: float) -> Floats:
    """Which share of the back-ends of each bundle has the message at a time, exactly."""
    spans = scene.back_ends.tolist()
    counts = np.array([np.count_nonzero(run.back_ends[a:b] <= time) for a, b in spans])
    sizes = scene.back_ends[:, 1] - scene.back_ends[:, 0]
    return np.asarray(counts / np.maximum(sizes, 1), np.float64)


def path_edges(scene: Scene, run: Run) -> Floats:
    """The lines of the critical path, (edges, 4); the last one may end at a bundle."""
    places = _path_places(scene, run)
    lines = [scene.edges[place] for place in places[1:]]
    rest = run.times.path[len(places) :]
    if rest.size and places:
        pack = scene.pack_of(int(rest[0]))
        if pack is not None:
            layout, left = scene.layout, scene.packs[pack]
            middle = layout.left[rest[0]] + layout.below[rest[0]] / 2
            x = min(max(float(scene.sight.x(middle)), left[0]), left[2])
            above = scene.boxes[places[-1]]
            lines.append(np.array([(above[0] + above[2]) / 2, above[3], x, left[1]]))
    return np.array(lines).reshape(-1, 4)


def _path_places(scene: Scene, run: Run) -> list[int]:
    """Which of the scene's nodes the critical path goes through, until it leaves them."""
    places = []
    for process in run.times.path.tolist():
        place = scene.place_of(process)
        if place is None:
            break
        places.append(place)
    return places


def _paint_fans(painter: QPainter, ink: Ink, scene: Scene) -> None:
    """From each parent to its bundles: as many edges as nobody could tell apart."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.faded(ink.hatch, 0.45))
    above = scene.boxes[scene.pack_parents]
    middles = (above[:, 0] + above[:, 2]) / 2
    for x, y, (left, top, right, _) in zip(
        middles.tolist(), above[:, 3].tolist(), scene.packs.tolist(), strict=True
    ):
        corners = (QPointF(x - 1, y), QPointF(x + 1, y), QPointF(right, top), QPointF(left, top))
        painter.drawPolygon(QPolygonF(corners))


def _paint_packs(painter: QPainter, ink: Ink, drawing: TreeDrawing, scene: Scene) -> None:
    layout = drawing.layout
    for pack, first, last in zip(
        scene.packs, scene.first.tolist(), scene.last.tolist(), strict=True
    ):
        late = drawing.widest_share(first, last) > 1.0
        painter.setBrush(ink.worse_surface if late else ink.faded(ink.hatch, 0.3))
        painter.setPen(thin(ink.worse if late else ink.hatch))
        painter.drawRect(rect(pack))
        width = float(pack[2] - pack[0])
        if 1 < last - first < min(width / _TOOTH, _MOST_TEETH):
            places = scene.sight.x(layout.left[first + 1 : last])
            top = float(pack[1])
            painter.drawLines([QLineF(x, top, x, top + 6.0) for x in places.tolist()])


def _write_node(
    painter: QPainter, ink: Ink, drawing: TreeDrawing, process: int, box: QRectF
) -> None:
    """The longest label that fits into a process."""
    room, two = box.width() - _PAD, box.height() >= 2 * ink.small_line
    for title, more in labels_of(drawing, process):
        wide = max(ink.width(title, ink.small_bold), ink.width(more, ink.small) if two else 0.0)
        if wide <= room:
            break
    else:
        return
    colour = ink.worse if title.startswith(TOO_BUSY) else ink.text
    lines = [(title, ink.small_bold, colour)]
    if two and more:
        lines.append((more, ink.small, ink.text))
    _write_lines(painter, ink, box, lines)


def _write_pack(
    painter: QPainter, ink: Ink, seen: QRectF, lines: Sequence[str], short: str
) -> None:
    """All that a bundle holds, along it or, where it is narrow, down it."""
    wide, high = seen.width() - _PAD, seen.height() - 2 * _PAD
    found = next(
        (
            (texts, turned)
            for texts, turned in (
                (lines, False), ((", ".join(lines),), True), (lines, True),
                ((short,), False), ((short,), True),
            )
            if _fits(ink, texts, *((high, wide) if turned else (wide, high)))
        ),
        None,
    )  # fmt: skip
    if found is None:
        return
    texts, turned = found
    written = [(text, ink.small, ink.text) for text in texts]
    if not turned:
        _write_lines(painter, ink, seen, written)
        return
    painter.save()
    painter.translate(seen.center())
    painter.rotate(-90)
    along = QRectF(-seen.height() / 2, -seen.width() / 2, seen.height(), seen.width())
    _write_lines(painter, ink, along, written)
    painter.restore()


def _fits(ink: Ink, texts: Sequence[str], along: float, across: float) -> bool:
    """Whether lines of text have room in a box."""
    widest = max(ink.width(text, ink.small) for text in texts)
    return widest <= along and len(texts) * ink.small_line <= across + _PAD


def _write_lines(
    painter: QPainter, ink: Ink, box: QRectF, lines: Sequence[tuple[str, QFont, QColor]]
) -> None:
    """Lines of text in the middle of a box."""
    top = box.center().y() - len(lines) * ink.small_line / 2
    for place, (text, font, colour) in enumerate(lines):
        line = QRectF(box.left(), top + place * ink.small_line, box.width(), ink.small_line)
        ink.write(painter, line, text, colour, font, CENTRE)


def _write_path_times(painter: QPainter, ink: Ink, run: Run, scene: Scene) -> None:
    """When the message has passed each edge of the critical path, where there is room."""
    if scene.sight.row - scene.sight.high < ink.small_line + 4:
        return
    for line, process in zip(path_edges(scene, run), run.times.path[1:].tolist(), strict=False):
        text = time_text(float(run.times.done[process]))
        plate = plate_beside(line, ink.width(text, ink.small) + 6, ink.small_line, scene)
        if plate is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink.board)
            painter.drawRoundedRect(plate, 3, 3)
            ink.write(painter, plate.adjusted(3, 0, 0, 0), text, ink.text, ink.small, LEFT)


def plate_beside(edge: Floats, width: float, height: float, scene: Scene) -> QRectF | None:
    """Room for a label at an edge: right of it, left of it, or on it at the canvas's side."""
    x, _, end, bottom = edge.tolist()
    at, area = (x + end) / 2, scene.area
    top = bottom - (scene.sight.row - scene.sight.high) / 2 - height / 2
    for left in (at + 6, at - 6 - width, max(min(at - 6 - width, area.right()), area.left())):
        plate = QRectF(left, top, width, height)
        if area.contains(plate) and not _covers_packs(plate, scene):
            return plate
    return None


def _covers_packs(plate: QRectF, scene: Scene) -> bool:
    """Whether a label would lie over what bundles say."""
    left, top, right, bottom = scene.packs.T
    across = (left < plate.right()) & (right > plate.left())
    return bool((across & (top < plate.bottom()) & (bottom > plate.top())).any())
