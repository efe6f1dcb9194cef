"""Range checks of single fields, shared by every frozen value.

Each returns the value in its canonical type or raises `InputError` naming the field and range.
"""

from __future__ import annotations

import math

import numpy as np

from machines.errors import InputError

# sums and products of a few such numbers stay finite
LARGEST = 1e30


def number(
    name: str,
    value: object,
    *,
    low: float = 0.0,
    high: float = LARGEST,
    above: bool = False,
    where: str = "",
) -> float:
    """A finite real in [low, high], or (low, high] with `above`."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a number", where=where, value=value)
    try:
        result = float(value)
    except OverflowError:  # an integer of more than 308 digits
        result = math.inf
    if not math.isfinite(result) or result > high or result < low or (above and result == low):
        span = f"> {low:g}" if above else f"≥ {low:g}"
        if high < math.inf:
            span += f" and ≤ {high:g}"
        raise InputError(
            f"{name} is out of range", where=where, value=value, remedy=f"Allowed: finite, {span}"
        )
    return result


def whole(name: str, value: object, *, low: int = 0, where: str = "") -> int:
    """An integer ≥ low (2**53 at most, so that it survives as a float)."""
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= 2**53:
        raise InputError(
            f"{name} must be a whole number",
            where=where,
            value=value,
            remedy=f"Allowed: {low} to 2^53",
        )
    return value


def text(name: str, value: object, *, where: str = "", empty: bool = False) -> str:
    """A string; not empty unless `empty`."""
    if not isinstance(value, str) or (not value.strip() and not empty):
        raise InputError(f"{name} must be a non-empty text", where=where, value=value)
    return value
