"""What fits are said to mean: no peak without evidence, flags, the next point."""

import math

import numpy as np
import pytest

from advisor.models.mrm import amdahl, erlang_speedup, usl
from advisor.scaling.data import measurements, shipped
from advisor.scaling.fits import fit_laws
from advisor.scaling.scaling_verdict import judge, next_point, retrograde, superlinear

LOADS = [1, 2, 4, 8, 16, 32, 64, 128]


@pytest.fixture(scope="module")
def specsdm91():
    return fit_laws(shipped("specsdm91"), replicates=60)


@pytest.fixture(scope="module")
def raytracer():
    return fit_laws(shipped("raytracer"), replicates=40)


def made(speedup, loads=LOADS, noise=0.01, seed=0):
    rng = np.random.default_rng(seed)
    X = np.array([speedup(P) for P in loads]) * (1 + noise * rng.standard_normal(len(loads)))
    return fit_laws(measurements(loads, X.tolist()), replicates=40)


def kinds(fits):
    return {flag.kind for flag in judge(fits).flags}


def test_specsdm91_prints_its_published_peak(specsdm91):
    verdict = judge(specsdm91)
    peaks = {peak.title: peak for peak in verdict.peaks}
    usl_peak = peaks["USL, gamma fitted"]
    assert round(usl_peak.P, 5) == 96.51956
    assert usl_peak.throughput == pytest.approx(1884, abs=0.5)
    assert usl_peak.low < 96.5 < usl_peak.high
    assert any("96.5" in reason for reason in verdict.reasons)
    assert any("The throughput falls at large P" in reason for reason in verdict.reasons)
    assert "retrograde" in kinds(specsdm91)


def test_raytracer_refuses_every_peak(raytracer):
    verdict = judge(raytracer)
    assert verdict.peaks
    for peak in verdict.peaks:
        assert peak.P is None
        assert peak.throughput is None
        assert peak.reason
    assert retrograde(raytracer) == ""
    assert any(reason.startswith("No peak is reported") for reason in verdict.reasons)
    assert not any("449" in reason for reason in verdict.reasons)


def test_a_peak_beyond_the_last_measurement_is_not_told():
    fits = made(lambda P: usl(P, 0.02, 1e-4), loads=[1, 2, 4, 8, 16, 32, 48, 64], noise=1e-4)
    assert retrograde(fits)  # kappa is certain, but √(0.98/1e-4) = 99 lies beyond 64
    peak = next(one for one in judge(fits).peaks if one.title == "USL, gamma fitted")
    assert peak.P is None
    assert "nothing was measured beyond P = 64" in peak.reason


def test_a_peak_in_a_gap_of_the_measurements_is_not_told():
    fits = made(lambda P: usl(P, 0.02, 1e-4), loads=[1, 2, 3, 4, 6, 8, 1000, 1100], noise=1e-4)
    peak = next(one for one in judge(fits).peaks if one.title == "USL, gamma fitted")
    assert peak.P is None
    assert "near it" in peak.reason


def test_kappa_alone_can_tell_that_it_falls():
    fits = made(lambda P: usl(P, 0.02, 1e-4), loads=[1, 2, 4, 8, 16, 32, 64, 80], noise=1e-4)
    assert "of the USL is above 0 (95 %" in retrograde(fits)
    assert any("would fall at large P" in reason for reason in judge(fits).reasons)


def test_saturation_is_not_taken_for_a_fall():
    fits = made(lambda P: erlang_speedup(P, 0.05) * (1 + 1e-6 * P), noise=0.001)
    assert fits.best.law.key == "erlang"
    assert fits.fit("usl").estimate("kappa").t > 2  # a saturation read as coherency
    assert "saturation" in kinds(fits)


def test_superlinear_points_are_flagged_with_their_excess():
    data = measurements([1, 2, 4, 8], [1, 2.2, 3.9, 7])
    assert superlinear(data) == ((2, pytest.approx(0.1)),)
    assert "superlinear" in kinds(fit_laws(data, replicates=0))


