"""An engine calibrated from logs alone, and what its next runs are expected to take.

How many values the runs can tell is chosen by leaving each run out in turn: all values, those that
the runs tell, or none beside the preset; whichever meets the runs that it does not know best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from advisor.basics.quantities import count, percent
from advisor.learning.engine_fit import Fit, Prior, fit, prior_of, quantiles
from advisor.learning.engine_runs import EngineRun
from machines.catalogue.runtimes import RUNTIMES
from machines.errors import InputError
from machines.runtime import READY, Runtime

_CHOOSES = 3  # runs, of which one is left out in turn
_DRAWS = 400
_FAR = 0.1  # of a run: what it took is not explained
TITLES = {
    "task_overhead_s": "overhead of a task",
    "begin_s": "start of the engine",
    "poll_s": "polling period",
    "submit_s": "time of a submission",
    "cycle_s": "scheduling cycle",
    "reclaim_s": "reclaim period",
    "own_s": "a job of its own",
}


@dataclass(frozen=True)
class Value:
    """A calibrated number, its 90 % range and its preset, s; `told`: whether the runs tell it."""

    name: str
    value: float
    low: float
    high: float
    preset: float
    told: bool


@dataclass(frozen=True)
class Expected:
    """The makespan to expect of a run, its 90 % range, and what it took, s; nan: not told."""

    name: str
    makespan_s: float
    low_s: float
    high_s: float
    actual_s: float


@dataclass(frozen=True, eq=False)
class EngineCalibration:
    """An engine as its runs tell it.

    `preset`: the runtime that it began with; empty: none.
    """

    engine: str
    preset: str
    runs: tuple[EngineRun, ...]
    fit: Fit

    @property
    def values(self) -> tuple[Value, ...]:
        """All numbers that the engine has, calibrated or as they were."""
        told, fitted, prior = self.fit.told(), self.fit.median(), self.fit.prior
        found = [
            Value(name, *fitted[name], float(median), told[name])
            for name, median in zip(prior.names, prior.median, strict=True)
        ]
        for name in TITLES:
            stays = getattr(prior.kept, name)
            if name not in prior.names and stays > 0.0:
                found.append(Value(name, stays, stays, stays, stays, told=False))
        return tuple(sorted(found, key=lambda one: list(TITLES).index(one.name)))

    @property
    def runtime(self) -> Runtime:
        """The preset with the calibrated numbers."""
        known: dict[str, Any] = {one.name: one.value for one in self.values if one.name != "own_s"}
        return replace(_preset(self.preset) or Runtime(order=READY), **known)

    @property
    def noise(self) -> float:
        """By how much runs differ from what is simulated, as a share: one standard deviation."""
        return quantiles(self.fit.noise, self.fit.weights())[0]

    @property
    def fitted(self) -> tuple[Expected, ...]:
        """Every run, simulated with the calibrated engine."""
        weights = self.fit.weights()
        return tuple(
            Expected(run.name, *quantiles(self.fit.ended_s[:, at], weights), run.makespan_s)
            for at, run in enumerate(self.runs)
        )

    @property
    def left_out_s(self) -> tuple[float, ...]:
        """The makespan that the other runs make one expect of each, s; empty for a single run."""
        if len(self.runs) < 2:
            return ()
        return tuple(self.fit.left_out_s(at) for at in range(len(self.runs)))

    @property
    def left_out_error(self) -> float | None:
        """The median share by which these miss; None: a single run."""
        return _error(self.fit, self.runs) if self.left_out_s else None

    def expected(self, run: EngineRun) -> Expected:
        """What a run of other tasks may take: the median and 90 % range, with the noise of runs."""
        _check_engine(run, self.engine)
        found = self.fit.expected(run, _DRAWS, np.random.default_rng(0))
        return Expected(run.name, *quantiles(found, np.ones(found.size)), run.makespan_s)


def calibrate_engine(
    runs: Sequence[EngineRun], on_progress: Callable[[float], None] | None = None
) -> EngineCalibration:
    """Fit an engine to its runs.

    Parameters
    ----------
    runs : sequence of EngineRun
        At least one; all of one engine.
    on_progress : callable, optional
        Gets the share that is done.

    Raises
    ------
    InputError
        Runs of several engines, or one without a makespan.
    """
    engine = runs[0].engine
    for run in runs:
        _check_engine(run, engine)
        if not run.makespan_s > 0.0:
            raise InputError(
                "the log does not tell what the run took", where=f'run "{run.name}"',
                remedy="Add its makespan, or give a log with start times",
            )  # fmt: skip
    preset = engine if engine in RUNTIMES.names() else ""
    stated = all(run.actual_s.size == 1 for run in runs)
    own_jobs = any(run.own.any() for run in runs)
    prior = prior_of(_preset(preset), own_jobs=own_jobs, stated=stated)
    best = fit(runs, prior, on_progress)
    if len(runs) >= _CHOOSES:
        tried = [best, *(fit(runs, one) for one in _smaller(best))]
        best = min(tried, key=lambda one: _error(one, runs))
    return EngineCalibration(engine, preset, tuple(runs), best)


def _smaller(full: Fit) -> list[Prior]:
    """The prior of fewer values: of those that the runs tell, and of none."""
    told = {name for name, is_told in full.told().items() if is_told}
    names = [told] if 0 < len(told) < len(full.prior.names) else []
    return [full.prior.only(one) for one in [*names, set[str]()]]


def _error(one: Fit, runs: Sequence[EngineRun]) -> float:
    off = [abs(one.left_out_s(at) / run.makespan_s - 1.0) for at, run in enumerate(runs)]
    return float(np.median(off))


def _preset(name: str) -> Runtime | None:
    return RUNTIMES.load(name).runtime if name else None


def _check_engine(run: EngineRun, engine: str) -> None:
    if run.engine != engine:
        raise InputError(
            "the logs are of several engines", where=f'run "{run.name}"',
            value=run.engine or "not told",
            remedy=f"The first is of {engine or 'an engine without a name'}",
        )  # fmt: skip


def words_of(found: EngineCalibration) -> list[str]:
    """What is to be said of it, a sentence each."""
    told = [TITLES[one.name] for one in found.values if one.told]
    untold = [TITLES[one.name] for one in found.values if not one.told]
    said = []
    if told:
        said.append(f"The runs tell {_listed(told)}")
    if untold:
        said.append(f"They can't tell {_listed(untold)}: kept near the preset" if found.preset else
                    f"They can't tell {_listed(untold)}")  # fmt: skip
    for one, other in found.fit.together():
        said.append(f"Of {TITLES[one]} and {TITLES[other]} they tell little but the sum")
    off = float(np.median([abs(one.makespan_s / one.actual_s - 1.0) for one in found.fitted]))
    if off > _FAR:
        said.append(
            f"As calibrated it still misses its own runs by {percent(off)}: they waited for what "
            "the logs do not tell, such as dependencies, data or late workers"
        )
    if len(found.runs) == 1:
        said.append("One run can't show how well others are predicted: give several")
    elif (error := found.left_out_error) is not None:
        runs = count(len(found.runs), "run")
        said.append(f"Each of {runs} predicted from the others: median error {percent(error)}")
    return said


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
