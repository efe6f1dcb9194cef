"""Sky mosaics: the structure of the Montage workflow (Bharathi et al. 2008; Juve et al. 2013).

Images in rows as long as the square root of their number; each is projected, each overlapping
pair (up to eight neighbours an image) compared, one model of the background fitted to all
differences, each image corrected by it, and all are added, shrunk and drawn. Times and volumes
are ours, typical proportions of images of 8 MB, within 30 %; the CCR scales the volumes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, family, varied
from advisor.campaigns.generators.generator_settings import Settings
from machines.parameters import parameter

_IMAGE, _MODEL, _LINE = 8e6, 2e3, 3e2  # bytes


@dataclass(frozen=True)
class Mosaic(Settings):
    """Settings of mosaics."""

    FAMILY: ClassVar[str] = "mosaic"

    images: int = parameter(
        12,
        low=2,
        high=10_000,
        title="Images",
        help="Images n: 2n + 6 tasks, and one for each overlapping pair, up to 4n (12: 59 tasks, "
        "182: 1,019)",
    )


def overlaps(images: int) -> list[tuple[int, int]]:
    """Pairs of neighbours, along rows, columns and diagonals."""
    columns = math.isqrt(images - 1) + 1
    found = []
    for first in range(images):
        right, left = first % columns < columns - 1, first % columns > 0
        after = [(1, right), (columns - 1, left), (columns, True), (columns + 1, right)]
        found += [(first, first + step) for step, there in after if there and first + step < images]
    return found


def shape(settings: Mosaic, rng: np.random.Generator) -> Shape:
    """Wide, narrow, wide and narrow again."""
    found, images, pairs = Shape(), settings.images, overlaps(settings.images)
    projected = found.tasks("project", varied(rng, 14.0, images))
    compared = found.tasks("difference", varied(rng, 2.5, len(pairs)))
    fit = found.task("fit", "fit", 0.05 * len(pairs))
    model = found.task("model", "model", 0.4 * images)
    corrected = found.tasks("correct", varied(rng, 2.0, images))
    table = found.task("table", "table", 0.1 * images)
    total = found.task("add", "add", 1.5 * images)
    small = found.task("shrink", "shrink", 0.3 * images)
    picture = found.task("draw", "draw", 5.0)
    flows = [
        *(
            (projected[image], after, _IMAGE)
            for pair, after in zip(pairs, compared, strict=True)
            for image in pair
        ),
        *((difference, fit, _LINE) for difference in compared),
        (fit, model, 50.0 * len(pairs)),
        *((image, after, _IMAGE) for image, after in zip(projected, corrected, strict=True)),
        *((model, after, _MODEL) for after in corrected),
        *((after, table, _LINE) for after in corrected),
        *((after, total, _IMAGE) for after in corrected),
        (table, total, 100.0 * images),
        (total, small, _IMAGE * images),
        (small, picture, 0.01 * _IMAGE * images),
    ]
    found.varied_flows(rng, flows)
    return found


GENERATOR = family(
    Mosaic,
    "Sky mosaics",
    "Wide, narrow, wide and narrow again: images projected, compared, corrected and added",
    shape,
    "structure of Montage: S. Bharathi et al., Characterization of scientific workflows, WORKS "
    "2008; G. Juve et al., Characterizing and profiling scientific workflows, FGCS 29(3), 2013; "
    "times and volumes are ours",
)
