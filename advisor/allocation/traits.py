"""What tells plans apart: one record for each figure that a comparison may have a column of.

A comparison shows those that stay, and the others where its plans differ in them. A new one is a
line in `FIGURES`; what plans decide comes before them (`advisor.decisions.decision_traits`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from advisor.allocation.comparison import Row
from advisor.allocation.objectives import NO_BOUND, certainty
from advisor.allocation.spending import HOUR_S
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import UNKNOWN, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit

Value: TypeAlias = float | str
SHARE = "share"


@dataclass(frozen=True)
class Trait:
    """One column of a comparison.

    Attributes
    ----------
    key : str
        Names it.
    title, help : str
        The heading, and what it is in a sentence.
    of : callable (row) → float or str
        NaN or "": the plan has none.
    unit : str
        Of numbers: "s", "Wh", `SHARE` for shares in percent; empty: none.
    stays : bool
        It is shown even where all plans have the same.
    against : str
        Heading of its difference against the first plan; empty: none is shown.
    whole : bool
        It counts.
    """

    key: str
    title: str
    help: str
    of: Callable[[Row], Value]
    unit: str = ""
    stays: bool = False
    against: str = ""
    whole: bool = False

    def number(self, row: Row) -> float:
        """The value of a trait that is a number."""
        value = self.of(row)
        return math.nan if isinstance(value, str) else value

    def writer(self, rows: Sequence[Row]) -> Callable[[float], str]:
        """How its numbers are written beside each other; a dash where there is none."""
        if self.unit == SHARE:
            return share
        return Unit.of(self.unit, np.array([self.number(row) for row in rows])).text


def is_text(trait: Trait, rows: Sequence[Row]) -> bool:
    """Whether it is told in words."""
    return any(isinstance(trait.of(row), str) for row in rows)


def differ(trait: Trait, rows: Sequence[Row]) -> bool:
    """Whether some plans have another one than the rest, beyond rounding."""
    values = [trait.of(row) for row in rows]
    known = [value for value in values if not _is_none(value)]
    if len(known) < len(values):
        return bool(known)
    numbers = [value for value in known if not isinstance(value, str)]
    if numbers and len(numbers) == len(known):
        low, high = min(numbers), max(numbers)
        return high - low > ALIKE * max(abs(low), abs(high))
    return len(set(known)) > 1


def share(value: float) -> str:
    """A share in percent, a dash where there is none."""
    if math.isnan(value):
        return UNKNOWN
    return percent(value if abs(value) > ALIKE else 0.0)


def is_shown(trait: Trait, rows: Sequence[Row]) -> bool:
    """Whether it tells these plans apart, or stays and any plan has it."""
    if trait.stays:
        return not all(_is_none(trait.of(row)) for row in rows)
    return differ(trait, rows)


def _is_none(value: Value) -> bool:
    return value == "" if isinstance(value, str) else math.isnan(value)


def _money(row: Row) -> float:
    return math.nan if row.spent.money is None else row.spent.money


def _energy_wh(row: Row) -> float:
    return math.nan if row.spent.energy_j is None else row.spent.energy_j / HOUR_S


TOTAL = Trait(
    "total",
    "total",
    "Sum of all task and transfer times",
    lambda row: row.total_s,
    "s",
    stays=True,
    against="total against now",
)
MACHINES = Trait(
    "machines",
    "machines used",
    "Machines that run one of its tasks, or an internal process of an overlay",
    lambda row: float(row.spent.machines),
    whole=True,
)
PROCESSORS = Trait(
    "processors",
    "processors of tasks",
    "The most cores that its tasks hold at a time on each machine, summed: what to reserve; a "
    "machine that runs internal processes alone is used, but has none",
    lambda row: float(row.spent.processors),
    whole=True,
)
MONEY = Trait(
    "money",
    "money",
    "Each machine used is paid from the start to the makespan, all its cores: makespan × sum of "
    "prices per hour (Deelman et al. 2008, provisioned resources)",
    _money,
)
ENERGY = Trait(
    "energy",
    "energy",
    "Each machine used draws its watts from the start to the makespan: makespan × sum of watts",
    _energy_wh,
    "Wh",
)
LATE = Trait(
    "p90",
    "9 of 10 within",
    "Makespan that nine of ten runs stay below, where numbers are not known exactly",
    lambda row: row.p90_s,
    "s",
)

FIGURES: tuple[Trait, ...] = (
    Trait(
        "makespan",
        "makespan",
        "End of the last task",
        lambda row: row.makespan_s,
        "s",
        stays=True,
        against="against now",
    ),
    TOTAL,
    MACHINES,
    PROCESSORS,
    MONEY,
    ENERGY,
    Trait(
        "utilisation",
        "utilisation",
        "Mean utilisation of the machines' cores until the makespan",
        lambda row: float(np.mean(row.utilisation)),
        SHARE,
        stays=True,
    ),
    Trait(
        "busiest",
        "busiest",
        "The link or switch that transfers keep busiest",
        lambda row: row.busiest,
        stays=True,
    ),
    Trait(
        "busy",
        "busy",
        "Its mean load until the makespan",
        lambda row: row.busy_share if row.busiest else math.nan,
        SHARE,
        stays=True,
    ),
    Trait(
        "gap",
        "gap",
        "Its value over the proved lower bound, minus 1; none where the bound is less than half",
        lambda row: math.nan if certainty(row.gap) == NO_BOUND else row.gap,
        SHARE,
    ),
    Trait(
        "endless",
        "contention-free",
        "Makespan if each transfer had the network to itself",
        lambda row: row.endless_s if row.sharing == FAIR else math.nan,
        "s",
    ),
)
