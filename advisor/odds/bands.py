"""Makespans over draws → a band: expected value, quantiles, and the error of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.odds.draws import BATCH
from machines.arrays import Floats

QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class Band:
    """What a plan takes where numbers are not known exactly.

    Attributes
    ----------
    point_s : float
        Every number at its stated value.
    expected_s : float
        The mean of the draws.
    p10_s, p50_s, p90_s : float
        One run in ten, in two, nine in ten end earlier.
    error_s : float
        Standard error of the mean; nan for a single batch.
    quantile_error_s : float
        Of `p90_s`.
    draws : int
    in_time : tuple of float
        Share of the draws that end by each of the deadlines asked for.
    """

    point_s: float
    expected_s: float
    p10_s: float
    p50_s: float
    p90_s: float
    error_s: float
    quantile_error_s: float
    draws: int
    in_time: tuple[float, ...] = ()


def band(point_s: float, makespans_s: Floats, deadlines_s: Sequence[float] = ()) -> Band:
    """The band of makespans in draws; errors from the spread of its batches.

    Parameters
    ----------
    point_s : float
    makespans_s : array (draws,)
    deadlines_s : sequence of float
    """
    p10, p50, p90 = np.quantile(makespans_s, QUANTILES).tolist()
    parts = makespans_s[: makespans_s.size // BATCH * BATCH].reshape(-1, BATCH)
    means, highs = parts.mean(axis=1), np.quantile(parts, QUANTILES[-1], axis=1)
    return Band(
        point_s=point_s,
        expected_s=float(makespans_s.mean()),
        p10_s=p10,
        p50_s=p50,
        p90_s=p90,
        error_s=standard_error(means),
        quantile_error_s=standard_error(highs),
        draws=int(makespans_s.size),
        in_time=tuple(float((makespans_s <= one).mean()) for one in deadlines_s),
    )


def standard_error(means: Floats) -> float:
    """Of the mean of independent values; nan for a single one."""
    if means.size < 2:
        return float("nan")
    return float(means.std(ddof=1) / np.sqrt(means.size))
