"""Fork and join: a task feeds many that run side by side, one collects them, and so on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, drawn, family
from advisor.campaigns.generators.generator_settings import Settings, check_count
from machines.parameters import parameter


@dataclass(frozen=True)
class ForkJoin(Settings):
    """Settings of fork and join."""

    FAMILY: ClassVar[str] = "fork-join"

    width: int = parameter(
        8, low=1, high=50_000, title="Width", help="Tasks side by side in each stage"
    )
    stages: int = parameter(
        4,
        low=1,
        high=10_000,
        title="Stages",
        help="What collects a stage begins the next: stages · (width + 1) + 1 tasks",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count(self.stages * (self.width + 1) + 1, self.where, "width, or fewer stages")


def shape(settings: ForkJoin, rng: np.random.Generator) -> Shape:
    """One task, then stages of tasks side by side and the one that collects them."""
    found, stages, width = Shape(), settings.stages, settings.width
    work = drawn(rng, stages * (width + 1) + 1)
    volumes = drawn(rng, 2 * stages * width)
    before = found.task("fork", "fork", work.pop())
    for stage in range(1, stages + 1):
        wide = [
            found.task("work", f"work-{stage}-{place}", work.pop()) for place in range(1, width + 1)
        ]
        join = found.task("join", f"join-{stage}", work.pop())
        for task in wide:
            found.flow(before, task, volumes.pop())
            found.flow(task, join, volumes.pop())
        before = join
    return found


GENERATOR = family(
    ForkJoin, "Fork and join", "Stages of tasks side by side, collected before the next", shape
)
