"""Numbers as people read them: three significant digits, SI prefix, unit, a true minus sign.

The window, the command line and every sentence format through these functions, so that one
value looks the same everywhere. `exact` gives the full-precision text for tooltips and copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from advisor.basics.rounding import ALIKE

Thing = TypeVar("Thing")

MINUS = "\u2212"
INFINITE = "∞"
UNKNOWN = "–"

_PREFIXES = {3 * index - 30: prefix.strip() for index, prefix in enumerate("qryzafpnµm kMGTPEZYRQ")}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUTE_S, _HOUR_S, _DAY_S, _YEAR_S = 60.0, 3600.0, 86400.0, 365.25 * 86400.0
_PREFIXED = {"ns", "µs", "ms"}
_COUNTED = {"cycle"}  # units that are words, with an s from two on
_CLOCK = ((_DAY_S, "d"), (_HOUR_S, "h"), (_MINUTE_S, "min"))


def number(value: float, unit: str = "", digits: int = 3) -> str:
    """Write `value` with `digits` significant digits, SI prefix and unit: ``number(0.0124, "s")``.

    Pure numbers, per cent and counts take no prefix: "1.27·10⁻¹⁹". Infinity gives "∞", NaN "–".

    `value`: in `unit`. `unit`: the unit without prefix; empty for a pure number. `digits`: number
    of significant digits. Returns: "12.4 ms", "3.20 s", "1.50 MB", "28,600 cycles", "0 s".
    """
    if math.isnan(value):
        return UNKNOWN
    if value == 0:
        return with_unit("0", unit)
    sign = MINUS if value < 0 else ""
    if math.isinf(value):
        return with_unit(f"{sign}{INFINITE}", unit)
    # formatting first, so that 999.9996 becomes 1.00 k and not 1000
    mantissa, _, exponent = f"{abs(value):.{digits - 1}e}".partition("e")
    power = int(exponent)
    if not takes_prefix(unit) and -3 <= power < 6:
        return with_unit(f"{sign}{_plain(mantissa, power, digits)}", unit)
    group = power - power % 3
    if group not in _PREFIXES or not takes_prefix(unit):
        return with_unit(f"{sign}{mantissa}·10{raised(power)}", unit)
    text = f"{sign}{_plain(mantissa, power - group, digits)}"
    suffix = f"{_PREFIXES[group]}{unit}"
    return f"{text} {suffix}" if suffix else text


def measured(value: float, half_width: float, unit: str = "") -> str:
    """Write a mean and its interval of confidence: "14.2 ± 0.1 µs", "1,742 ± 6".

    One digit of the half width, two if the first is 1, set the digits of both; what is smaller
    than 10⁻⁴ of the value is left out.

    `value`, `half_width`: in `unit`. `unit`: the unit without prefix; empty for a pure number.
    """
    if not 1e-4 * abs(value) < half_width < math.inf:
        return number(value, unit)
    power = math.floor(math.log10(abs(value) or half_width))
    group = 0 if not unit and -3 <= power < 6 else power - power % 3
    if group not in _PREFIXES:
        return f"{number(value)} ± {number(half_width, unit)}"
    parts = [part / 10.0**group for part in (value, half_width)]
    first = math.floor(math.log10(parts[1]))
    places = -first + (parts[1] < 2.0 * 10.0**first)
    texts = [f"{abs(round(part, places)):,.{max(places, 0)}f}" for part in parts]
    sign = MINUS if value < 0 else ""
    return f"{sign}{texts[0]} ± {texts[1]} {_PREFIXES[group]}{unit}".rstrip()


def with_unit(text: str, unit: str) -> str:
    """A written number with its unit: "3.2 s", "28,592 cycles", "1 cycle"."""
    several = unit in _COUNTED and text.lstrip(MINUS) != "1"
    return f"{text} {unit}{'s' if several else ''}".rstrip()


def takes_prefix(unit: str) -> bool:
    """Whether a unit is written with prefixes; one with a prefix, counts, 1/s and none are not."""
    what = unit.partition("/")[0]
    if what in _PREFIXED:
        return False
    word = what.isalpha() and what.islower() and len(what) > (2 if what.endswith("s") else 4)
    word |= " " in what or "-" in what  # "k-cell-steps/s"
    return bool(unit) and unit != "%" and not unit.startswith("1/") and not word


def raised(power: int) -> str:
    """An exponent: "⁻¹⁹"."""
    return str(power).translate(_RAISED)


def duration(seconds: float) -> str:
    """Write a time: "12.4 ms", "3.20 s"; from a minute on "11 min 58 s", "1 h 34 min 12 s"."""
    size = abs(seconds)
    if not _MINUTE_S <= size < math.inf:
        return number(seconds, "s")
    if size >= _YEAR_S:
        return f"{number(seconds / _YEAR_S)} years"
    return clock(seconds, least_part_s(size))


def least_part_s(seconds: float) -> float:
    """The least part that times of a minute or longer are told in: a second; from a day, a minute.

    Everywhere, unless two that are compared would read alike (`advisor.basics.units`).
    """
    return 1.0 if seconds < _DAY_S else _MINUTE_S


def clock(seconds: float, step_s: float, padded: bool = False) -> str:
    """Write a time as "1 h 30 min" or "12 min 30.5 s", no part smaller than `step_s` needs.

    `seconds`: the time, finite.
    `step_s`: the least part that is told: a power of ten up to 1 s, a minute, an hour or a day.
    `padded`: whether parts of nothing are told after the first: "12 min 0.0 s", below "11 min 59.5
        s".
    """
    decimals = max(0, math.ceil(-math.log10(step_s) - 1e-9))
    steps = round(abs(seconds) / step_s)
    whole, rest = divmod(steps, round(1.0 / step_s)) if step_s < 1.0 else (steps * step_s, 0)
    parts: list[str] = []
    left = round(whole)
    for size, name in _CLOCK:
        amount, left = divmod(left, round(size))
        if amount or (padded and parts and step_s <= size):
            parts.append(f"{amount:,} {name}")
    fine = left + rest * step_s
    if step_s < _MINUTE_S and (fine or padded):
        parts.append(f"{fine:.{decimals}f} s")
    sign = MINUS if seconds < 0 and steps else ""
    return sign + " ".join(parts) if parts else "0 s"


def signed_duration(seconds: float, scale: float = 0.0) -> str:
    """Write a difference with its sign: "+3.40 s", "−2.10 s", "0 s".

    `seconds`: the difference. `scale`: size of what was subtracted: differences below 10⁻⁹ of it
    are rounding, shown as 0.
    """
    if abs(seconds) <= ALIKE * abs(scale):
        return "0 s"
    return f"+{duration(seconds)}" if seconds > 0 else duration(seconds)


def percent(share: float) -> str:
    """Write a share in percent: 0.214 → "21 %", 0.0324 → "3.2 %", 1.5 → "150 %", 0 → "0 %".

    What is nearly all is not called all: 0.996 → "99.6 %".
    """
    if not math.isfinite(share) or share == 0:
        return f"{number(share)} %"
    size = 100.0 * abs(share)
    sign = MINUS if share < 0 else ""
    if 99.5 <= size < 100.0:
        return f"{sign}{size:.1f} %" if size < 99.95 else f"{'<' if sign else '>'} {sign}99.9 %"
    if size >= 9.95:
        return f"{sign}{size:,.0f} %"
    if size < 0.001:
        return f"{'>' if sign else '<'} {sign}0.001 %"
    mantissa, _, exponent = f"{size:.1e}".partition("e")
    return f"{sign}{_plain(mantissa, int(exponent), 2)} %"


def size(size_bytes: float) -> str:
    """Write an amount of data: "512 B", "1.50 MB"; whole bytes below 1000 stay whole."""
    if 0 < size_bytes < 1000 and float(size_bytes).is_integer():
        return f"{size_bytes:.0f} B"
    return number(size_bytes, "B")


def slowdown(factor: float) -> str:
    """Write a factor: "×3.00"."""
    return UNKNOWN if math.isnan(factor) else f"×{number(factor)}"


def few(
    things: Sequence[Thing], most: int, say: Callable[[Thing], str] = str, last: str = ""
) -> str:
    """The first of these, as they are said, and how many more: "a, b and 1,200 more".

    `last`: the word before the last of them where that is all: "a, b or c".
    """
    if len(things) > most:
        return f"{', '.join(map(say, things[:most]))} and {len(things) - most:,} more"
    said = [*map(say, things)]
    if last and len(said) > 1:
        return f"{', '.join(said[:-1])} {last} {said[-1]}"
    return ", ".join(said)


def count(amount: int, singular: str, plural: str = "") -> str:
    """Write a number of things in words: "1 task", "58 tasks", "30,000 tasks"."""
    return f"{amount:,} {singular if amount == 1 else plural or singular + 's'}"


def kind_word(kind: str, amount: int) -> str:
    """A kind of tasks, which is a name; of tasks that nobody named ("task 4") it is a word."""
    return "tasks" if kind == "task" and amount > 1 else kind


def exact(value: float, unit: str = "") -> str:
    """Write all digits, for tooltips and copies: "0.0124 s"; an ASCII minus, so that it pastes."""
    if not math.isfinite(value):
        return number(value, unit)
    text = repr(float(value)).removesuffix(".0") if value else "0"
    return with_unit(text, unit)


def _plain(mantissa: str, power: int, digits: int) -> str:
    """Write the digits of mantissa × 10^power with `digits` of them significant."""
    return f"{float(f'{mantissa}e{power}'):,.{max(digits - 1 - power, 0)}f}"
