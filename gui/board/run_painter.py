"""Painting of two bars a task: above as an outline what was predicted, below filled what happened.

What is to come is dashed there, once the rest was replanned.

Bars are those of `gui.board.bar_painting`, merged to pixels where there is no room; each takes a
part of its row.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from advisor.basics.units import durations
from gui.basics.ink import CENTRE, LEFT, Ink, thin
from gui.basics.pill import paint_pill
from gui.board.bar_painting import (
    CARD_PX,
    Picture,
    ground_edges,
    paint_bars,
    paint_rows,
    paint_veil,
    rows_of,
)
from gui.board.chips import chip_size
from gui.board.frame import Boxes, Frame
from gui.board.merging import blended, coverage, marks
from gui.board.run_bars import RunBars
from gui.board.schedule_painter import ground_rect
from machines.arrays import Ints

PREDICTED, HAPPENED, FAILED, LATE = "predicted", "actual", "failed", "late"
REPLANNED, GONE = "replanned", "gone"
SIGN, LATE_SIGN = "✕", "!"  # beside the colour of what failed, and of what is late
_UPPER = 0.38  # of a row: the outline of what was predicted
_LINE = 1.0
_PALE = 0.22  # of an outline's colour inside, where outlines are merged
_GOING = 0.5  # how far a bar that still grows steps back
_SIGNED = 400  # failed bars with a sign each
_SIGN_PX = 4.0  # half its width
_SWATCH = 10.0


def upper(boxes: Boxes) -> Boxes:
    """Where what was predicted lies in the rows of these boxes."""
    return boxes._replace(height=boxes.height * _UPPER)


def lower(boxes: Boxes) -> Boxes:
    """Where what happened lies in the rows of these boxes."""
    gap = np.minimum(1.0, 0.1 * boxes.height)
    top = boxes.height * _UPPER + gap
    return boxes._replace(y=boxes.y + top, height=boxes.height - top)


def paint_pairs(
    painter: QPainter, ink: Ink, pictures: tuple[Picture, Picture, Picture | None], run: RunBars
) -> None:
    """Outlines of all predicted bars and the bars of the run, failed ones with their sign.

    `pictures`: what was predicted, what happened, and what is to come, if that was replanned.
    """
    predicted, happened, coming = pictures
    painter.save()
    painter.setClipRect(ground_rect(predicted.frame))
    _paint_outlines(painter, ink, predicted)
    if coming is not None:
        _paint_outlines(painter, ink, coming, Qt.PenStyle.DashLine)
    paint_bars(painter, ink, happened, raised=False)
    going = QColor(ink.board)
    going.setAlphaF(_GOING)
    paint_veil(painter, happened, run.running, going)
    _paint_late(painter, ink, happened, run.late)
    _paint_failed(painter, ink, happened, run.failed)
    painter.restore()


def paint_gone(painter: QPainter, ink: Ink, frame: Frame, run: RunBars) -> None:
    """A veil over the lanes of machines that were lost, from then on."""
    veil = QColor(ink.worse_surface)
    veil.setAlphaF(_GOING)
    painter.save()
    painter.setClipRect(ground_rect(frame))
    painter.setPen(thin(ink.worse, 1.5))
    for machine, at_s in run.happened.gone:
        (top, height), left = frame.lane_box(machine), frame.x(at_s)
        painter.fillRect(QRectF(left, top, max(0.0, frame.width - left), height), veil)
        painter.drawLine(QLineF(left, top, left, top + height))
    painter.restore()


def paint_gone_names(painter: QPainter, ink: Ink, frame: Frame, run: RunBars) -> None:
    """A word on the cards of machines that were lost."""
    width, height = chip_size(ink, GONE, bold=False, small=True)
    painter.save()
    painter.setClipRect(QRectF(0, frame.axis, frame.header, frame.ground_height))
    for machine, _ in run.happened.gone:
        top, whole = frame.lane_box(machine)
        chip = QRectF(frame.header - width - 10, top + 5, width, min(height, whole - 6))
        paint_pill(painter, ink, chip, GONE, ink.worse_surface, ink.worse, ink.small)
    painter.restore()


def paint_makespans(
    painter: QPainter, ink: Ink, frame: Frame, predicted_s: float, run: RunBars
) -> float:
    """Two lines with their values: dashed where the plan would end, solid where the run did.

    Once the rest was replanned, its end is that of the plan. Returns where the first value begins.
    """
    happened_s, actual, planned = run.happened_s, run.happened, PREDICTED
    if run.coming is not None:
        predicted_s, planned = run.last_s, REPLANNED
    values = durations(
        predicted_s, happened_s if actual.now_s is not None else run.lanes.makespan_s
    )
    word = "so far" if actual.now_s is not None else HAPPENED
    lines = [
        (predicted_s, f"{planned} {values[0]}", Qt.PenStyle.DashLine),
        (happened_s, f"{word} {values[1]}", Qt.PenStyle.SolidLine),
    ]
    lines.sort(key=lambda one: one[0])
    sizes = [chip_size(ink, text, bold=True) for _, text, _ in lines]
    left, right = frame.header + 4, frame.width - 4
    first, second = (frame.x(seconds) for seconds, _, _ in lines)
    # the chip of the earlier end before its line, that of the later one behind: side by side
    second_x = min(max(second, left + sizes[0][0] + 4), right - sizes[1][0])
    first_x = max(min(first - sizes[0][0], second_x - 4 - sizes[0][0]), left)
    top = frame.bottom + (frame.height - frame.bottom - sizes[0][1]) / 2
    for (seconds, text, style), x, (width, height) in zip(
        lines, (first_x, second_x), sizes, strict=True
    ):
        at = frame.x(seconds)
        if frame.header - 1 <= at <= frame.width:
            painter.setPen(thin(ink.worse, 2.0, style))
            painter.drawLine(QLineF(at, frame.axis - 4, at, frame.bottom))
        rect = QRectF(x, top, width, height)
        painter.setPen(thin(ink.worse, 1.0, style))
        painter.setBrush(ink.worse_surface)
        painter.drawRoundedRect(rect, 6, 6)
        ink.write(painter, rect, text, ink.worse, ink.bold, CENTRE)
    return first_x


def paint_key(painter: QPainter, ink: Ink, frame: Frame, run: RunBars, right: float) -> None:
    """What outlines and filled bars mean; failed and late ones, if any. `right`: where it ends."""
    height = 0.6 * ink.small_line
    room = QRectF(8, frame.bottom, right - 14, frame.height - frame.bottom)
    clear, solid = QColor(0, 0, 0, 0), Qt.PenStyle.SolidLine
    swatches = [(PREDICTED, clear, solid), (HAPPENED, ink.computing, solid)]
    if run.coming is not None:
        swatches.append((REPLANNED, clear, Qt.PenStyle.DashLine))
    for word, fill, style in swatches:
        box = QRectF(room.left(), room.center().y() - height / 2, _SWATCH, height)
        painter.setPen(thin(ink.computing, 1.5, style))
        painter.setBrush(fill)
        painter.drawRect(box)
        room.setLeft(box.right() + 3)
        ink.write(painter, room, word, ink.muted, ink.small, LEFT)
        room.setLeft(room.left() + ink.width(word, ink.small) + 5)
    words = [f"{SIGN} {FAILED}"] * bool(run.failed.size)
    words += [f"{LATE_SIGN} {LATE}"] * bool(run.late.size)
    ink.write(painter, room, "  ".join(words), ink.worse, ink.small, LEFT)


def _paint_outlines(
    painter: QPainter, ink: Ink, picture: Picture, style: Qt.PenStyle = Qt.PenStyle.SolidLine
) -> None:
    boxes = picture.boxes
    wide = boxes.x1 - boxes.x0 >= CARD_PX
    painter.setPen(thin(ink.computing, 1.5, style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for bar in np.flatnonzero(picture.visible & wide).tolist():
        rect = picture.rect(bar).adjusted(0.75, 0.75, -0.75, -0.25)
        radius = min(4.0, rect.height() / 4)
        painter.drawRoundedRect(rect, radius, radius)
    narrow = np.flatnonzero(picture.visible & ~wide)
    if narrow.size:
        _paint_merged(painter, ink, picture, narrow)


def _paint_merged(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """Narrow outlines as pixels: pale inside, a line above and below, and at wide ones' begin."""
    rows, found = rows_of(picture, bars)
    size = (len(rows), int(picture.frame.ground_width) + 1)
    x0, x1 = ground_edges(picture, bars)
    share = coverage(found, x0, x1, *size)
    present = marks(found, x0, *size)
    pale, line = (
        colour.rgb() & 0xFFFFFF for colour in (ink.faded(ink.computing, _PALE), ink.computing)
    )
    pixels = blended([(share, pale)], present)
    apart = x1 - x0 >= 3.0
    pixels[marks(found[apart], x0[apart], *size)] = ink.computing.rgba()
    paint_rows(painter, picture, bars[rows], pixels)
    edges = blended([(share, line)], present)
    paint_rows(painter, picture, bars[rows], edges, height=_LINE)
    paint_rows(painter, picture, bars[rows], edges, height=-_LINE)


