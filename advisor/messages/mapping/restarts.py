"""Independent starts of the search for a mapping: each of a seed of its own, the best is taken.

More seeds are never worse, nor does it matter which start ends first: of starts that reach the
same the first seed wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from advisor.basics.shards import each
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.optimise import OnProgress, Optimised, optimise
from advisor.messages.mapping.orders import Mapping
from machines.interconnect import LogGP
from machines.stopping import Stopped, stoppable, stopped


@dataclass(frozen=True, eq=False)
class Start:
    """One start: its seed and what it found."""

    seed: int
    found: Optimised


@dataclass(frozen=True, eq=False)
class Restarted:
    """What several starts found."""

    best: Optimised  # complete when all starts are
    starts: tuple[Start, ...]  # by seed, as far as they ended


def _nobody(_share: float, _text: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True, eq=False)
class _Search:
    """The search of any seed; `tell` hears of it in this process alone."""

    problem: MappingProblem
    costs: LogGP
    objective: str
    seconds: float
    own: Mapping | None
    tell: OnProgress = _nobody

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.problem, self.costs, self.objective, self.seconds, self.own)

    def __call__(self, seed: int) -> Optimised:
        own, tell = self.own, self.tell
        return optimise(
            self.problem, self.costs, self.objective, self.seconds, seed, tell, stopped, own
        )


def restarted(
    problem: MappingProblem,
    costs: LogGP,
    objective: str,
    seconds: float,
    seeds: Sequence[int],
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    own: Mapping | None = None,
) -> Restarted | None:
    """Search once from every seed, as `optimise` does, and take the best.

    `problem`, `costs`, `objective`, `own`: as of `optimise`.
    `seconds`: effort of each start.
    `on_progress`: gets the share done of all starts and a sentence.
    `should_stop`: asked between slices of the search.
    Returns None when stopped before any start had something to give.
    """
    told = on_progress or _nobody
    found: dict[int, Optimised] = {}

    def tell(share: float, text: str) -> None:
        which = f"start {len(found) + 1} of {len(seeds)}: " if len(seeds) > 1 else ""
        told((len(found) + share) / len(seeds), which + text)

    with stoppable(should_stop), suppress(Stopped):
        for place, one in each(_Search(problem, costs, objective, seconds, own, tell), seeds):
            found[place] = one
            if len(seeds) > 1:
                told(len(found) / len(seeds), f"{len(found)} of {len(seeds)} starts")
    if not found:
        return None
    starts = tuple(Start(seeds[place], found[place]) for place in sorted(found))
    best = min(starts, key=lambda one: one.found.measures.rank(objective)).found
    complete = len(found) == len(seeds) and all(one.found.complete for one in starts)
    return Restarted(replace(best, complete=complete), starts)
