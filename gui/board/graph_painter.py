"""Painting of the graph view: cards with their machine's name, groups, curves between them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from advisor.basics import quantities
from gui.basics.ink import CENTRE, RIGHT, Ink, contrasting, thin
from gui.board.graph_curves import paint_curves, paint_volumes, shown_curves
from gui.board.graph_picture import CARD_H, CARD_W, STEP_X, STEP_Y, GraphPicture
from gui.board.labels import NARROW_PAD, PAD, room_for
from gui.board.layers import HEADING, OpenGroup
from gui.board.merging import blended
from machines.arrays import Ints

_READABLE_PX = 32.0  # width of a card below which names are left out
_ROOMY_PX = 96.0  # and from which they go inside, though there may be room below
_MOST_CAPTIONS = 200
_MIDDLE = Qt.TextElideMode.ElideMiddle  # names differ at their ends
_STACK = 3.0  # world pixels between the cards of a stack
_TWO_LINES = 1.6  # heights of a line, from which a card has two
_PLAIN_PX = 8.0  # height of a card below which it is a mere rectangle
_MOST_CARDS = 1500


def paint_graph(painter: QPainter, ink: Ink, picture: GraphPicture, ground: QRectF) -> None:
    """Cards and curves on the visible ground."""
    painter.fillRect(ground, ink.board)
    visible = picture.touching(ground)
    cards = np.flatnonzero(visible)
    painter.save()
    painter.setClipRect(ground)
    for group in picture.layers.opened:
        _paint_frame(painter, ink, picture, group)
    if CARD_H * picture.zoom < _PLAIN_PX and cards.size > _MOST_CARDS:
        _paint_density(painter, ink, picture, cards, ground)
    else:
        curves = shown_curves(picture, visible)
        paint_curves(painter, ink, picture, curves, strong=False)
        below = _captions(ink, picture, cards, ground)
        for card in cards.tolist():
            _paint_card(painter, ink, picture, card, captioned=card in below)
        for card, room in below.items():
            _paint_caption(painter, ink, picture, card, room)
        paint_volumes(painter, ink, picture, curves, cards)
    painter.restore()


def _captions(ink: Ink, picture: GraphPicture, cards: Ints, ground: QRectF) -> dict[int, QRectF]:
    """Room below cards that are too small for their names, wherever no other card is in it.

    Where the ground ends there is none, unless the name has no room in the card at all.
    """
    wide, high, step = (side * picture.zoom for side in (CARD_W, CARD_H, STEP_X))
    if wide >= _ROOMY_PX or step < _READABLE_PX or cards.size > _MOST_CAPTIONS:
        return {}
    found = {}
    x, y = picture.corners
    two, font = _two_lines(ink, high - 4)
    for card in cards.tolist():
        if two and ink.width(picture.name(card), font) <= wide - 2 * NARROW_PAD:
            continue  # as its neighbours, above which there is no room
        top = float(y[card]) + high + 2 * _STACK
        lower = (y > y[card]) & (y < top + 2 * ink.small_line)
        cut = top + 2 * ink.small_line > ground.bottom() and wide >= _READABLE_PX + 2 * PAD
        if not cut and not np.any(lower & (np.abs(x - x[card]) < step)):
            left = float(x[card]) - (step - wide) / 2
            found[card] = QRectF(left + 1, top, step - 2, 2 * ink.small_line)
    return found


def _paint_caption(
    painter: QPainter, ink: Ink, picture: GraphPicture, card: int, room: QRectF
) -> None:
    """The name below a card, and below it what there is room for."""
    line = QRectF(room.left(), room.top(), room.width(), ink.small_line)
    ink.write(painter, line, picture.name(card), ink.text, ink.small, CENTRE, _MIDDLE)
    below = _below(ink, picture, card, _seconds(picture, card), line.width())
    ink.write(painter, line.translated(0, ink.small_line), below, ink.muted, ink.small, CENTRE)


def _paint_card(
    painter: QPainter, ink: Ink, picture: GraphPicture, card: int, *, captioned: bool
) -> None:
    rect, fill = picture.rect(card), card_colour(ink, picture, card)
    critical = bool(picture.forecast.critical_cards[card])
    if rect.height() < _PLAIN_PX:
        painter.fillRect(rect, ink.text if critical else fill.darker(130))
        return
    radius = 6.0 * min(1.0, picture.zoom)
    painter.setBrush(fill)
    if picture.grouped[card]:
        # a stack: there is more below
        painter.setPen(thin(ink.muted))
        for step in (2.0, 1.0):
            shift = step * _STACK * min(1.0, picture.zoom)
            painter.drawRoundedRect(rect.translated(shift, shift), radius, radius)
    painter.setPen(thin(ink.text if critical else ink.muted, 2.5 if critical else 1.0))
    painter.drawRoundedRect(rect, radius, radius)
    if not captioned:
        _paint_words(painter, ink, picture, card, contrasting(fill))


def _paint_words(
    painter: QPainter, ink: Ink, picture: GraphPicture, card: int, colour: QColor
) -> None:
    """The name with the seconds beside it, and below what there is room for."""
    rect = picture.rect(card).adjusted(0, 2, 0, -2)
    if rect.height() < ink.small_line - 2 or rect.width() < _READABLE_PX + 2 * PAD:
        return
    two, font = _two_lines(ink, rect.height())
    upper = QRectF(rect.left(), rect.top(), rect.width(), rect.height() / (1 + two))
    name = picture.name(card) if two else picture.label(card)
    seconds = _seconds(picture, card) if two else ""
    wide = ink.width(name, font)
    both = wide + PAD + ink.width(seconds, ink.small)
    beside = both <= upper.width() - 2 * NARROW_PAD
    most = upper.width() - 2 * NARROW_PAD
    below = _below(ink, picture, card, "" if beside else seconds, most) if two else ""
    # both lines begin where the longer one has room
    room = room_for(upper, max(both if beside else wide, ink.width(below, ink.small)))
    ink.write(painter, room, name, colour, font, elide=_MIDDLE)
    if beside:
        ink.write(painter, room, seconds, colour, ink.small, RIGHT)
    if two:
        ink.write(painter, room.translated(0, upper.height()), below, colour, ink.small)


def _two_lines(ink: Ink, height: float) -> tuple[bool, QFont]:
    """Whether so high a card has two lines, and the font of its name."""
    two = height >= _TWO_LINES * ink.small_line
    return two, ink.bold if two and height >= ink.line + ink.small_line else ink.small


def _seconds(picture: GraphPicture, card: int) -> str:
    tasks = picture.layers.tasks(card)
    return quantities.duration(float(picture.outcome.prediction.task_s[tasks].sum()))


def _below(ink: Ink, picture: GraphPicture, card: int, seconds: str, width: float) -> str:
    """What a card says below its name, as much as there is room for: the first goes last.

    `seconds` is empty where they are beside the name.
    """
    tasks, place = picture.layers.tasks(card), picture.place(card)
    wanted = (place, seconds) if tasks.size == 1 else (f"× {tasks.size:,}", seconds, place)
    parts = list(filter(None, wanted))
    while len(parts) > 1 and ink.width(" · ".join(parts), ink.small) > width:
        del parts[-1]
    return " · ".join(parts)


def card_colour(ink: Ink, picture: GraphPicture, card: int) -> QColor:
    """By kind of task, or by the machine where most of its tasks run."""
    if picture.by_kind:
        return ink.kind(int(picture.layers.kind[card]))
    machine = int(picture.forecast.machine[card])
    return ink.tint(machine, len(picture.outcome.project.platform.machines))


def _paint_frame(painter: QPainter, ink: Ink, picture: GraphPicture, group: OpenGroup) -> None:
    """What surrounds the tasks of an open group: its name and number of tasks."""
    rect = picture.frame(group)
    painter.setPen(thin(ink.muted))
    painter.setBrush(ink.surface)
    painter.drawRoundedRect(rect, 6, 6)
    head = QRectF(rect.left() + 8, rect.top(), rect.width() - 16, HEADING * STEP_Y * picture.zoom)
    if head.height() >= ink.small_line - 2:
        ink.write(painter, head, picture.group_label(group), ink.text, ink.bold, elide=_MIDDLE)


def _paint_density(
    painter: QPainter, ink: Ink, picture: GraphPicture, cards: Ints, ground: QRectF
) -> None:
    """Too many cards to draw: how many of them share each pixel."""
    x, y = picture.corners
    width, height = int(ground.width()) + 1, int(ground.height()) + 1
    column = np.clip(x[cards] - ground.left(), 0, width - 1).astype(np.int64)
    row = np.clip(y[cards] - ground.top(), 0, height - 1).astype(np.int64)
    count = np.bincount(row * width + column, minlength=width * height).reshape(height, width)
    share = np.minimum(count / 3.0, 1.0)
    pixels = blended([(share, ink.computing.rgb() & 0xFFFFFF)], count > 0)
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(ground.topLeft(), image)
