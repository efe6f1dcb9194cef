"""Text of the inspector's fields is read as a person means it, and written back exactly."""

from __future__ import annotations

import pytest

from gui.inspector import values
from machines import InputError


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("12.5", "", 12.5),
        ("12 ms", "s", 0.012),
        ("8 GiB", "B", 8 * 2**30),
        ("1,5 k", "", 1500.0),
        ("125 MB/s", "B/s", 125e6),
        ("3 µs", "s", 3e-6),
        ("1e3", "s", 1000.0),
    ],
)
def test_a_number_may_carry_prefix_and_unit(text: str, unit: str, value: float) -> None:
    assert values.real(text, unit) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "abc", "1 2", "12 parsecs", "nan", "inf", "1e999"])
def test_what_is_no_finite_number_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError):
        values.real(text, "s")


def test_counts_are_whole() -> None:
    assert values.count("1e3") == 1000
    with pytest.raises(InputError, match="whole"):
        values.count("1.5")


def test_data_sets_read_as_they_are_shown() -> None:
    sets = ((100, 2048.0), (1, 65536.0))
    assert values.data_sets(values.shown_data_sets(sets)) == sets
    assert values.data_sets("1 x 64 KiB") == ((1, 65536.0),)
    assert values.data_sets("") == ()
    with pytest.raises(InputError, match="count × bytes"):
        values.data_sets("100")


def test_lists_read_as_they_are_shown() -> None:
    assert values.numbers(values.shown_numbers((0.6, 1.1))) == (0.6, 1.1)
    assert values.names(values.shown_names(("M1", "M2"))) == ("M1", "M2")
    assert values.names(" ") is None


def test_nothing_written_can_mean_none() -> None:
    assert values.optional(values.count)("  ") is None
    assert values.optional(values.count)("4") == 4
    assert values.shown(None) == ""


def test_a_name_is_stripped_and_never_empty() -> None:
    assert values.name("  M1 ") == "M1"
    with pytest.raises(InputError):
        values.name(" ")


def test_bytes_are_whole() -> None:
    assert values.whole_bytes("1.5 KiB") == 1536
