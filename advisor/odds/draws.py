"""Draws of all that is not known exactly, alike for every plan: standard normal variables.

Half of the variance of a task's time is shared by the tasks of its kind, and a machine's draw by
all tasks on it. A batch is a Latin hypercube (McKay, Beckman & Conover 1979): each variable takes
each 64th of its range once. Sums of many effects, as makespans mostly are, vary two to four times
less than with a scrambled Sobol sequence over what is shared, and ten times less than with plain
random numbers. Batches are independent, so that their means tell the error of an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.problem import Problem
from advisor.odds.elsewhere import Place, uncertain_places
from machines.arrays import Floats

BATCH = 64
_ARRAYS = ("task", "machine", "link", "other", "kind")
_KIND_SHARE = 0.5  # of the variance of a task's time
_EDGE = 1e-12  # of the range: a variable is finite


@dataclass(frozen=True, eq=False)
class Draws:
    """Standard normal variables.

    Attributes
    ----------
    task : array (draws, tasks)
        Kinds' shares and own parts together.
    machine, link : array (draws, machines), (draws, links)
    other : array (draws, places)
        Of numbers elsewhere that state a spread.
    places : tuple of Place
        Where these are.
    kind : array (draws, kinds)
        What tasks of a kind share, by the order of their first task.
    stretch : array (draws, tasks) or None
        How many times as long tasks take beside that: stragglers.
    """

    task: Floats
    machine: Floats
    link: Floats
    other: Floats
    places: tuple[Place, ...]
    kind: Floats
    stretch: Floats | None = None

    def some(self, begin: int, end: int) -> Draws:
        """Those from `begin` on, `end` not among them."""
        kept = {name: getattr(self, name)[begin:end] for name in _ARRAYS}
        stretch = None if self.stretch is None else self.stretch[begin:end]
        return replace(self, stretch=stretch, **kept)

    @property
    def count(self) -> int:
        """How many draws."""
        return int(self.task.shape[0])


def draws_of(problem: Problem, count: int, seed: int = 0) -> Draws:
    """Draws for a question, the same at every call.

    Parameters
    ----------
    problem : Problem
    count : int
        Rounded up to whole batches of 64.
    seed : int
        Another one gives other draws.
    """
    workload, platform = problem.workload, problem.platform
    groups: dict[str, int] = {}
    kind = np.array([groups.setdefault(task.group, len(groups)) for task in workload.tasks])
    places = places_of(problem)
    sizes = [len(groups), len(platform.machines), len(platform.links), len(places)]
    parts = [
        _batch(sizes, kind.size, np.random.default_rng([seed, index]))
        for index in range(-(-count // BATCH))
    ]
    shared, own = (np.concatenate(part) for part in zip(*parts, strict=True))
    kinds, machine, link, other = np.split(shared, np.cumsum(sizes[:-1]), axis=1)
    task = np.sqrt(_KIND_SHARE) * kinds[:, kind] + np.sqrt(1.0 - _KIND_SHARE) * own
    return Draws(task, machine, link, other, places, kinds)


def places_of(problem: Problem) -> tuple[Place, ...]:
    """Numbers elsewhere that state a spread; looked for once a problem."""
    known: tuple[Place, ...] | None = problem.__dict__.get("uncertain_places")
    if known is None:
        known = uncertain_places(problem.platform, problem.workload)
        problem.__dict__["uncertain_places"] = known
    return known


def _batch(sizes: list[int], tasks: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """What is shared, and the tasks' own parts."""
    from scipy.special import ndtri  # noqa: PLC0415 - start-up does not wait for it

    shared = sum(sizes)
    part = random.random((BATCH, shared + tasks)).argsort(axis=0)
    points = (part + random.random(part.shape)) / BATCH
    normal: Floats = ndtri(np.clip(points, _EDGE, 1.0 - _EDGE))
    return normal[:, :shared], normal[:, shared:]
