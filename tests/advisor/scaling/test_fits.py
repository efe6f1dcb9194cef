"""Fitting all laws together: order, errors, bands, what can't be fitted, stopping."""

import math
import pickle

import numpy as np
import pytest

from advisor.models.mrm import amdahl, erlang_speedup, fit_usl, serial_fraction, usl
from advisor.models.shape_fit import Samples
from advisor.scaling.bootstrap import Replicates, Sample, interval, replicate
from advisor.scaling.data import measurements, shipped
from advisor.scaling.fits import fit_laws
from advisor.scaling.laws import BY_KEY
from advisor.scaling.noise import factors_of

LOADS = [1, 2, 4, 8, 16, 32, 64]


@pytest.fixture(scope="module")
def specsdm91():
    return fit_laws(shipped("specsdm91"), replicates=60)


@pytest.fixture(scope="module")
def raytracer():
    return fit_laws(shipped("raytracer"), replicates=40)


def noisy(speedup, noise, seed, repetitions=2):
    rng = np.random.default_rng(seed)
    P = np.repeat(LOADS, repetitions)
    X = [10 * speedup(int(p)) for p in P] * (1 + noise * rng.standard_normal(P.size))
    return measurements(P.tolist(), X.tolist(), unit="1/s")


def test_all_laws_and_recipes_are_fitted(specsdm91):
    assert {fit.law.key for fit in specsdm91.fits} == set(BY_KEY)
    assert specsdm91.unfitted == ()
    assert specsdm91.complete


def test_the_universal_law_is_that_of_the_contract(specsdm91):
    found, single = specsdm91.fit("usl"), fit_usl(*_columns(specsdm91.data))
    assert found.shapes.tolist() == pytest.approx([single.sigma, single.kappa], rel=1e-9)
    errors = [found.estimate(name).standard_error for name in ("sigma", "kappa", "gamma")]
    assert errors == pytest.approx(single.standard_errors, rel=1e-6)
    assert found.residual_se == pytest.approx(single.residual_se, rel=1e-9)


def _columns(data):
    return data.P, data.X


@pytest.mark.parametrize(
    ("law", "speedup"),
    [
        ("amdahl", lambda p: amdahl(p, 0.08)),
        ("erlang", lambda p: erlang_speedup(p, 0.08)),
        ("gustafson", lambda p: p - 0.3 * (p - 1)),
        ("usl", lambda p: usl(p, 0.05, 2e-3)),
    ],
)
def test_the_law_that_made_the_measurements_is_chosen(law, speedup):
    assert fit_laws(noisy(speedup, 0.01, seed=5), replicates=0).best.law.key == law


def test_the_recipes_order_by_aicc_of_their_formula(specsdm91):
    aicc = [fit.aicc for fit in specsdm91.fits]
    assert aicc == sorted(aicc)
    erlang = specsdm91.fit("erlang")
    squares = float(erlang.residuals @ erlang.residuals)
    assert erlang.aicc == pytest.approx(7 * math.log(squares / 7) + 2 * 3 + 2 * 3 * 4 / (7 - 4))
    assert sum(fit.weight for fit in specsdm91.fits) == pytest.approx(1)


def test_messages_of_specsdm91_are_asynchronous_and_of_raytracer_synchronous(specsdm91, raytracer):
    assert specsdm91.best.law.key == "erlang"
    assert raytracer.best.law.key == "amdahl"


def test_a_queue_tells_its_think_time_and_demand():
    D, Z = 0.02, 0.98
    sigma = serial_fraction(D, Z)
    X = [erlang_speedup(P, sigma) / (D + Z) for P in LOADS]
    erlang = fit_laws(measurements(LOADS, X, unit="1/s"), replicates=0).fit("erlang")
    assert (erlang.estimate("D").value, erlang.estimate("Z").value) == pytest.approx((D, Z))
    assert erlang.estimate("D").unit == "s"


