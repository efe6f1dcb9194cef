"""Numbers that options take, with their bounds: a wrong one is one message."""

from __future__ import annotations

import argparse
import contextlib

from advisor.export.export_options import EVEN


def seconds(text: str) -> float:
    """A search budget."""
    with contextlib.suppress(ValueError):
        value = float(text)
        if 0.0 < value <= 86400.0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no number between 0 and 86400")


def cores(text: str) -> int:
    """Cores of a task."""
    return _whole(text, 1, 4096)


def times(text: str) -> int:
    """How often."""
    return _whole(text, 1, 10_000)


def seed(text: str) -> int:
    """A seed."""
    return _whole(text, 0, 2**32 - 1)


def index(text: str) -> int:
    """The first number of an array, or "even"."""
    return EVEN if text == "even" else seed(text)


def _whole(text: str, low: int, high: int) -> int:
    with contextlib.suppress(ValueError):
        value = int(text)
        if low <= value <= high:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between {low} and {high}")
