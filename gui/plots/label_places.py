"""Where names of points have room: beside their point, over no other name, point or line.

Pure rectangles. Names are placed in their order, each at the first free of eight places around
its point; one that has none is left out, for the pointer and the table to tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF

_SIDES = ((1, 0), (0, -1), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1))


def label_places(
    points: Sequence[QPointF],
    sizes: Sequence[QSizeF],
    area: QRectF,
    lines: Sequence[QRectF] = (),
    radius: float = 8.0,
) -> list[QRectF | None]:
    """The rectangle of every point's name, or ``None`` where there is no room.

    `points`: what is named, pixels; those out of `area` get no name.
    `sizes`: of the names.
    `area`: where names may lie.
    `lines`: what they may not lie on beside the points.
    `radius`: half the side of the square that each point covers.
    """
    side = 2 * radius
    taken = [QRectF(at.x() - radius, at.y() - radius, side, side) for at in points] + list(lines)
    found: list[QRectF | None] = []
    for at, size in zip(points, sizes, strict=True):
        place = None
        if area.contains(at):
            boxes = (_box(at, size, radius, *where) for where in _SIDES)
            free = (box for box in boxes if area.contains(box) and not _hits(box, taken))
            place = next(free, None)
        if place is not None:
            taken.append(place)
        found.append(place)
    return found


def _box(at: QPointF, size: QSizeF, radius: float, right: int, down: int) -> QRectF:
    """A name's rectangle at one side of its point."""
    x = at.x() + right * radius - (1 - right) * size.width() / 2
    y = at.y() + down * radius - (1 - down) * size.height() / 2
    return QRectF(QPointF(x, y), size)


def _hits(box: QRectF, taken: Sequence[QRectF]) -> bool:
    return any(box.intersects(one) for one in taken)
