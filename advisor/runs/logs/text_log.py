"""The text of a log of lines, gzipped or not: what is no UTF-8 in it spoils no more than itself."""

from __future__ import annotations

import zlib
from pathlib import Path

from machines.errors import InputError
from machines.files import MIB, read_bytes

_LARGEST_BYTES = 64 * MIB  # rows take up to 15 times as much
_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 64 * 1024


def text_of(path: Path, notes: list[str]) -> str:
    """The text of a log.

    `notes`: a sentence is appended if there are bytes that are no UTF-8: names in another encoding.
    """
    where = str(path)
    content = read_bytes(path, _LARGEST_BYTES)
    if content.startswith(_GZIP):
        content = _unpacked(content, where)
    if b"\0" in content[:_HEAD_BYTES]:
        raise InputError("this is not a text file", where=where, remedy="Save it as UTF-8 text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        notes.append(f"What is no UTF-8 text is replaced (first at byte {error.start:,})")
        return content.decode("utf-8-sig", "replace")


def _unpacked(content: bytes, where: str) -> bytes:
    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(content, _LARGEST_BYTES + 1)
    except zlib.error as error:
        raise InputError(f"not a whole gzip file ({error})", where=where) from None
    if len(found) > _LARGEST_BYTES:
        remedy = f"Allowed: {_LARGEST_BYTES // MIB} MiB, unpacked"
        raise InputError("the file is too large", where=where, remedy=remedy)
    if not unpacking.eof:
        remedy = "The file seems to be cut off; fetch it again"
        raise InputError("not a whole gzip file", where=where, remedy=remedy)
    return found
