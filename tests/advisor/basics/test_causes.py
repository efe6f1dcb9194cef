"""Causes that stand beside each other in a bar are told apart by their colours."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from advisor.basics.causes import CAUSES, COLOURS, IDLE
from machines.arrays import Floats

_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.9505, 1.0, 1.089])


def lab(colour: str) -> Floats:
    """CIELAB of an sRGB colour: equal distances look about equally different (CIE 1976)."""
    coded = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(coded > 0.04045, ((coded + 0.055) / 1.055) ** 2.4, coded / 12.92)
    ratio = _TO_XYZ @ linear / _WHITE
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_every_cause_has_a_colour_that_differs_clearly_from_all_others() -> None:
    assert set(COLOURS) == {*CAUSES, IDLE}
    distance = {
        (one, other): float(np.linalg.norm(lab(COLOURS[one]) - lab(COLOURS[other])))
        for one, other in combinations(COLOURS, 2)
    }
    assert {pair: far for pair, far in distance.items() if far < 20.0} == {}
