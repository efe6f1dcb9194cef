"""Texts are read as a person means them, and written back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from advisor.basics import entries
from advisor.basics.entries import read
from machines import InputError
from machines.parameters import Parameter, parameter, parameters_of
from machines.uncertain import Spread


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
        ("125 000 000", "B/s", 125e6),
        ("125\u202f000.5 B", "B", 125000.5),
        ("12 500 kB", "B", 12.5e6),
        ("1,250,000", "", 1.25e6),
        ("12,500.5 ms", "s", 12.5005),
        ("0,125", "s", 0.125),
        ("1250,125", "s", 1250.125),
        ("5 min", "s", 300.0),
        ("1 h 20 min", "s", 4800.0),
        ("1h20m", "s", 4800.0),
        ("1:03:25.94", "s", 3805.94),
        ("2-00:00:10", "s", 172810.0),
        ("5*60", "s", 300.0),
        ("3 × 2 min", "s", 360.0),
        ("50 us", "s", 5e-5),
        ("1 Gb/s", "B/s", 125e6),
        ("100 Mbit/s", "B/s", 12.5e6),
        ("1 Gbps", "B/s", 125e6),
        ("16 GiB", "B", 16 * 2**30),
        ("8 Mbit", "B", 1e6),
    ],
)
def test_a_number_may_carry_prefix_and_unit(text: str, unit: str, value: float) -> None:
    assert entries.real(text, unit) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "abc", "1 2", "1 2345", "12 parsecs", "nan", "inf", "1e999"])
def test_what_is_no_finite_number_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError):
        entries.real(text, "s")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("125000000", "125\u202f000\u202f000"),
        ("-12345.67891", "-12\u202f345.67891"),
        ("1024", "1024"),
        ("0.00001234567", "0.00001234567"),
        ("1.25e-11", "1.25e-11"),
    ],
)
def test_thousands_are_set_apart_and_read_again(text: str, shown: str) -> None:
    assert entries.grouped(text) == shown
    assert entries.real(shown) == float(text)


@pytest.mark.parametrize("text", ["125,000", "-1,250 ms", "1,000 k"])
def test_a_comma_that_parts_thousands_or_decimals_is_refused_with_both(text: str) -> None:
    with pytest.raises(InputError, match="comma") as refused:
        entries.real(text, "s")
    without = text.split(maxsplit=1)[0].replace(",", "")
    assert f"Write {without} or" in refused.value.remedy


def test_counts_are_whole() -> None:
    assert entries.count("1e3") == 1000
    assert entries.count("125,000") == 125_000
    with pytest.raises(InputError, match="comma"):
        entries.count("1,250 k")
    with pytest.raises(InputError, match="whole"):
        entries.count("1.5")


@pytest.mark.parametrize(
    ("text", "remedy"), [("abc", "Write a whole number, e.g. 4 B"), ("2.5", "Write 2 or 3")]
)
def test_a_count_that_is_none_is_told_what_would_be(text: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        entries.count(text, "B")
    assert refused.value.remedy == remedy


def test_a_name_is_stripped_and_never_empty() -> None:
    assert entries.name("  M1 ") == "M1"
    with pytest.raises(InputError):
        entries.name(" ")


def test_bytes_are_whole() -> None:
    assert entries.whole_bytes("1.5 KiB") == 1536


@dataclass(frozen=True)
class Letter:
    """A field of every kind."""

    sender: str = parameter(help="From.")
    pages: int = parameter(1, help="How many.")
    size: int | None = parameter(None, unit="B", empty="any", help="How big.")
    delay: float = parameter(0.0, unit="s", help="How late.")
    share: float = parameter(0.5, help="Of the page that is written on.")
    express: bool = parameter(False, help="Whether.")
    way: str = parameter("air", choices=("air", "sea"), help="Which.")


LETTER = {one.name: one for one in parameters_of(Letter)}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("sender", " Ada ", "Ada"),
        ("pages", "1e3", 1000),
        ("size", "1.5 KiB", 1536),
        ("size", " ", None),
        ("size", "any", None),
        ("delay", "12 ms", 0.012),
        ("share", "0.25", 0.25),
        ("share", "25 %", 0.25),
        ("express", "yes", True),
        ("express", "No", False),
        ("way", "sea", "sea"),
    ],
)
def test_a_text_is_read_by_the_kind_of_its_parameter(name: str, text: str, value: object) -> None:
    assert read(LETTER[name], text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sender", " "),
        ("pages", "1.5"),
        ("pages", ""),
        ("delay", "late"),
        ("delay", "5 %"),
        ("share", "%"),
        ("express", "maybe"),
    ],
)
def test_a_text_of_another_kind_is_refused(name: str, text: str) -> None:
    with pytest.raises(InputError):
        read(LETTER[name], text)


def test_a_parameter_may_read_texts_its_own_way() -> None:
    assert read(Parameter("words", "words", reads=str.split), "a b") == ["a", "b"]


def test_nothing_is_shown_of_none() -> None:
    assert entries.shown(None) == ""


@pytest.mark.parametrize(
    ("text", "value", "low", "high", "cv"),
    [
        ("12 s ± 15 %", 12.0, None, None, 0.15),
        ("12 +- 2 s", 12.0, 10.0, 14.0, None),
        ("12 s (10 s to 14 s)", 12.0, 10.0, 14.0, None),
        ("10 to 14 min", 720.0, 600.0, 840.0, None),
        ("1 min", 60.0, None, None, None),
    ],
)
def test_a_number_may_have_a_spread(
    text: str, value: float, low: float | None, high: float | None, cv: float | None
) -> None:
    found = entries.ranged(text, "s")
    assert float(found) == value
    spread = getattr(found, "spread", Spread())
    assert (spread.low, spread.high, spread.cv) == (low, high, cv)
    assert entries.ranged(entries.quantity(found, "s"), "s") == found


@pytest.mark.parametrize("text", ["12 ± 0 %", "14 to 10", "5 (10 to 14)", "x to y", "1 ± x"])
def test_a_spread_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        entries.ranged(text, "s")
