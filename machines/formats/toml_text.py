"""TOML text from and to nested dicts: the standard library reads it, tomli-w writes the values.

The layout is ours, so that a task or a link takes few lines: lists of tables become `[[key]]`
sections, tables that hold tables or lists `[key]` sections; other tables and lists stand on one
line. Numbers keep every digit: what was written is read back exactly.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache

import tomli_w

from machines.errors import InputError
from machines.files import fits_memory
from machines.formats.fields import Table

_LINE = "\n"
_WRITTEN = "TOML has lines of name = value, texts in quotes, and headings [in brackets]"
_MOST_PARTS = 64  # of a key with dots: the reader takes time and memory by their square
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{_PART}){{{_MOST_PARTS},}}+", re.MULTILINE)
_HEADER = re.compile(r"^[ \t]*\[[^\n]*", re.MULTILINE)


def parse(text: str, where: str) -> Table:
    """The document as nested dicts and lists.

    Raises
    ------
    InputError
        With line and column, or for nesting that is too deep.
    """
    key = _LONG_KEY.search(text)
    if key is not None:
        raise InputError(
            f"a key has some {key[0].count('.') + 1:,} parts",
            where=f"{where}: line {text.count(_LINE, 0, key.end()) + 1}",
            value=key[0].strip(),
            remedy=f"Allowed: {_MOST_PARTS} between dots",
        )
    fits_memory(_needed(text), where, "Large workloads belong in JSON")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError("tables are nested too deep", where=where) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=where, remedy=_WRITTEN) from error
    except ValueError as error:
        raise InputError("a number has too many digits", where=where) from error


def _needed(text: str) -> float:
    """Bytes that the reader takes, at most: measured by what tables, keys and lists cost each."""
    headers: list[str] = _HEADER.findall(text)
    parts = len(headers) + sum(header.count(".") for header in headers)
    weights = {"=": 250, ".": 250, "[": 80, "{": 80, ",": 40}
    values = sum(text.count(sign) * each for sign, each in weights.items())
    return 2.0 * len(text) + 1000.0 * parts + values


def dump(document: Table) -> str:
    """TOML text of a document; keys whose value is None are left out."""
    return "\n".join(_section(document, "")).lstrip("\n") + "\n"


def _section(table: Table, path: str) -> list[str]:
    lines, sections = [], []
    indent = "  " * max(path.count("."), 0)
    for key, value in table.items():
        inner = f"{path}.{_key(key)}" if path else _key(key)
        depth = "  " * inner.count(".")
        if isinstance(value, dict) and any(
            isinstance(entry, dict | list) for entry in value.values()
        ):
            sections += ["", f"{depth}[{inner}]", *_section(value, inner)]
        elif _is_sections(value):
            for row in value:  # type: ignore[attr-defined]
                sections += ["", f"{depth}[[{inner}]]", *_section(row, inner)]
        elif value is not None:
            lines.append(f"{indent}{_line(key, value)}")
    return lines + sections


def _is_sections(value: object) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)
    )


@lru_cache(1024)
def _key(key: str) -> str:
    return _line(key, 0).removesuffix(" = 0")


def _line(key: str, value: object) -> str:
    """``key = value`` on one line."""
    if isinstance(value, dict):
        inner = ", ".join(_line(name, entry) for name, entry in value.items())
        return f"{_key(key)} = {{ {inner} }}" if inner else f"{_key(key)} = {{}}"
    text = tomli_w.dumps({key: value}, indent=0).removesuffix("\n")
    # texts hold no line feed, so that those in sight are between the entries of a list
    return text.replace(",\n]", "]").replace("[\n", "[").replace(",\n", ", ")
