"""Curves and tables of the allocation study."""

from __future__ import annotations

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.prediction import Prediction
from advisor.basics.causes import CAUSES, IDLE
from advisor.studies.study import Series


def cause_bars(predictions: list[tuple[str, Prediction]], objective: str) -> tuple[Series, ...]:
    """One series a cause: seconds by plan, stacked to the objective."""
    splits = [
        one.critical_breakdown_s if objective == MAKESPAN else one.breakdown_s
        for _, one in predictions
    ]
    names = tuple(name for name, _ in predictions)
    return tuple(
        Series(
            name=cause,
            x=names,
            y=tuple(split.get(cause, 0.0) for split in splits),
            x_label="plan",
            x_unit="",
            y_label=objective,
            y_unit="s",
            kind="bars",
        )
        for cause in (*CAUSES, IDLE)
        if any(split.get(cause, 0.0) > 0 for split in splits)
    )
