"""Where the ticks of an axis lie and what they are called: pure numbers, no painting."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.quantities import MINUS, number

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}


@dataclass(frozen=True)
class Axis:
    """A linear axis over [low, high] in `unit`, laid over pixels [start, end].

    Attributes
    ----------
    title : str
        "name (unit)", with the prefix in which the ticks are written.
    """

    name: str
    unit: str
    low: float
    high: float
    start: float
    end: float

    @property
    def power(self) -> int:
        """The power of ten (a multiple of 3) in which the ticks are written."""
        largest = max(abs(self.low), abs(self.high))
        if not self.unit or not 0 < largest < math.inf:
            return 0
        return min(max(3 * math.floor(math.log10(largest) / 3.0), -12), 12)

    @property
    def title(self) -> str:
        """The axis label: "makespan (ms)"; without a unit the name alone."""
        return f"{self.name} ({_PREFIXES[self.power]}{self.unit})" if self.unit else self.name

    def position(self, value: float) -> float:
        """The pixel of `value`."""
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.0
        return self.start + share * (self.end - self.start)

    def value(self, position: float) -> float:
        """The value at a pixel, kept inside the axis."""
        share = (position - self.start) / (self.end - self.start) if self.end != self.start else 0.0
        return self.low + min(max(share, 0.0), 1.0) * (self.high - self.low)

    def ticks(self, spacing: float = 80.0) -> list[tuple[float, str]]:
        """(value, label) of ticks at round values, `spacing` pixels apart or more."""
        count = max(1, int(abs(self.end - self.start) / spacing))
        values = nice_ticks(self.low, self.high, count)
        scale = 10.0**self.power
        step = (values[1] - values[0]) / scale if len(values) > 1 else 1.0
        decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
        return [(value, _written(value / scale, decimals)) for value in values]


def nice_ticks(low: float, high: float, count: int) -> list[float]:
    """At most about `count` + 1 round values that cover [low, high] from inside.

    Parameters
    ----------
    low, high : float
        Finite, low ≤ high.
    count : int
        How many steps there is room for, at least 1.

    Returns
    -------
    list of float
        Multiples of 1, 2 or 5 times a power of ten; `low` alone for an empty span.
    """
    span = high - low
    if not 0 < span < math.inf:
        return [low]
    rough = span / max(count, 1)
    magnitude = 10.0 ** math.floor(math.log10(rough))
    step = next(
        factor * magnitude for factor in (1, 2, 5, 10) if factor * magnitude >= rough * (1 - 1e-9)
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)] or [low]


def _written(value: float, decimals: int) -> str:
    text = f"{abs(value):.{decimals}f}"
    return f"{MINUS}{text}" if value < 0 and float(text) else text


@dataclass(frozen=True)
class LogAxis(Axis):
    """A logarithmic axis over [low, high], both positive; every tick has its own prefix."""

    @property
    def power(self) -> int:
        """Ticks carry their unit themselves."""
        return 0

    def position(self, value: float) -> float:
        """The pixel of `value`, which is positive."""
        decades = math.log10(self.high / self.low)
        share = math.log10(value / self.low) / decades if decades else 0.0
        return self.start + share * (self.end - self.start)

    def value(self, position: float) -> float:
        """The value at a pixel, kept inside the axis."""
        share = (position - self.start) / (self.end - self.start) if self.end != self.start else 0.0
        return float(self.low * (self.high / self.low) ** min(max(share, 0.0), 1.0))

    def ticks(self, spacing: float = 64.0) -> list[tuple[float, str]]:
        """Decades, with their doubles and halves where there is room; round values inside one."""
        decades = math.log10(self.high / self.low)
        per_decade = abs(self.end - self.start) / decades if decades else 0.0
        if decades < 1.0:
            count = max(1, int(abs(self.end - self.start) / spacing))
            values = nice_ticks(self.low, self.high, count)
            return [(value, number(value, self.unit)) for value in values]
        factors = (1, 2, 5) if 0.3 * per_decade >= spacing else (1,)
        step = max(1, math.ceil(spacing / per_decade - 1e-9))
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        values = [
            factor * 10.0**decade for decade in range(first, last + 1, step) for factor in factors
        ]
        slack = 1e-9
        return [
            (value, number(value, self.unit, digits=1))
            for value in values
            if self.low * (1 - slack) <= value <= self.high * (1 + slack)
        ]
