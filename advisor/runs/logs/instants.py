"""Times as logs write them → seconds since 1970, of which only differences matter."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, datetime

from machines.checks import written_number

LATEST_S = 253_402_300_800.0
"""The year 10000."""


def instant(text: str) -> float | None:
    """Seconds since 1970 of an ISO date and time; None: the text is none, or earlier.

    Without a zone it is taken as UTC: a log of one zone has the right differences, but for the hour
    in which its clocks are set back.
    """
    try:
        found = datetime.fromisoformat(text.strip())
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        seconds = found.timestamp()
    except (ValueError, OverflowError):
        return None
    return seconds if seconds >= 0.0 else None


def since_1970(text: str, unit_s: float = 1.0) -> float | None:
    """Seconds of a plain count of them, or of milliseconds (`unit_s` = 0.001); None: it is none."""
    value = written_number(text.strip()) if text.strip() else None
    if value is None or not math.isfinite(value) or not 0.0 <= value * unit_s < LATEST_S:
        return None
    return value * unit_s


def day_and_time(seconds: float) -> str:
    """What a run that began then is called ("2026-11-22 07:04:46"), in the zone that was read."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def stretches(spans: Iterable[tuple[float, float]], gap_s: float) -> list[int]:
    """Which stretch of activity each (start, end) belongs to: spans in order of their starts.

    A stretch ends where nothing goes on for longer than `gap_s`.
    """
    found: list[int] = []
    last, number = -math.inf, -1
    for start_s, end_s in spans:
        if start_s > last + gap_s:
            number += 1
        found.append(number)
        last = max(last, end_s)
    return found
