"""Where the ticks of an axis lie and what they are called: pure numbers, no painting."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from advisor.basics.quantities import MINUS, duration, number, raised, takes_prefix
from gui.basics.theme import GRID
from gui.plots.time_ticks import LONG_S
from gui.plots.time_ticks import ticks as time_ticks

Ticks = Callable[[float, float, float], list[tuple[float, str]]]  # low, high, pixels → at, label

EDGE = 3 * GRID  # room beside a horizontal axis for the half of a label
_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}
_ONE_UNIT = 1e3 * (1 + 1e-9)  # from one end to the other of an axis that has one unit
_NEVER = "", "%"  # units of shares and pure numbers, which are written out at any size
_PLAIN = -3, 6  # powers of ten that are written out where there is no prefix


@dataclass(frozen=True)
class Axis:
    """A linear axis over [low, high] in `unit`, laid over pixels [start, end].

    `title`: "name (unit)", with the prefix in which the ticks are written; reciprocals ("1/s") and
        counts ("messages") have a power of ten instead, and times from a minute on their units at
        the ticks.
    """

    name: str
    unit: str
    low: float
    high: float
    start: float
    end: float

    @property
    def long(self) -> bool:
        """Whether it measures times from a minute on."""
        return self.unit == "s" and LONG_S <= max(abs(self.low), abs(self.high)) < math.inf

    @property
    def power(self) -> int:
        """The power of ten (a multiple of 3) in which the ticks are written."""
        largest = max(abs(self.low), abs(self.high))
        if self.unit in _NEVER or not 0 < largest < math.inf:
            return 0
        power = min(max(3 * math.floor(math.log10(largest) / 3.0), -12), 12)
        return power if takes_prefix(self.unit) or not _PLAIN[0] <= power < _PLAIN[1] else 0

    @property
    def title(self) -> str:
        """The axis label: "makespan (ms)"; without a unit the name alone."""
        if not self.unit or self.long:
            return self.name
        power, unit = self.power, self.unit
        if takes_prefix(unit):
            return f"{self.name} ({_PREFIXES[power]}{unit})"
        if power and unit.startswith("1/"):
            return f"{self.name} ({_ten(power)}{unit[1:]})"
        return f"{self.name} ({_ten(power)} {unit})" if power else f"{self.name} ({unit})"

    def position(self, value: float) -> float:
        """The pixel of `value`."""
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.0
        return self.start + share * (self.end - self.start)

    def written(self, value: float) -> str:
        """Any value in the unit of the ticks, with three digits."""
        return duration(value) if self.long else number(value / 10.0**self.power)

    def ticks(self, spacing: float = 80.0) -> list[tuple[float, str]]:
        """(value, label) of ticks at round values, `spacing` pixels apart or more."""
        if self.long:
            room = max(abs(self.end - self.start), 1.0)
            return time_ticks(self.low, self.high, (self.high - self.low) * spacing / room)
        values = nice_ticks(self.low, self.high, abs(self.end - self.start) / spacing)
        scale = 10.0**self.power
        step = (values[1] - values[0]) / scale if len(values) > 1 else 1.0
        decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
        return [(value, _written(value / scale, decimals)) for value in values]


def nice_ticks(low: float, high: float, count: float) -> list[float]:
    """At most about `count` + 1 round values that cover [low, high] from inside.

    `low`, `high`: finite, low ≤ high. `count`: how many steps there is room for; below 1 as 1.
    Returns: multiples of 1, 2 or 5 times a power of ten; `low` alone for an empty span.
    """
    span = high - low
    if not 0 < span < math.inf:
        return [low]
    rough = span / max(count, 1.0)
    magnitude = 10.0 ** math.floor(math.log10(rough))
    step = next(
        factor * magnitude for factor in (1, 2, 5, 10) if factor * magnitude >= rough * (1 - 1e-9)
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)] or [low]


def _written(value: float, decimals: int) -> str:
    text = f"{abs(value):,.{decimals}f}"
    return f"{MINUS}{text}" if value < 0 and text.strip("0.") else text


@dataclass(frozen=True)
class LogAxis:
    """A logarithmic axis over [low, high], both positive, `length` pixels long.

    Up to three decades are written in one unit, as on a linear axis. Of more, every tick has its
    own prefix and unit ("100 B", "1 kB"), and so have times from a minute on.

    `title`: "name (unit)"; the name alone where units are at the ticks.
    """

    name: str
    unit: str
    low: float
    high: float
    length: float

    @property
    def title(self) -> str:
        """The axis label."""
        if takes_prefix(self.unit):
            return self.name if self._apart else self._linear.title
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def ticks(self, spacing: float = 64.0) -> list[tuple[float, str]]:
        """(value, label) of ticks at round values, `spacing` pixels apart or more.

        Decades, with their doubles and halves where there is room; round values inside one decade.
        """
        low, high = self.low, self.high
        decades = math.log10(high / low)
        if self._linear.long:
            return _log_times(low, high, self.length / max(decades, 1e-9), spacing)
        if decades < 1.0:
            values = nice_ticks(low, high, self.length / spacing)
            return [(value, self._written(value)) for value in values if value > 0]
        per_decade = self.length / decades
        factors = (1, 2, 5) if 0.3 * per_decade >= spacing else (1,)
        room = math.ceil(spacing / per_decade - 1e-9) if per_decade > 0 else math.ceil(decades)
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        values = [
            factor * 10.0**decade
            for decade in range(first, last + 1, max(1, room))
            for factor in factors
        ]
        slack = 1e-9
        return [
            (value, self._written(value))
            for value in values
            if low * (1 - slack) <= value <= high * (1 + slack)
        ]

    @property
    def _linear(self) -> Axis:
        return Axis(self.name, self.unit, self.low, self.high, 0.0, self.length)

    @property
    def _apart(self) -> bool:
        """Whether every tick has its own prefix and unit."""
        return self._linear.long or self.high > _ONE_UNIT * self.low

    def _written(self, value: float) -> str:
        if not takes_prefix(self.unit):
            return number(value, "", 1 if self.high >= 10 * self.low else 3).removeprefix("1·")
        if self._apart:
            return number(value, self.unit, 1)
        return f"{value / 10.0**self._linear.power:,.6g}"


def _log_times(
    low: float, high: float, per_decade: float, spacing: float
) -> list[tuple[float, str]]:
    """Times from seconds to days, round for people: 10 s, 1 min, 10 min, 1 h."""
    if math.log10(high / low) < 1.0:
        step = (high - low) * spacing / (per_decade * math.log10(high / low))
        return [(value, text) for value, text in time_ticks(low, high, step) if value > 0]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    short = [10.0**power for power in powers if 10.0**power < LONG_S]
    days = [86400.0 * 10.0**power for power in powers if power >= 0]
    kept: list[float] = []
    for value in (*short, 60.0, 600.0, 3600.0, 36000.0, *days):
        apart = math.inf if not kept else per_decade * math.log10(value / kept[-1])
        if low * (1 - 1e-9) <= value <= high * (1 + 1e-9) and apart >= spacing:
            kept.append(value)
    return [
        (value, duration(value) if value >= LONG_S else number(value, "s", 1)) for value in kept
    ]


def _ten(power: int) -> str:
    return f"10{raised(power)}"
