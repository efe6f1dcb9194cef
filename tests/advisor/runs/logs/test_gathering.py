"""Text of logs: gzipped, in another encoding, cut, no text at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from advisor.runs.logs.gathering import text_of
from machines import InputError


def read(tmp_path: Path, content: bytes) -> tuple[str, list[str]]:
    notes: list[str] = []
    (tmp_path / "log").write_bytes(content)
    return text_of(tmp_path / "log", notes), notes


def test_text_is_read_gzipped_or_not(tmp_path: Path) -> None:
    for content in (b"\xef\xbb\xbfa\xc3\xa9\n", gzip.compress("aé\n".encode())):
        assert read(tmp_path, content) == ("aé\n", [])


def test_names_in_another_encoding_spoil_nothing_else(tmp_path: Path) -> None:
    text, notes = read(tmp_path, b"a|caf\xe9|b\n")
    assert text == "a|caf\ufffd|b\n"
    assert "byte 5" in notes[0]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("a|b\n".encode("utf-16"), "not a text file"),
        (gzip.compress(b"abc" * 99, mtime=0)[:-9], "whole gzip"),
        (b"\x1f\x8bxxxx", "whole gzip"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, part: str) -> None:
    with pytest.raises(InputError, match=part):
        read(tmp_path, content)


def test_what_unpacks_to_more_than_logs_may_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too large"):
        read(tmp_path, gzip.compress(bytes(65 << 20)))
