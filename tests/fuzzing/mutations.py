"""What is done to a file: bytes, lines and values changed at random, the same for one seed."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Sequence

_NUMBERS = (
    b"nan", b"inf", b"-inf", b"1e400", b"-0", b"-0.0", b"-1", b"0", b"1" + b"0" * 4000, b"1e-400",
    b"2147483648", b"9007199254740993", b"18446744073709551616", b"0x" + b"f" * 5000, b"1e308",
    b"0.1e-300", b"1_000", b"00012", b"+5", b"1,5", b"1.", b".5", b"1e", b"true", b"null",
)  # fmt: skip
_TEXTS = (
    b"\x00", b"\x1b[31m", "\u202e".encode(), "\u2066".encode(), "\ufeff".encode(), b"\r", b"\n",
    b"\xff\xfe", b"\xed\xa0\x80", "\u0663".encode(), "\u00a0".encode(), "\u200b".encode(), b'"',
    b"\\ud800", b"\\u0000", b"'", b"#", b";", b"[", b"]", b"{", b"}", b"=", b",", b":", b"\t", b".",
    b"=>", b"..", b"/", b"../../etc/passwd", b"@", b"%s%n", b"1979-05-27T07:32:00Z", b"''''''",
    b'"""', "👩\u200d🔬".encode(), b"x" * 3000, b"a." * 300, b" " * 500, b"\\" * 101, b"{" * 40,
)  # fmt: skip
_LONGEST = 1 << 21  # bytes of a case: what grows with its square takes too long already
_DEEP = (b"[", b"{", b'{"a":', b"a={", b"[[", b"(", b'"', b"a.", b"x[1-9]", b"1,", b"2x", b"g:1:")
_NUMBER = re.compile(rb"[-+]?[0-9][0-9_.]*(?:[eE][-+]?[0-9]+)?")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9-]*")
_QUOTED = re.compile(rb'"[^"\n]*"')
_VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, 2**70, "", " ", "x", [], [[]], {}, {"a": 1}, ["a", 1],
    "\x1b", "x" * 2000, [None], -0.0, {"": {}}, 10**60,
)  # fmt: skip

Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def mutated(draw: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """The content after one to five changes; `others` are files of which parts may be taken."""
    if content[:2] == b"\x1f\x8b" and draw.random() < 0.7:
        content = gzip.compress(mutated(draw, gzip.decompress(content), others), mtime=0)
        return content if draw.random() < 0.8 else _flipped(draw, content, others)
    for _ in range(draw.choice((1, 1, 1, 1, 2, 3, 5))):
        content = draw.choice(_MUTATIONS)(draw, content, others)[:_LONGEST]
    return content


def _place(draw: random.Random, content: bytes) -> int:
    return draw.randint(0, len(content))


def _slice(draw: random.Random, content: bytes) -> slice:
    start = _place(draw, content)
    return slice(start, start + draw.choice((1, 2, 5, 20, 100, 1000)))


def _flipped(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _unused in range(draw.choice((1, 1, 2, 8))):
        if changed:
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _cut(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    return content[: _place(draw, content)]


def _removed(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    part = _slice(draw, content)
    return content[: part.start] + content[part.stop :]


def _again(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    part = content[_slice(draw, content)]
    at = _place(draw, content)
    return content[:at] + part * draw.choice((1, 1, 2, 50)) + content[at:]


def _spliced(draw: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    other = draw.choice(others)
    at = _place(draw, content)
    return content[:at] + other[_slice(draw, other)] + content[at:]


def _crossed(draw: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    other = draw.choice(others)
    return content[: _place(draw, content)] + other[_place(draw, other) :]


def _inserted(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = _place(draw, content)
    return content[:at] + draw.choice(_TEXTS) + content[at:]


def _replaced(draw: random.Random, content: bytes, pattern: re.Pattern[bytes], by: bytes) -> bytes:
    found = list(pattern.finditer(content))
    if not found:
        return content + by
    one = draw.choice(found)
    return content[: one.start()] + by + content[one.end() :]


def _renumbered(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    return _replaced(draw, content, _NUMBER, draw.choice(_NUMBERS))


def _reworded(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    words = _WORD.findall(content) or [b"x"]
    return _replaced(draw, content, _WORD, draw.choice((*words, *_TEXTS)))


def _requoted(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    texts = _QUOTED.findall(content) or [b'"x"']
    kinds = (b"[]", b"{}", b"3", b"true", b'[1, "a"]', b'"' + draw.choice(_TEXTS) + b'"')
    return _replaced(draw, content, _QUOTED, draw.choice((*kinds, draw.choice(texts))))


def _relined(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    lines = content.split(b"\n")
    one = draw.choice(lines)
    return draw.choice((
        lambda: b"\n".join([*lines, one]),
        lambda: b"\n".join(line for line in lines if line is not one),
        lambda: b"\n".join(draw.sample(lines, len(lines))),
        lambda: b"\n".join(lines).replace(b"\n", b"\r\n"),
        lambda: b"\n".join(lines) + b"\n" + (one + b"\n") * draw.choice((10, 300)),
    ))()  # fmt: skip


def _nested(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = _place(draw, content)
    return content[:at] + draw.choice(_DEEP) * draw.choice((10, 100, 2000, 20_000)) + content[at:]


def _grown(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """A key or text of great length."""
    return _replaced(draw, content, _WORD, b"k" * draw.choice((300, 5000, 100_000)))


def _recoded(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    text = content.decode("utf-8", "replace")
    return text.encode(draw.choice(("utf-16", "utf-8-sig", "utf-32-le", "cp500")), "replace")


def _restructured(draw: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """A value of a JSON file, or of a line that is JSON, of another type, removed, or moved."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return _restructured_line(draw, content)
    places = list(_walk(document, 0))
    if not places:
        return content
    for _unused in range(draw.choice((1, 1, 2))):
        table, key = draw.choice(places)
        try:
            value = draw.choice((*_VALUES, table[key], draw.choice(places)[0]))
            table[key] = json.loads(json.dumps(value))
        except (KeyError, IndexError, ValueError, RecursionError):
            return content
    return json.dumps(document).encode()


def _restructured_line(draw: random.Random, content: bytes) -> bytes:
    """The same of one line; of a file of no such lines another text in quotes."""
    lines = content.split(b"\n")
    some = [place for place, line in enumerate(lines[:1000]) if line[:1] == b"{" and line[1:]]
    if not some:
        return _requoted(draw, content, ())
    place = draw.choice(some)
    try:
        json.loads(lines[place])
    except (ValueError, RecursionError):
        return _requoted(draw, content, ())
    lines[place] = _restructured(draw, lines[place], ())
    return b"\n".join(lines)


def _walk(value: object, depth: int):  # type: ignore[no-untyped-def]
    """(table or list, key) of every value inside."""
    if depth < 12 and isinstance(value, dict | list):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _walk(inner, depth + 1)


_MUTATIONS: tuple[Mutation, ...] = (
    _flipped, _cut, _removed, _again, _spliced, _crossed, _inserted, _renumbered, _renumbered,
    _reworded, _requoted, _requoted, _relined, _nested, _grown, _recoded, _restructured,
    _restructured,
)  # fmt: skip
