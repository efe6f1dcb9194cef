"""Numbers that are not known exactly: a value, and the spread around it.

An `Uncertain` is a float everywhere; whoever asks how sure an answer is (`advisor.odds`) finds its
`Spread`. In files it is a table in the number's place: ``{ value = 1.2, low = 1.0, high = 1.4 }``
or ``{ value = 12.0, cv = 0.15 }``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from machines.amounts import of_key
from machines.arrays import Floats
from machines.errors import InputError

TRIANGULAR, NORMAL, LOGNORMAL, UNIFORM = "triangular", "normal", "lognormal", "uniform"
KINDS = (TRIANGULAR, NORMAL, LOGNORMAL, UNIFORM)
KEYS = ("value", "low", "high", "cv", "kind", "source")

_TAIL = 0.05  # on either side of a range of 90 %
_END = NormalDist().inv_cdf(1.0 - _TAIL)  # standard deviations from the middle to its end
MOST_CV = 2.0
_LEAST = 1e-3  # of the value: below it a normal spread is cut off


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number may lie around its value.

    Attributes
    ----------
    low, high : float or None
        Ends of its 90 % range: one value in twenty is below, one above.
    cv : float or None
        Standard deviation as a share of the value, which is the mean, in place of a range.
    kind : {"triangular", "normal", "lognormal", "uniform"}
        A range is triangular unless stated, with the value as its peak; a cv is log-normal.
    source : str
        "measured", "assumed", "guessed: why" or empty.
    """

    low: float | None = None
    high: float | None = None
    cv: float | None = None
    kind: str = ""
    source: str = ""

    @property
    def is_exact(self) -> bool:
        """Only the source is stated."""
        return self.cv is None and self.low is None

    def at(self, value: float, normal: Floats) -> Floats:
        """The number where a standard normal variable has these values: its quantiles.

        Equation: Q(Φ(z)) with the quantile function Q of the spread around `value`.
        """
        if self.is_exact:
            return np.full(normal.shape, value)
        if self.cv is not None:
            if self.kind == NORMAL:
                return np.maximum(value * (1.0 + self.cv * normal), _LEAST * value)
            if self.kind == UNIFORM:
                return value * (1.0 + math.sqrt(3.0) * self.cv * (2.0 * _below(normal) - 1.0))
            sigma = math.sqrt(math.log1p(self.cv**2))
            return value * np.exp(sigma * normal - 0.5 * sigma**2)
        assert self.low is not None
        assert self.high is not None
        return _in_range(self.kind or TRIANGULAR, value, self.low, self.high, normal)


