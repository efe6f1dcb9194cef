"""What a campaign asks: workloads, machines, loads and strategies, of which every combination runs.

Frozen values, as a campaign file states them; `advisor.campaigns.cases` makes the cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.sharing import FAIR

Load = tuple[tuple[str, str, float], ...]  # (platform, machine, CPU-bound contenders)
Setting = tuple[str, object]


@dataclass(frozen=True)
class Sweep:
    """Settings of which some have several values; its points are all their combinations.

    `settings`: pairs (name, values); the last varies first.
    """

    settings: tuple[tuple[str, tuple[object, ...]], ...] = ()
    seeds: Sequence[int] = (0,)  # of random numbers, for each point

    @property
    def many(self) -> int:
        """How many points there are; `len` can't tell numbers beyond all memory."""
        return prod(len(values) for _, values in self.settings) * len(self.seeds)

    def __len__(self) -> int:
        return self.many

    def __getitem__(self, place: int) -> tuple[tuple[Setting, ...], int]:
        """The settings and the seed of a place; seeds vary first."""
        place, seed = divmod(place, len(self.seeds))
        chosen: list[Setting] = []
        for name, values in reversed(self.settings):
            place, value = divmod(place, len(values))
            chosen.append((name, values[value]))
        if place:
            raise IndexError(place)
        return tuple(reversed(chosen)), self.seeds[seed]

    def points(self) -> Iterator[tuple[Setting, ...]]:
        """Every combination of the settings, whatever the seed."""
        names = [name for name, _ in self.settings]
        for values in product(*(values for _, values in self.settings)):
            yield tuple(zip(names, values, strict=True))


@dataclass(frozen=True)
class Family:
    """Workloads from a generator."""

    generator: str  # its name
    sweep: Sweep  # of its settings


@dataclass(frozen=True)
class AskedStudy:
    """A study that is asked beside the allocations."""

    name: str
    sweep: Sweep  # of its settings, as texts


@dataclass(frozen=True)
class Campaign:
    """What a campaign file says.

    `workloads`: patterns of workload files, relative to the campaign's file, and generators.
    `platforms`: files, or names of the catalogue; empty: what each workload brings along.
    """

    name: str
    workloads: tuple[str | Family, ...] = ()
    platforms: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    loads: tuple[Load, ...] = ((),)  # who computes there already; () changes nothing
    sharing: tuple[str, ...] = (FAIR,)  # timelines
    seconds: float = 1.0  # effort of a search
    objective: str = MAKESPAN
    studies: tuple[AskedStudy, ...] = ()
    plans: bool = False  # whether results hold the plans


def words(settings: tuple[Setting, ...]) -> str:
    """Settings as a label: "tasks=50 ccr=0.1"."""
    return " ".join(f"{name}={value}" for name, value in settings)
