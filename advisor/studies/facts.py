"""The figures of a study's answer: at most four, each with its difference against the alternative.

A study without an alternative has no difference: nothing is made up for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit

LESS, MORE = "less", "more"
BETTER, WORSE, SAME, NEITHER = "better", "worse", "same", ""
MOST_FACTS = 4
_SYMBOL = 2  # letters of a unit that is none of words: s, ms


@dataclass(frozen=True)
class Fact:
    """One figure of an answer.

    `unit`: "s", "B", "%" (of shares, `value` in percent), or a unit of its own, e.g. "cycle".
    `beside`: other values of its kind that sentences tell: all get the same unit and digits.
    """

    name: str  # what it is, as people call it
    value: float  # in `unit`; whole numbers are counts. Of a range the lower end
    unit: str = ""
    against: float | None = None  # the same figure of the alternative; None: there is none
    better: str = ""  # `LESS` or `MORE`; empty: neither is better
    most: float | None = None  # upper end, where only a range is known
    beside: tuple[float, ...] = ()

    def said(self, value: float) -> str:
        """Another value of its kind as a sentence tells it: comparable with the figure."""
        return self._unit.text(value)

    @property
    def text(self) -> str:
        """Its value in words: "72.0 µs", "33.3 µs to 73.0 µs", "94"."""
        low = self._unit.text(self.value)
        high = low if self.most is None else self._unit.text(self.most)
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
        """The difference with its sign: "−69", "+4.0 µs", "+1.2 points"; empty without one."""
        change = self.difference
        if change is None or math.isnan(change):
            return ""
        if change == 0.0:
            return "the same"
        written = self._unit.signed(change)
        if written.startswith("0"):
            return "about the same"
        return f"{written.removesuffix(' %')} points" if self.unit == "%" else written

    @property
    def _unit(self) -> Unit:
        """One unit for the value and what it is compared with, whose digits show the difference."""
        values = (self.value, self.against, self.most, *self.beside)
        # words take a plural, symbols none: 3 cycles, 3 rays/s
        word = self.unit.isalpha() and self.unit.islower() and len(self.unit) > _SYMBOL
        plural = f"{self.unit}s" if word and not self.unit.endswith("s") else self.unit
        return Unit.of(plural, *(one for one in values if one is not None))

    @property
    def verdict(self) -> str:
        """What the difference is: `BETTER`, `WORSE` or `SAME`; `NEITHER`: it is no better."""
        change = self.difference
        if change is None or not self.better or math.isnan(change):
            return NEITHER
        if change == 0.0:
            return SAME
        return BETTER if (change < 0.0) == (self.better == LESS) else WORSE
