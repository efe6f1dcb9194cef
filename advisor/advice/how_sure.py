"""How sure an answer is: the band of what the plan takes, and its odds against other plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.allocation.comparison import Row
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import duration, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.odds import Band, Draws, Duel, band, drawn_makespans, draws_of, duel
from advisor.odds.dispatch import Dispatch, dispatched
from advisor.odds.draws import places_of
from advisor.odds.duels import SURE
from advisor.odds.shares import LINK, MACHINE, OTHER, TASKS, Share, settled, shares
from advisor.odds.spread_words import is_exact, rests_on
from machines import InputError
from machines.arrays import Floats
from machines.runtime import READY

MOST_DRAWS = 1024
_LEAST_DRAWS, _REPRICED_DRAWS = 64, 128
_PAIRS_AN_EVENT = 10  # of hosts, which a simulation looks at as long as at an event
_MOST_EVENTS = 100_000  # tasks and transfers of a workload whose odds are not worked out unasked
_EVENTS = 1_000_000  # tasks and transfers that all draws of a plan may simulate: half a second


@dataclass(frozen=True)
class Odds:
    """What numbers that are not known exactly do to an answer.

    Attributes
    ----------
    band : Band
        Of the makespan of the advised plan.
    against_current, against_best : Duel or None
        The advised plan against the present one, and against the best known where it is another.
    rests_on : str
        The spreads in words.
    matters : Matters
        Where the doubt comes from.
    dispatch : Dispatch or None
        How far the plan should be kept to; ``None``: not simulated.
    """

    band: Band
    against_current: Duel | None
    against_best: Duel | None
    rests_on: str
    matters: Matters
    dispatch: Dispatch | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to expect, and how often the plan wins."""
        found = [f"{self.briefly} ({self.rests_on})."]
        if self.against_current is not None:
            found.append(_wins("the present allocation", self.against_current))
        if self.against_best is not None and self.against_best.is_even:
            found.append(_wins("the best plan known", self.against_best))
        more = [self.matters.sentence, "" if self.dispatch is None else self.dispatch.sentence]
        return (*found, *filter(None, more))

    @property
    def in_short(self) -> str:
        """In a few words: "1 h 8 min, 9 of 10 in 1 h 15 min"."""
        expected, late = duration(self.band.expected_s), duration(self.band.p90_s)
        return f"{expected}, 9 of 10 in {late}"

    @property
    def briefly(self) -> str:
        """In a few words: "Expect 1 h 8 min: 9 of 10 runs end within 1 h 15 min"."""
        expected, late = duration(self.band.expected_s), duration(self.band.p90_s)
        return f"Expect {expected}: 9 of 10 runs end within {late}"


def _wins(other: str, found: Duel) -> str:
    if found.is_even:
        return (
            f"About equal to {other}: it ends earlier in {percent(found.odds)} of runs, where both "
            "meet the same conditions."
        )
    return f"It ends earlier than {other} in {percent(found.odds)} of runs."


