"""Curves and tables of the study."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.studies.study import Series, Table


def chances(found: Sequence[float]) -> Series:
    """The chance of a six against the number of throws."""
    throws = tuple(float(n) for n in range(1, len(found) + 1))
    return Series("at least one six", throws, tuple(found), "throws", "", "chance", "")


def chances_table(found: Sequence[float]) -> Table:
    """The same as rows."""
    rows = tuple((n, 100.0 * chance) for n, chance in enumerate(found, 1))
    return Table("Chances", (("throws", ""), ("chance", "%")), rows)
