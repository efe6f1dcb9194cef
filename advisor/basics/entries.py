"""Text ↔ value, as people write it: numbers with SI prefixes and units, names, yes and no.

`read` gives the value of any declared one; whether it is in range is for the record to say.
"""

from __future__ import annotations

import math
import re

from advisor.basics import amounts
from machines.errors import InputError
from machines.parameters import Parameter

YES, NO = "yes", "no"
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
_TIMES = re.compile(r"\s*[*×]\s*")
_THIN = "\u202f"  # a narrow blank at which no line breaks
_BETWEEN = re.compile(r"(?<=[0-9])[ \u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")  # groups of digits
_THOUSANDS = re.compile(r"([-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?![0-9,])(\.?)")
_WHOLE = re.compile(r"(?<![0-9.])[0-9]{5,}")  # shorter ones are read at a glance


def real(text: str, unit: str = "", example: str = "a number, e.g. 12.5") -> float:
    """A finite number, with an SI or binary prefix and, if written, its unit ("12 ms", "8 GiB").

    Of seconds, bytes and bytes per second also other units of theirs ("1 h 20 min", "1 Gb/s"),
    and products of all ("5*60").

    Blanks between groups of three digits are no part of it, nor commas that can be nothing else:
    "1,250,000", "12,500.5". A single comma is a decimal one; refused where it may be either.
    """
    *factors, last = _TIMES.split(text.strip())
    if factors:
        return math.prod(real(one) for one in factors) * real(last, unit)
    compact = _BETWEEN.sub("", last).replace("_", "").replace("\u2212", "-")
    if (time := amounts.parts(compact, unit)) is not None:
        return time
    grouped = _THOUSANDS.match(compact)
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
    size = amounts.factor(suffix, unit) or _PREFIX.get(prefix)
    if match is None or size is None:
        remedy = f"Write {example} {unit}".rstrip()
        raise InputError("this is not a number", value=text, remedy=remedy)
    if unit == amounts.SECONDS and suffix == "m":
        either = f"Write {match.group(1)} min or {match.group(1)} ms"
        raise InputError("minutes or milliseconds?", value=text, remedy=either)
    value = amounts.scaled(match.group(1), size)
    if not math.isfinite(value):
        raise InputError("this number is too large", value=text)
    return value


def data_sets(text: str) -> tuple[tuple[int, float], ...]:
    """Data sets separated by semicolons, each "count × bytes" or one size: "100 × 2048; 2 GB"."""
    sets = []
    for part in filter(str.strip, text.split(";")):
        pieces = re.split(r"[×x*]", part, maxsplit=1)
        many = count(pieces[0]) if len(pieces) == 2 else 1
        sets.append((many, real(pieces[-1], "B", "a size, e.g. 2048")))
    return tuple(sets)


def count(text: str, unit: str = "") -> int:
    """A whole number; commas between groups of three digits are no part of it."""
    grouped = _THOUSANDS.fullmatch(text.strip())
    plain = text if grouped is None else grouped[1].replace(",", "")
    value = real(plain, unit, "a whole number, e.g. 4")
    if value != int(value):
        remedy = f"Write {math.floor(value)} or {math.ceil(value)}"
        raise InputError("this is not a whole number", value=text, remedy=remedy)
    return int(value)


def whole_bytes(text: str) -> int:
    """A whole number of bytes, e.g. "8 GiB"."""
    return round(real(text, "B"))


def name(text: str) -> str:
    """A name without surrounding blanks."""
    if not text.strip():
        raise InputError("a name can't be empty", value=text)
    return text.strip()


def yes_or_no(text: str) -> bool:
    """Yes or no, in one of their spellings."""
    words = {"true": True, YES: True, "1": True, "false": False, NO: False, "0": False}
    if text.lower() not in words:
        raise InputError("neither yes nor no", value=text)
    return words[text.lower()]


def read(parameter: Parameter, text: str) -> object:
    """The value that `text` gives to a parameter."""
    if parameter.reads is not None:
        return parameter.reads(text)
    if parameter.optional and text.strip().lower() in {"", parameter.empty}:
        return None
    if parameter.kind is bool:
        return yes_or_no(text)
    if parameter.kind is int:
        return whole_bytes(text) if parameter.unit == "B" else count(text, parameter.unit)
    if parameter.kind is float:
        return real(text, parameter.unit)
    return text if parameter.choices else name(text)


def grouped(text: str) -> str:
    """A number with narrow blanks between its thousands, as `real` reads it."""
    return _WHOLE.sub(lambda match: f"{int(match.group()):,}".replace(",", _THIN), text)


def shown(value: object) -> str:
    """The text of a value, exact enough to be read back."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)
