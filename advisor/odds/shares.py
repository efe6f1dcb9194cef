"""Which number that is not known exactly the makespan varies with: shares of its variance.

The drawn variables are independent and standard normal, so the squared correlation of one with the
makespan is the share of the variance that its linear effect explains (Saltelli et al. 2008, sec.
1.2.5; the standardised regression coefficient squared). Correlations of N draws are too large by
1/N in the square, which is taken off. What is left over are effects of several numbers together.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from advisor.allocation.problem import Problem
from advisor.basics.quantities import kind_word
from advisor.odds.draws import Draws
from machines.arrays import Floats

TASKS, MACHINE, LINK, OTHER = "tasks", "machine", "link", "other"
_POINTS = 64
_DRAWS_A_TASK = 16  # from which the part of a single task is told from chance


@dataclass(frozen=True)
class Share:
    """What one source contributes.

    Attributes
    ----------
    source : {"tasks", "machine", "link", "other"}
    title : str
        "times of align", "speed of M2", "bandwidth of M1–M2".
    subject : str
        The kind of tasks, or the name of the machine or link.
    share : float
        Of the variance of the makespan, 0 to 1.
    normal : array (draws,)
        The variable; of tasks the best linear mix of those of the kind.
    """

    source: str
    title: str
    subject: str
    share: float
    normal: Floats


def shares(problem: Problem, draws: Draws, makespans_s: Floats) -> tuple[Share, ...]:
    """All sources that explain something, the largest first."""
    count = makespans_s.size
    away = makespans_s - makespans_s.mean()
    size = float(np.sqrt((away**2).mean()))
    if count < 2 or size <= 1e-12 * float(abs(makespans_s.mean())):
        return ()
    platform = problem.platform
    found = [
        _tasks(name, draws.task[:count, where], away / size)
        for name, where in _kinds(problem).items()
    ]
    columns = [
        (MACHINE, "speed of", [one.name for one in platform.machines], draws.machine),
        (LINK, "bandwidth of", [one.name for one in platform.links], draws.link),
        (OTHER, "", [one.title for one in draws.places], draws.other),
    ]
    for source, word, names, normals in columns:
        for place, name in enumerate(names):
            normal = normals[:count, place]
            share = _explained(normal, away / size)
            found.append(Share(source, f"{word} {name}".strip(), name, share, normal))
    kept = [one for one in found if one.share > 0.0]
    return tuple(sorted(kept, key=lambda one: -one.share))


def settled(gain_s: Floats, normal: Floats) -> float:
    """How often the better of two plans would be chosen if this variable were known.

    The gain is regressed on the variable z: a + b z + e with e normal of standard deviation σ, so
    that P(gain > 0 | z) = Φ((a + b z) / σ), and who knows z is right in the larger share of both.

    Parameters
    ----------
    gain_s : array (draws,)
        By how much the first plan ends earlier.
    normal : array (draws,)
    """
    mean = float(gain_s.mean())
    slope = float(((gain_s - mean) * normal).mean() / max(float((normal**2).mean()), 1e-300))
    left = gain_s - mean - slope * normal
    sigma = max(float(left.std()), 1e-300)
    middle = (np.arange(_POINTS) + 0.5) / _POINTS
    law = NormalDist()
    right = [law.cdf((mean + slope * law.inv_cdf(one)) / sigma) for one in middle.tolist()]
    return float(np.mean([max(one, 1.0 - one) for one in right]))


def _kinds(problem: Problem) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, task in enumerate(problem.workload.tasks):
        found.setdefault(task.group, []).append(place)
    return found


def _tasks(name: str, normals: Floats, away: Floats) -> Share:
    """Of the times of a kind: of their mean, and of what each differs from it, where few differ."""
    together = normals.mean(axis=1)
    share, mix = _explained(together, away), _slope(together, away) * together
    tasks = normals.shape[1]
    if 1 < tasks <= away.size // _DRAWS_A_TASK:
        apart = normals - together[:, None]
        each = [_squared(one, away) for one in apart.T]
        share = max(0.0, share + sum(each) * (1.0 - 1.0 / tasks))
        mix = mix + apart @ np.array([_slope(one, away) for one in apart.T])
    size = float(mix.std())
    normal = mix / size if size > 0.0 else mix
    return Share(TASKS, f"times of {kind_word(name, tasks)}", name, min(share, 1.0), normal)


def _explained(normal: Floats, away: Floats) -> float:
    """Squared correlation without what chance gives, 0 at least."""
    return max(0.0, _squared(normal, away))


def _squared(normal: Floats, away: Floats) -> float:
    """The same, below 0 where chance gave less; `away` has mean 0 and variance 1."""
    size = float(normal.std())
    return 0.0 if size <= 0.0 else (_slope(normal, away) * size) ** 2 - 1.0 / away.size


def _slope(normal: Floats, away: Floats) -> float:
    """Of `away` over a variable."""
    middle = normal - normal.mean()
    return float((middle * away).mean() / max(float((middle**2).mean()), 1e-300))
