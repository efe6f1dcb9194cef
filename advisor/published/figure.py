"""A number printed in a paper beside what the model gives for its inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.basics.rounding import ALIKE

REPRODUCED = "reproduced"
DEVIATES = "deviates"
NOT_REPRODUCIBLE = "not reproducible"


@dataclass(frozen=True)
class Figure:
    """One published figure.

    Attributes
    ----------
    model : str
        The model's source.
    figure : str
        What the number is.
    where : str
        Table, equation or section that prints it.
    inputs : str
        What it is computed from; "not printed" where the paper withholds them.
    printed : float
        As in the paper.
    obtained : float or None
        What the model gives; ``None`` where the inputs are not printed.
    deviation : float or None
        obtained/printed − 1.
    status : str
        "reproduced", "deviates" or "not reproducible".
    note : str
        Ties, readings, reasons.
    """

    model: str
    figure: str
    where: str
    inputs: str
    printed: float
    obtained: float | None
    deviation: float | None
    status: str
    note: str = ""


def compared(
    model: str,
    figure: str,
    where: str,
    inputs: str,
    printed: float,
    obtained: float,
    *,
    within: float = 0.0,
    note: str = "",
) -> Figure:
    """A printed figure (≠ 0) against the model's; reproduced if no further than `within` away.

    Parameters
    ----------
    within : float
        Half a unit of the last digit that the paper prints; 0 where it prints the exact value.
    """
    agrees = math.isclose(obtained, printed, rel_tol=ALIKE, abs_tol=within)
    return Figure(
        model,
        figure,
        where,
        inputs,
        float(printed),
        float(obtained),
        obtained / printed - 1.0,
        REPRODUCED if agrees else DEVIATES,
        note,
    )


def at_most(
    model: str, figure: str, where: str, inputs: str, printed: float, obtained: float, note: str
) -> Figure:
    """A bound (≠ 0) that a paper claims; reproduced if the model's value is not above it."""
    status = REPRODUCED if obtained <= printed else DEVIATES
    ratio = obtained / printed - 1.0
    return Figure(model, figure, where, inputs, float(printed), obtained, ratio, status, note)


def withheld(model: str, figure: str, where: str, printed: float, note: str) -> Figure:
    """A printed figure whose inputs the paper does not print."""
    return Figure(
        model, figure, where, "not printed", float(printed), None, None, NOT_REPRODUCIBLE, note
    )


def measured(model: str, figure: str, where: str, printed: float, note: str) -> Figure:
    """A printed measurement: an input of the model, or what nothing of it speaks of."""
    return Figure(
        model, figure, where, "measured", float(printed), None, None, NOT_REPRODUCIBLE, note
    )


def unexplained(
    model: str, figure: str, where: str, inputs: str, printed: float, obtained: float, note: str
) -> Figure:
    """A printed figure (≠ 0) that no reading of the stated inputs gives, beside what one gives."""
    ratio = obtained / printed - 1.0
    return Figure(
        model, figure, where, inputs, float(printed), obtained, ratio, NOT_REPRODUCIBLE, note
    )
