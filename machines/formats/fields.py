"""Checked access to the tables of a file: known keys only, right types, the place in every error.

Shared by all readers, whatever the file's syntax: TOML and JSON both give nested dicts and lists.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING
from typing import Any

from machines.checks import number
from machines.errors import InputError, PlacewiseError, shown_value
from machines.parameters import properties_of
from machines.uncertain import plain

Table = dict[str, object]

_LONGEST_WORD = 200


@contextmanager
def place(where: str) -> Iterator[None]:
    """Put `where` before the place of every error raised inside."""
    try:
        yield
    except PlacewiseError as error:
        raise error.at(where) from None


def table(value: object, known: Iterable[str], where: str) -> Table:
    """`value` as a table with none but the `known` keys.

    Raises
    ------
    InputError
        It is no table, or has another key; the nearest known key is suggested.
    """
    if not isinstance(value, dict):
        raise InputError("this must be a table of keys and values", where=where, value=value)
    names = tuple(known)
    for key in value:
        if key not in names:
            raise InputError(
                f'unknown key "{key}"', where=where, remedy=suggestion(str(key), names)
            )
    return value


def suggestion(word: str, known: Iterable[str]) -> str:
    """What to offer for an unknown word: the nearest known one, else all of them."""
    names = tuple(known)
    compared = word if len(word) <= _LONGEST_WORD else ""  # quadratic in the letters
    near = difflib.get_close_matches(compared, names, n=1)
    if near:
        return f'Did you mean "{near[0]}"?'
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"Known: {shown}"


def rows(source: Table, key: str) -> list[object]:
    """The list at `key`; empty when absent."""
    value = source.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"{key} must be a list", where=key, value=value)
    return value


def required(source: Table, key: str, where: str) -> object:
    """The value at `key`, which must be there."""
    if key not in source:
        raise InputError(f"{key} is missing", where=where)
    return source[key]


def text(source: Table, key: str, where: str) -> str:
    """The text at `key`, which must be there."""
    value = required(source, key, where)
    if not isinstance(value, str):
        raise InputError(f"{key} must be a text", where=where, value=value)
    return value


def numbers(source: Table, key: str, where: str) -> tuple[float, ...]:
    """The list of numbers ≥ 0 at `key`; empty when absent."""
    return tuple(number(key, value, where=where) for value in rows(source, key))


def names(value: object, key: str, where: str) -> tuple[str, ...]:
    """`value` as a list of texts."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(f"{key} must be a list of names", where=where, value=value)
    return tuple(value)


def properties(source: Table, record_type: type, where: str) -> dict[str, Any]:
    """Name → value of what a record type declares and the table gives.

    Raises
    ------
    InputError
        One that must be given is missing, of another type, or out of range.
    """
    found: dict[str, Any] = {}
    for one in properties_of(record_type):
        if one.name in source or one.default is MISSING:
            value = required(source, one.name, where)
            is_text = one.kind is str  # which texts are allowed the record itself checks
            found[one.name] = (
                text(source, one.name, where) if is_text else one.check(value, where=where)
            )
    return found


def properties_table(record: object) -> Table:
    """The properties of a record as a table, without ``None`` and texts at their default."""
    return {
        one.name: plain(value) if one.kind is float else one.kind(value)
        for one in properties_of(type(record))
        if (value := getattr(record, one.name)) is not None
        and not (one.kind is str and value == one.default)
    }


def entry(kind: str, value: object, position: int) -> str:
    """How to call an entry of a list in messages: by its name, else by its place."""
    name = value.get("name") if isinstance(value, dict) else None
    return f'{kind} "{name}"' if isinstance(name, str) and name else f"{kind} {position + 1}"


def whole_document(document: object, known: Iterable[str], name: str, version: int) -> Table:
    """The outermost table of a file, of the right kind, not newer than this program.

    Parameters
    ----------
    document : object
        What the file's text says.
    known : iterable of str
        Its keys, "format" and "version" among them.
    name, version : str, int
        The format, and the newest version that is read.

    Raises
    ------
    InputError
        It is no table, of another format or version, or has another key.
    """
    if isinstance(document, dict):
        _expect_format(document, name, version)
    return table(document, known, "")


def _expect_format(source: Table, name: str, version: int) -> None:
    found = source.get("format")
    if found != name:
        raise InputError(
            "this is another kind of file" if "format" in source else "format is missing",
            value=found,
            remedy=f'Expected: format = "{name}"',
        )
    number_ = source.get("version")
    if isinstance(number_, bool) or not isinstance(number_, int) or number_ < 1:
        raise InputError(
            "version must be a whole number", value=number_, remedy=f"Known: 1 to {version}"
        )
    if number_ > version:
        raise InputError(
            f"a newer Placewise wrote this file (version {shown_value(number_)})",
            remedy=f"This one reads up to version {version}: update it",
        )
