"""All laws of scaling fitted together to one set of measurements, and which of them holds.

Least squares of the throughput, weighted by the measurements' noise (`advisor.scaling.noise`),
standard errors from s² (JᵀJ)⁻¹, 95 % bands by residual bootstrap, order by Akaike's criterion for
small samples (AICc), leave-one-out beside it. What the fits mean for a user is told by
`advisor.scaling.scaling_verdict`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.models.law_fits import spread
from advisor.models.shape_fit import Samples
from advisor.scaling.bootstrap import CERTAINTY, Replicates, Sample, interval, replicate
from advisor.scaling.data import Measurements
from advisor.scaling.laws import FREE, LAWS, REPAIRMAN, TRANSFORM, Law
from advisor.scaling.noise import Noise, factors_of, kinds_of_noise
from machines.arrays import Floats
from machines.checks import whole
from machines.errors import InputError

OnProgress = Callable[[float, str], None]

REPLICATES = 400
LONGEST_CHAIN = 1000  # P up to which the birth-death chain is fitted
CLEAR = 2.0  # difference of AICc; below, two models are alike (Burnham & Anderson 2002)
_PERFECT = 1e-24  # share of the sum of squares below which a residual is rounding


@dataclass(frozen=True)
class Estimate:
    """One parameter of a law.

    `standard_error`: not a number where there is none: on a bound, or taken from one measurement.
    `low`, `high`: ends of the 95 % interval: Student's, of the standard error, within the
        parameter's bounds; without one the bootstrap's.
    """

    name: str
    unit: str
    value: float
    standard_error: float
    low: float
    high: float

    @property
    def t(self) -> float:
        """Value over standard error."""
        return self.value / self.standard_error if self.standard_error > 0.0 else math.nan


@dataclass(frozen=True, eq=False)
class LawFit:
    """One law fitted to the measurements.

    `predicted`, `residuals`: shape (points,); X of the law at each measurement; measured less
        predicted.
    `aicc`, `weight`: akaike's criterion, infinite where there are too few points for it; the law's
        share of evidence among all recipes that fit gamma.
    `leave_one_out`: root mean square error at each P of the fit to the others; not a number for
        recipes that can't do without P = 1.
    """

    law: Law
    shapes: Floats  # shape (k,)
    gamma: float
    estimates: tuple[Estimate, ...]  # sigma, kappa, gamma; of a queue D and Z, too
    predicted: Floats
    residuals: Floats
    residual_se: float  # √(SSE/(points − parameters)) of the weighted residuals: see `noise_at`
    aicc: float
    weight: float
    leave_one_out: float
    replicates: Replicates
    noise: Noise

    @property
    def name(self) -> str:
        """The law's title, with its recipe where that is not the plain one."""
        return (
            self.law.title if self.law.recipe == FREE else f"{self.law.title} ({self.law.recipe})"
        )

    def noise_at(self, X: Floats) -> Floats:
        """Standard deviation of one measurement where the throughput is X."""
        return self.residual_se / self.noise.factors(X)

    def throughput(self, P: Floats) -> Floats:
        """X of the law at P."""
        curve: Floats = self.gamma * self.law.curve(P, self.shapes[None])[0]
        return curve

    def band(self, P: Floats) -> tuple[Floats, Floats]:
        """Lower and upper end of the 95 % band of X at P."""
        return self.replicates.band(P)

    def estimate(self, name: str) -> Estimate:
        """The parameter of that name."""
        return next(one for one in self.estimates if one.name == name)


@dataclass(frozen=True)
class Unfitted:
    """A law that can't be fitted to these measurements, and why."""

    law: Law
    reason: str


@dataclass(frozen=True, eq=False)
class ScalingFits:
    """All laws beside the measurements."""

    data: Measurements
    fits: tuple[LawFit, ...]  # the best first: by AICc, where that is infinite by leave-one-out
    unfitted: tuple[Unfitted, ...]
    seed: int  # of the bootstrap
    noise: Noise  # the kind that the measurements have, by which residuals are weighted
    complete: bool  # False when it was stopped: bands rest on fewer replicates, or are not a number

    @property
    def best(self) -> LawFit:
        """The law that the measurements support most."""
        return self.fits[0]

    @property
    def rivals(self) -> tuple[LawFit, ...]:
        """The best recipe of each law, the best law first."""
        first = {fit.law.family: fit for fit in reversed(self.fits)}
        return tuple(fit for fit in self.fits if first[fit.law.family] is fit)

    def fit(self, key: str) -> LawFit | None:
        """The fit of that law and recipe; ``None`` where there is none."""
        return next((fit for fit in self.fits if fit.law.key == key), None)


