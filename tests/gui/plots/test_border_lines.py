"""Borders in the cells of a map: a region between two others is a band, and narrows to no point."""

from __future__ import annotations

import numpy as np
import pytest

from gui.plots.border_lines import Point, Sectors, lines, pieces, region_in

SHAPE = (2, 2)
BAND = Sectors(0, 0, (0.5, 0.5), (0.4, 0.6, 2.4, 2.6), (1, 2, 1, 0))  # 0 | 1 | 2, upright


def area(corners: tuple[Point, ...]) -> float:
    x, y = np.array(corners).T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def turned(cell: Sectors) -> Sectors:
    """The same, from its second crossing on."""
    places = (*cell.places[1:], cell.places[0] + 4.0)
    return cell._replace(places=places, regions=(*cell.regions[1:], cell.regions[0]))


@pytest.mark.parametrize("cell", [BAND, turned(BAND)])
def test_a_region_between_two_others_goes_through_the_cell_as_wide_as_it_is(cell: Sectors) -> None:
    x, y = np.meshgrid([0.3, 0.42, 0.5, 0.58, 0.7], [0.05, 0.5, 0.95])
    assert region_in(cell, x, y).tolist() == [[0, 1, 1, 1, 2]] * 3
    areas = {piece.region: area(piece.corners) for piece in pieces([cell], SHAPE)}
    assert areas == pytest.approx({0: 0.4, 1: 0.2, 2: 0.4})
    found = {tuple(sorted((x0, x1))) for x0, _, x1, _ in lines([cell], SHAPE).round(9).tolist()}
    assert found == {(0.4, 0.4), (0.6, 0.6)}


def test_a_band_may_pass_a_corner() -> None:
    around = Sectors(0, 0, (0.3, 0.3), (0.4, 0.8, 3.2, 3.6), (1, 0, 1, 2))
    assert region_in(around, np.array([0.1, 0.3, 0.9]), np.array([0.1, 0.3, 0.9])).tolist() == [
        2, 1, 0,
    ]  # fmt: skip
    assert sum(area(piece.corners) for piece in pieces([around], SHAPE)) == pytest.approx(1.0)


def test_where_nothing_lies_between_others_borders_meet() -> None:
    crossing = Sectors(0, 0, (0.5, 0.5), (0.5, 1.5, 2.5, 3.5), (1, 2, 3, 0))
    assert lines([crossing], SHAPE)[:, :2].tolist() == [[0.5, 0.5]] * 4
    assert region_in(crossing, np.array([0.9]), np.array([0.1])).tolist() == [1]
