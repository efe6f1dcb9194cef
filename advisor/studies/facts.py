"""The figures of a study's answer: at most four, each with its difference against the alternative.

A study without an alternative has no difference: nothing is made up for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.basics.quantities import MINUS, duration, number, percent, size
from advisor.basics.rounding import ALIKE

LESS, MORE = "less", "more"
BETTER, WORSE, SAME, NEITHER = "better", "worse", "same", ""
MOST_FACTS = 4
_LEAST_POINTS = 1e-3  # per cent that are told apart


@dataclass(frozen=True)
class Fact:
    """One figure of an answer.

    Attributes
    ----------
    name : str
        What it is, as people call it.
    value : float
        In `unit`; whole numbers are counts. Of a range the lower end.
    unit : str
        "s", "B", "%" (of shares, `value` in percent), or a unit of its own, e.g. "cycle".
    against : float or None
        The same figure of the alternative; ``None``: there is none.
    better : str
        `LESS` or `MORE`; empty: neither is better.
    most : float or None
        Upper end, where only a range is known.
    """

    name: str
    value: float
    unit: str = ""
    against: float | None = None
    better: str = ""
    most: float | None = None

    @property
    def text(self) -> str:
        """Its value in words: "72.0 µs", "33.3 µs to 73.0 µs", "94"."""
        low = _written(self.value, self.unit)
        high = low if self.most is None else _written(self.most, self.unit)
        return low if high == low else f"{low} to {high}"

    @property
    def difference(self) -> float | None:
        """Value less that of the alternative, 0 where only rounding is between them."""
        if self.against is None:
            return None
        if math.isclose(self.value, self.against, rel_tol=ALIKE, abs_tol=0.0):
            return 0.0
        return self.value - self.against

    @property
    def difference_text(self) -> str:
        """The difference with its sign: "−69", "+4.00 µs", "+1.2 points"; empty without one."""
        change = self.difference
        if change is None or math.isnan(change):
            return ""
        if change == 0.0:
            return "the same"
        written = _written(abs(change), self.unit)
        if self.unit == "%":
            if abs(change) < _LEAST_POINTS:
                return "about the same"
            written = f"{written.removesuffix(' %')} points"
        return f"{'+' if change > 0.0 else MINUS}{written}"

    @property
    def verdict(self) -> str:
        """What the difference is: `BETTER`, `WORSE` or `SAME`; `NEITHER`: it is no better."""
        change = self.difference
        if change is None or not self.better or math.isnan(change):
            return NEITHER
        if change == 0.0:
            return SAME
        return BETTER if (change < 0.0) == (self.better == LESS) else WORSE


def _written(value: float, unit: str) -> str:
    if isinstance(value, int):
        written = f"{value:,}"
        return f"{written} {unit}" if unit else written
    if unit == "s":
        return duration(value)
    if unit == "%":
        return percent(value / 100.0)
    if unit == "B":
        return size(value)
    # words take a plural, symbols none: 3 cycles, 3 rays/s
    plural = "s" if unit.isalpha() and unit.islower() and not unit.endswith("s") else ""
    return f"{number(value)} {unit}{plural}".rstrip()
