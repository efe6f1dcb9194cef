"""Text ↔ value, as people write it: numbers with SI prefixes and units, names, yes and no.

`read` gives the value of any declared one; whether it is in range is for the record to say.
"""

from __future__ import annotations

import math
import re

from machines import amounts
from machines.amounts import THOUSANDS
from machines.errors import InputError
from machines.parameters import Parameter

YES, NO = "yes", "no"
real = amounts.real
_THIN = "\u202f"  # a narrow blank at which no line breaks
_WHOLE = re.compile(r"(?<![0-9.])[0-9]{5,}")  # shorter ones are read at a glance


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
    grouped = THOUSANDS.fullmatch(text.strip())
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