def test_the_error_of_the_demand_follows_from_those_of_sigma_and_gamma(specsdm91):
    """D = sigma/gamma and Z = 1/gamma − D: the delta method against the bootstrap."""
    amdahl_fit = specsdm91.fit("erlang")
    for name in ("D", "Z", "sigma", "gamma"):
        one = amdahl_fit.estimate(name)
        spread = (one.high - one.low) / (2 * 1.96)
        assert one.standard_error == pytest.approx(spread, rel=0.35)


def test_leave_one_out_is_refitting_without_that_p():
    data, law = noisy(lambda p: amdahl(p, 0.05), 0.02, seed=2), BY_KEY["amdahl"]
    factors = factors_of(data, fit_laws(data, replicates=0).noise)
    total = 0.0
    for left in LOADS:
        rest = left != data.P
        shapes, gamma = law.fit(Samples.of(data.P[rest], data.X[rest], kept=factors[rest]))
        at = law.curve(np.array([float(left)]), shapes)[0, 0]
        total += float((((data.X - gamma[0] * at) * factors)[~rest] ** 2).sum())
    found = fit_laws(data, replicates=0).fit("amdahl")
    assert found.leave_one_out == pytest.approx(math.sqrt(total / data.P.size), rel=1e-6)


def test_bands_hold_the_curve_and_are_the_same_for_the_same_seed(specsdm91):
    P = np.array([1.0, 40, 216])
    fit = specsdm91.fit("usl")
    low, high = fit.band(P)
    assert np.all(low < fit.throughput(P))
    assert np.all(fit.throughput(P) < high)
    again = fit_laws(specsdm91.data, replicates=60).fit("usl")
    assert np.array_equal(again.band(P), (low, high))
    other = fit_laws(specsdm91.data, replicates=60, seed=1).fit("usl")
    assert not np.array_equal(other.band(P), (low, high))


def test_intervals_of_sigma_hold_the_truth_about_as_often_as_they_say():
    law, P = BY_KEY["amdahl"], np.repeat(np.array(LOADS, dtype=float), 2)
    truth, held = 10 * law.curve(P, np.array([[0.05]]))[0], 0
    for seed in range(40):
        X = truth + np.random.default_rng(seed).normal(0, 2, P.size)
        shapes, gamma = law.fit(Samples.of(P, X))
        predicted = gamma[0] * law.curve(P, shapes)[0]
        start = (shapes[0], float(gamma[0]))
        sample = Sample(P, predicted, X - predicted, np.ones_like(P))
        low, high = interval(replicate(law, sample, start, 60, seed).shapes)
        held += low[0] <= 0.05 <= high[0]
    assert 33 <= held < 40


def test_too_few_draws_give_no_interval():
    low, high = interval(np.ones((5, 3)))
    assert np.isnan([low, high]).all()
    none = Replicates(BY_KEY["amdahl"], np.empty((0, 1)), np.empty(0))
    assert np.isnan(none.spread(np.array([1.0, 2.0]))).all()


def test_a_recipe_with_gamma_from_one_run_has_no_error_of_it(specsdm91):
    fixed = specsdm91.fit("usl-fixed")
    assert fixed.gamma == 64.9
    assert math.isnan(fixed.estimate("gamma").standard_error)
    assert fixed.estimate("sigma").standard_error > 0


def test_without_a_run_on_one_processor_some_recipes_are_refused_with_the_reason():
    data = measurements([2, 4, 8, 16, 32], [2, 3.8, 7, 12, 18])
    fits = fit_laws(data, replicates=0)
    assert {one.law.key for one in fits.unfitted} == {"usl-fixed", "usl-transform"}
    assert all("P = 1" in one.reason for one in fits.unfitted)


def test_few_points_leave_out_the_laws_that_need_more():
    fits = fit_laws(measurements([1, 2, 4], [1, 1.9, 3.5]), replicates=0)
    assert {fit.law.key for fit in fits.fits} == {"amdahl", "erlang", "gustafson"}
    assert all(math.isinf(fit.aicc) for fit in fits.fits)
    assert all("parameters need" in one.reason for one in fits.unfitted)


