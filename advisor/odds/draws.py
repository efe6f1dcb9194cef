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

    def first(self, count: int) -> Draws:
        """The first of them."""
        return self._some(slice(0, count))

    def only(self, draw: int) -> Draws:
        """A single one."""
        return self._some(slice(draw, draw + 1))

    def _some(self, which: slice) -> Draws:
        kept = {name: getattr(self, name)[which] for name in _ARRAYS}
        stretch = None if self.stretch is None else self.stretch[which]
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
    places = uncertain_places(platform, workload)
    sizes = [len(groups), len(platform.machines), len(platform.links), len(places)]
    parts = [
        _batch(sizes, kind.size, np.random.default_rng([seed, index]))
        for index in range(-(-count // BATCH))
    ]
    shared, own = (np.concatenate(part) for part in zip(*parts, strict=True))
    kinds, machine, link, other = np.split(shared, np.cumsum(sizes[:-1]), axis=1)
    task = np.sqrt(_KIND_SHARE) * kinds[:, kind] + np.sqrt(1.0 - _KIND_SHARE) * own
    return Draws(task, machine, link, other, places, kinds)


def _batch(sizes: list[int], tasks: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """What is shared, and the tasks' own parts."""
    from scipy.special import ndtri  # noqa: PLC0415 - start-up does not wait for it

    shared = sum(sizes)
    part = random.random((BATCH, shared + tasks)).argsort(axis=0)
    points = (part + random.random(part.shape)) / BATCH
    normal: Floats = ndtri(np.clip(points, _EDGE, 1.0 - _EDGE))
    return normal[:, :shared], normal[:, shared:]
