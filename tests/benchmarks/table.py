"""A table of timings against what is wanted of them; shared by the benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """One measurement: what it is, its seconds, and the most it should take."""

    name: str
    seconds: float
    limit_s: float


def least_seconds(call: Callable[[], object], least_s: float = 0.5, most: int = 2000) -> float:
    """The shortest of the calls that fit into `least_s` seconds; at least three, at most `most`."""
    best, began, calls = float("inf"), perf_counter(), 0
    while calls < 3 or (calls < most and perf_counter() - began < least_s):
        before = perf_counter()
        call()
        best = min(best, perf_counter() - before)
        calls += 1
    return best


def show(title: str, rows: list[Row]) -> None:
    """Print the rows with the ratio of the limit to the time: above 1 it is met."""
    width = max(len(row.name) for row in rows)
    print(f"\n{title}\n{'':{width}}  {'time':>11}  {'wanted':>11}  {'ratio':>7}")
    for row in rows:
        ratio = row.limit_s / row.seconds
        mark = "" if ratio >= 1 else "  missed"
        print(f"{row.name:{width}}  {_time(row.seconds)}  {_time(row.limit_s)}  {ratio:7.2f}{mark}")


def _time(seconds: float) -> str:
    for unit, factor in (("s ", 1.0), ("ms", 1e-3)):
        if seconds >= factor:
            return f"{seconds / factor:8.3f} {unit}"
    return f"{seconds / 1e-6:8.3f} µs"
