"""TOML text from and to nested dicts: the standard library reads it, this file writes it.

Lists of tables become `[[key]]` sections, tables that hold tables or lists `[key]` sections; other
tables are written inline. Numbers keep every digit: what was written is read back exactly.
"""

from __future__ import annotations

import json
import re
import tomllib

from machines.errors import InputError
from machines.formats.fields import Table

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def parse(text: str, where: str) -> Table:
    """The document as nested dicts and lists.

    Raises
    ------
    InputError
        With line and column, or for nesting that is too deep.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError("tables are nested too deep", where=where) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=where) from error
    except ValueError as error:
        raise InputError("a number has too many digits", where=where) from error


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
            lines.append(f"{indent}{_key(key)} = {_value(value)}")
    return lines + sections


def _is_sections(value: object) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(value: str) -> str:
    # JSON's escapes are TOML's, but TOML forbids a bare DEL
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)
