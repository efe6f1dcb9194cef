"""Painting of the schedule view: axis, lanes, bars, flows, makespan, and offers in the lanes."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from advisor.basics import quantities
from advisor.odds import Band
from gui.basics.ink import CENTRE, LEFT, Ink, thin
from gui.basics.verdicts import ILLEGAL
from gui.board.arcs import Arcs
from gui.board.bar_painting import Picture, paint_bars, paint_veil
from gui.board.cards import Facts, card_rect, paint_card
from gui.board.chips import chip_size, paint_chip, paint_ghost, paint_hatch
from gui.board.frame import LANE_PAD, Frame
from gui.board.label_blocks import paint_blocks
from gui.board.offers import Offer
from gui.board.strips_painter import DISCLOSURE
from gui.board.transfer_curves import paint_arcs
from gui.plots.time_ticks import ticks
from machines.arrays import Floats, Ints

_TICK_GAP = 24.0
_LOW_PX = 12.0  # bars below have no room for two edges
_CORNER = 10.0  # px of a folded corner
_OUTLINED = 400  # selected bars with an outline each; more get a veil


@dataclass(frozen=True, eq=False)
class Ghost:
    """Where the leading task would run in each lane, seconds; NaN where it can't."""

    name: str
    start_s: Floats
    end_s: Floats
    home: int  # its present lane


def paint_lanes(painter: QPainter, ink: Ink, frame: Frame, title: str = "") -> None:
    """Lanes, axis with a `title` and grid; the grid goes on below the lanes, where loads are."""
    painter.fillRect(QRectF(0, 0, frame.width, frame.height), ink.board)
    painter.save()
    painter.setClipRect(ground_rect(frame))
    _paint_bands(painter, ink, frame)
    painter.setClipRect(ground_rect(frame).adjusted(0, 0, 0, frame.section))
    _paint_grid(painter, ink, frame)
    painter.restore()
    _paint_axis(painter, ink, frame, title)


def paint_work(painter: QPainter, ink: Ink, picture: Picture, arcs: Arcs, chosen: Ints) -> None:
    """Bars and transfers."""
    painter.save()
    painter.setClipRect(ground_rect(picture.frame))
    # behind the bars, so that their names stay readable; the critical path goes on top, too
    paint_arcs(painter, ink, picture, arcs, chosen)
    paint_bars(painter, ink, picture, raised=False)
    if not picture.moving:
        paint_blocks(painter, ink, picture)
    paint_bars(painter, ink, picture, raised=True)
    paint_arcs(painter, ink, picture, arcs, chosen[arcs.critical[chosen]], over=True)
    painter.restore()


def paint_cards(
    painter: QPainter,
    ink: Ink,
    frame: Frame,
    facts: tuple[Facts, ...],
    offers: list[Offer],
    selected: int | None,
    aimed: int | None,
    marked: tuple[bool, ...] = (),
    busy: bool = False,
    overlay: int | None = None,
) -> None:
    """The machine cards of the visible lanes; they do not scroll with time.

    `marked`: cards that leave room for a mark before the name. `busy`: write the utilisation beside
    every name. `overlay`: the overlay that is selected.
    """
    painter.save()
    painter.setClipRect(QRectF(0, frame.axis, frame.header, frame.ground_height))
    for lane in frame.shown.tolist():
        top, height = frame.lane_box(lane)
        if top + height < frame.axis or top > frame.height:
            continue
        card = card_rect(top, height, frame.header)
        paint_card(
            painter,
            ink,
            card,
            facts[lane],
            offers[lane],
            selected=lane == selected,
            aimed=lane == aimed,
            indent=DISCLOSURE if lane < len(marked) and marked[lane] else 0.0,
            busy=busy,
            overlay=overlay,
        )
    painter.restore()


def paint_selection(
    painter: QPainter, ink: Ink, picture: Picture, bars: Ints, focus: int | None
) -> None:
    """The selected bars in the accent colour, and a dotted ring around the one in focus."""
    painter.save()
    painter.setClipRect(ground_rect(picture.frame))
    _paint_marked(painter, ink, picture, bars, ink.accent, 0.6)
    if focus is not None:
        paint_focus(painter, ink, picture.rect(focus))
    painter.restore()


