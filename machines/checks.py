"""Range checks of single fields, shared by every frozen value.

Each returns the value in its canonical type or raises `InputError` naming the field and range.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from machines.amounts import of_key
from machines.errors import UNSEEN, InputError
from machines.uncertain import Uncertain, uncertain_from

One = TypeVar("One", bound=Hashable)

# sums and products of a few such numbers stay finite
LARGEST = 1e30
LARGEST_WHOLE = 2**53  # a larger integer does not survive as a float
_IN_DIGITS = 1e15  # bounds from here on are powers of ten
LONGEST_NAME = 4096  # characters: a path
_BLANKS = re.compile(r"^\s|\s\s|\s$|[^\S ]")  # those that look alike, or like none


def number(
    name: str,
    value: object,
    *,
    low: float = 0.0,
    high: float = LARGEST,
    above: bool = False,
    where: str = "",
) -> float:
    """A finite real in [low, high], or (low, high] with `above`; with its spread, if it has one."""
    if type(value) is float and low < value < high:  # as nearly all are
        return value
    if isinstance(value, str):
        value = value if (found := of_key(name, value)) is None else found
    elif isinstance(value, dict) and "value" in value:
        value = uncertain_from(name, value, where)
    if isinstance(value, Uncertain):
        for one in (float(value), *value.ends):
            if one is not None:
                number(name, one, low=low, high=high, above=above, where=where)
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a number", where=where, value=value)
    try:
        result = float(value)
    except OverflowError:  # an integer of more than 308 digits
        result = math.inf
    if not math.isfinite(result) or result > high or result < low or (above and result == low):
        span = f"> {bound(low)}" if above else f"≥ {bound(low)}"
        if high < math.inf:
            span += f" and ≤ {bound(high)}"
        raise InputError(
            f"{name} is out of range", where=where, value=value, remedy=f"Allowed: finite, {span}"
        )
    return result


def bound(value: float) -> str:
    """An end of a range as messages write it: "1,000,000", "0.001", "2^53"."""
    if value == LARGEST_WHOLE:
        return "2^53"
    return f"{value:,.0f}" if value % 1 == 0 and abs(value) < _IN_DIGITS else f"{value:g}"


def whole(
    name: str, value: object, *, low: int = 0, high: float = LARGEST_WHOLE, where: str = ""
) -> int:
    """An integer in [low, high], 2**53 at most."""
    if type(value) is int and low <= value <= high:  # as nearly all are
        return value
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, str) and (found := of_key(name, value)) is not None and found % 1 == 0:
        value = int(found)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(
            f"{name} must be a whole number from {bound(low)} up",
            where=where,
            value=value,
            remedy=f"Allowed: {bound(low)} to {bound(high)}",
        )
    return value


def flag(name: str, value: object, *, where: str = "") -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise InputError(
            f"{name} must be true or false", where=where, value=value, remedy="Allowed: true, false"
        )
    return value


def text(
    name: str, value: object, *, where: str = "", empty: bool = False, among: Sequence[str] = ()
) -> str:
    """A string; not empty unless `empty`, and one of those `among` which it must be."""
    if not isinstance(value, str) or (not value.strip() and not empty):
        kind = "text" if empty else "non-empty text"
        raise InputError(f"{name} must be a {kind}", where=where, value=value)
    if among and value not in among:
        raise InputError(
            f"unknown {name}", where=where, value=value, remedy="Allowed: " + ", ".join(among)
        )
    return value


def written_number(text_: str) -> float | None:
    """The number that a text writes in the digits 0 to 9; None: it is none.

    Python also takes the digits of other scripts, and underscores between them.
    """
    if not text_.isascii() or "_" in text_:
        return None
    try:
        return float(text_)
    except ValueError:
        return None


def plain_name(what: str, value: object, *, where: str = "", empty: bool = False) -> str:
    """What something is called: a text whose every character is seen, and on one line.

    Any letters and signs of any script; refused are what steers a terminal or reverses text, and
    blanks by which two names may differ unseen: outer, doubled and other ones than the plain.
    """
    found = text(what, value, where=where, empty=empty)
    unseen = UNSEEN.search(found)
    if unseen is not None:
        raise InputError(
            f"{what} has a character that is not seen: U+{ord(unseen[0]):04X}",
            where=where,
            value=value,
            remedy="Leave controls, line breaks, marks of direction and invisible characters out",
        )
    if _BLANKS.search(found) is not None:
        raise InputError(
            f"{what} has blanks that are not seen",
            where=where,
            value=value,
            remedy="Write single plain blanks between words, none before or after",
        )
    if len(found) > LONGEST_NAME:
        remedy = f"Allowed: {LONGEST_NAME:,} characters"
        raise InputError(f"{what} is too long", where=where, value=value, remedy=remedy)
    return found


def repeated(values: Iterable[One]) -> One | None:
    """The first value, such as a name, that is there twice; None: each once."""
    seen: set[One] = set()
    for one in values:
        if one in seen:
            return one
        seen.add(one)
    return None
