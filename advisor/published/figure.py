"""A number printed in a paper beside what the model gives for its inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal

from advisor.basics.quantities import MINUS, percent
from advisor.basics.rounding import ALIKE

REPRODUCED = "reproduced"
DEVIATES = "deviates"
NOT_REPRODUCIBLE = "not reproducible"

_MOST_DECIMALS = 9  # a value with more is a printed formula, computed at full length


@dataclass(frozen=True)
class Figure:
    """One published figure.

    `within`: half a unit of the last digit that is printed, or how rough the print is; 0 where
    exact.
    """

    model: str  # the model's source
    figure: str  # what the number is
    where: str  # table, equation or section that prints it
    inputs: str  # what it is computed from; "not printed" where the paper withholds them
    printed: float  # as in the paper
    obtained: float | None  # what the model gives; None where the inputs are not printed
    deviation: float | None  # obtained/printed − 1
    status: str  # "reproduced", "deviates" or "not reproducible"
    note: str = ""  # ties, readings, reasons
    within: float = field(default=0.0, compare=False)

    @property
    def printed_text(self) -> str:
        """The number with the paper's own digits."""
        return _plain(self.printed, self._decimals)

    @property
    def obtained_text(self) -> str:
        """The model's value, rounded like the print where it reproduces that; else 3 digits."""
        if self.obtained is None:
            return ""
        if self.as_printed:
            return self.printed_text
        return _plain(self.obtained, max(self._decimals, _three_digits(self.obtained)))

    @property
    def difference_text(self) -> str:
        """How far the model's value is from the printed one; empty where it gives none."""
        if self.deviation is None:
            return ""
        if self.as_printed:
            return "as printed"
        share = percent(self.deviation)
        return f"+{share}" if self.deviation > 0 else share

    @property
    def as_printed(self) -> bool:
        """Whether the model's value, rounded as the paper rounds, is the printed one."""
        if self.obtained is None or self.status != REPRODUCED:
            return False
        if not self.within:
            return math.isclose(self.obtained, self.printed, rel_tol=ALIKE)
        return _plain(self.obtained, self._decimals) == self.printed_text

    @property
    def _decimals(self) -> int:
        """Place of the last printed digit behind the point; below 0 of a round number."""
        exponent = Decimal(repr(self.printed)).normalize().as_tuple().exponent
        own = -exponent if isinstance(exponent, int) else 0
        if own > _MOST_DECIMALS:
            return _three_digits(self.printed)
        if not self.within:
            return max(own, 0)
        return max(own, math.ceil(-math.log10(2.0 * self.within) - ALIKE))


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

    `within`: half a unit of the last digit that the paper prints; 0 where it prints the exact
    value.
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
        within,
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


def _three_digits(value: float) -> int:
    """Decimals that show three significant digits."""
    return 2 - math.floor(math.log10(abs(value))) if value else 0


def _plain(value: float, decimals: int) -> str:
    """A rounded number without prefix or power of ten, as papers print them."""
    return f"{round(value, decimals):.{max(decimals, 0)}f}".replace("-", MINUS)