def paint_moved(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """Outlines of bars that lie on another machine in the other plan; a veil over very many."""
    painter.save()
    painter.setClipRect(ground_rect(picture.frame))
    _paint_marked(painter, ink, picture, bars, ink.worse, 0.35)
    painter.restore()


def paint_changed(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """A folded corner on bars whose tasks are decided otherwise in the other plan.

    Where there are very many bars they are too small for it.
    """
    shown = bars[picture.visible[bars]]
    if len(shown) > _OUTLINED:
        return
    painter.save()
    painter.setClipRect(ground_rect(picture.frame))
    painter.setPen(thin(ink.surface, 1.0))
    painter.setBrush(ink.text)
    for bar in shown.tolist():
        rect = picture.rect(bar)
        side = min(_CORNER, rect.height(), rect.width())
        corner = rect.topRight()
        painter.drawPolygon(
            QPolygonF((corner, corner - QPointF(side, 0.0), corner + QPointF(0.0, side)))
        )
    painter.restore()


def _paint_marked(
    painter: QPainter, ink: Ink, picture: Picture, bars: Ints, colour: QColor, opacity: float
) -> None:
    """Outlines of the visible ones of some bars; over very many a veil of this opacity."""
    shown = bars[picture.visible[bars]]
    if len(shown) > _OUTLINED:
        veil = QColor(colour)
        veil.setAlphaF(opacity)
        paint_veil(painter, picture, bars, veil)
        return
    for bar in shown.tolist():
        _paint_outline(painter, ink, picture.rect(bar), colour)


def _paint_outline(painter: QPainter, ink: Ink, rect: QRectF, colour: QColor) -> None:
    """A heavy edge with a light one inside, seen on any bar; a low bar has but a thin one."""
    if rect.height() < _LOW_PX:
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        edge = min(1.5, rect.height() / 3)
        for y in (rect.top(), rect.bottom() - edge):
            painter.drawRect(QRectF(rect.left(), y, rect.width(), edge))
        for x in (rect.left(), rect.right() - edge):
            painter.drawRect(QRectF(x, rect.top(), edge, rect.height()))
        return
    painter.setBrush(QColor(0, 0, 0, 0))
    painter.setPen(thin(colour, 3.0))
    painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), 5, 5)
    painter.setPen(thin(ink.surface, 1.0))
    painter.drawRoundedRect(rect.adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)