def test_fewer_points_than_parameters_are_refused():
    with pytest.raises(ValueError, match="fewer points than parameters"):
        fit_laws(measurements([1, 2, 2], [1, 1.9, 1.8]))


def test_a_transform_that_leaves_the_range_is_no_fit():
    data = measurements([1, 2, 4, 8, 16], [1, 2.3, 5, 11, 20])
    fits = fit_laws(data, replicates=0)
    (reason,) = [one.reason for one in fits.unfitted if one.law.key == "usl-transform"]
    assert "out of their range" in reason


def test_many_processors_leave_out_the_chain():
    X = [amdahl(P, 0.001) for P in (1, 10, 100, 1000, 10_000, 100_000)]
    data = measurements([1, 10, 100, 1000, 10_000, 100_000], X)
    fits = fit_laws(data, replicates=0)
    (reason,) = [one.reason for one in fits.unfitted if one.law.key == "repairman"]
    assert "up to P = 1000" in reason
    assert fits.fit("amdahl").shapes[0] == pytest.approx(0.001, rel=1e-6)


def test_times_are_fitted_as_their_reciprocals():
    times = [100 / amdahl(P, 0.1) for P in LOADS]
    found = fit_laws(measurements(LOADS, times, "time", "s"), replicates=0).fit("amdahl")
    assert found.estimate("D").value == pytest.approx(10)
    assert (found.estimate("D").unit, found.estimate("gamma").unit) == ("s", "1/s")


def test_the_unit_changes_nothing_but_gamma():
    data = shipped("raytracer")
    other = measurements(data.processors, [1e6 * X for X in data.values])
    one, two = (fit_laws(each, replicates=0) for each in (data, other))
    assert [fit.law.key for fit in one.fits] == [fit.law.key for fit in two.fits]
    for fit, same in zip(one.fits, two.fits, strict=True):
        assert same.shapes == pytest.approx(fit.shapes, rel=1e-5, abs=1e-10)
        assert same.weight == pytest.approx(fit.weight, rel=1e-6)


def test_stopping_at_once_keeps_the_first_fit_without_bands():
    fits = fit_laws(shipped("specsdm91"), should_stop=lambda: True)
    assert not fits.complete
    assert [fit.law.key for fit in fits.fits] == ["amdahl"]
    assert all("stopped" in one.reason for one in fits.unfitted)
    assert np.isnan(fits.best.band(np.array([1.0]))).all()


def test_stopping_later_keeps_what_was_drawn():
    asked, told = [], []
    fits = fit_laws(
        shipped("specsdm91"),
        on_progress=lambda share, sentence: told.append((share, sentence)),
        should_stop=lambda: asked.append(1) or len(asked) > 9,
    )
    assert not fits.complete
    assert len(fits.fits) == len(BY_KEY)
    assert 0 < fits.fit("amdahl").replicates.gamma.size < 400
    assert fits.fit("usl").replicates.gamma.size == 0
    assert [share for share, _ in told] == sorted(share for share, _ in told)


def test_fits_travel_between_processes(raytracer):
    again = pickle.loads(pickle.dumps(raytracer))
    assert again.best.law == raytracer.best.law
    assert np.array_equal(again.best.residuals, raytracer.best.residuals)


@pytest.mark.parametrize(
    ("rate", "demand"),
    [
        ("scripts/h", "h per script"),
        ("queries/s", "s per query"),
        ("processes/s", "s per process"),
        ("MB/s", "s/MB"),
        ("1/s", "s"),
        ("runs", "1/runs"),
        ("", ""),
    ],
)
def test_a_demand_is_the_time_of_one_of_what_is_counted(rate, demand):
    data = measurements([1, 2, 4, 8], [1.0, 1.9, 3.4, 5.6], "throughput", rate)
    fit = next(one for one in fit_laws(data, replicates=0).fits if one.law.key == "amdahl")
    assert fit.estimate("D").unit == demand
