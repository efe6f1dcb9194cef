"""Text of logs: gzipped, in another encoding, cut, no text at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from advisor.runs.logs.log_lines import day_and_time, instant, since_1970, stretches, text_of
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


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:01:00", 60.0),
        ("1970-01-01 00:00:00.250", 0.25),
        ("1970-01-01T01:00:00+01:00", 0.0),
        ("19700101T000001Z", 1.0),
        ("Unknown", None),
        ("", None),
        ("0001-01-01T00:00:00+23:59", None),
    ],
)
def test_dates_become_seconds(text: str, seconds: float | None) -> None:
    assert instant(text) == seconds


def test_counts_become_seconds() -> None:
    assert since_1970("1500", 0.001) == 1.5
    assert [since_1970(one) for one in ("-1", "nan", "1e30", "", "x")] == [None] * 5


def test_a_run_is_called_by_its_second() -> None:
    assert day_and_time(1_800_000_000.9) == "2027-01-15 08:00:00"


def test_activity_with_a_gap_is_two_stretches() -> None:
    spans = [(0.0, 50.0), (1.0, 2.0), (55.0, 56.0), (70.0, 71.0)]
    assert stretches(spans, 10.0) == [0, 0, 0, 1]


def test_the_last_instant_of_all_has_a_name() -> None:
    last = instant("9999-12-31T23:59:59.9999999")
    assert last is not None
    assert day_and_time(last).startswith("9999-12-31")
