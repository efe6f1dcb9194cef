"""No number that the measurements refute: whatever was measured, and however badly laws fit it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.scaling.data import Measurements, parse_measurements
from advisor.studies import StudyResult
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from tests.advisor.studies.scaling.networks import table
from tests.benchmarks.bench_scaling_data import case_of, lost, refuted

QUICK = ScalingParameters(source="data", replicates=0, scaling="strong")

times = st.floats(0.01, 1e4, allow_nan=False)


def text_of(rows: list[tuple[int, float]]) -> str:
    return "P,time (s)\n" + "".join(f"{P},{value!r}\n" for P, value in rows)


@st.composite
def measured(draw: st.DrawFn) -> list[tuple[int, float]]:
    """Random, cliffed, dipped or noisy times at three to nine P, some with a bad run."""
    first = draw(st.sampled_from([1, 2, 7, 48]))
    P = [first * 2**k for k in range(draw(st.integers(3, 9)))]
    if draw(st.booleans()):
        return [(one, draw(times)) for one in P]
    sigma = draw(st.floats(0.0, 0.3))
    values = [100.0 * ((1 - sigma) * first / one + sigma) for one in P]
    cliff = draw(st.integers(1, len(P)))
    values = [value * (draw(st.floats(1, 50)) if i >= cliff else 1) for i, value in
              enumerate(values)]  # fmt: skip
    bad = draw(st.integers(0, len(P) - 1))
    values[bad] *= draw(st.sampled_from([1.0, 0.05, 0.7, 1.4, 9.0, 50.0]))
    return list(zip(P, values, strict=True))


def expect_unrefuted(rows: list[tuple[int, float]], result: StudyResult) -> None:
    """A promised time is no worse than that of a measured P below, or than the best measured."""
    least = min(P for P, _ in rows)
    best = min(value for _, value in rows)
    for row in table(result, "Processors to use"):
        P, told = int(str(row["P"])), float(str(row["time"]))
        assert least <= P
        assert all(told <= value * (1 + 1e-9) for at, value in rows if at <= P), row
    row = table(result, "Processors to use")[0]
    named, told = int(str(row["P"])), float(str(row["time"]))
    assert told <= best * (1 + 1e-9)
    neighbours = [min((value for at, value in rows if at <= named), default=np.inf),
                  min((value for at, value in rows if at >= named), default=np.inf)]  # fmt: skip
    if "No law here" in result.sentence:
        assert told >= min(neighbours) * (1 - 1e-9)
        assert named in {at for at, _ in rows}
        assert " measured" in result.headline


@settings(max_examples=settings.default.max_examples // 2)
@given(measured())
def test_no_measurement_refutes_what_is_promised(rows: list[tuple[int, float]]) -> None:
    if max(value for _, value in rows) <= min(value for _, value in rows) * (1 + 1e-9):
        return  # says nothing of scaling
    expect_unrefuted(rows, run(replace(QUICK, data=text_of(rows))))


@settings(max_examples=settings.default.max_examples // 6)
@given(measured())
def test_intervals_are_positive_in_order_and_hold_their_point(
    rows: list[tuple[int, float]],
) -> None:
    if max(value for _, value in rows) <= min(value for _, value in rows) * (1 + 1e-9):
        return
    result = run(replace(QUICK, data=text_of(rows), replicates=20))
    for one in result.series:
        if one.kind == "band":
            low, high = np.array(one.lower), np.array(one.y)
            means = [line for line in result.series if line.name == "mean of the laws"]
            (mean,) = [line for line in means if line.y_label == one.y_label]
            assert np.all(low > 0.0)
            assert np.all((low <= np.array(mean.y) * (1 + 1e-9)) & (high * (1 + 1e-9) >= mean.y))
    found = re.search(r"\(95 %: ([\d,]+) to ([\d,]+)\)", result.headline)
    if found is not None:
        low_P, high_P = (int(one.replace(",", "")) for one in found.groups())
        assert low_P <= result.facts[0].value <= high_P


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6])
def test_known_truths_lose_little_and_are_not_refuted(seed: int) -> None:
    case = case_of(seed)
    result = run(replace(QUICK, data=case.text))
    assert not refuted(case, result)
    assert lost(case, result) < 0.03


CLIFF = [(1, 100.0), (2, 52.0), (4, 27.0), (8, 15.0), (16, 9.0), (32, 450.0)]


def test_a_bad_run_at_the_end_is_named_and_changes_nothing() -> None:
    result = run(replace(QUICK, data=text_of(CLIFF)))
    assert result.headline == "Use 16 processors, the best measured up to 16: 9.00 s."
    said = "The point at 32 processors is an outlier, a cliff or a bad run: 450"
    assert "7 min 30" in result.alternative or said in result.alternative
    assert "with it the same number is named" in result.alternative
    (outlier,) = [one for one in result.series if one.name == "outlier" and one.y_label == "time"]
    assert (outlier.x, outlier.y) == ((32.0,), (450.0,))


def test_a_time_too_short_is_the_answer_and_what_holds_without_it_is_told() -> None:
    rows = [(1, 100.0), (2, 52.0), (4, 28.0), (8, 0.5), (16, 10.0), (32, 7.0), (64, 5.6)]
    result = run(replace(QUICK, data=text_of(rows)))
    assert result.headline.startswith("Use 8 processors, the best measured: 500 ms")
    assert "too fast to be true" in result.alternative
    assert "without it 63 is named" in result.alternative


def test_growing_times_are_asked_about_and_nothing_below_is_answered() -> None:
    rows = [(4, 8.2), (8, 22.9), (16, 65.0), (32, 184.0), (64, 528.0)]
    result = run(replace(QUICK, data=text_of(rows), scaling=None))
    assert result.headline == (
        "Times rise from 4 to 64 processors. If the work grows with them, efficiency falls to "
        "1.55 %; with the same work 4 processors are fastest: 8.20 s."
    )
    assert "Set scaling to weak, whose efficiency is below 50 % from 8 on" in result.alternative


@pytest.mark.parametrize(
    ("runnable", "named"),
    [("multiple of 12", 24), ("divides 60", 15), ("1, 3, 6, 24", 24), ("powers of 2", 16)],
)
def test_numbers_that_can_be_run_are_named(runnable: str, named: int) -> None:
    data = parse_measurements(text_of(smooth()))
    result = run(replace(QUICK, data=text_of(smooth()), runnable=runnable))
    assert int(result.facts[0].value) == named
    assert isinstance(data, Measurements)


def smooth() -> list[tuple[int, float]]:
    """The USL with its peak at 17."""
    return [(P, 100.0 * (1 + 0.02 * (P - 1) + 0.0034 * P * (P - 1)) / P)
            for P in (1, 2, 4, 8, 12, 24, 32)]  # fmt: skip


def test_half_the_processors_are_told_with_what_they_lack() -> None:
    rows = [(P, 100.0 * (0.1 + 0.9 / P)) for P in (1, 2, 4, 8, 16)]
    result = run(replace(QUICK, data=text_of(rows)))
    less = 1.0 - (0.1 + 0.9 / 16) / (0.1 + 0.9 / 8)
    assert f"8 has {100 * less:.0f} % less speed for half the processors" in result.alternative


def test_the_base_is_the_smallest_run_or_the_one_chosen() -> None:
    rows = [(P, 100.0 * (0.02 + 0.98 / P)) for P in (4, 8, 16, 32)]
    first = table(run(replace(QUICK, data=text_of(rows))), "Processors to use")[0]
    assert first["speedup"] == pytest.approx((0.02 + 0.98 / 4) / (0.02 + 0.98 / 32))
    other = run(replace(QUICK, data=text_of(rows), base=8))
    assert any("against 8 processors" in text for text in other.reasons)
    with pytest.raises(ValueError, match=r"nothing was measured there.*4, 8, 16, 32"):
        run(replace(QUICK, data=text_of(rows), base=5))