def draws_for(
    problem: Problem, most: int | None = None, seed: int = 0, count: int | None = None
) -> Draws | None:
    """`count` draws, else as many as cost about half a second a plan; ``None``: all is exact.

    ``None``, too, where a plan may stick in some of them: outputs stay in memory, and what is ready
    passes what waits for it.
    """
    if problem.costs.needs.outputs_stay and problem.platform.runtime.order == READY:
        return None
    places = places_of(problem)
    tasks = len(problem.workload.tasks)
    hosts = min(len(problem.platform.hosts), 2 * tasks)  # that the tables of a plan have
    events = tasks + len(problem.workload.edges) + hosts**2 // _PAIRS_AN_EVENT
    if is_exact(problem, places) or (events > _MOST_EVENTS and count is None):
        return None
    affordable = _REPRICED_DRAWS if places else max(_LEAST_DRAWS, _EVENTS // events)
    usual = min(MOST_DRAWS if most is None else most, affordable)
    return draws_of(problem, usual if count is None else count, seed)


def odds_of(
    problem: Problem,
    plan: Plan,
    point_s: float,
    current: Plan | None = None,
    best: Plan | None = None,
    *,
    count: int | None = None,
    seed: int = 0,
    should_stop: ShouldStop = lambda: False,
    dispatch: bool = False,
) -> Odds | None:
    """The odds of a plan that takes `point_s` where all is as stated; ``None``: all is exact.

    Parameters
    ----------
    current, best : Plan or None
        Others that can run, to be set against it in the same draws.
    count, seed : int
        How many draws, and which; ``None``: as many as cost about half a second a plan.
    should_stop : callable
        Asked after every batch of draws; what is known then is told.
    dispatch : bool
        Simulate, too, how far the plan should be kept to.
    """
    draws = draws_for(problem, seed=seed, count=count)
    if draws is None:
        return None
    own_s = drawn_makespans(problem, plan, draws, should_stop)

    def of(other: Plan | None) -> Floats | None:
        if other is None or other.alike(plan):
            return None
        return drawn_makespans(problem, other, draws, should_stop)

    current_s, best_s = of(current), of(best)
    return Odds(
        band=band(point_s, own_s),
        against_current=None if current_s is None else _even(own_s, current_s),
        against_best=None if best_s is None else _even(own_s, best_s),
        rests_on=rests_on(problem, draws.places),
        matters=_matters(problem, draws, own_s, current_s, best_s),
        dispatch=dispatched(problem, plan, draws, seed) if dispatch and not should_stop() else None,
    )


def _matters(
    problem: Problem,
    draws: Draws,
    own_s: Floats,
    current_s: Floats | None,
    best_s: Floats | None,
) -> Matters:
    """The sources of doubt, and the one that would settle the choice against a rival."""
    found = shares(problem, draws, own_s)
    rivals = (("the best plan known", best_s), ("the present allocation", current_s))
    for name, rival_s in rivals:
        if rival_s is None or rival_s.size != own_s.size or not found:
            continue
        odds = duel(own_s, rival_s).odds
        now = max(odds, 1.0 - odds)
        if now >= SURE:
            continue
        sources = shares(problem, draws, rival_s - own_s)
        if sources:
            each = [settled(rival_s - own_s, one.normal) for one in sources]
            most = max(range(len(each)), key=each.__getitem__)
            return Matters(found, now, each[most], sources[most], name)
    return Matters(found)


def side_by_side(
    problem: Problem,
    plans: Sequence[tuple[Plan, float]],
    against: Plan,
    draws: Draws,
    deadlines_s: Sequence[float] = (),
) -> list[tuple[Band, Duel]]:
    """What to expect of plans, each with its makespan, and each against another one.

    `deadlines_s`: of which each band tells in which share of the draws the plan ends in time.
    """
    best_s = drawn_makespans(problem, against, draws)
    found = [(point_s, drawn_makespans(problem, plan, draws)) for plan, point_s in plans]
    return [(band(point_s, own_s, deadlines_s), duel(own_s, best_s)) for point_s, own_s in found]


def with_p90(rows: Sequence[Row], odds: Sequence[tuple[Band, Duel]]) -> tuple[Row, ...]:
    """Rows of a comparison with what nine of ten runs stay below; as they are without odds."""
    if not odds:
        return tuple(rows)
    return tuple(replace(row, p90_s=one.p90_s) for row, (one, _) in zip(rows, odds, strict=True))


def is_even(problem: Problem, one: Plan, other: Plan, draws: Draws) -> bool:
    """Whether neither plan ends first in three of four draws."""
    try:
        pair = [drawn_makespans(problem, plan, draws) for plan in (one, other)]
    except InputError:
        return False
    return duel(*pair).is_even


def _even(one_s: Floats, other_s: Floats) -> Duel:
    """Over the draws that both have."""
    count = min(one_s.size, other_s.size)
    return duel(one_s[:count], other_s[:count])


_NAMED = 0.2  # share of the doubt from which a source is named
_SETTLES = 0.1  # by which knowing a number raises the odds of choosing right
_COMMANDS = {
    TASKS: "Logs of runs narrow it (placewise learn).",
    MACHINE: "Measuring that machine narrows it (placewise measure).",
    LINK: "Measuring that link narrows it (placewise measure --peer).",
}


@dataclass(frozen=True)
class Matters:
    """The sources of doubt.

    Attributes
    ----------
    shares : tuple of Share
        Largest first.
    now : float
        Odds of choosing the better of the plan and its rival as things stand.
    known : float
        The same if the source that tells most were known exactly.
    settles : Share or None
        That source; ``None``: there is no rival, or the choice is clear.
    rival : str
        What the plan is set against.
    """

    shares: tuple[Share, ...]
    now: float = 1.0
    known: float = 1.0
    settles: Share | None = None
    rival: str = ""

    @property
    def sentence(self) -> str:
        """What the doubt comes from; empty where nothing stands out."""
        parts = []
        named = [one for one in self.shares if one.share >= _NAMED][:2]
        if named:
            first, *more = named
            also = "".join(f", {percent(one.share)} from {_the(one)}" for one in more)
            parts.append(f"{percent(first.share)} of the doubt comes from {_the(first)}{also}.")
            parts.append(_COMMANDS.get(first.source, ""))
        if self.settles is not None and self.known >= self.now + _SETTLES:
            parts.append(
                f"Knowing {_the(self.settles)} would raise the odds of choosing right between this "
                f"plan and {self.rival} from {percent(self.now)} to {percent(self.known)}."
            )
        return " ".join(filter(None, parts))


def _the(one: Share) -> str:
    return one.title if one.source == OTHER else f"the {one.title}"
