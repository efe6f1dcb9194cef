"""Quantities are shown as people write them, and read back as the same number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics import entries
from machines import amounts
from machines.errors import InputError


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (300.0, "s", "5 min"),
        (4800.0, "s", "1 h 20 min"),
        (90.0, "s", "1 min 30 s"),
        (62.5, "s", "62.5 s"),
        (0.5, "s", "0.5 s"),
        (5e-5, "s", "50 µs"),
        (2e-5, "s", "20 µs"),
        (0.0, "s", "0 s"),
        (120e9, "B", "120 GB"),
        (16 * 2.0**30, "B", "16 GiB"),
        (1234567.0, "B", "1234567 B"),
        (125e6, "B/s", "125 MB/s"),
    ],
)
def test_the_plainest_unit_is_shown(value: float, unit: str, text: str) -> None:
    assert amounts.shown(value, unit) == text
    assert entries.real(text, unit) == value


@given(
    st.floats(1e-9, 1e15, allow_nan=False).map(lambda value: float(f"{value:.6g}")),
    st.sampled_from(amounts.UNITS),
)
def test_what_is_shown_reads_back_the_same(value: float, unit: str) -> None:
    assert entries.real(amounts.shown(value, unit), unit) == value


@pytest.mark.parametrize(
    ("text", "remedy"),
    [("5 m", "Write 5 min or 5 ms"), ("1:30", "Write 1 min 30 s or 1 h 30 min")],
)
def test_what_may_be_two_times_is_asked_for(text: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        entries.real(text, "s")
    assert refused.value.remedy == remedy


@pytest.mark.parametrize("text", ["5 min 1 h", "5 min 3 min", "1 h 2", "5 min/s", "2 GB"])
def test_no_time_is_made_of_nonsense(text: str) -> None:
    with pytest.raises(InputError):
        entries.real(text, "s")
