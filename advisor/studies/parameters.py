"""The settings of a study: a parameter record from ``key=value`` texts, and back.

A record's fields are declared by `machines.parameters`; the window draws its form from them, too.

Lists of numbers in one setting: "40, 40, 160", "5x40, 160" and pairs like "0.5/0.3, 0.25".

A form and the command line give texts; what is not a list of numbers is refused with its entry.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from advisor.basics.entries import NO, YES, read, yes_or_no
from machines import InputError
from machines.checks import bound, written_number
from machines.formats.fields import place
from machines.parameters import AUTO, Parameter, parameter, parameters_of, properties_of

__all__ = ["Parameter", "parameter", "parameters_of", "parse_settings", "parsed", "written"]

Record = TypeVar("Record")

_LONGEST_WORD = 200  # that is compared with the keys there are


def parse_settings(record_type: type[Record], settings: Iterable[str], **inputs: object) -> Record:
    """A parameter record from ``key=value`` texts.

    `record_type`: frozen dataclass whose fields are made by `parameter`.
    `settings`: each "key=value"; a key not named keeps its default.
    `inputs`: fields that no text can give, e.g. the problem.
    """
    known = {one.name: one for one in properties_of(record_type)}
    called = {name: one.name for one in known.values() for name in (one.name, *one.formerly)}
    values: dict[str, object] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip()
        if not equals:
            raise InputError("a setting is key=value", value=setting, remedy=_keys(known))
        if key not in called:
            near = difflib.get_close_matches(key[:_LONGEST_WORD], called, n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise InputError("unknown setting", value=key, remedy=hint + _keys(known))
        key = called[key]
        if key in values:
            raise InputError("this setting is given twice", where=f"setting {key}")
        values[key] = parsed(known[key], text.strip())
    return record_type(**values, **inputs)


def parsed(field: Parameter, text: str) -> object:
    """The value that `text` gives to a field."""
    where = f"setting {field.name}"
    if field.optional and text.lower() in {"", AUTO, field.empty}:
        return None
    if field.kind in {int, float}:
        return _number(field, text, where)
    if field.kind is bool:
        with place(where):
            return yes_or_no(text)
    text = field.synonyms.get(text, text)
    if field.choices and text not in field.choices:
        remedy = "Allowed: " + ", ".join(field.choices)
        raise InputError("not one of the choices", where=where, value=text, remedy=remedy)
    return text


def written(value: object) -> str:
    """A setting as `parsed` reads it."""
    if value is None:
        return AUTO
    if isinstance(value, bool):
        return YES if value else NO
    return repr(value) if isinstance(value, float) else str(value)


def _number(field: Parameter, text: str, where: str) -> object:
    """A number in the field's unit and range; a prefix or the unit may be written ("64 KiB")."""
    try:
        value = cast("float", _read_number(field, text))
    except ValueError as error:
        noun = "whole number" if field.kind is int else "number"
        raise InputError(f"this is no {noun}", where=where, value=text) from error
    beneath = value < field.low or (field.above and value == field.low)
    if beneath or value > field.high or not math.isfinite(value):
        least = f"more than {bound(field.low)}" if field.above else f"{bound(field.low)}"
        remedy = f"Allowed: {least} to {bound(field.high)} {field.unit}".rstrip()
        raise InputError("the value is out of range", where=where, value=text, remedy=remedy)
    return value


def _read_number(field: Parameter, text: str) -> object:
    try:
        return field.kind(text)  # "nan" and "inf" too, which are out of every range
    except ValueError:
        if not text[-1:].isalpha():
            raise
    return read(field, text)


def _keys(known: Mapping[str, Parameter]) -> str:
    return "Settings: " + ", ".join(known)


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
        found += [_one_number(value, entry, where, _NUMBERS)] * _fits(
            times, len(found), most, where
        )
    return tuple(found)


def pairs(text: str, where: str, most: int = 10_000) -> tuple[tuple[float, float], ...]:
    """Pairs of numbers ≥ 0, "a/b"; a single number is "a/0". As `number_list` otherwise."""
    found: list[tuple[float, float]] = []
    for entry in _entries(text, where, _PAIRS):
        times, value = _repeated(entry)
        one, slash, other = value.partition("/")
        first = _one_number(one, entry, where, _PAIRS)
        pair = (first, _one_number(other, entry, where, _PAIRS) if slash else 0.0)
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


def _one_number(text: str, entry: str, where: str, example: str) -> float:
    value = written_number(text)
    if value is None or not 0.0 <= value < math.inf:
        raise InputError(
            "an entry of the list is no number ≥ 0", where=where, value=entry,
            remedy=f"Write numbers apart by commas, e.g. {example}",
        )  # fmt: skip
    return value
