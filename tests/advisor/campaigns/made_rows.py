"""Rows of campaigns that nobody carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from advisor.campaigns.results import Results
from advisor.campaigns.row_columns import Row

PLAIN = Row(
    0, "allocation", "w", "", 10, 12, 4, 1.0, 0.3, 0, "lab", "", "fair", "heft", "makespan",
    1.0, 1.0, "s", None, None, False, 10,
)  # fmt: skip


def row(value: float | None = 1.0, **changes: object) -> Row:
    """A row; without a value it failed."""
    failed = {"error": "it failed"} if value is None else {}
    return replace(PLAIN, **{"value": value, **failed, **changes})  # type: ignore[arg-type]


def results(rows: Iterable[Row], took_s: Sequence[float] | None = None) -> Results:
    """The rows, numbered."""
    numbered = [replace(one, case=case) for case, one in enumerate(rows)]
    seconds = np.full(len(numbered), np.nan) if took_s is None else np.array(took_s)
    return Results(numbered, seconds)


def table(values: Mapping[str, Sequence[float | None]], **changes: Sequence[object]) -> Results:
    """Values by strategy, one for each instance; further columns have one for each, too."""
    many = len(next(iter(values.values())))
    asked = {"workload": [f"w{k}" for k in range(many)], **changes}
    return results(
        row(values[name][k], strategy=name, **{column: asked[column][k] for column in asked})
        for k in range(many)
        for name in values
    )
