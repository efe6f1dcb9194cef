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
    with contextlib.suppress(ValueError):
        value = int(text)
        if 1 <= value <= 4096:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between 1 and 4096")


def times(text: str) -> int:
    """How often."""
    with contextlib.suppress(ValueError):
        value = int(text)
        if 1 <= value <= 10_000:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between 1 and 10000")


def seed(text: str) -> int:
    """A seed."""
    with contextlib.suppress(ValueError):
        value = int(text)
        if 0 <= value < 2**32:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between 0 and 4294967295")


def index(text: str) -> int:
    """The first number of an array, or "even"."""
    return EVEN if text == "even" else seed(text)
