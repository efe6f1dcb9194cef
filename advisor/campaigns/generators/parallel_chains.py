"""Parallel chains: independent sequences of tasks, as equal in length as their number allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, drawn, family
from advisor.campaigns.generators.generator_settings import MOST_TASKS, Settings, tasks_parameter
from machines import InputError
from machines.parameters import parameter


@dataclass(frozen=True)
class Chains(Settings):
    """Settings of parallel chains."""

    FAMILY: ClassVar[str] = "chains"

    tasks: int = tasks_parameter()
    chains: int = parameter(
        4, low=1, high=MOST_TASKS // 2, title="Chains", help="How many run side by side"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if 2 * self.chains > self.tasks:
            raise InputError(
                "a chain needs at least two tasks", where=self.where, value=f"chains = "
                f"{self.chains}", remedy=f"At most {self.tasks // 2} of {self.tasks} tasks",
            )  # fmt: skip


def shape(settings: Chains, rng: np.random.Generator) -> Shape:
    """The first chains are a task longer where the tasks can't be shared out equally."""
    found = Shape()
    work, volumes = drawn(rng, settings.tasks), drawn(rng, settings.tasks - settings.chains)
    each, longer = divmod(settings.tasks, settings.chains)
    for chain in range(settings.chains):
        for place in range(each + (chain < longer)):
            here = found.task(f"chain {chain + 1}", f"c{chain + 1}-{place + 1}", work.pop())
            if place:
                found.flow(here - 1, here, volumes.pop())
    return found


GENERATOR = family(
    Chains, "Parallel chains", "Independent sequences of tasks side by side", shape,
    "as in SAGA (J. Coleman and B. Krishnamachari, 2024)",
)  # fmt: skip
