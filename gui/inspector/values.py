"""Text ↔ value of the inspector's fields: what entries are everywhere, lists, data sets."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from advisor.basics import entries
from advisor.basics.entries import count, data_sets, name, ranged, real, whole_bytes
from machines import amounts
from machines.errors import InputError

__all__ = [
    "count",
    "counts",
    "data_sets",
    "dimensions",
    "in_unit",
    "name",
    "names",
    "numbers",
    "optional",
    "real",
    "shown",
    "shown_counts",
    "shown_data_sets",
    "shown_dimensions",
    "shown_names",
    "shown_numbers",
    "whole_bytes",
]


_PLAIN = 1e-9  # smaller numbers keep their exponent: nobody counts as many zeros


def shown(value: object) -> str:
    """The text of a value, exact enough to be read back: "0.00002", not "2e-05"."""
    text = entries.shown(value)
    if (
        isinstance(value, float)
        and "e" in text
        and "±" not in text
        and "(" not in text
        and _PLAIN <= abs(value) < 1.0
    ):
        return f"{Decimal(text):f}"
    return text


def in_unit(unit: str) -> Callable[[str], object]:
    """A parser of numbers in `unit`."""
    return lambda text: ranged(text, unit)


def optional(parse: Callable[[str], object]) -> Callable[[str], object]:
    """The same parser, with nothing written meaning ``None``."""
    return lambda text: parse(text) if text.strip() else None


def numbers(text: str) -> tuple[float, ...]:
    """Numbers separated by semicolons or blanks; nothing written is an empty tuple."""
    return tuple(real(part) for part in re.split(r"[;\s]+", text.strip()) if part)


def dimensions(text: str) -> tuple[int, ...]:
    """Whole numbers with a cross between them: "8 × 4", "8x8x8"."""
    parts = [part for part in re.split(r"[×x*;\s]+", text.strip().lower()) if part]
    if not parts:
        raise InputError("these are no dimensions", value=text, remedy="Write e.g. 8 × 4")
    return tuple(count(part) for part in parts)


def shown_dimensions(value: object) -> str:
    """The text of dimensions."""
    return " × ".join(map(str, value)) if isinstance(value, tuple) else ""


def names(text: str) -> tuple[str, ...] | None:
    """Names separated by commas; nothing written means any."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    return found or None


def shown_numbers(value: object) -> str:
    """The text of a tuple of numbers."""
    return "; ".join(map(shown, value)) if isinstance(value, tuple) else ""


def shown_names(value: object) -> str:
    """The text of a tuple of names, empty for any."""
    return ", ".join(value) if isinstance(value, tuple) else ""


def shown_data_sets(value: object) -> str:
    """The text of data sets."""
    if not isinstance(value, tuple):
        return ""
    sizes = ((many, amounts.shown(float(size), amounts.BYTES)) for many, size in value)
    return "; ".join(size if many == 1 else f"{many} × {size}" for many, size in sizes)


def counts(text: str) -> tuple[tuple[str, int], ...]:
    """Names with how many of each, separated by semicolons: "svc × 8; login × 1"."""
    found = []
    for part in filter(str.strip, text.split(";")):
        name_, sign, many = (piece.strip() for piece in part.replace("*", "×").rpartition("×"))
        if not sign or not name_:
            raise InputError(
                "this is no name with a number", value=part.strip(), remedy="Write svc × 8"
            )
        found.append((name_, count(many)))
    return tuple(found)


def shown_counts(value: object) -> str:
    """The text of names with how many of each."""
    if not isinstance(value, tuple):
        return ""
    return "; ".join(f"{name_} × {many}" for name_, many in value)
