"""What all families of random instances are told: machines, how they differ, how much data moves.

A family's record adds its own size and shape. What contradicts itself is refused as the record is
made, before anything runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from machines import InputError
from machines.parameters import check_properties, parameter

MOST_TASKS = 100_000
GIGABIT = 125e6  # bytes/s
_HETEROGENEITY = 0.25  # where nothing is stated


@dataclass(frozen=True)
class Settings:
    """Those that every family has; their names stand in campaign files."""

    FAMILY: ClassVar[str] = ""  # the name of the family, for messages

    ccr: float = parameter(
        1.0,
        low=0.0,
        high=1e6,
        title="CCR",
        help="Communication to computation ratio: mean time of a transfer, over all flows and "
        "ordered pairs of different machines, over the mean time of a task, over all tasks and "
        "machines; each alone (Topcuoglu, Hariri & Wu 2002, sec. 5.1). It is met exactly. 0: "
        "flows carry no data",
    )
    heterogeneity: float | None = parameter(
        None,
        low=0.0,
        high=0.5,
        title="Heterogeneity",
        empty="0.25, or as the platform is",
        help="Coefficient of variation h of a task's times over the machines: each is its mean "
        "times a factor drawn uniformly from 1 ± √3·h, Topcuoglu's β = √12·h. A platform of the "
        "campaign has its own where machines are consistent",
    )
    consistent: bool = parameter(
        True,
        title="Consistent",
        help="A machine that is faster for one task is faster for all (related machines: work and "
        "speeds). Else each task has its own time on each machine (unrelated machines, as "
        "Topcuoglu, Hariri & Wu 2002)",
    )
    machines: int | None = parameter(
        None,
        low=2,
        high=1000,
        title="Machines",
        empty="the campaign's platforms",
        help="So many machines of its own on one switch; each link 50 µs of startup and duplex",
    )
    cores: int | None = parameter(
        None, low=1, high=1024, title="Cores", empty="1", help="Of each machine of its own"
    )
    bandwidth: float | None = parameter(
        None,
        low=0.0,
        above=True,
        title="Bandwidth",
        unit="B/s",
        empty="1 Gb/s",
        help="Of each link of machines of its own",
    )
    task_seconds: float = parameter(
        10.0,
        low=0.0,
        high=1e9,
        above=True,
        title="Mean task",
        unit="s",
        help="Mean work of the tasks: seconds on a machine of the reference speed",
    )

    def __post_init__(self) -> None:
        check_properties(self, self.where)
        if self.machines is not None:
            return
        for name in ("cores", "bandwidth"):
            if (value := getattr(self, name)) is not None:
                raise InputError(
                    f"{name} is that of machines of its own, and there are none",
                    where=self.where, value=value, remedy="State machines, too, or leave it out",
                )  # fmt: skip
        if self.consistent and self.heterogeneity is not None:
            raise InputError(
                "the campaign's platforms have their speeds already, which say how they differ",
                where=self.where, value=f"heterogeneity = {self.heterogeneity:g}",
                remedy="State machines, for machines of its own, or consistent = false, for times "
                "of each task on each machine, or leave heterogeneity out",
            )  # fmt: skip

    @property
    def where(self) -> str:
        """The family, as messages name the place."""
        return f"generate {self.FAMILY}".rstrip()

    @property
    def spread(self) -> float:
        """√3·h: factors of times are drawn from 1 ± this."""
        stated = self.heterogeneity
        return math.sqrt(3.0) * (_HETEROGENEITY if stated is None else stated)


def tasks_parameter(default: int = 50, *, low: int = 2) -> int:
    """The field of families that can have any number of tasks."""
    found: int = parameter(
        default, low=low, high=MOST_TASKS, title="Tasks", help="Number of tasks v"
    )
    return found


def check_count(tasks: int, where: str, fewer: str) -> None:
    """Refuse a family's own sizes that make too many tasks; `fewer` of what helps."""
    if tasks > MOST_TASKS:
        raise InputError(
            f"too many tasks: {tasks:,}", where=where,
            remedy=f"At most {MOST_TASKS:,}: state a smaller {fewer}",
        )  # fmt: skip
