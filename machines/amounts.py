"""Quantities as people write them: "5 min", "1 h 20 min", "5*60", "1 Gb/s", "16 GiB", "50 us".

Seconds, bytes and bytes per second. `real` reads them and plain numbers, `of_key` the texts that
files have in place of numbers.
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
_PREFIX = {
    "": 1.0,
    "n": 1e-9,
    "µ": 1e-6,
    "u": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "Ki": 2.0**10,
    "Mi": 2.0**20,
    "Gi": 2.0**30,
    "Ti": 2.0**40,
}
_NUMBER = re.compile(r"([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\s*(.*)")
_PRODUCT = re.compile(r"\s*[*×]\s*")
_BETWEEN = re.compile(r"(?<=[0-9])[ \u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")  # groups of digits
THOUSANDS = re.compile(r"([-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?![0-9,])(\.?)")
_LONGEST = 13  # of a text that is shown: more digits are no quantity that was written


def of_key(key: str, text: str) -> float | None:
    """The number that a file states as a text, by the unit of its key; None: its key has none.

    "…bandwidth" is in bytes per second, "…_bytes" in bytes, "…_s", "work" and "seconds …" in
    seconds. The text names its unit: a number alone is written without quotes.
    """
    unit = _unit_of(key)
    if unit is None or not any(map(str.isalpha, text)):
        return None
    try:
        return real(text, unit)
    except InputError:
        return None


def _unit_of(key: str) -> str | None:
    if key.endswith("bandwidth"):
        return RATE
    if key == "bytes" or key.endswith("_bytes"):
        return BYTES
    return SECONDS if key == "work" or key.endswith("_s") or key.startswith("seconds") else None


def real(text: str, unit: str = "", example: str = "a number, e.g. 12.5") -> float:
    """A finite number, with an SI or binary prefix and, if written, its unit ("12 ms", "8 GiB").

    Of seconds, bytes and bytes per second also other units of theirs ("1 h 20 min", "1 Gb/s"),
    and products of all ("5*60").

    Blanks between groups of three digits are no part of it, nor commas that can be nothing else:
    "1,250,000", "12,500.5". A single comma is a decimal one; refused where it may be either.
    """
    *factors, last = _PRODUCT.split(text.strip())
    if factors:
        return math.prod(real(one) for one in factors) * real(last, unit)
    compact = _BETWEEN.sub("", last).replace("_", "").replace("\u2212", "-")
    if (time := parts(compact, unit)) is not None:
        return time
    grouped = THOUSANDS.match(compact)
    if grouped is not None:
        digits = grouped[1].replace(",", "")
        if grouped[1].count(",") == 1 and not grouped[2]:
            either = f"Write {digits} or {grouped[1].replace(',', '.')}"
            raise InputError("ambiguous comma: thousands or decimals?", value=text, remedy=either)
        compact = digits + compact[grouped.end(1) :]
    compact = compact.replace(",", ".")
    match = _NUMBER.fullmatch(compact)
    suffix = match.group(2) if match else ""
    prefix = suffix.removesuffix(unit).strip() if unit else suffix
    size = factor(suffix, unit) or _PREFIX.get(prefix)
    if match is None or size is None:
        remedy = f"Write {example} {unit}".rstrip()
        raise InputError("this is not a number", value=text, remedy=remedy)
    if unit == SECONDS and suffix == "m":
        either = f"Write {match.group(1)} min or {match.group(1)} ms"
        raise InputError("minutes or milliseconds?", value=text, remedy=either)
    value = scaled(match.group(1), size)
    if not math.isfinite(value):
        raise InputError("this number is too large", value=text)
    return value


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
    value = float(value)
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
