"""Curves and tables of fitted laws: each number from the parameters that stand in the table."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

from advisor.scaling.fits import Estimate
from advisor.studies import Series, StudyResult
from advisor.studies.scaling.fit_views import estimates as told_estimates
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from tests.advisor.studies.scaling.networks import curve, series, table, units

AT = (1, 2, 4, 8, 16, 32)
TIMES = (100.0, 52.0, 28.0, 17.0, 11.0, 9.0)
QUICK = ScalingParameters(source="data", replicates=0)
LINES = "\n".join(f"{P},{T:g}" for P, T in zip(AT, TIMES, strict=True))
SPEEDUPS = "\n".join(f"{P},{100.0 / T!r}" for P, T in zip(AT, TIMES, strict=True))
FREE = "gamma fitted"


@cache
def fitted(text: str) -> StudyResult:
    return run(replace(QUICK, data=text))


@pytest.fixture
def timed() -> StudyResult:
    return fitted(f"P,time (s)\n{LINES}\n")


@pytest.fixture
def sped() -> StudyResult:
    return fitted(f"P,speedup\n{SPEEDUPS}\n")


def symbol(row: dict[str, object]) -> str:
    return str(row["parameter"]).rpartition(" ")[2]


def estimates(result: StudyResult, law: str, recipe: str = FREE) -> dict[str, float]:
    return {
        symbol(row): row["value"]
        for row in table(result, "Parameters")
        if (row["law"], row["recipe"]) == (law, recipe)
    }


def erlang(P: int, sigma: float) -> float:
    """(1 − E_B)/sigma by the sum of the formula, not by its recursion."""
    A = (1.0 - sigma) / sigma
    terms = [A**n / math.factorial(n) for n in range(P + 1)]
    return (1.0 - terms[-1] / math.fsum(terms)) / sigma


def by_hand(result: StudyResult, law: str, P: int) -> float:
    """X of a law at P from its row of parameters."""
    found = estimates(result, law)
    sigma, kappa = found["sigma"], found.get("kappa", 0.0)
    speed = {
        "Amdahl": P / (1.0 + sigma * (P - 1)),
        "Gustafson": P + sigma * (1 - P),
        "Erlang": erlang(P, sigma),
        "USL": P / (1.0 + sigma * (P - 1) + kappa * P * (P - 1)),
        "repairman with coherency": erlang(P, sigma),  # here its kappa ends on 0
    }
    return found["gamma"] * speed[law]


LAWS = ("Amdahl", "Gustafson", "Erlang", "USL", "repairman with coherency")


@pytest.mark.parametrize("law", LAWS)
def test_a_curve_and_its_residuals_are_those_of_its_parameters(
    timed: StudyResult, law: str
) -> None:
    if law.startswith("repairman"):
        assert estimates(timed, law)["kappa"] == 0.0
    drawn = curve(timed, law, "throughput")
    assert len(drawn) == 32
    for P in AT:
        assert drawn[P] == pytest.approx(by_hand(timed, law, P), rel=1e-6)
    if law == "Gustafson":  # contradicted: it would hide the others' residuals
        assert "residual" not in {one.y_label for one in timed.series if one.name == law}
        return
    left = series(timed, law, "residual")
    assert (left.kind, left.x) == ("points", tuple(map(float, AT)))
    expected = [1.0 / T - by_hand(timed, law, P) for P, T in zip(AT, TIMES, strict=True)]
    assert left.y == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("law", [law for law in LAWS if law != "Gustafson"])
def test_demand_and_think_time_follow_from_the_fitted_shape(timed: StudyResult, law: str) -> None:
    found = estimates(timed, law)
    # sigma = D/(D + Z), gamma = 1/(D + Z)
    assert found["D"] == pytest.approx(found["sigma"] / found["gamma"])
    assert found["Z"] == pytest.approx((1.0 - found["sigma"]) / found["gamma"])
    assert "D" not in estimates(timed, "Gustafson")
    named = {symbol(row): row["unit"] for row in table(timed, "Parameters")}
    assert named == {"sigma": "", "kappa": "", "gamma": "1/s", "D": "s", "Z": "s"}


def test_symbols_of_parameters_stand_behind_their_words_and_units_are_read_out() -> None:
    rows = table(run(replace(QUICK, data="specsdm91")), "Parameters")
    assert {row["parameter"]: row["unit"] for row in rows} == {
        "serial fraction sigma": "", "coherency kappa": "", "throughput gamma": "scripts/h",
        "demand D": "h per script", "think time Z": "h per script",
    }  # fmt: skip


def test_every_law_has_its_messaging_and_source_once(timed: StudyResult) -> None:
    rows = table(timed, "Sources of the laws")
    assert sorted(str(row["law"]) for row in rows) == sorted(LAWS)
    assert all(row["source"] for row in rows)
    told = {row["law"]: row["messaging"] for row in rows}
    assert (told["USL"], told["Erlang"]) == ("synchronous", "asynchronous")


def test_a_criterion_is_that_of_its_residual_error(timed: StudyResult) -> None:
    n = len(AT)
    for row in table(timed, "Laws"):
        p = 2 if row["law"] in {"Amdahl", "Gustafson", "Erlang"} else 3
        squares = row["residual error"] ** 2 * (n - p)
        k = p + 1  # the variance is a parameter, too
        expected = n * math.log(squares / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1)
        assert row["AICc"] == pytest.approx(expected)


def test_evidence_is_shared_among_the_laws_that_stand_with_a_throughput_of_their_own(
    timed: StudyResult,
) -> None:
    rows = table(timed, "Laws")
    free = [row for row in rows if row["recipe"] == FREE and not row["by the data"]]
    odds = [math.exp((free[0]["AICc"] - row["AICc"]) / 2.0) for row in free]
    assert [row["evidence"] for row in free] == pytest.approx(
        [100.0 * one / sum(odds) for one in odds]
    )
    assert {row["evidence"] for row in rows if row["recipe"] != FREE} == {None}
    assert {row["evidence"] for row in rows if row["by the data"]} == {None}


def test_a_law_that_is_contradicted_says_so_beside_its_evidence() -> None:
    result = run(replace(QUICK, data="specsdm91"))
    names = list(table(result, "Laws")[0])
    assert names[names.index("evidence") + 1] == "by the data"
    said = {
        row["law"]: row["by the data"] for row in table(result, "Laws") if row["recipe"] == FREE
    }
    assert said == {
        "Erlang": "contradicted", "Amdahl": "contradicted", "Gustafson": "contradicted",
        "USL": "", "repairman with coherency": "",
    }  # fmt: skip


def test_the_mean_is_that_of_the_laws_by_their_evidence(timed: StudyResult) -> None:
    mean = curve(timed, "mean of the laws", "throughput")
    notes = " ".join(note.text for note in timed.notes)
    assert "Gustafson is contradicted" in notes
    shares = {
        row["law"]: row["evidence"]
        for row in table(timed, "Laws")
        if (row["evidence"] or 0.0) > 0.1
    }
    for P in AT:
        expected = sum(share * by_hand(timed, law, P) for law, share in shares.items())
        assert mean[P] == pytest.approx(expected / sum(shares.values()), rel=1e-6)


def test_an_interval_is_students_of_the_standard_error(timed: StudyResult) -> None:
    t = 2.776445105  # 95 % of 4 degrees of freedom
    rows = [row for row in table(timed, "Parameters") if row["law"] == "Amdahl"]
    for row in rows:
        assert row["95 % from"] == pytest.approx(row["value"] - t * row["standard error"])
        assert row["95 % to"] == pytest.approx(row["value"] + t * row["standard error"])


def test_what_is_not_known_is_left_empty(timed: StudyResult) -> None:
    fixed = [row for row in table(timed, "Parameters") if "fixed" in row["recipe"]]
    assert fixed
    for row in fixed:  # taken from one measurement: no error, and no draws were asked for
        assert (row["standard error"], row["95 % from"], row["95 % to"]) == (None, None, None)
    few = run(replace(QUICK, data="P,time (s)\n1,10\n2,6\n4,4\n"))
    assert {row["AICc"] for row in table(few, "Laws")} == {None}


def test_measurements_stand_beside_what_the_mean_and_the_best_law_say(timed: StudyResult) -> None:
    rows = table(timed, "Measurements")
    best = str(table(timed, "Laws")[0]["law"])
    mean = curve(timed, "mean of the laws", "throughput")
    assert list(rows[0]) == ["P", "measured time", "by the mean of the laws", f"by {best}"]
    assert set(units(timed, "Measurements").values()) == {"", "s"}
    for P, T, row in zip(AT, TIMES, rows, strict=True):
        assert (row["P"], row["measured time"]) == (P, T)
        assert row["by the mean of the laws"] == pytest.approx(1.0 / mean[P])
        assert row[f"by {best}"] == pytest.approx(1.0 / by_hand(timed, best, P), rel=1e-6)


def test_times_and_efficiencies_are_the_throughputs_otherwise(timed: StudyResult) -> None:
    rates, times = (curve(timed, "mean of the laws", label) for label in ("throughput", "time"))
    share = curve(timed, "mean of the laws", "efficiency")
    assert times == {P: pytest.approx(1.0 / X) for P, X in rates.items()}
    assert share == {P: pytest.approx(100.0 * 100.0 * X / P) for P, X in rates.items()}
    points = {label: series(timed, "measured", label) for label in ("time", "efficiency")}
    assert points["time"].y == TIMES
    assert points["efficiency"].y == pytest.approx(
        [100.0 * 100.0 / T / P for P, T in zip(AT, TIMES, strict=True)]
    )


def test_chosen_numbers_lie_on_what_was_measured_else_on_the_mean(timed: StudyResult) -> None:
    along = curve(timed, "mean of the laws", "throughput")
    measured = curve(timed, "measured", "throughput")
    along = {P: min(X, max(measured.values())) for P, X in along.items()} | measured
    for row in table(timed, "Processors to use"):
        point = series(timed, str(row["purpose"]), "throughput")
        assert (point.kind, point.x) == ("points", (float(row["P"]),))
        (y,) = point.y
        assert y == pytest.approx(along[row["P"]])
        assert row["time"] == pytest.approx(1.0 / y)
        assert row["speedup"] == pytest.approx(100.0 * y)
        assert row["efficiency"] == pytest.approx(100.0 * 100.0 * y / row["P"])


def test_speedups_are_drawn_as_speedups_and_have_no_time(
    timed: StudyResult, sped: StudyResult
) -> None:
    def labels(result: StudyResult) -> set[tuple[str, str]]:
        return {(one.y_label, one.y_unit) for one in result.series}

    assert labels(sped) == {("speedup", ""), ("residual", ""), ("efficiency", "%")}
    assert labels(timed) == {
        ("throughput", "1/s"), ("time", "s"), ("residual", "1/s"), ("efficiency", "%"),
    }  # fmt: skip
    assert "time" not in units(sped, "Processors to use")


def test_speedups_and_their_times_have_one_answer(timed: StudyResult, sped: StudyResult) -> None:
    for one, other in zip(
        table(timed, "Processors to use"), table(sped, "Processors to use"), strict=True
    ):
        for column in ("P", "cost"):
            assert one[column] == other[column]
        assert one["speedup"] == pytest.approx(other["speedup"], rel=1e-6)
    for mine, theirs in zip(table(timed, "Laws"), table(sped, "Laws"), strict=True):
        assert (mine["law"], mine["recipe"]) == (theirs["law"], theirs["recipe"])
        assert mine["residual error"] * 100.0 == pytest.approx(theirs["residual error"], rel=1e-4)


def test_no_two_curves_of_a_plot_have_one_name(timed: StudyResult) -> None:
    for label in {one.y_label for one in timed.series}:
        names = [one.name for one in timed.series if one.y_label == label]
        assert len(set(names)) == len(names), label


def test_a_chain_is_drawn_as_far_as_it_is_followed() -> None:
    result = run(replace(QUICK, data=f"P,time (s)\n{LINES}\n", processors=3000))
    ends = {one.name: max(map(float, one.x)) for one in lines(result)}
    assert ends["repairman with coherency"] <= 1000.0
    assert ends["Amdahl"] == ends["mean of the laws"] == 3000.0


def lines(result: StudyResult) -> list[Series]:
    return [one for one in result.series if (one.kind, one.y_label) == ("line", "throughput")]


def test_a_band_lies_on_both_sides_of_the_mean_and_of_what_scattered_round_it() -> None:
    data = "P,throughput\n" + "\n".join(
        f"{P},{P / (1.0 + 0.04 * (P - 1)) * (1.0 + wobble)}"
        for P in AT
        for wobble in (-0.02, 0.0, 0.02)
    )
    result = run(replace(QUICK, data=data, replicates=60))
    high = curve(result, "95 % band", "throughput")
    (band,) = [one for one in result.series if one.kind == "band"]
    low = dict(zip(band.x, band.lower, strict=True))
    mean = curve(result, "mean of the laws", "throughput")
    for P, X in mean.items():
        assert low[P] < X < high[P]
        assert low[P] < P / (1.0 + 0.04 * (P - 1)) < high[P]
    names = [one.name for one in lines(result)]
    assert names[0] == "mean of the laws"
    assert "95 % band" not in names  # drawn as an area, no line


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (
            (1.2e-5, 5.9e-4),
            ("0.000532 ± 0.000012 h per script", "0.018100 ± 0.000590 h per script"),
        ),
        ((math.nan, 5.9e-4), ("0.000532 h per script", "0.018100 ± 0.000590 h per script")),
    ],
)
def test_estimates_of_one_unit_have_common_digits_and_their_unit_once(
    errors: tuple[float, float], told: tuple[str, str]
) -> None:
    demand, think = (
        Estimate(name, "h per script", value, error, math.nan, math.nan)
        for name, value, error in zip("DZ", (5.32e-4, 0.0181), errors, strict=True)
    )
    assert told_estimates(demand, think) == told
