"""Fitting lines and pieces: exact data come back, real features are found, junk is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines import InputError, fit_line, fit_piecewise, fitting

SIZES = np.array([1, 64, 128, 256, 512, 1024, 1536, 2048, 3072, 4096], dtype=float)


def pieces(sizes, threshold, below, above):
    return np.where(sizes <= threshold, below[0] + sizes / below[1], above[0] + sizes / above[1])


@given(
    alpha=st.floats(0, 10),
    beta=st.floats(0.01, 1e3),
    weights=st.sampled_from(["absolute", "relative"]),
)
def test_a_line_without_noise_comes_back(alpha, beta, weights):
    sizes = [1.0, 2.0, 5.0, 5.0, 9.0]
    found = fit_line(sizes, [alpha + size / beta for size in sizes], weights)
    assert found == pytest.approx((alpha, beta), rel=1e-6, abs=1e-6)


def test_a_line_is_the_least_squares_line():
    rng = np.random.default_rng(4)
    times = 2.0 + SIZES / 300.0 + rng.normal(0, 0.5, SIZES.size) ** 2
    alpha, beta = fit_line(SIZES, times)
    slope, intercept = np.polyfit(SIZES, times, 1)
    assert (alpha, 1 / beta) == pytest.approx((intercept, slope))


def test_relative_weights_give_the_line_of_least_squared_relative_error():
    rng = np.random.default_rng(5)
    times = (2.0 + SIZES / 30.0) * rng.uniform(0.9, 1.1, SIZES.size)
    alpha, beta = fit_line(SIZES, times, "relative")
    slope, intercept = np.polyfit(SIZES, times, 1, w=1 / times)
    assert (alpha, 1 / beta) == pytest.approx((intercept, slope))


def test_all_thresholds_are_tried_in_two_walks_over_the_measurements(monkeypatch):
    walked, lines = [], []
    running, squares = fitting._running, fitting._least_squares

    def counted_walk(size, *rest):
        walked.append(size.size)
        return running(size, *rest)

    def counted_line(size, *rest):
        lines.append(size.size)
        return squares(size, *rest)

    monkeypatch.setattr(fitting, "_running", counted_walk)
    monkeypatch.setattr(fitting, "_least_squares", counted_line)
    sizes = [float(size) for size in range(1, 2001)]
    times = [2.0 + s / 10.0 if s <= 700 else 60.0 + s / 20.0 for s in sizes]
    threshold, below, above = fit_piecewise(sizes, times)
    assert threshold == 700.0
    assert below == (pytest.approx(2.0), pytest.approx(10.0))
    assert above == (pytest.approx(60.0), pytest.approx(20.0))
    assert (walked, sum(lines)) == ([2000, 2000], 2000)


def test_times_without_any_weight_have_no_say():
    times = [1e-100, 2e-100, 3e-100, 4e-100, 1e100, 2e100]
    _, below, _ = fit_piecewise([1, 2, 3, 4, 5, 6], times, "relative")
    assert below == (pytest.approx(0.0, abs=1e-110), pytest.approx(1e100))


def test_a_negative_startup_is_returned_as_it_is():
    assert fit_line([1, 2], [1, 3])[0] == pytest.approx(-1.0)


def test_the_threshold_of_a_jump_is_found():
    times = pieces(SIZES, 1024, (0.002, 250_000), (0.0035, 400_000))
    threshold, below, above = fit_piecewise(SIZES, times)
    assert threshold == 1024
    assert below == pytest.approx((0.002, 250_000))
    assert above == pytest.approx((0.0035, 400_000))


@pytest.mark.parametrize("threshold", [4, 6, 8])
def test_continuous_pieces_meet_at_the_larger_of_two_tied_thresholds(threshold):
    sizes = np.array([1, 2, 3, 4, 6, 8, 12, 16, 20], dtype=float)
    times = pieces(sizes, threshold, (1.0, 4.0), (1.0 + threshold / 8, 8.0))
    assert fit_piecewise(sizes, times)[0] == threshold


def test_relative_weights_find_a_protocol_switch_that_large_messages_hide():
    sizes = np.repeat(2.0 ** np.arange(23), 6)
    noise = np.random.default_rng(1).lognormal(0, 0.05, sizes.size)
    times = pieces(sizes, 256, (1e-6, 2.5e9), (2e-6, 2.6e9)) * noise
    assert fit_piecewise(sizes, times, weights="relative")[0] == 256
    assert fit_piecewise(sizes, times, weights="absolute")[0] != 256


def test_an_exact_zero_startup_is_admissible():
    times = pieces(SIZES, 512, (0.0, 3.0), (50.0, 7.0))
    threshold, below, _ = fit_piecewise(SIZES, times)
    assert threshold == 512
    assert below[0] == pytest.approx(0.0, abs=1e-9)
    assert below[0] >= 0.0


def test_unsorted_and_repeated_sizes_give_the_same_fit():
    times = pieces(SIZES, 1024, (0.002, 250_000), (0.0035, 400_000))
    order = np.random.default_rng(2).permutation(np.tile(np.arange(SIZES.size), 2))
    threshold, below, above = fit_piecewise(SIZES[order].tolist(), times[order].tolist())
    assert threshold == 1024
    assert (*below, *above) == pytest.approx((0.002, 250_000, 0.0035, 400_000))


def test_times_near_the_smallest_double_do_not_overflow_the_weights():
    alpha, beta = fit_line([1.0, 2.0, 3.0], [1e-200, 2e-200, 3e-200], "relative")
    assert beta == pytest.approx(1e200)
    assert alpha == pytest.approx(0.0, abs=1e-210)


@pytest.mark.parametrize("fit", [fit_line, fit_piecewise])
@pytest.mark.parametrize(
    ("sizes", "times", "message"),
    [
        ([1, 2], [1, 2, 3], "one length"),
        ([], [], "list of numbers"),
        ([[1, 2]], [[1, 2]], "list of numbers"),
        (["a", "b"], [1, 2], "list of numbers"),
        ([-1, 2], [1, 2], "sizes must be finite"),
        ([1, 2], [1, float("nan")], "times must be finite"),
        ([1, float("inf")], [1, 2], "sizes must be finite"),
    ],
)
def test_unusable_measurements_are_refused(fit, sizes, times, message):
    with pytest.raises(InputError, match=message):
        fit(sizes, times)


def test_unknown_weights_are_refused():
    with pytest.raises(InputError, match="unknown weights"):
        fit_line([1, 2], [1, 2], "log")


def test_relative_weights_refuse_a_time_of_zero():
    with pytest.raises(InputError, match="times > 0"):
        fit_line([1, 2], [0, 2], "relative")


@pytest.mark.parametrize("times", [[3, 2, 1], [0.1, 0.1, 0.1]])
def test_times_that_do_not_grow_are_refused(times):
    with pytest.raises(InputError, match="grow"):
        fit_line([1, 2, 3], times)


@pytest.mark.parametrize("sizes", [[5, 5], [5]])
def test_one_size_makes_no_line(sizes):
    with pytest.raises(InputError, match="two different sizes"):
        fit_line(sizes, [1.0] * len(sizes))


@pytest.mark.parametrize(
    ("sizes", "times"),
    [([1, 2, 3], [1, 2, 3]), ([1, 2, 3, 4], [4, 3, 2, 1]), ([2, 2, 2, 2], [1, 2, 3, 4])],
)
def test_no_admissible_threshold_is_refused(sizes, times):
    with pytest.raises(InputError, match="threshold"):
        fit_piecewise(sizes, times)


def test_one_measurement_that_has_all_the_weight_tells_no_slope():
    with pytest.raises(InputError, match="times do not grow with size"):
        fit_line([1, 2, 3], [1.0, 1e-300, 2.0], "relative")
