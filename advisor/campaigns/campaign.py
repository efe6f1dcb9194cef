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

    Attributes
    ----------
    settings : tuple of (name, values)
        The last varies first.
    seeds : sequence of int
        Of random numbers, for each point.
    """

    settings: tuple[tuple[str, tuple[object, ...]], ...] = ()
    seeds: Sequence[int] = (0,)

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
    """Workloads from a generator.

    Attributes
    ----------
    generator : str
        Its name.
    sweep : Sweep
        Of its settings.
    """

    generator: str
    sweep: Sweep


@dataclass(frozen=True)
class AskedStudy:
    """A study that is asked beside the allocations.

    Attributes
    ----------
    name : str
    sweep : Sweep
        Of its settings, as texts.
    """

    name: str
    sweep: Sweep


@dataclass(frozen=True)
class Campaign:
    """What a campaign file says.

    Attributes
    ----------
    name : str
    workloads : tuple of str or Family
        Patterns of workload files, relative to the campaign's file, and generators.
    platforms : tuple of str
        Files, or names of the catalogue; empty: what each workload brings along.
    strategies : tuple of str
    loads : tuple of Load
        Who computes there already; () changes nothing.
    sharing : tuple of str
        Timelines.
    seconds : float
        Effort of a search.
    objective : str
    studies : tuple of AskedStudy
    plans : bool
        Whether results hold the plans.
    """

    name: str
    workloads: tuple[str | Family, ...] = ()
    platforms: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    loads: tuple[Load, ...] = ((),)
    sharing: tuple[str, ...] = (FAIR,)
    seconds: float = 1.0
    objective: str = MAKESPAN
    studies: tuple[AskedStudy, ...] = ()
    plans: bool = False


def words(settings: tuple[Setting, ...]) -> str:
    """Settings as a label: "tasks=50 ccr=0.1"."""
    return " ".join(f"{name}={value}" for name, value in settings)