def _paint_late(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """An edge in the colour of what is worse, and a sign, of tasks that take much longer."""
    for bar in bars[picture.visible[bars]][:_SIGNED].tolist():
        rect = picture.rect(bar)
        painter.setPen(thin(ink.worse, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3)
        sign = QRectF(rect.right() - 3 * _SIGN_PX, rect.top(), 2 * _SIGN_PX, rect.height())
        if sign.left() > rect.left():
            ink.write(painter, sign, LATE_SIGN, ink.worse, ink.bold, CENTRE)


def _paint_failed(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """Failed bars in the colour of what is worse, with a cross."""
    paint_veil(painter, picture, bars, ink.worse)
    shown = bars[picture.visible[bars]]
    if len(shown) > _SIGNED:
        return
    for bar in shown.tolist():
        rect = picture.rect(bar)
        half = min(_SIGN_PX, rect.height() / 2)
        at = QPointF(max(rect.left(), picture.frame.header) + half + 2, rect.center().y())
        inside = rect.width() >= 2 * half + 4
        painter.setPen(thin(ink.surface if inside else ink.worse, 2.0))
        painter.drawLine(at + QPointF(-half, -half), at + QPointF(half, half))
        painter.drawLine(at + QPointF(-half, half), at + QPointF(half, -half))
