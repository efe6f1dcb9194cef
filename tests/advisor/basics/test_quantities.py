"""How numbers are written."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics import quantities


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0124, "12.4 ms"),
        (3.2, "3.20 s"),
        (48.0, "48.0 s"),
        (59.94, "59.9 s"),
        (60.0, "1 min"),
        (718.3, "11 min 58 s"),
        (-718.3, "−11 min 58 s"),
        (3200.0, "53 min 20 s"),
        (3599.9, "1 h"),
        (4320.0, "1 h 12 min"),
        (86399.9, "1 d"),
        (273600.0, "3 d 4 h"),
        (4305.0, "1 h 11 min 45 s"),
        (1e12, "31,700 years"),
        (0.9999996, "1.00 s"),
        (-5e-7, "−500 ns"),
        (0.0, "0 s"),
        (-0.0, "0 s"),
        (math.inf, "∞ s"),
        (-math.inf, "−∞ s"),
        (math.nan, "–"),
    ],
)
def test_a_duration_reads_as_people_say_it(seconds: float, text: str) -> None:
    assert quantities.duration(seconds) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.5e6, "B/s", "1.50 MB/s"),
        (999.9996, "B", "1.00 kB"),
        (1234.5, "", "1,230"),
        (0.001234, "", "0.00123"),
        (2.5e7, "", "2.50·10⁷"),
        (1.27e-19, "", "1.27·10⁻¹⁹"),
        (1.09e-23, "%", "1.09·10⁻²³ %"),
        (3.2e7, "messages", "3.20·10⁷ messages"),
        (28_600.0, "cycle", "28,600 cycles"),
        (0.5, "cycle", "0.500 cycles"),
        (0.0, "cycle", "0 cycles"),
        (28_600.0, "rays/s", "28,600 rays/s"),
        (2e9, "flop/s", "2.00 Gflop/s"),
        (6517.0, "k-cell-steps/s", "6,520 k-cell-steps/s"),
        (2240.0, "µs", "2,240 µs"),
        (0.32, "ms/run", "0.320 ms/run"),
        (1e-40, "s", "1.00·10⁻⁴⁰ s"),
        (1e40, "", "1.00·10⁴⁰"),
        (-2.0, "", "−2.00"),
    ],
)
def test_a_number_has_three_significant_digits_a_prefix_and_its_unit(
    value: float, unit: str, text: str
) -> None:
    assert quantities.number(value, unit) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.2083, "21 %"),
        (0.0324, "3.2 %"),
        (0.0999, "10 %"),
        (0.00995, "1.0 %"),
        (0.0000995, "0.010 %"),
        (1.5, "150 %"),
        (123.4, "12,340 %"),
        (-0.034, "−3.4 %"),
        (1e-6, "< 0.001 %"),
        (-1e-6, "> −0.001 %"),
        (0.0, "0 %"),
        (math.inf, "∞ %"),
        (0.9951, "99.5 %"),
        (0.99999, "> 99.9 %"),
        (-0.99999, "< \u221299.9 %"),
    ],
)
def test_a_share_has_two_significant_digits(share: float, text: str) -> None:
    assert quantities.percent(share) == text


def test_a_difference_always_shows_its_sign() -> None:
    assert quantities.signed_duration(3.4) == "+3.40 s"
    assert quantities.signed_duration(-2.1) == "−2.10 s"
    assert quantities.signed_duration(0.0) == "0 s"


def test_a_difference_of_rounding_is_no_difference() -> None:
    assert quantities.signed_duration(1e-13, scale=48.0) == "0 s"
    assert quantities.signed_duration(-1e-6, scale=48.0) == "−1.00 µs"


def test_sizes_slowdowns_and_counts_carry_their_words() -> None:
    assert quantities.size(512) == "512 B"
    assert quantities.size(0.5) == "500 mB"
    assert quantities.size(8_589_934_592) == "8.59 GB"
    assert quantities.slowdown(3.0) == "×3.00"
    assert quantities.slowdown(math.nan) == "–"
    assert quantities.few(["a", "b"], 2) == "a, b"
    assert quantities.few(range(1_202), 2, "#{}".format) == "#0, #1 and 1,200 more"
    assert quantities.count(1, "task") == "1 task"
    assert quantities.count(30_000, "task") == "30,000 tasks"
    assert quantities.count(2, "search", "searches") == "2 searches"


def test_exact_text_gives_the_value_back() -> None:
    assert quantities.exact(-0.1) == "-0.1"
    assert quantities.exact(0.0, "s") == "0 s"
    assert quantities.exact(math.inf, "s") == "∞ s"
    assert float(quantities.exact(1 / 3)) == 1 / 3


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_text_ever_shows_a_negative_zero(value: float) -> None:
    for text in (
        quantities.number(value, "s"),
        quantities.duration(value),
        quantities.percent(value),
        quantities.signed_duration(value),
    ):
        assert "-" not in text.replace("e-", "")
        assert re.match(r"−0(\.0+)?( |$)", text) is None


@given(st.floats(min_value=1e-30, max_value=1e30))
def test_a_number_is_within_half_a_digit_of_its_value(value: float) -> None:
    text, _, unit = quantities.number(value, "s").partition(" ")
    powers = dict(zip("qryzafpnµm", range(-30, 0, 3), strict=True)) | {"": 0}
    powers |= dict(zip("kMGTPEZYRQ", range(3, 31, 3), strict=True))
    shown = float(text) * 10.0 ** powers[unit.removesuffix("s")]
    assert shown == pytest.approx(value, rel=0.0051)


@pytest.mark.parametrize(
    ("value", "half_width", "unit", "text"),
    [
        (14.23e-6, 0.11e-6, "s", "14.23 ± 0.11 µs"),
        (14.23e-6, 0.24e-6, "s", "14.2 ± 0.2 µs"),
        (1804.4, 5.7, "", "1,804 ± 6"),
        (1804.4, 11.3, "", "1,804 ± 11"),
        (58_621.0, 2_300.0, "", "59,000 ± 2,000"),
        (4.49e7, 3.37e6, "", "45 ± 3 M"),
        (0.5, 0.02, "", "0.50 ± 0.02"),
        (-3.0, 0.2, "", "−3.0 ± 0.2"),
        (0.0, 0.3, "B", "0 ± 300 mB"),
        (5161.5, 7e-5, "", "5,160"),
        (5161.5, 0.0, "", "5,160"),
        (5161.5, math.nan, "s", "5.16 ks"),
    ],
)
def test_a_mean_has_the_digits_of_its_interval(
    value: float, half_width: float, unit: str, text: str
) -> None:
    assert quantities.measured(value, half_width, unit) == text


@pytest.mark.parametrize(
    ("seconds", "step_s", "text", "padded"),
    [
        (90.0, 1.0, "1 min 30 s", "1 min 30 s"),
        (719.96, 0.1, "12 min", "12 min 0.0 s"),
        (718.34, 0.1, "11 min 58.3 s", "11 min 58.3 s"),
        (5400.0, 60.0, "1 h 30 min", "1 h 30 min"),
        (259_200.0, 60.0, "3 d", "3 d 0 h 0 min"),
        (864_000.0, 864_000.0, "10 d", "10 d"),
        (0.0, 1.0, "0 s", "0 s"),
        (-61.0, 1.0, "−1 min 1 s", "−1 min 1 s"),
        (-0.2, 1.0, "0 s", "0 s"),
    ],
)
def test_a_clock_tells_no_part_below_its_step(
    seconds: float, step_s: float, text: str, padded: str
) -> None:
    assert quantities.clock(seconds, step_s) == text
    assert quantities.clock(seconds, step_s, padded=True) == padded