class Uncertain(float):
    """A float with a spread; arithmetic gives plain floats.

    Equal only to one of the same spread, so that an edit of the spread is a change.
    """

    __slots__ = ("spread",)
    spread: Spread

    def __new__(cls, value: float, spread: Spread) -> Uncertain:
        """A value and its spread."""
        made = super().__new__(cls, value)
        made.spread = spread
        return made

    def __reduce__(self) -> tuple[type[Uncertain], tuple[float, Spread]]:
        return Uncertain, (float(self), self.spread)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Uncertain):
            return float(self) == float(other) and self.spread == other.spread
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((float(self), self.spread))

    def times(self, factor: float) -> Uncertain:
        """The same number in another unit."""
        low, high = (None if one is None else one * factor for one in self.ends)
        spread = Spread(low, high, self.spread.cv, self.spread.kind, self.spread.source)
        return Uncertain(float(self) * factor, spread)

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Low and high, where they are stated."""
        return self.spread.low, self.spread.high

    @property
    def range_90(self) -> tuple[float, float]:
        """Where nine of ten values lie."""
        low, high = self.spread.at(float(self), np.array([-_END, _END])).tolist()
        return low, high


def uncertain_from(name: str, given: dict[Any, Any], where: str) -> Uncertain:
    """The number that a table in its place describes."""
    for key in given:
        if key not in KEYS:
            raise InputError(f'{name} has an unknown key "{key}"', where=where,
                             remedy=f"Known: {', '.join(KEYS)}")  # fmt: skip
    value = _real(f"{name}: value", given.get("value"), where)
    ends = [given.get(key) for key in ("low", "high")]
    low, high = (
        None if one is None else _real(f"{name}: {key}", one, where)
        for key, one in zip(("low", "high"), ends, strict=True)
    )
    cv, kind, source = given.get("cv"), given.get("kind", ""), given.get("source", "")
    if not isinstance(source, str):
        raise InputError(f"{name}: source must be a text", where=where, value=source)
    if cv is not None:
        if low is not None or high is not None:
            raise InputError(f"{name} has both a range and a cv", where=where,
                             remedy="Give low and high, or cv")  # fmt: skip
        cv = _check_cv(f"{name}: cv", cv, where)
        if value <= 0.0:
            raise InputError(f"{name}: a cv needs a value above 0", where=where, value=value)
    elif (low is None) != (high is None):
        raise InputError(f"{name} needs both ends of its range", where=where,
                         remedy="Give low and high, or cv")  # fmt: skip
    elif low is not None and high is not None:
        _check_range(name, value, low, high, where)
    if kind not in ("", *KINDS) or (kind == TRIANGULAR and cv is not None):
        allowed = [one for one in KINDS if cv is None or one != TRIANGULAR]
        raise InputError(f"{name}: unknown kind of spread", where=where, value=kind,
                         remedy=f"Allowed: {', '.join(allowed)}")  # fmt: skip
    if kind == LOGNORMAL and low is not None and low <= 0.0:
        raise InputError(f"{name}: a log-normal range begins above 0", where=where, value=low)
    return Uncertain(value, Spread(low, high, cv, kind, source))


def plain(value: float) -> object:
    """A number as files hold it: itself, or the table of one with a spread."""
    if not isinstance(value, Uncertain):
        return float(value)
    spread = value.spread
    stated = ((key, getattr(spread, key)) for key in KEYS[1:])
    return {"value": float(value)} | {key: one for key, one in stated if one not in (None, "")}


def _real(name: str, value: object, where: str) -> float:
    if isinstance(value, str) and (found := of_key(name.partition(":")[0], value)) is not None:
        value = found
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} must be a number", where=where, value=value)
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise InputError(f"{name} must be a finite number", where=where, value=value)
    return found


def _check_cv(name: str, value: object, where: str) -> float:
    """A coefficient of variation in (0, 2]."""
    found = _real(name, value, where)
    if not 0.0 < found <= MOST_CV:
        remedy = f"Allowed: > 0 and ≤ {MOST_CV:g}: 0.15 is 15 %"
        if found == 0.0:
            remedy += "; a number that is exact stands alone"
        raise InputError(f"{name} is out of range", where=where, value=value, remedy=remedy)
    return found


def _check_range(name: str, value: float, low: float, high: float, where: str) -> None:
    if low >= high:
        raise InputError(f"{name}: low is not below high", where=where, value=[low, high],
                         remedy="low and high are the ends of the 90 % range")  # fmt: skip
    if not low <= value <= high:
        raise InputError(f"{name}: the value lies outside its range", where=where, value=value,
                         remedy=f"Give one from {low:g} to {high:g}")  # fmt: skip


def _below(normal: Floats) -> Floats:
    """Φ: the share of standard normal values below."""
    from scipy.special import ndtr  # noqa: PLC0415 - start-up does not wait for it

    share: Floats = ndtr(normal)
    return share


def _in_range(kind: str, value: float, low: float, high: float, normal: Floats) -> Floats:
    """Quantiles of a spread whose 90 % range is given."""
    if kind == NORMAL:
        found = 0.5 * (low + high) + (high - low) / (2.0 * _END) * normal
        return found if low < 0.0 else np.maximum(found, _LEAST * low)
    if kind == LOGNORMAL:
        return math.sqrt(low * high) * np.exp(math.log(high / low) / (2.0 * _END) * normal)
    share = _below(normal)
    if kind == UNIFORM:
        found = low + (high - low) * (share - _TAIL) / (1.0 - 2.0 * _TAIL)
    else:
        first, last = _corners(value, low, high)
        rise = (value - first) / (last - first)
        width = last - first
        left = first + np.sqrt(share * width * (value - first))
        right = last - np.sqrt((1.0 - share) * width * (last - value))
        found = np.where(share < rise, left, right)
    return found if low < 0.0 else np.maximum(found, 0.0)


def _corners(peak: float, low: float, high: float) -> tuple[float, float]:
    """Where a triangle with this peak begins and ends whose 90 % lie between low and high.

    (low − a)² = 0.05 (b − a)(peak − a) and (b − high)² = 0.05 (b − a)(b − peak), by iteration.
    """
    first, last = low - 0.1 * (high - low), high + 0.1 * (high - low)
    for _ in range(200):
        width = last - first
        begin = low - math.sqrt(_TAIL * width * max(peak - first, 0.0))
        end = high + math.sqrt(_TAIL * width * max(last - peak, 0.0))
        moved = max(abs(begin - first), abs(end - last))
        first, last = begin, end
        if moved <= 1e-13 * (last - first):
            break
    return first, last
