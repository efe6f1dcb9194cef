"""Amounts as a cell shows them: exact, with the prefix that makes them short ("8 GiB", "50 µs")."""

from __future__ import annotations

from advisor.basics import entries
from gui.inspector import values

_SMALL = ("", "m", "µ", "n")
_LARGE = ("", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti")


def amount(value: object, unit: str) -> str:
    """The shortest text that `entries.real` reads back to `value`; empty for None."""
    if not isinstance(value, int | float):
        return ""
    factors = [
        (entries.real(f"1 {prefix}"), prefix) for prefix in (_SMALL if unit == "s" else _LARGE)
    ]
    texts = [
        f"{entries.shown(float(value) / factor)} {prefix}{unit}"
        for factor, prefix in factors
        if prefix == "" or abs(value) / factor >= 1
    ]
    exact = [text for text in texts if "e" not in text and entries.real(text, unit) == value]
    return min(exact or texts[:1], key=len)


def data_sets(text: str) -> tuple[tuple[int, float], ...]:
    """Data sets "100 × 2048; 64 KiB": a size alone is one message, 0 is none."""
    parts = [part.strip() for part in text.split(";")]
    if parts == [text.strip()] and not any(sign in text for sign in "×x*"):
        size = entries.real(text, "B") if text.strip() else 0.0
        return ((1, size),) if size else ()
    return values.data_sets(text)


def shown_data_sets(value: object) -> str:
    """The text of data sets, one message of a size as the size alone."""
    if not isinstance(value, tuple):
        return ""
    if len(value) == 1 and value[0][0] == 1:
        return amount(value[0][1], "B")
    return "; ".join(f"{many} × {amount(size, 'B')}" for many, size in value)
