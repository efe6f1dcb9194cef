"""Lists of numbers in one setting: "40, 40, 160", "5x40, 160" and pairs like "0.5/0.3, 0.25".

A form and the command line give texts; what is not a list of numbers is refused with its entry.
"""

from __future__ import annotations

import math
import re

from machines import InputError
from machines.checks import written_number

_REPEATED = re.compile(r"([0-9]{1,6})\s*[x×*]\s*(\S.*)")
_APART = re.compile(r"[,;\s]+")
_NUMBERS, _PAIRS = "40, 40, 160 or 5x40, 160", "0.5, 0.5/0.3 or 3x0.25"  # for example


def number_list(text: str, where: str, most: int = 10_000) -> tuple[float, ...]:
    """Finite numbers ≥ 0, apart by commas, semicolons or blanks; "5x40" is five times 40.

    `where`: names the setting in messages. `most`: how many there may be.
    """
    found: list[float] = []
    for entry in _entries(text, where, _NUMBERS):
        times, value = _repeated(entry)
        found += [_number(value, entry, where, _NUMBERS)] * _fits(times, len(found), most, where)
    return tuple(found)


def pairs(text: str, where: str, most: int = 10_000) -> tuple[tuple[float, float], ...]:
    """Pairs of numbers ≥ 0, "a/b"; a single number is "a/0". As `number_list` otherwise."""
    found: list[tuple[float, float]] = []
    for entry in _entries(text, where, _PAIRS):
        times, value = _repeated(entry)
        one, slash, other = value.partition("/")
        first = _number(one, entry, where, _PAIRS)
        pair = (first, _number(other, entry, where, _PAIRS) if slash else 0.0)
        found += [pair] * _fits(times, len(found), most, where)
    return tuple(found)


def _entries(text: str, where: str, example: str) -> list[str]:
    """The entries; blanks around "x", "×", "*" and "/" belong to their entry."""
    joined = re.sub(r"(?<=[0-9])\s*([x×*/])\s*(?=[0-9.])", r"\1", text.strip())
    entries = [entry for entry in _APART.split(joined) if entry]
    if not entries:
        raise InputError("the list is empty", where=where, remedy=f"Write numbers, e.g. {example}")
    return entries


def _repeated(entry: str) -> tuple[int, str]:
    found = _REPEATED.fullmatch(entry)
    return (int(found[1]), found[2]) if found else (1, entry)


def _fits(times: int, before: int, most: int, where: str) -> int:
    if times < 1 or before + times > most:
        raise InputError(
            "there are too many entries" if times else "an entry is repeated 0 times",
            where=where,
            value=before + times,
            remedy=f"Allowed: 1 to {most}",
        )
    return times


def _number(text: str, entry: str, where: str, example: str) -> float:
    value = written_number(text)
    if value is None or not 0.0 <= value < math.inf:
        raise InputError(
            "an entry of the list is no number ≥ 0", where=where, value=entry,
            remedy=f"Write numbers apart by commas, e.g. {example}",
        )  # fmt: skip
    return value
