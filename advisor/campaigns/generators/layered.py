"""Random graphs of levels: Topcuoglu, Hariri & Wu 2002, sec. 5.1.

The paper leaves open: the ranges of its uniform numbers (here from 0 to twice the mean, as it
says of the tasks' times), how the widths of the levels add up to v (here all are scaled alike),
where the successors of a task are (here on the next level, each once), and what becomes of a task
that nobody feeds (here one of the level before does, whose out degree is larger by it). At least
two levels, so that something moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, drawn, family
from advisor.campaigns.generators.generator_settings import MOST_TASKS, Settings, tasks_parameter
from machines import InputError
from machines.parameters import parameter

_MOST_FLOWS = 1_000_000


@dataclass(frozen=True)
class Layered(Settings):
    """Settings of layered graphs; the paper's v, α and out_degree."""

    FAMILY: ClassVar[str] = "layered"

    tasks: int = tasks_parameter()
    alpha: float = parameter(
        1.0,
        low=0.01,
        high=100.0,
        title="Shape",
        help="α: the mean number of levels is √v/α, the mean width of a level α·√v; above 1 it is "
        "short and wide, below 1 long and narrow",
    )
    out_degree: int = parameter(
        3,
        low=1,
        high=MOST_TASKS,
        title="Out degree",
        help="Successors of a task; at most the width of the next level",
    )


def levels(settings: Layered, rng: np.random.Generator) -> list[int]:
    """Widths of the levels, which add up to the number of tasks."""
    tasks, root = settings.tasks, math.sqrt(settings.tasks)
    height = math.ceil(rng.uniform(0.0, 2.0 * root / settings.alpha))
    height = min(max(height, 2), tasks)
    wanted = drawn(rng, height)  # their mean α·√v cancels out where all are scaled to add up to v
    free = tasks - height  # each level has a task
    upto = np.cumsum(wanted)
    ends = np.floor(free * (upto / upto[-1]) + 0.5).astype(int).tolist()
    return [1 + end - begin for begin, end in zip([0, *ends[:-1]], ends, strict=True)]


def shape(settings: Layered, rng: np.random.Generator) -> Shape:
    """Levels of tasks, each task with successors on the next."""
    found = Shape()
    widths = levels(settings, rng)
    _check_flows(widths, settings)
    found.work = drawn(rng, settings.tasks)
    found.names = [f"t{number}" for number in range(1, settings.tasks + 1)]
    found.kinds = [f"level {level}" for level, width in enumerate(widths, 1) for _ in range(width)]
    first = 0
    for width, after in pairwise(widths):
        _join(found, range(first, first + width), after, settings.out_degree, rng)
        first += width
    found.volumes = drawn(rng, len(found.sources))
    return found


def _check_flows(widths: list[int], settings: Layered) -> None:
    """Refuse degrees and widths that make more flows than anybody would wait for."""
    most = sum(here * min(after, settings.out_degree) for here, after in pairwise(widths))
    if most > _MOST_FLOWS:
        raise InputError(
            f"too many flows: {most:,}", where=settings.where,
            value=f"out_degree = {settings.out_degree}",
            remedy=f"At most {_MOST_FLOWS:,}: state a smaller out_degree or fewer tasks",
        )  # fmt: skip


def _join(
    shape: Shape, level: range, after: int, out_degree: int, rng: np.random.Generator
) -> None:
    """Flows from a level to the next one, of `after` tasks."""
    degree, fed = min(out_degree, after), [False] * after
    for source in level:
        chosen = rng.choice(after, degree, replace=False) if degree < after else np.arange(after)
        for place in sorted(chosen.tolist()):
            fed[place] = True
            shape.sources.append(source)
            shape.targets.append(level.stop + place)
    for place, is_fed in enumerate(fed):
        if not is_fed:
            shape.sources.append(level[int(rng.integers(len(level)))])
            shape.targets.append(level.stop + place)


GENERATOR = family(
    Layered,
    "Layered graphs",
    "Random levels of tasks, each task feeding some of the next level",
    shape,
    "H. Topcuoglu, S. Hariri and M.-Y. Wu, Performance-effective and low-complexity task "
    "scheduling for heterogeneous computing, IEEE TPDS 13(3), 2002, sec. 5.1",
)
