"""Several strategies, each by itself: what each of them finds, or why it finds nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.shards import in_order
from advisor.basics.stopping import ShouldStop
from advisor.search.portfolio import advise
from machines import InfeasibleError, InputError
from machines.stopping import Stopped, stoppable, stopped


@dataclass(frozen=True)
class Tried:
    """A strategy and what it found, or its refusal."""

    strategy: str
    found: Recommendation | None
    refusal: InputError | InfeasibleError | None = None


def each_strategy(
    problem: Problem,
    objective: str,
    strategies: Sequence[str],
    seconds: float,
    seed: int = 0,
    should_stop: ShouldStop | None = None,
) -> Iterator[Tried]:
    """Search with every strategy, in their order.

    Parameters
    ----------
    problem, objective, seconds, seed
        As of `advise`; the effort is that of each strategy.
    strategies : sequence of str
        Names.
    should_stop : callable, optional
        Ends the searches: the one under way gives its best so far, if it is here.
    """
    search = partial(_tried, problem, objective, seconds, seed)
    with stoppable(should_stop), suppress(Stopped):
        yield from in_order(search, strategies)


def _tried(problem: Problem, objective: str, seconds: float, seed: int, strategy: str) -> Tried:
    try:
        found = advise(problem, objective, strategy, seconds, seed, should_stop=stopped)
    except (InputError, InfeasibleError) as error:
        return Tried(strategy, None, error)
    return Tried(strategy, found)
