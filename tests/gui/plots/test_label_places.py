"""Names of points lie over nothing else, or are left out."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gui.plots.label_places import label_places

AREA = QRectF(0, 0, 400, 300)
SIZE = QSizeF(60, 14)


def test_a_lone_name_stands_at_the_right_of_its_point() -> None:
    (box,) = label_places([QPointF(100, 100)], [SIZE], AREA, radius=8)
    assert box == QRectF(108, 93, 60, 14)


def test_at_the_right_edge_it_stands_above() -> None:
    (box,) = label_places([QPointF(360, 100)], [SIZE], AREA, radius=8)
    assert box == QRectF(330, 78, 60, 14)


def test_the_first_come_first_and_who_has_no_room_has_none() -> None:
    small = QRectF(0, 0, 100, 30)
    points = [QPointF(10, 9), QPointF(10, 21)]
    found = label_places(points, [SIZE, QSizeF(60, 20)], small, radius=4)
    assert [box is not None for box in found] == [True, False]


def test_a_point_out_of_sight_has_no_name() -> None:
    assert label_places([QPointF(-5, 10)], [SIZE], AREA) == [None]


def test_a_line_is_left_free() -> None:
    line = QRectF(100, 98, 200, 4)
    (box,) = label_places([QPointF(100, 100)], [SIZE], AREA, [line])
    assert box is not None
    assert not box.intersects(line)


@given(st.lists(st.tuples(st.integers(-20, 420), st.integers(-20, 320)), max_size=25))
def test_no_name_lies_on_another_or_on_a_point_or_outside(places: list[tuple[int, int]]) -> None:
    points = [QPointF(x, y) for x, y in places]
    found = label_places(points, [SIZE] * len(points), AREA, radius=8)
    boxes = [box for box in found if box is not None]
    assert all(AREA.contains(box) for box in boxes)
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
    squares = [QRectF(at.x() - 7, at.y() - 7, 14, 14) for at in points]
    assert not any(box.intersects(square) for box in boxes for square in squares)
