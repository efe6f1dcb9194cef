"""The items of a list in JSON that may be cut, as logs are whose program was killed.

A whole text is read as JSON, strictly; one that is not is read item by item up to what is broken.
"""

from __future__ import annotations

import json
import re

from advisor.basics import json_text
from machines.errors import InputError

_BETWEEN = re.compile(r"[\s,]*")
_CUT = "not valid JSON"  # else it is whole, and refused for what it holds
_REMEDY = "A log is a list of records in JSON"


def is_json_with(head: bytes, mark: re.Pattern[bytes]) -> bool:
    """Whether a file that begins so may be JSON, and has such a mark in its beginning."""
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return begins in (b"[", b"{") and mark.search(head) is not None


def items(content: bytes, where: str, key: str = "") -> tuple[list[object], bool]:
    """The items, and whether the text is cut.

    `content`: a list, or an object that has it. `where`: the file. `key`: of the list in an object;
    empty: the first list in it.
    """
    try:
        document = json_text.parse(content, where)
    except InputError as error:
        found = _whole_items(content, key) if error.what.startswith(_CUT) else []
        if not found:
            raise error from None
        return found, True
    return _listed(document, where, key), False


def _listed(document: object, where: str, key: str) -> list[object]:
    if isinstance(document, dict):
        lists = (value for value in document.values() if isinstance(value, list))
        document = document.get(key) if key else next(lists, None)
    if not isinstance(document, list):
        raise InputError("no list of records is in it", where=where, remedy=_REMEDY)
    return document


def _whole_items(content: bytes, key: str) -> list[object]:
    """What can be read of a broken list: its items up to the first that is not whole."""
    text = content.decode("utf-8-sig", "ignore")
    mark = text.find(f'"{key}"') if key and text.lstrip()[:1] == "{" else 0
    at = text.find("[", max(mark, 0)) + 1
    found: list[object] = []
    if mark < 0 or not at:
        return found
    reader = json.JSONDecoder(parse_constant=_refuse)
    while True:
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        try:
            item, at = reader.raw_decode(text, at)
            json.dumps(item, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            return found
        found.append(item)


def _refuse(name: str) -> object:
    raise ValueError(name)
