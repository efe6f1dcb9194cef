"""Times as logs write them."""

from __future__ import annotations

import pytest

from advisor.runs.logs.instants import day_and_time, instant, since_1970, stretches


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
