"""Spreads of numbers that state none of their own (`machines.uncertain`)."""

from __future__ import annotations

from dataclasses import dataclass

from machines.parameters import check_properties, parameter
from machines.uncertain import MOST_CV

_SHARE = "Coefficient of variation: 0.15 is 15 %; 0: exact"


@dataclass(frozen=True)
class Spreads:
    """Coefficients of variation; ``None``: those of the field."""

    task_cv: float | None = parameter(
        None,
        low=0.0,
        high=MOST_CV,
        title="Task times ±",
        heading="Spread",
        empty="0.15, assumed",
        help=f"{_SHARE}. Half of the variance is shared by the tasks of a kind",
    )
    machine_cv: float | None = parameter(
        None,
        low=0.0,
        high=MOST_CV,
        title="Speeds ±",
        empty="0.07, assumed",
        help=f"{_SHARE}. Of a machine's speed, shared by all tasks on it",
    )
    link_cv: float | None = parameter(
        None,
        low=0.0,
        high=MOST_CV,
        title="Bandwidths ±",
        empty="0.25, assumed",
        help=f"{_SHARE}. Of a link's bandwidth, both ways together",
    )

    def __post_init__(self) -> None:
        check_properties(self, "spread")

    def over(self, other: Spreads) -> Spreads:
        """These, and those of `other` where they say nothing."""
        mine = (self.task_cv, self.machine_cv, self.link_cv)
        theirs = (other.task_cv, other.machine_cv, other.link_cv)
        pairs = zip(mine, theirs, strict=True)
        return Spreads(*(here if here is not None else there for here, there in pairs))


FIELD = Spreads(task_cv=0.15, machine_cv=0.07, link_cv=0.25)
"""What is usual: repeated task times, machines of one kind, bandwidths seen by transfers."""
EXACT = Spreads(0.0, 0.0, 0.0)
UNSTATED = Spreads()