def fit_laws(
    data: Measurements,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    noise: str | None = None,
) -> ScalingFits:
    """Fit every law to the measurements.

    `data`: at three different P or more.
    `replicates`: fits of each law to drawn samples, for the bands; 0: no bands.
    `seed`: of the draws.
    `on_progress`: ``on_progress(share, sentence)``.
    `should_stop`: asked between laws and chunks of draws; one fit there always is.
    `noise`: `noise.ABSOLUTE` or `noise.RELATIVE`; None: the likelier one.
    """
    whole("replicates", replicates)
    different = np.unique(data.P)
    if different.size < 3:
        raise InputError(
            "fewer points than parameters: laws can't be told apart",
            where=data.name,
            value=[int(P) for P in different],
            remedy="Measure at three or more different numbers of processors",
        )
    kinds = kinds_of_noise(data, noise)
    likelier, fits, unfitted = _by_likelier_noise(data, different, kinds, should_stop)
    complete, drawn = True, []
    for done, fit in enumerate(fits):
        if on_progress is not None:
            on_progress(done / len(fits), f"{fit.law.title}, {fit.law.recipe}")
        sample = Sample(data.P, fit.predicted, fit.residuals, factors_of(data, likelier))
        start = (fit.shapes, fit.gamma)
        found = replicate(fit.law, sample, start, replicates, seed, should_stop)
        complete = complete and not (should_stop is not None and should_stop())
        drawn.append(replace(fit, replicates=found, estimates=_estimates(fit, found, data)))
    return ScalingFits(data, _ranked(drawn), tuple(unfitted), seed, likelier, complete)


def _by_likelier_noise(
    data: Measurements,
    different: Floats,
    kinds: tuple[Noise, ...],
    should_stop: ShouldStop | None,
) -> tuple[Noise, list[LawFit], list[Unfitted]]:
    """The fits under the kind of noise that the data have; the plainer one unless clearly worse."""
    first, *others = kinds
    found = (first, *_all_fitted(data, different, first, should_stop))
    if should_stop is not None and should_stop():
        return found
    for noise in others:
        fits, unfitted = _all_fitted(data, different, noise, None)
        if _least(fits) < _least(found[1]) - CLEAR:
            found = (noise, fits, unfitted)
    return found


def _least(fits: list[LawFit]) -> float:
    """The least AICc of the laws with a gamma of their own."""
    return min(fit.aicc for fit in fits if fit.law.recipe == FREE)


def _all_fitted(
    data: Measurements, different: Floats, noise: Noise, should_stop: ShouldStop | None
) -> tuple[list[LawFit], list[Unfitted]]:
    """The laws' fits, and those left out with the reason; when stopped the first alone."""
    fits: list[LawFit] = []
    unfitted: list[Unfitted] = []
    for law in LAWS:
        why = _unfit(law, data, different)
        if fits and not why and should_stop is not None and should_stop():
            why = "it was stopped before its turn"
        if why:
            unfitted.append(Unfitted(law, why))
        else:
            fits.append(_fitted(law, data, noise))
    return fits, unfitted


def _unfit(law: Law, data: Measurements, different: Floats) -> str:
    """Why these measurements can't be fitted with the law; empty if they can."""
    if law.recipe != FREE and data.rate_of_one is None:
        return "nothing was measured at P = 1, from which it takes gamma"
    if len(data.processors) <= law.parameters or different.size < law.parameters:
        return f"{law.parameters} parameters need {law.parameters + 1} measurements"
    if law.key == REPAIRMAN and different[-1] > LONGEST_CHAIN:
        return f"its chain is followed up to P = {LONGEST_CHAIN} only"
    if law.recipe == TRANSFORM:
        shapes, _ = law.fit(Samples.of(data.P, data.X))
        sigma, kappa = shapes[0]
        if not (0.0 <= sigma <= 1.0 and kappa >= 0.0):
            return f"it gives sigma = {sigma:.3g} and kappa = {kappa:.3g}, out of their range"
    return ""


def _fitted(law: Law, data: Measurements, noise: Noise) -> LawFit:
    """The law's fit, without bands, intervals and weight."""
    P, X, factors = data.P, data.X, factors_of(data, noise)
    shapes, gamma = law.fit(Samples.of(P, X, kept=factors))
    predicted = gamma[0] * law.curve(P, shapes)[0]
    residuals = X - predicted
    weighted = residuals * factors
    missed = float(weighted @ weighted)
    squares = max(missed, _PERFECT * float(X @ X))
    free = P.size - law.parameters
    return LawFit(
        law=law,
        shapes=shapes[0],
        gamma=float(gamma[0]),
        estimates=(),
        predicted=predicted,
        residuals=residuals,
        residual_se=math.sqrt(missed / free),
        aicc=_aicc(squares, P.size, law.parameters + 1),
        weight=0.0,
        leave_one_out=_leave_one_out(law, data, factors),
        replicates=Replicates(law, np.empty((0, shapes.shape[1])), np.empty(0)),
        noise=noise,
    )


