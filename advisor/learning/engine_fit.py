"""What an engine takes, told by simulating its runs again: calibrated values with their doubt.

Values are drawn from what is known of the engine beforehand, log-normal around its preset, and
weighed by how near they bring all runs: a simulated time may be off by a factor e^(σz), where σ is
drawn, too (importance sampling; proposals are adapted in rounds: Cappé et al. 2004, *Population
Monte Carlo*). So few runs move few values, and what they can't tell keeps its prior.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from advisor.learning.engine_runs import EngineRun, EngineValues
from machines.arrays import Floats
from machines.runtime import Runtime
from machines.stopping import ask

ROUNDS, DRAWS = 4, 600
_NOISE, _NOISE_SD = 0.05, 0.5  # of the simulated times: the model's error and that of repeats
_SPREAD = {  # standard deviations of ln, of what a preset states
    "task_overhead_s": 0.8,
    "begin_s": 0.8,
    "poll_s": 0.4,
    "submit_s": 1.0,
    "cycle_s": 0.7,
    "reclaim_s": 0.7,
    "own_s": 0.5,
}
_UNKNOWN = {"task_overhead_s": (0.3, 2.0), "poll_s": (0.3, 2.0), "submit_s": (0.03, 2.0)}
_UNSTATED = {"task_overhead_s": (0.05, 2.0), "submit_s": (0.005, 2.0)}  # of a preset
_OWN_S = 5.0  # of a job of the engine's own: a transfer of a small file, with its start
_WIDER = 1.5  # of a round's proposals, against what the rounds before found
_LEAST_DRAWS = 20.0  # that share the weight, or the next round looks wider
_TOLD = 0.7  # of the prior's width: what is narrower is told by the runs
_TOGETHER = 0.8  # correlation of two values that only their sum is told of


@dataclass(frozen=True)
class Prior:
    """What is known beforehand: names, medians in s, standard deviations of their ln.

    `kept`: what is not drawn.
    """

    names: tuple[str, ...]
    median: Floats
    spread: Floats
    kept: EngineValues = field(default_factory=EngineValues)

    def only(self, names: Collection[str]) -> Prior:
        """Of these names alone; the others keep their medians."""
        draws = [name in names for name in self.names]
        stay = {
            name: float(value)
            for name, value, drawn in zip(self.names, self.median, draws, strict=True)
            if not drawn
        }
        left = tuple(name for name in self.names if name in names)
        return Prior(left, self.median[draws], self.spread[draws], replace(self.kept, **stay))


def prior_of(runtime: Runtime | None, *, own_jobs: bool, stated: bool) -> Prior:
    """Of an engine.

    Parameters
    ----------
    runtime : Runtime or None
        Its preset; None: there is none, and anything is possible.
    own_jobs : bool
        Whether it has jobs of its own without times.
    stated : bool
        Whether runs begin with the engine's start, so that this can be told.
    """
    told: dict[str, tuple[float, float]] = {}
    if runtime is None:
        told = dict(_UNKNOWN)
    else:
        known = {name: getattr(runtime, name) for name in _SPREAD if name != "own_s"}
        told = {name: (value, _SPREAD[name]) for name, value in known.items() if value > 0.0}
        told = _UNSTATED | told
    if not stated:
        told.pop("begin_s", None)
    if own_jobs:
        told["own_s"] = (_OWN_S, _SPREAD["own_s"])
    return Prior(
        tuple(told),
        np.array([value for value, _ in told.values()]),
        np.array([spread for _, spread in told.values()]),
    )


@dataclass(frozen=True, eq=False)
class Fit:
    """Draws of what the engine takes, and how they fit each run.

    `values`: array (draws, names), s; `noise`: array (draws,), σ of ln.
    `base`: ln of the prior over the proposals, (draws,). `off`: mean squared ln of simulated over
        actual times, (draws, runs).
    `ended_s`: simulated makespans, (draws, runs).
    """

    prior: Prior
    values: Floats
    noise: Floats
    base: Floats
    off: Floats
    ended_s: Floats

    def weights(self, without: int | None = None) -> Floats:
        """How much each draw counts, (draws,); in sum 1. `without`: a run that is left out."""
        kept = [run for run in range(self.off.shape[1]) if run != without]
        return _normal(self.base + _likelihood(self.off[:, kept], self.noise))

    def median(self, without: int | None = None) -> dict[str, tuple[float, float, float]]:
        """Name → (middle, low, high): the weighted median and 90 % range of each value, s."""
        weights = self.weights(without)
        return {
            name: quantiles(self.values[:, at], weights) for at, name in enumerate(self.prior.names)
        }

    def told(self) -> dict[str, bool]:
        """Whether the runs tell each value, or it is what was known before."""
        spread = _deviation(np.log(self.values), self.weights())
        near = spread < _TOLD * self.prior.spread
        return dict(zip(self.prior.names, near.tolist(), strict=True))

    def together(self) -> list[tuple[str, str]]:
        """Pairs of values of which the runs tell little but what they take together."""
        weights, logs = self.weights(), np.log(self.values)
        centred = (logs - weights @ logs) * np.sqrt(weights)[:, None]
        covariance = centred.T @ centred
        spread = np.sqrt(np.diag(covariance))
        names = self.prior.names
        return [
            (names[one], names[other])
            for one in range(len(names))
            for other in range(one + 1, len(names))
            if -covariance[one, other] > _TOGETHER * spread[one] * spread[other]
        ]

    def left_out_s(self, run: int) -> float:
        """The makespan that the other runs alone make one expect of a run, s."""
        return quantiles(self.ended_s[:, run], self.weights(run))[0]

    def expected(self, run: EngineRun, count: int, rng: np.random.Generator) -> Floats:
        """Makespans of another run, (count,), with the noise of repeats."""
        rows = rng.choice(self.noise.size, count, p=self.weights())
        values = [values_of(self.prior, self.values[row]) for row in rows]
        found = np.array([run.predicted_s(one)[-1] for one in values])
        return found * np.exp(self.noise[rows] * rng.standard_normal(count))


def values_of(prior: Prior, row: Floats) -> EngineValues:
    """A draw by name."""
    return replace(prior.kept, **dict(zip(prior.names, row.tolist(), strict=True)))


def fit(
    runs: Sequence[EngineRun], prior: Prior, on_progress: Callable[[float], None] | None = None
) -> Fit:
    """Simulate runs again and again.

    Parameters
    ----------
    runs : sequence of EngineRun
        Of one engine, each with a known makespan.
    prior : Prior
    on_progress : callable, optional
        Gets the share that is done.
    """
    rng = np.random.default_rng(0)
    middle = np.log(np.array([*prior.median, _NOISE]))
    spread = np.diag(np.array([*prior.spread, _NOISE_SD]) ** 2)
    proposals, drawn = [(middle, spread)], np.zeros((0, middle.size))
    off, ended_s = np.zeros((0, len(runs))), np.zeros((0, len(runs)))
    base = np.zeros(0)
    for round_ in range(ROUNDS):
        centre, width = proposals[-1]
        new = rng.multivariate_normal(centre, width, DRAWS, method="cholesky")
        told = np.empty((DRAWS, len(runs), 2))
        for at, row in enumerate(np.exp(new[:, :-1])):
            ask()
            if at and not prior.names:  # all draws are alike
                told[at] = told[0]
                continue
            for place, run in enumerate(runs):
                told[at, place] = _compared(run, values_of(prior, row))
            if on_progress is not None:
                on_progress((round_ * DRAWS + at + 1) / (ROUNDS * DRAWS))
        drawn = np.concatenate([drawn, new])
        off = np.concatenate([off, told[:, :, 0]])
        ended_s = np.concatenate([ended_s, told[:, :, 1]])
        base = _density(drawn, middle, spread) - _mixture(drawn, proposals)
        weights = _tempered(base + _likelihood(off, np.exp(drawn[:, -1])))
        centre = weights @ drawn
        apart = drawn - centre
        width = _WIDER**2 * (apart.T * weights) @ apart + 1e-4 * spread
        proposals.append((centre, width))
    return Fit(prior, np.exp(drawn[:, :-1]), np.exp(drawn[:, -1]), base, off, ended_s)


def _compared(run: EngineRun, values: EngineValues) -> tuple[float, float]:
    """(mean squared ln of simulated over actual times, the simulated makespan in s)."""
    found_s = run.predicted_s(values)
    known = run.actual_s > 0.0
    apart = np.log(found_s[known] / run.actual_s[known])
    return float(np.mean(apart**2)), float(found_s[-1])


def _likelihood(off: Floats, noise: Floats) -> Floats:
    found: Floats = -off.shape[1] * np.log(noise) - 0.5 * off.sum(axis=1) / noise**2
    return found


def _density(drawn: Floats, centre: Floats, width: Floats) -> Floats:
    """Logarithm of a normal density at each row."""
    root = np.linalg.cholesky(width)
    apart = np.linalg.solve(root, (drawn - centre).T)
    found: Floats = -0.5 * (apart**2).sum(axis=0) - np.log(np.diag(root)).sum()
    return found


def _mixture(drawn: Floats, proposals: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Logarithm of the mean density of the proposals from which all were drawn."""
    every = np.array([_density(drawn, *one) for one in proposals])
    most = every.max(axis=0)
    found: Floats = most + np.log(np.exp(every - most).mean(axis=0))
    return found


def _normal(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    found: Floats = weights / weights.sum()
    return found


def _tempered(logs: Floats) -> Floats:
    """Weights of which enough draws have a share: of the least power below 1 that it takes."""
    power = 1.0
    while True:
        weights = _normal(power * logs)
        if 1.0 / (weights**2).sum() >= _LEAST_DRAWS or power < 1e-3:
            return weights
        power *= 0.7


def _deviation(logs: Floats, weights: Floats) -> Floats:
    found: Floats = np.sqrt(weights @ (logs - weights @ logs) ** 2)
    return found


def quantiles(values: Floats, weights: Floats) -> tuple[float, float, float]:
    """The weighted median, and the bounds of the middle 90 %."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    at = np.searchsorted(total, np.array([0.5, 0.05, 0.95]) * total[-1])
    middle, low, high = values[order][np.minimum(at, values.size - 1)].tolist()
    return middle, low, high
