"""Colours beside each other differ for everybody, also with one kind of cones missing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from advisor.basics.causes import CAUSES, COLOURS
from advisor.studies.styles.run import TITLES
from gui.plots.series_colours import cause_colour

# Machado, Oliveira & Fernandes 2009, severity 1, on linear RGB
EYES = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.052]]
    ),
    "deuteranopia": np.array(
        [[0.3673, 0.8606, -0.228], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]
    ),
    "tritanopia": np.array(
        [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def lab(colour: QColor, eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of what the eye sees."""
    encoded = np.array(colour.getRgbF()[:3])  # type: ignore[index]
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    share = TO_XYZ @ np.clip(eye @ linear, 0.0, 1.0) / WHITE
    root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16.0 / 116.0)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def nearest(colours: dict[str, QColor]) -> float:
    """The least distance (CIE 1976) of two of them, for any eye."""
    return min(
        float(np.linalg.norm(lab(one, eye) - lab(other, eye)))
        for one, other in combinations(colours.values(), 2)
        for eye in EYES.values()
    )


@pytest.mark.parametrize(
    ("colours", "least"),
    [
        ({name: cause_colour(name) for name in TITLES.values()}, 15.0),
        ({name: QColor(COLOURS[name]) for name in CAUSES}, 11.0),
    ],
)
def test_parts_beside_each_other_differ_for_every_eye(
    colours: dict[str, QColor], least: float
) -> None:
    assert nearest(colours) >= least
    pale = colours | {"pale": QColor(COLOURS["transferring"]).lighter(103)}
    assert nearest(pale) < least
