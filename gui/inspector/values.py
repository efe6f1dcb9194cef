"""Text ↔ value of the inspector's fields: numbers with SI prefixes, lists, data sets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from machines.errors import InputError

_PREFIX = {
    "": 1.0,
    "n": 1e-9,
    "µ": 1e-6,
    "u": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "Ki": 2.0**10,
    "Mi": 2.0**20,
    "Gi": 2.0**30,
    "Ti": 2.0**40,
}
_NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)")


def real(text: str, unit: str = "") -> float:
    """A finite number, with an SI or binary prefix and, if written, its unit ("12 ms", "8 GiB")."""
    compact = text.strip().replace("_", "").replace("\u2212", "-").replace(",", ".")
    match = _NUMBER.fullmatch(compact)
    suffix = match.group(2) if match else ""
    prefix = suffix.removesuffix(unit).strip() if unit else suffix
    if match is None or prefix not in _PREFIX:
        example = f"Write a number, e.g. 12.5 {unit}".rstrip()
        raise InputError("this is not a number", value=text, remedy=example)
    value = float(match.group(1)) * _PREFIX[prefix]
    if not math.isfinite(value):
        raise InputError("this number is too large", value=text)
    return value


def count(text: str) -> int:
    """A whole number."""
    value = real(text)
    if value != int(value):
        raise InputError("this is not a whole number", value=text)
    return int(value)


def in_unit(unit: str) -> Callable[[str], object]:
    """A parser of numbers in `unit`."""
    return lambda text: real(text, unit)


def whole_bytes(text: str) -> int:
    """A whole number of bytes, e.g. "8 GiB"."""
    return round(real(text, "B"))


def optional(parse: Callable[[str], object]) -> Callable[[str], object]:
    """The same parser, with nothing written meaning ``None``."""
    return lambda text: parse(text) if text.strip() else None


def name(text: str) -> str:
    """A name without surrounding blanks."""
    if not text.strip():
        raise InputError("a name can't be empty", value=text)
    return text.strip()


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


def data_sets(text: str) -> tuple[tuple[int, float], ...]:
    """Data sets "count × bytes", separated by semicolons: "100 × 2048; 1 × 64 KiB"."""
    sets = []
    for part in filter(str.strip, text.split(";")):
        pieces = re.split(r"[×x*]", part, maxsplit=1)
        if len(pieces) != 2:
            raise InputError(
                "this is not a data set", value=part.strip(), remedy="Write count × bytes"
            )
        sets.append((count(pieces[0]), real(pieces[1], "B")))
    return tuple(sets)


def shown(value: object) -> str:
    """The text of a value, exact enough to be read back."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)


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
    return "; ".join(f"{number} × {shown(float(size))}" for number, size in value)
