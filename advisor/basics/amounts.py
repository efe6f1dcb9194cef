"""Quantities as people write them: "5 min", "1 h 20 min", "5*60", "1 Gb/s", "16 GiB", "50 us".

Seconds, bytes and bytes per second; `advisor.basics.entries.real` reads them, and plain numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal

from machines.errors import InputError

SECONDS, BYTES, RATE = "s", "B", "B/s"
UNITS = (SECONDS, BYTES, RATE)
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_TIMES = {
    **dict.fromkeys(("ns",), 1e-9),
    **dict.fromkeys(("us", "µs", "μs"), 1e-6),
    **dict.fromkeys(("ms",), 1e-3),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), _MINUTE),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), _HOUR),
    **dict.fromkeys(("d", "day", "days"), _DAY),
}
_SHORT = {**_TIMES, "m": _MINUTE}  # in "1h20m"; alone it may be milli
_PREFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
_OF_A_SECOND = (("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
_LARGER = (
    *((name, size) for name, size in _PREFIXES.items() if name not in {"", "K"}),
    *_BINARY.items(),
)
_SIZE = re.compile(r"([kKMGTP]?|[KMGTP]i)(B|[Bb]ytes?|b|[Bb]its?)")
_PER_SECOND = re.compile(r"\s*(/\s*(s|sec|second)|ps)$")
_PARTS = re.compile(r"(?:([0-9]+(?:\.[0-9]+)?)\s*([a-zµμ]+)\s*)+")
_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-zµμ]+)")
_CLOCK = re.compile(r"(?:([0-9]+)-)?([0-9]+):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]+)?)")
_NO_CLOCK = re.compile(r"([0-9]+):([0-5][0-9])")
_LONGEST = 13  # of a text that is shown: more digits are no quantity that was written


def factor(suffix: str, unit: str) -> float | None:
    """How many of `unit` one of what is written behind a number is; None: it is no such unit."""
    suffix = suffix.strip()
    if unit == SECONDS:
        return _TIMES.get(suffix)
    if unit == RATE:
        rate = _PER_SECOND.search(suffix)
        return None if rate is None else factor(suffix[: rate.start()], BYTES)
    match = _SIZE.fullmatch(suffix) if unit == BYTES else None
    if match is None:
        return None
    bits = match[2] == "b" or match[2].lower().startswith("bit")
    return (_PREFIXES | _BINARY)[match[1]] / (8.0 if bits else 1.0)


def scaled(number: str, size: float) -> float:
    """A written number of that size, without the error of a product: 50 µs are 5e-05 s."""
    return float(Decimal(number) * Decimal(repr(size)))


def parts(text: str, unit: str) -> float | None:
    """A time of several parts, "1 h 20 min", "1h20m" or "1:20:00"; None: it is none.

    Raises
    ------
    InputError
        It may mean two times.
    """
    if unit != SECONDS:
        return None
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        days, hours, minutes, seconds = (float(part or 0.0) for part in clock.groups())
        return days * _DAY + hours * _HOUR + minutes * _MINUTE + seconds
    either = _NO_CLOCK.fullmatch(text)
    if either is not None:
        first, second = either.groups()
        remedy = f"Write {first} min {second} s or {first} h {second} min"
        raise InputError("minutes or hours?", value=text, remedy=remedy)
    found = _PART.findall(text) if _PARTS.fullmatch(text) else []
    sizes = [_SHORT.get(name) for _, name in found]
    if len(found) < 2 or None in sizes:
        return None
    known = [size for size in sizes if size is not None]
    if known != sorted(set(known), reverse=True):
        return None
    return math.fsum(float(number) * size for (number, _), size in zip(found, known, strict=True))


def shown(value: float, unit: str) -> str:
    """The plainest text with a unit that reads back as `value`: "5 min", "120 GB", "50 µs"."""
    if unit == SECONDS and value >= _MINUTE and value == int(value):
        return " ".join(_clock(int(value)))
    texts = [text for text in _texts(value, unit) if len(text) <= _LONGEST]
    return min(texts, key=_digits, default=f"{value:.12g} {unit}")


def _texts(value: float, unit: str) -> Iterator[str]:
    """Ways to write it; of those with as many digits the first is the plainest."""
    yield f"{value:.12g} {unit}"
    names = _OF_A_SECOND if unit == SECONDS else _LARGER
    least = 1.0 if value >= 1.0 or unit != SECONDS else 0.1
    for name, size in names:
        number = f"{value / size:.12g}"
        if abs(value / size) >= least and "e" not in number and scaled(number, size) == value:
            yield f"{number} {name}{'' if unit == SECONDS else unit}"


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text.partition("e")[0])) + 9 * ("e" in text)


def _clock(seconds: int) -> Iterator[str]:
    for name, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        many, seconds = divmod(seconds, size)
        if many:
            yield f"{many} {name}"