def _aicc(squares: float, points: int, parameters: int) -> float:
    """Akaike's criterion for small samples; the variance is one of the parameters."""
    spare = points - parameters - 1
    if spare <= 0:
        return math.inf
    penalty = 2.0 * parameters + 2.0 * parameters * (parameters + 1) / spare
    return points * math.log(squares / points) + penalty


def _leave_one_out(law: Law, data: Measurements, factors: Floats) -> float:
    """Root mean square error at each P, all its repetitions together, of the fit to the others."""
    P, X, different = data.P, data.X, np.unique(data.P)
    if law.recipe != FREE or different.size <= len(law.shapes) + 1:
        return math.nan
    kept = (different[:, None] != P).astype(np.float64)
    shapes, gamma = law.fit(Samples(P, np.tile(X, (different.size, 1)), kept * factors))
    missed = (1.0 - kept) * factors * (X - gamma[:, None] * law.curve(P, shapes))
    return math.sqrt(float((missed**2).sum()) / P.size)


def _estimates(fit: LawFit, drawn: Replicates, data: Measurements) -> tuple[Estimate, ...]:
    """The parameters of the law and, of a queue, D and Z, with errors and intervals."""
    law, per_message = fit.law, data.demand_unit
    values = np.append(fit.shapes, fit.gamma)
    many = np.column_stack([drawn.shapes, drawn.gamma])
    covariance = _covariance(fit, many, data)
    names = [(name, "") for name in law.shapes] + [("gamma", data.rate_unit)]
    if law.messaging:
        sigma, gamma = fit.shapes[0], fit.gamma
        values = np.append(values, [sigma / gamma, (1.0 - sigma) / gamma])
        s, g = many[:, 0], many[:, -1]
        many = np.column_stack([many, s / g, (1.0 - s) / g])
        by = np.zeros((2, covariance.shape[0]))  # derivatives of D and Z by sigma and gamma
        by[:, 0] = 1.0 / gamma, -1.0 / gamma
        by[:, -1] = -sigma / gamma**2, -(1.0 - sigma) / gamma**2
        used = [0, covariance.shape[0] - 1]
        derived = by[:, used] @ covariance[np.ix_(used, used)] @ by[:, used].T
        variances = np.append(covariance.diagonal(), derived.diagonal())
        names += [("D", per_message), ("Z", per_message)]
    else:
        variances = covariance.diagonal()
    errors = np.sqrt(np.where(variances >= 0.0, variances, np.nan))
    if law.recipe != FREE:
        errors[len(law.shapes)] = np.nan  # gamma is X(1), as measured
    low, high = _ends(fit, values, errors, interval(many))
    return tuple(
        Estimate(*names[k], *(float(one[k]) for one in (values, errors, low, high)))
        for k in range(len(names))
    )


def _ends(
    fit: LawFit, values: Floats, errors: Floats, drawn: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """95 % intervals of parameters that are none of them below 0; `drawn` are the bootstrap's."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    free = fit.residuals.size - fit.law.parameters
    reach = float(stdtrit(free, 1.0 - (1.0 - CERTAINTY / 100.0) / 2.0)) * errors
    known = np.isfinite(errors)
    low = np.where(known, np.maximum(values - reach, 0.0), drawn[0])
    return low, np.where(known, values + reach, drawn[1])


def _covariance(fit: LawFit, drawn: Floats, data: Measurements) -> Floats:
    """Of the shapes and gamma: s² (JᵀJ)⁻¹; the draws' own where gamma is not fitted."""
    P = data.P
    if fit.law.recipe == FREE:
        factors = factors_of(data, fit.noise)
        J = spread(fit.law.curve, P, fit.shapes, fit.gamma, fit.law.box(P), factors)
        return fit.residual_se**2 * J
    if drawn.shape[0] < 2:
        return np.full((drawn.shape[1],) * 2, np.nan)
    return np.atleast_2d(np.cov(drawn, rowvar=False))


def _ranked(fits: list[LawFit]) -> tuple[LawFit, ...]:
    """The best first, with their shares of evidence."""
    contest = [fit.aicc for fit in fits if fit.law.recipe == FREE]
    least = min(contest)
    evidence = {
        fit.law.key: math.exp((least - fit.aicc) / 2.0)
        for fit in fits
        if fit.law.recipe == FREE and math.isfinite(fit.aicc)
    }
    total = sum(evidence.values())
    weighed = [replace(fit, weight=evidence.get(fit.law.key, 0.0) / (total or 1.0)) for fit in fits]

    def order(fit: LawFit) -> tuple[float, bool, float]:
        known = not math.isnan(fit.leave_one_out)
        return fit.aicc, not known, fit.leave_one_out if known else fit.residual_se

    return tuple(sorted(weighed, key=order))