def test_what_repetitions_explain_is_not_superlinear():
    data = measurements([1, 1, 1, 2, 2, 2], [1.0, 0.9, 1.1, 2.0, 2.2, 1.9])
    assert superlinear(data) == ()
    assert superlinear(measurements([1, 1, 2, 2], [1.0, 1.001, 2.2, 2.201])) != ()


def test_every_verdict_says_where_extrapolation_begins(raytracer):
    (flag,) = [flag for flag in judge(raytracer).flags if flag.kind == "extrapolation"]
    assert "P = 64" in flag.text


def test_linear_scaling_flags_nothing_but_extrapolation():
    fits = made(lambda P: amdahl(P, 0.02), noise=0.0)
    assert kinds(fits) == {"extrapolation", "contradicted"}  # of other laws, by exact data
    assert "amdahl" not in judge(fits).contradicted


def test_synchronous_and_asynchronous_messages_are_told_apart(specsdm91, raytracer):
    assert any("asynchronous" in reason for reason in judge(specsdm91).reasons)
    assert any("with synchronous" in reason for reason in judge(raytracer).reasons)


def test_a_choice_that_leave_one_out_contests_is_flagged():
    fits = made(lambda P: usl(P, 0.02, 2e-5), noise=0.03, seed=9)
    first, second = judge(fits).curve.fits
    assert second.leave_one_out < first.leave_one_out
    (flag,) = [flag for flag in judge(fits).flags if flag.kind == "choice"]
    assert flag.text.startswith(f"Leave-one-out prefers {second.law.title}")


def test_the_headline_of_specsdm91_agrees_with_its_measurements(specsdm91):
    verdict = judge(specsdm91)
    assert {"erlang", "amdahl", "gustafson"} <= set(verdict.contradicted)
    assert not any("no number of processors reaches more" in text for text in verdict.reasons)
    assert verdict.curve.fits[0].law.key == "repairman"
    assert any("Erlang is contradicted" in flag.text for flag in verdict.flags)


def test_a_limit_below_what_was_measured_is_never_told():
    for seed in range(6):
        fits = made(lambda P: erlang_speedup(P, 0.05), noise=0.02, seed=seed)
        for text in judge(fits).reasons:
            if "reaches more than" in text:
                highest = float(text.partition("more than ")[2].split()[0])
                ends = text.partition("(95 %: to ")[2]
                high = float(ends.split(")")[0]) if ends else math.inf
                assert max(highest, high) >= fits.data.means()[1].max() * 0.999


def test_the_next_point_is_where_the_two_best_differ_most_for_their_doubt(specsdm91):
    point = next_point(specsdm91, 1, 300)
    first, second = specsdm91.rivals[:2]
    assert (point.first, point.second) == (first.law.title, second.law.title)
    assert 1 <= point.P <= 300

    def score(P):
        at = np.array([float(P)])
        doubt = math.hypot(
            first.replicates.spread(at)[0], second.replicates.spread(at)[0], first.residual_se
        )
        return abs(first.throughput(at) - second.throughput(at))[0] / doubt

    assert point.sigmas == pytest.approx(score(point.P))
    assert point.sigmas >= max(score(P) for P in (1, 10, 30, 72, 150, 200)) * (1 - 1e-9)
    assert "of P = 1 to 300" in point.text


def test_laws_that_coincide_are_not_to_be_told_apart(raytracer):
    point = next_point(raytracer)
    assert (point.first, point.second) == ("Amdahl", "Erlang")  # the USL has kappa = 0
    assert (point.low, point.high) == (1, 128)


def test_where_no_measurement_helps_repeating_is_advised(specsdm91):
    assert "Repeat" in next_point(specsdm91, 20, 60).text


def test_a_range_without_processors_is_refused(raytracer):
    with pytest.raises(ValueError, match="nothing to choose from"):
        next_point(raytracer, 50, 20)


def test_equal_laws_are_not_ranked():
    verdict = judge(fit_laws(measurements([1, 2, 4], [1, 1.9, 3.5]), replicates=0))
    assert verdict.sentence.startswith("Too few measurements")


def test_a_law_stands_unless_the_measurements_contradict_it(specsdm91):
    verdict = judge(specsdm91)
    standing = [fit.law.title for fit in specsdm91.fits if verdict.stands(fit)]
    assert "USL" in standing
    assert "Gustafson" not in standing
