"""Repeated measurements of one thing: the middle one, and a range by bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 1000
_RANGE = (5.0, 95.0)  # per cent


@dataclass(frozen=True)
class Estimate:
    """A median with its 90 % range by the percentile bootstrap (Efron 1979)."""

    value: float
    low: float
    high: float


def estimate(samples: Sequence[float]) -> Estimate:
    """The median of samples, at least one; resampling has a fixed seed."""
    drawn = np.random.default_rng(0).choice(samples, (_RESAMPLES, len(samples)))
    low, high = np.percentile(np.median(drawn, axis=1), _RANGE)
    return Estimate(float(np.median(samples)), float(low), float(high))


def moved(samples: Sequence[float]) -> float:
    """The width of the middle 80 % of samples, relative to their median."""
    low, middle, high = np.percentile(samples, (10.0, 50.0, 90.0))
    return float((high - low) / middle)
