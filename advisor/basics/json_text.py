"""JSON text as nested dicts and lists, with every defect told as an `InputError`.

Python's reader accepts more than JSON (NaN, repeated keys, halves of surrogate pairs); what would
later fail or silently lose data is refused here.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from machines.checks import repeated
from machines.errors import InputError
from machines.files import decoded, fits_memory

_SURROGATE = re.compile(rb"\\u[dD][89abcdefABCDEF]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def parse(content: bytes, where: str) -> object:
    """The value of a JSON text.

    Keys are looked at in Python, object by object, so that other threads run meanwhile.

    `content`: UTF-8, with or without a byte order mark. `where`: name of the text in errors.
    """
    fits_memory(_needed(content), where, "Split the file, or leave out what is not used")
    try:
        value: object = json.loads(
            decoded(content, ""), parse_constant=_refuse_constant, object_pairs_hook=_distinct
        )
        if _SURROGATE.search(content):
            _ENCODER.encode(value).encode("utf-8")
    except InputError as error:
        raise error.at(where) from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"not valid JSON: {error.msg.lower()} (line {error.lineno}, column {error.colno})",
            where=where,
            remedy=_remedy(error),
        ) from None
    except UnicodeEncodeError:
        raise InputError("a text holds half of a surrogate pair", where=where) from None
    except RecursionError:
        raise InputError("values are nested too deep", where=where) from None
    except ValueError:
        raise InputError("a number has too many digits", where=where) from None
    return value


def _needed(content: bytes) -> float:
    """Bytes that the values take, and the tasks, flows and files that become of them.

    Measured: 0.7 KB for a task, 1.7 KB with a flow, 3.5 KB for one of WfFormat with a file.
    """
    weights = {b"{": 400, b"[": 100, b":": 120, b'"': 20, b",": 64}
    return 2.0 * len(content) + sum(content.count(sign) * each for sign, each in weights.items())


@contextmanager
def collector_paused() -> Iterator[None]:
    """Spare the garbage collector while a large file becomes values.

    Reading makes hundreds of thousands of objects and no garbage cycles; the collector would walk
    them again and again (40 % of the time at 30,000 tasks).
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def dump(value: object) -> str:
    """One line of JSON.

    Raises `ValueError`: for NaN or infinity, which JSON lacks.
    """
    return _ENCODER.encode(value)


def dump_rows(document: dict[str, object]) -> str:
    """JSON of an object with one key a line, and one entry a line in its lists of objects.

    Large files stay readable and compare line by line, at the speed of the compiled encoder.
    """
    return _rows(document, "") + "\n"


@dataclass(frozen=True)
class Written:
    """A value of a document for `dump_rows` whose text is kept, because it is written often."""

    text: str


def written(value: object) -> Written:
    """The text of a value of a document for `dump_rows`, to be used again and again."""
    return Written(_text(value, " "))


def _rows(document: dict[str, object], indent: str) -> str:
    inner = indent + " "
    lines = [
        f"{inner}{_ENCODER.encode(key)}: {_text(value, inner)}" for key, value in document.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _text(value: object, indent: str) -> str:
    if isinstance(value, Written):
        return value.text
    if isinstance(value, dict) and any(_is_rows(entry) for entry in value.values()):
        return _rows(value, indent)
    if _is_rows(value):
        entries = f",\n{indent} ".join(map(_ENCODER.encode, value))  # type: ignore[call-overload]
        return f"[\n{indent} {entries}\n{indent}]"
    return _ENCODER.encode(value)


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _refuse_constant(name: str) -> object:
    raise InputError("a number is not finite", value=name, remedy="Give a finite number")


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        twice = repeated(key for key, _ in pairs)
        raise InputError("a key is given twice", value=twice, remedy="Remove one of them")
    return result


def _remedy(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return "The file ends too early: it seems to be cut off"
    return ""


def objects(source: dict[str, object], key: str) -> list[dict[str, object]]:
    """The objects in the list under a key of others' JSON; none where there is no such list."""
    found = source.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
