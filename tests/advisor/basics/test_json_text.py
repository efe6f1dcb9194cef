"""Strict JSON in, one row a line out."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable

import pytest

from advisor.basics import json_text
from machines import InputError


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": NaN}', r"f: a number is not finite \(got 'NaN'\)"),
        (b'{"a": -Infinity}', "not finite"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', r"f: a key is given twice \(got 'c'\)"),
        (b'{"a": [1, 2', "not valid JSON.*line 1, column 12.*ends too early"),
        (b'{"a": \n x}', "not valid JSON: expecting value \\(line 2, column 2\\)$"),
        (b'{"a": "\xff"}', r"not UTF-8 text \(byte 7\)"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too many digits"),
    ],
)
def test_every_defect_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        json_text.parse(data, "f")


def test_whole_surrogate_pairs_are_one_character() -> None:
    assert json_text.parse(b'"\\ud83d\\ude00"', "f") == "😀"


def test_rows_are_one_a_line_and_read_back() -> None:
    document = {"n": 1, "in": {"rows": [{"a": 1}, {"a": 2}]}, "rows": [{"é": [1, 2]}], "e": []}
    text = json_text.dump_rows(document)
    assert json.loads(text) == document
    assert '\n   {"a": 1},\n   {"a": 2}\n' in text


def test_infinity_is_not_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_text.dump({"a": float("inf")})


@pytest.mark.parametrize("switch", [gc.enable, gc.disable])
def test_the_collector_is_as_it_was_after_a_pause(switch: Callable[[], None]) -> None:
    switch()
    before = gc.isenabled()
    with json_text.collector_paused():
        assert not gc.isenabled()
        with json_text.collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled() == before
    gc.disable()  # as all tests run


@pytest.mark.parametrize(
    ("row", "rows"),
    [
        (b'{"name": "t", "work": 1}', 2_000_000),
        (b'{"name": "t", "id": "t", "parents": [], "inputFiles": ["f"], "outputFiles": ["g"]}',
         1_000_000),
        (b"[]", 20_000_000),
        (b"1.5", 30_000_000),
    ],
    ids=["tasks", "workflow", "lists", "numbers"],
)  # fmt: skip
def test_what_would_take_more_than_a_gibibyte_is_refused_before_it_is_read(
    row: bytes, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_text.json, "loads", lambda *_, **__: pytest.fail("it was read"))
    few = _Counted(row + b",", rows)
    with pytest.raises(
        InputError, match=r"^f: .* needs some \d+\.\d GiB of memory\. Allowed: 1 GiB"
    ):
        json_text.parse(few, "f")


class _Counted(bytes):
    """The bytes of a row, which are counted as if they were there many times."""

    rows: int

    def __new__(cls, row: bytes, rows: int) -> _Counted:
        made = super().__new__(cls, row)
        made.rows = rows
        return made

    def count(self, *args: object) -> int:
        return super().count(*args) * self.rows  # type: ignore[arg-type]


def test_a_workload_of_a_million_plain_tasks_is_small_enough() -> None:
    row = _Counted(b'{"name": "t123456", "work": 1},', 1_000_000)
    assert json_text._needed(row) < 2**30
