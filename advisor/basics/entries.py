"""Text ↔ value, as people write it: numbers with SI prefixes and units, names, yes and no.

`read` gives the value of any declared one; whether it is in range is for the record to say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from machines import amounts
from machines.amounts import THOUSANDS
from machines.errors import InputError
from machines.parameters import Parameter
from machines.uncertain import Uncertain, uncertain_from

YES, NO = "yes", "no"
real = amounts.real
_PLUS_MINUS = r"\s*(?:±|\+/?-)\s*"
_SHARE = re.compile(rf"(.+?){_PLUS_MINUS}([0-9.]+)\s*%\s*")
_PERCENT = re.compile(r"\s*([-+]?[0-9.]+)\s*%\s*")
_WIDTH = re.compile(rf"(.+?){_PLUS_MINUS}(.+)")
_ENDS = re.compile(r"(?:(.+?)\s*\(\s*)?([^()]+?)\s+to\s+([^()]+?)\s*\)?\s*")
_NUMERAL = re.compile(r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")
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
        near = f"{math.floor(value)} or {math.ceil(value)}"
        remedy = f"Write {near if value > 1 else 'a whole number, e.g. 1'}"
        raise InputError("this is not a whole number", value=text, remedy=remedy)
    return int(value)


def whole_bytes(text: str) -> int:
    """A whole number of bytes, e.g. "8 GiB"."""
    return round(real(text, "B"))


def name(text: str) -> str:
    """A name without surrounding blanks."""
    if not text.strip():
        raise InputError("a name can't be empty", remedy="Write one")
    return text.strip()


def yes_or_no(text: str) -> bool:
    """Yes or no, in one of their spellings."""
    words = {"true": True, YES: True, "1": True, "false": False, NO: False, "0": False}
    if text.lower() not in words:
        raise InputError("neither yes nor no", value=text)
    return words[text.lower()]


def ranged(text: str, unit: str = "") -> float:
    """A number, perhaps with its spread: "12 s ± 15 %", "12 s ± 2 s", "12 s (10 s to 14 s)"."""
    share, width, ends = _SHARE.fullmatch(text), _WIDTH.fullmatch(text), _ENDS.fullmatch(text)
    if share is not None:
        stated: dict[str, object] = {"value": real(share[1], unit), "cv": real(share[2]) / 100.0}
    elif width is not None:
        value, half = real(width[1], unit), real(width[2], unit)
        stated = {"value": value, "low": value - half, "high": value + half}
    elif ends is not None:
        bare = _NUMERAL.fullmatch(ends[2]) is not None  # "10 to 14 min": the unit is of both
        first = ends[2] + _NUMERAL.sub("", ends[3], count=1) if bare else ends[2]
        low, high = real(first, unit), real(ends[3], unit)
        value = 0.5 * (low + high) if ends[1] is None else real(ends[1], unit)
        stated = {"value": value, "low": low, "high": high}
    else:
        return real(text, unit)
    return uncertain_from("the number", stated, "")


def with_spread(value: float, text_of: Callable[[float], str]) -> str:
    """The text of a number that `ranged` reads back."""
    if not isinstance(value, Uncertain) or value.spread.is_exact:
        return text_of(value)
    low, high = value.ends
    if low is None or high is None:
        return f"{text_of(value)} ± {100 * (value.spread.cv or 0.0):.12g} %"
    return f"{text_of(value)} ({text_of(low)} to {text_of(high)})"


def quantity(value: float, unit: str) -> str:
    """The plainest text of a number of seconds, bytes or bytes/s, with its spread."""
    return with_spread(value, lambda one: amounts.shown(one, unit))


def read(parameter: Parameter, text: str, *, spread: bool = False) -> object:
    """The value that `text` gives to a parameter; with `spread` a number may have one."""
    if parameter.reads is not None:
        return parameter.reads(text)
    if parameter.optional and text.strip().lower() in {"", parameter.empty}:
        return None
    if parameter.kind is bool:
        return yes_or_no(text)
    if parameter.kind is int:
        return whole_bytes(text) if parameter.unit == "B" else count(text, parameter.unit)
    if parameter.kind is float:
        percent = None if parameter.unit else _PERCENT.fullmatch(text)
        if percent is not None:
            text = f"{real(percent[1]) / 100.0!r}"
        return (ranged if spread else real)(text, parameter.unit)
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
        return with_spread(value, lambda one: f"{float(one):.12g}")
    return str(value)