def paint_focus(painter: QPainter, ink: Ink, rect: QRectF) -> None:
    """The keyboard's place: a ring outside the card."""
    pen = thin(ink.text, 1.5)
    pen.setDashPattern([2.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(QColor(0, 0, 0, 0))
    painter.drawRoundedRect(rect.adjusted(-3.5, -3.5, 3.5, 3.5), 6, 6)


def paint_offers(
    painter: QPainter,
    ink: Ink,
    frame: Frame,
    offers: list[Offer],
    ghost: Ghost,
    aimed: int | None,
) -> None:
    """In each lane where the task would lie and what that makes of the objective."""
    painter.save()
    ground = ground_rect(frame)
    painter.setClipRect(ground)
    paint_veil_over(painter, ink, ground)
    for lane, offer in enumerate(offers):
        top, height = frame.lane_box(lane)
        band = QRectF(ground.left(), top, ground.width(), height)
        if not band.intersects(ground):
            continue
        if lane == aimed:
            glow = QColor(ink.accent)
            glow.setAlphaF(0.10)
            painter.fillRect(band, glow)
        if offer.verdict == ILLEGAL:
            paint_hatch(painter, ink, band)
            rect = QRectF(ground.left() + 16, top, 0, height)
        else:
            rect = _ghost_rect(frame, ghost, lane)
            paint_ghost(
                painter,
                ink,
                rect.intersected(ground.adjusted(-9, 0, 9, 0)),
                *_ghost_text(ghost, lane, aimed),
            )
        _paint_lane_chip(painter, ink, rect, band, offer)
    painter.restore()


def paint_veil_over(painter: QPainter, ink: Ink, rect: QRectF) -> None:
    """Step what lies beneath back, so that the offers stand out."""
    veil = QColor(ink.board)
    veil.setAlphaF(0.55)
    painter.fillRect(rect, veil)


def paint_band(painter: QPainter, ink: Ink, rect: QRectF) -> None:
    """The rubber band."""
    fill = QColor(ink.accent)
    fill.setAlphaF(0.15)
    painter.setBrush(fill)
    painter.setPen(thin(ink.accent))
    painter.drawRect(rect)


def paint_hand(painter: QPainter, ink: Ink, x: float, y: float, text: str) -> None:
    """What is in hand, at the pointer."""
    width, height = chip_size(ink, text, bold=True)
    rect = QRectF(x + 10, y + 10, width, height)
    painter.setOpacity(0.92)
    painter.setPen(thin(ink.accent))
    painter.setBrush(ink.accent)
    painter.drawRoundedRect(rect, 6, 6)
    ink.write(painter, rect, text, ink.on_accent, ink.bold, CENTRE)
    painter.setOpacity(1.0)


def ground_rect(frame: Frame) -> QRectF:
    """The part of the surface where bars are."""
    return QRectF(frame.header, frame.axis, frame.ground_width, frame.ground_height)


def _ghost_rect(frame: Frame, ghost: Ghost, lane: int) -> QRectF:
    top, height = frame.lane_box(lane)
    inside = min(max(height - 2 * LANE_PAD, 4.0), frame.row_most)
    x0 = max(-1e6, min(1e6, frame.x(float(ghost.start_s[lane]))))
    x1 = max(-1e6, min(1e6, frame.x(float(ghost.end_s[lane]))))
    return QRectF(x0, top + (height - inside) / 2, max(x1 - x0, 3.0), inside)


def _ghost_text(ghost: Ghost, lane: int, aimed: int | None) -> tuple[str, bool]:
    if lane == ghost.home:
        return "", lane == aimed
    length = quantities.duration(float(ghost.end_s[lane] - ghost.start_s[lane]))
    return f"{ghost.name} here: {length}", lane == aimed


def _paint_lane_chip(
    painter: QPainter, ink: Ink, ghost: QRectF, band: QRectF, offer: Offer
) -> None:
    """The chip right of the ghost, or left of it or on it where there is no room."""
    width, height = chip_size(ink, offer.long, offer.best)
    width = min(width, band.width() - 16)
    height = min(height, band.height() - 2)
    x = ghost.right() + 12
    if x + width > band.right() - 8:
        x = ghost.left() - 12 - width
    x = min(max(x, band.left() + 8), band.right() - 8 - width)
    rect = QRectF(x, band.center().y() - height / 2, width, height)
    paint_chip(painter, ink, rect, offer, offer.long)


def _paint_bands(painter: QPainter, ink: Ink, frame: Frame) -> None:
    for place, lane in enumerate(frame.shown.tolist()):
        top, height = frame.lane_band(lane)
        if top > frame.height or top + height < frame.axis:
            continue
        if place % 2 == 0:
            painter.fillRect(QRectF(frame.header, top, frame.ground_width, height), ink.surface)
        painter.setPen(thin(ink.edge))
        bottom = top + height
        painter.drawLine(QLineF(frame.header, bottom, frame.width, bottom))


def _marks(ink: Ink, frame: Frame) -> list[tuple[float, str]]:
    widest = ink.width("58 min 30 s", ink.small) + _TICK_GAP
    first = max(0.0, frame.time(frame.header))
    return ticks(first, frame.time(frame.width), widest / frame.px_per_s)


def _paint_grid(painter: QPainter, ink: Ink, frame: Frame) -> None:
    painter.setPen(thin(ink.edge))
    for seconds, _ in _marks(ink, frame):
        x = frame.x(seconds)
        painter.drawLine(QLineF(x, frame.axis, x, frame.bottom))


def _paint_axis(painter: QPainter, ink: Ink, frame: Frame, title: str) -> None:
    place = QRectF(12, 0, frame.header - 16, frame.axis)
    if title:
        ink.write(painter, place, title, ink.text, ink.bold, LEFT)
    else:
        ink.write(painter, place, "time", ink.muted, ink.small, LEFT)
    painter.save()
    painter.setClipRect(QRectF(frame.header, 0, frame.ground_width, frame.axis))
    for seconds, text in _marks(ink, frame):
        x, width = frame.x(seconds), ink.width(text, ink.small) + 4
        left = x if x - width / 2 < frame.header else x - width / 2
        if left + width > frame.width:
            break
        ink.write(painter, QRectF(left, 0, width, frame.axis), text, ink.muted, ink.small, CENTRE)
    painter.restore()


def _paint_band(painter: QPainter, ink: Ink, frame: Frame, band: Band) -> None:
    left = max(frame.x(band.p10_s), frame.header)
    right = min(frame.x(band.p90_s), frame.width)
    if right <= left:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.worse_surface)
    painter.drawRect(QRectF(left, frame.axis - _BAND, right - left, _BAND))
    x = frame.x(band.expected_s)
    if x <= frame.width:
        painter.setPen(thin(ink.worse))
        painter.drawLine(QLineF(x, frame.axis - _BAND, x, frame.axis))


_BAND = 6.0  # pixels of the axis in which the ends of runs are shown


def paint_makespan(
    painter: QPainter,
    ink: Ink,
    frame: Frame,
    makespan_s: float,
    value: str = "",
    band: Band | None = None,
) -> None:
    """A line where the last bar ends, down through all loads, with its value.

    With a band also where four of five runs end, on the axis, and the mean.
    """
    x = frame.x(makespan_s)
    text = f"makespan {value or quantities.duration(makespan_s)}"
    if band is not None:
        _paint_band(painter, ink, frame, band)
        text += f", expect {quantities.duration(band.expected_s)}"
    width, height = chip_size(ink, text, bold=True)
    bottom = frame.bottom
    if frame.header - 1 <= x <= frame.width:
        painter.setPen(thin(ink.worse, 2.0))
        painter.drawLine(QLineF(x, frame.axis - 4, x, bottom))
    left = min(max(x - width / 2, frame.header + 4), frame.width - width - 4)
    room = frame.height - bottom
    rect = QRectF(left, bottom + (room - height) / 2, width, height)
    painter.setPen(thin(ink.worse))
    painter.setBrush(ink.worse_surface)
    painter.drawRoundedRect(rect, 6, 6)
    ink.write(painter, rect, text, ink.worse, ink.bold, CENTRE)
