"""The bytes of an input file: unpacked if gzipped, and refused early if they can't be text.

What a file is, is told by its content and not by its name. The first bytes are looked at before
the rest is read, so that noise costs nothing; unpacking stops at a limit.
"""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path
from typing import BinaryIO

from machines.errors import InputError
from machines.files import MIB, open_input, refusal

JSON, TOML = "json", "toml"
LIMIT_BYTES = {JSON: 256 * MIB, TOML: 64 * MIB}
HEAD_BYTES = 64 * 1024
_LOOK_BYTES = 16 * 1024
_RECORDS = re.compile(r"\[\s*\{")  # a list of objects in JSON; in TOML nothing begins so
_GZIP = b"\x1f\x8b"
_KNOWN = "What opens: Placewise TOML or JSON, WfFormat JSON, tables of tasks (also gzipped)"


def read_content(path: str | Path) -> tuple[bytes, str]:
    """The unpacked bytes of a file and what syntax they are in.

    `path`: the file, gzipped or not. Returns `content`: UTF-8 text, not yet decoded. Returns
    `syntax`: "json" if it begins with a brace or is a list of objects, else "toml".
    """
    where = str(path)
    try:
        with open_input(path) as file:
            magic = file.read(2)
            file.seek(0)
            if magic == _GZIP:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    return _read(unpacked, where)
            return _read(file, where)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"not a whole gzip file ({error})",
            where=where,
            remedy="The file seems to be cut off; fetch it again",
        ) from error
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise refusal("can't be read", path, error) from error


def read_head(path: str | Path, most: int = _LOOK_BYTES) -> bytes:
    """The first bytes, unpacked; none where they can't be read, which the reader then tells."""
    try:
        with open_input(path) as file:
            magic = file.read(len(_GZIP))
            file.seek(0)
            if magic != _GZIP:
                return file.read(most)
            with gzip.GzipFile(fileobj=file) as unpacked:
                return unpacked.read(most)
    except (OSError, EOFError, ValueError, zlib.error):
        return b""


def _read(file: BinaryIO | gzip.GzipFile, where: str) -> tuple[bytes, str]:
    head = file.read(HEAD_BYTES)
    syntax = _syntax(head, where)
    limit = LIMIT_BYTES[syntax]
    rest = file.read(limit + 1 - len(head))
    if len(head) + len(rest) > limit:
        raise InputError(
            "the file is too large",
            where=where,
            remedy=f"Allowed: {limit // MIB} MiB{' of JSON' if syntax == JSON else ''}, unpacked",
        )
    return head + rest, syntax


def _syntax(head: bytes, where: str) -> str:
    """Tell JSON from TOML by the first bytes; refuse what is neither."""
    try:
        text = head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if len(head) < HEAD_BYTES or error.start < len(head) - 4:  # else a character is cut
            raise _not_text(where) from None
        text = head[: error.start].decode("utf-8-sig")
    text = text.lstrip()
    if not text:
        raise InputError("the file is empty", where=where, remedy=_KNOWN)
    if "\0" in text:
        raise _not_text(where)
    if _RECORDS.match(text):
        return JSON
    if text[0] != "{":
        return TOML
    after = text[1:].lstrip()
    if after and after[0] not in '"}':
        raise InputError(
            "this is neither TOML nor a JSON object", where=where, value=text[:40], remedy=_KNOWN
        )
    return JSON


def _not_text(where: str) -> InputError:
    return InputError("this is not a text file", where=where, remedy=_KNOWN)
