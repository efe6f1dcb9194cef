"""Small pictures of plans: a row a machine, a bar a task, the same seconds in all of them.

Tasks that run elsewhere than under the plan advised have an outline.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from advisor.basics.quantities import count
from advisor.studies.what_if.run import MiniBoard
from gui.basics.theme import GRID, theme
from gui.plots.painted_chart import elided

CAPTION = "Who runs where, on one time axis; outlined: tasks that move"
_WIDTH = 34.0 * GRID  # of a card, at least
_WIDEST = 64.0 * GRID  # … and at most
_NAMES = 0.3  # of a card, for names of machines
_ROWS = 6  # machines in a picture
_TIP = (38 * GRID, 2)  # width of a picture in a tooltip, and pixels a point
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Card = tuple[str, MiniBoard, QColor]  # name of the plan, its picture, its colour


def boards_height(cards: Sequence[Card], width: float, metrics: QFontMetricsF) -> float:
    """How high the cards are below each other in a room of that width."""
    if not cards:
        return 0.0
    rows = -(-len(cards) // _columns(cards, width))
    return metrics.height() + GRID + rows * (_height(cards, metrics) + GRID)


def paint_boards(painter: QPainter, room: QRectF, cards: Sequence[Card]) -> None:
    """Draw the caption and the cards, in the painter's font."""
    if not cards:
        return
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(theme().colours.muted))
    painter.drawText(QRectF(room.topLeft(), room.size()), CAPTION)
    columns = _columns(cards, room.width())
    width, height = min(room.width() / columns, _WIDEST), _height(cards, metrics)
    most_s = max(float(board.end_s.max(initial=0.0)) for _, board, _ in cards)
    for place, (name, board, colour) in enumerate(cards):
        row, column = divmod(place, columns)
        left = room.left() + column * width
        top = room.top() + metrics.height() + GRID + row * (height + GRID)
        _paint_card(
            painter, QRectF(left, top, width - 2 * GRID, height), name, board, colour, most_s
        )


def tip_picture(cards: Sequence[Card], font: QFont) -> str:
    """The cards below each other as an image of a rich text."""
    width, scale = _TIP
    metrics = QFontMetricsF(font)
    height = _height(cards, metrics) + GRID
    image = QImage(width * scale, round(height * len(cards)) * scale, QImage.Format.Format_ARGB32)
    image.fill(QColor(theme().colours.surface))
    painter = QPainter(image)
    painter.scale(scale, scale)
    painter.setFont(font)
    most_s = max(float(board.end_s.max(initial=0.0)) for _, board, _ in cards)
    for place, (name, board, colour) in enumerate(cards):
        room = QRectF(GRID / 2, place * height + GRID / 2, width - GRID, height - GRID)
        _paint_card(painter, room, name, board, colour, most_s)
    painter.end()
    made = QByteArray()
    buffer = QBuffer(made)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    names = escape(", ".join(name for name, _, _ in cards))
    data = b64encode(made.data()).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" width="{width}" alt="{names}">'


def _columns(cards: Sequence[Card], width: float) -> int:
    return max(1, min(len(cards), int(width / _WIDTH)))


def _shown(board: MiniBoard) -> list[int]:
    """The machines in the picture: those that run something, in their order."""
    return sorted(set(board.machine))[:_ROWS]


def _height(cards: Sequence[Card], metrics: QFontMetricsF) -> float:
    most = max(len(_shown(board)) for _, board, _ in cards)
    return (most + 2) * metrics.height()


def _paint_card(
    painter: QPainter, room: QRectF, name: str, board: MiniBoard, colour: QColor, most_s: float
) -> None:
    metrics = QFontMetricsF(painter.font())
    line, colours = metrics.height(), theme().colours
    swatch = QRectF(room.left(), room.top() + line / 2 - 6, 12, 12)
    painter.setBrush(colour)
    painter.setPen(QPen(QColor(colours.edge), 1))
    painter.drawRect(swatch)
    head = QRectF(room.left() + 18, room.top(), room.width() - 18, line)
    painter.setPen(QColor(colours.text))
    painter.drawText(head, _LEFT, elided(name, metrics, head.width()))
    shown, start = _shown(board), room.left() + _NAMES * room.width()
    scale = (room.right() - start) / most_s if most_s > 0.0 else 0.0
    tops = {one: room.top() + (place + 1) * line for place, one in enumerate(shown)}
    for one, top in tops.items():
        box = QRectF(room.left(), top, start - room.left() - GRID / 2, line)
        painter.setPen(QColor(colours.muted))
        painter.drawText(box, _RIGHT, elided(board.machines[one], metrics, box.width()))
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(QPointF(start, top + line), QPointF(room.right(), top + line))
    for task, machine in enumerate(board.machine):
        if machine not in tops:
            continue
        left, right = (start + scale * float(at[task]) for at in (board.start_s, board.end_s))
        box = QRectF(left, tops[machine] + 2, max(right - left, 1.0), line - 4)
        moved = task in board.moved
        painter.fillRect(box, colour)
        painter.setPen(QPen(QColor(colours.text if moved else colours.edge), 2 if moved else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
    idle = len(board.machines) - len(set(board.machine))
    more = len(set(board.machine)) - len(shown)
    words = [f"{count(more, 'more machine')}"] if more else []
    words += [f"{count(idle, 'machine')} idle"] if idle else []
    foot = QRectF(start, room.top() + (len(shown) + 1) * line, room.right() - start, line)
    painter.setPen(QColor(colours.muted))
    painter.drawText(foot, _LEFT, elided(", ".join(words), metrics, foot.width()))
