"""Small closed networks solved without the product's recursion, and rows and curves by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from advisor.studies import Series, StudyResult


def constants(P: int, demands: Sequence[float], Z: float) -> list[Fraction]:
    """Normalisation constants G(0) … G(P) by convolution (Buzen 1973), in exact fractions."""
    think = Fraction(Z)
    found = [think**n / math.factorial(n) for n in range(P + 1)]
    for demand in map(Fraction, demands):
        for n in range(1, P + 1):
            found[n] += demand * found[n - 1]
    return found


def rate(P: int, demands: Sequence[float], Z: float) -> float:
    """Throughput of P processors: G(P − 1)/G(P)."""
    G = constants(P, demands, Z)
    return float(G[P - 1] / G[P])


def queue(P: int, demands: Sequence[float], Z: float, stage: int) -> float:
    """Mean messages at a stage: sum of D^n G(P − n)/G(P)."""
    G, demand = constants(P, demands, Z), Fraction(demands[stage])
    return float(sum(demand**n * G[P - n] for n in range(1, P + 1)) / G[P])


def burst(P: int, demands: Sequence[float], Z: float) -> float:
    """Throughput of P messages sent at once after Z, stage by stage in order, and awaited."""
    leaves = [0.0] * len(demands)  # when the message before left each stage
    done = Z
    for _ in range(P):
        done = Z
        for stage, demand in enumerate(demands):
            done = leaves[stage] = max(done, leaves[stage]) + demand
    return P / done


def table(result: StudyResult, title: str) -> list[dict[str, Any]]:
    """The rows of a table, each by column."""
    (found,) = [one for one in result.tables if one.title == title]
    names = [name for name, _ in found.columns]
    return [dict(zip(names, cells, strict=True)) for cells in found.rows]


def units(result: StudyResult, title: str) -> dict[str, str]:
    """The units of a table's columns."""
    (found,) = [one for one in result.tables if one.title == title]
    return dict(found.columns)


def series(result: StudyResult, name: str, label: str) -> Series:
    """The one series of a name on an axis."""
    (found,) = [one for one in result.series if (one.name, one.y_label) == (name, label)]
    return found


def area(result: StudyResult, name: str, label: str) -> dict[int, tuple[float, float]]:
    """From where to where that band reaches, by number of processors."""
    found = series(result, name, label)
    assert found.kind == "band", name
    ends = zip(found.lower, found.y, strict=True)
    return {round(float(str(x))): pair for x, pair in zip(found.x, ends, strict=True)}


def curve(result: StudyResult, name: str, label: str) -> dict[int, float]:
    """The values of that series by number of processors."""
    found = series(result, name, label)
    return {round(float(str(x))): y for x, y in zip(found.x, found.y, strict=True)}
