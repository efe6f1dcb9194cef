"""The sentences of a campaign: who is best, by how much, how sure, and where it is another."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import count, few, number, percent
from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.leaders import Shown
from advisor.campaigns.findings.levels import TIMELINE, Condition, Level
from advisor.campaigns.findings.pairs import FEWEST, LEVEL, Pair, signed_rank
from advisor.campaigns.results import Results
from advisor.studies.facts import LESS, MORE, Fact
from machines.arrays import Floats
from machines.errors import capital
from machines.stopping import ask

_NAMED = 4  # strategies that a sentence names
_COUNTED = 50  # instances below which shares are told as counts
_CLOSE = 1.05  # value over bound up to which plans are as good as the best, for most
_USEFUL = 1.5  # value over bound from which a bound says little
_NEARER = 0.9  # of the value over bound of all
_CCR = "at CCR ", "at communication to computation ratio (CCR) "  # where it is named first
_WORDS = ("no ", "both ", "all ")
_OFTEN = 0.01  # share of instances
_MOST_FAILING = 2
_MOST_REASONS = 4  # conditions that are told


def headline(shown: Shown) -> str:
    """The result worth knowing, in one sentence."""
    if not shown.against:
        return f"{_distance(shown)}."
    told = [_who(shown)]
    if shown.failed(shown.leader) >= _OFTEN * len(shown.common.rows):
        told.append(f"{shown.leader} fails on {_lost(shown, shown.leader)}")
    if _is_close(shown):
        told.append(_distance(shown))
    told += _makers(shown.makers) if shown.makers else _turns(shown)
    sentence = "; ".join(told).replace(*_CCR, 1)
    if sentence.startswith(_WORDS):  # and not with a name
        sentence = capital(sentence)
    return f"{sentence}."


def alternative(shown: Shown) -> str:
    """How sure that is."""
    if not shown.against or shown.alike:
        return ""
    pair = shown.beside[shown.against]
    if pair.corrected is None or math.isnan(pair.low):
        return ""
    tested = sum(one.p is not None for one in shown.pairs)
    holm = f", Holm's correction for {count(tested, 'pair')}" if tested > 1 else ""
    there = " where both answer" if any(pair.lost) else ""
    sure = f"{shown.leader} over {shown.against}{there}: {_range(pair)} with 95 % confidence"
    tests = f"signed rank test over {count(pair.workloads, 'workload')}{holm}"
    either = " Ranks tell them apart; the mean may be either way." if pair.spans else ""
    return f"{sure}, {_p(pair.corrected)} ({tests}).{either}"


def reasons(shown: Shown) -> Iterator[str]:
    """What else is worth knowing, one sentence each."""
    if shown.against and not _is_close(shown):
        yield f"{_distance(shown)}."
    group = shown.makers or shown
    if shown.makers and group.turning:
        yield f"Over all: {_who(group)}."
    if nearest := _nearest(group):
        yield f"{nearest}."
    told = _turns(group)
    for one in group.turning[:_MOST_REASONS]:
        turn = _turn(group, one)
        if turn not in told:
            yield f"{capital(turn)}."
    for pair in shown.beside.values():
        if pair.is_mixed and not any(pair.lost):
            lower = pair.first if pair.more < 0 else pair.second
            yield (
                f"{pair.first} and {pair.second} differ, but neither is better: by ranks {lower} "
                "is lower, in the mean it is not."
            )
    lost = [f"{name} on {_lost(shown, name)}" for name in shown.common.strategies
            if shown.failed(name)]  # fmt: skip
    if lost:
        yield f"Failed: {few(lost, _NAMED)}."


def facts(shown: Shown) -> tuple[Fact, ...]:
    """Figures of the leader beside what it is set against."""
    leader, against = shown.leader, shown.against
    found = []
    if against:
        best = (100.0 * shown.best_on(one) for one in (leader, against))
        found.append(Fact("best on", *_both(best, "%"), MORE))
        mean = (shown.mean(one) for one in (leader, against))
        found.append(Fact("mean value / best", *_both(mean, ""), LESS))
    names = (leader, against or leader)
    ask()
    over = [shown.over_bound(one) for one in names]
    if all(map(math.isfinite, over)):
        found.append(Fact("value / bound on 90 %", over[0], "", over[1] if against else None, LESS))
    times = [shown.time(one) for one in names]
    lost = [float(shown.failed(one)) for one in names]
    if any(lost):
        found.append(Fact("failed", lost[0], "", lost[1] if against else None, LESS))
    elif all(map(math.isfinite, times)):
        found.append(Fact("median time", times[0], "s", times[1] if against else None, LESS))
    return tuple(found)


def none_answered(results: Results, shown_failures: tuple[str, int]) -> str:
    """Every case failed."""
    message, many = shown_failures
    all_of = "Its only case" if len(results) == 1 else f"All {len(results):,} cases"
    often = "" if many == len(results) else f" ({many:,} times)"
    return f"{all_of} failed: {message}{often}."


def share_of(many: int, of: int) -> str:
    """A share, as a count where there are few: "9 of 10 instances", "90 % of 240 instances"."""
    if many == of:
        return _each(of)
    if of < _COUNTED:
        return f"{many:,} of {count(of, 'instance')}"
    return f"{percent(many / of)} of {of:,} instances"


def _who(shown: Shown) -> str:
    """Who leads, and whom it can be told from."""
    leader = shown.leader
    many = count(len(shown.common.rows), "instance")
    names = [shown.common.strategies[k] for k in shown.order]
    if shown.alike:
        both = "both" if len(names) == 2 else f"all {len(names)}"
        return f"{both} strategies reach the same value on {_each(len(shown.common.rows))}"
    if shown.workloads < shown.needed:
        few_ = f"{count(shown.workloads, 'workload')} {'is' if shown.workloads == 1 else 'are'}"
        lowest = f"in the mean {leader} is lowest, {_below(shown, names[1])}"
        return f"{few_} too few to tell {_and(names)} apart: {lowest}"
    beaten = [one for one in names[1:] if shown.beside[one].is_better]
    failing = [one for one in names[1:] if one not in beaten and _fails_more(shown.beside[one])]
    rest = [one for one in names[1:] if one not in beaten and one not in failing]
    told = _told(shown, beaten, rest, many)
    return "; ".join([*told, *(_failing(shown, one) for one in failing[:_MOST_FAILING])])


def _told(shown: Shown, beaten: list[str], rest: list[str], many: str) -> Iterator[str]:
    """`beaten` are worse than the leader, `rest` can't be told from it."""
    leader = shown.leader
    if rest and not beaten and not any(one.differs for one in shown.pairs):
        own = [1.0, *(shown.beside[one].ratio for one in rest)]
        yield (
            f"no difference between {_and([leader, *rest])} that {many} could show: their means "
            f"are within {percent(max(own) / min(own) - 1.0)} of each other"
        )
    elif rest:
        yield f"{_and([leader, *rest])} can't be told apart by {many}"
        if len(beaten) > 1:
            yield f"{leader} is better than {_and(beaten)}, {_below(shown, beaten[0])}"
        elif beaten:
            yield f"{leader} is {_below(shown, beaten[0])}"
    elif beaten:
        everyone = len(beaten) + 1 == len(shown.order)
        if len(shown.order) == 2:
            is_ = "better"
        else:
            is_ = f"the best of {len(shown.order)} strategies" if everyone else "better than others"
        other = shown.against if shown.against in beaten else beaten[0]
        if math.isnan(shown.beside[other].ratio):
            yield f"{leader} is {is_}: {other} answers none of {many} that it does"
        else:
            yield f"{leader} is {is_}: {_below(shown, other)} in the mean of {many}"
    else:
        lost = shown.failed(leader)
        yield f"{leader} answers {'most' if lost else 'all'} of {many}"


def _fails_more(pair: Pair) -> bool:
    """Whether the second fails where the first does not, by more than chance: a test of signs."""
    first, second = pair.lost
    return second > first and signed_rank(np.repeat([-1.0, 1.0], (first, second))) <= LEVEL


def _failing(shown: Shown, name: str) -> str:
    """Who can't be compared by values alone."""
    pair = shown.beside[name]
    told = f"{name} fails on {_lost(shown, name)}"
    if math.isnan(pair.ratio):
        return told
    if abs(math.log(pair.ratio)) <= ALIKE:
        return f"{told} and ties on the others"
    above = pair.ratio > 1.0
    size = percent(1.0 - 1.0 / pair.ratio) if above else percent(1.0 / pair.ratio - 1.0)
    return f"{told} and is {size} {'below' if above else 'above'} {shown.leader} on the others"


def _lost(shown: Shown, name: str) -> str:
    return share_of(shown.failed(name), len(shown.common.rows))


def _makers(makers: Shown) -> list[str]:
    """The result about those that make one plan, where a search leads."""
    told = _turns(makers) or [_who(makers)]
    told[0] = f"{of_makers(makers)}, {told[0]}"
    return told


def of_makers(makers: Shown) -> str:
    """Which strategies are compared where a search, which starts from their plans, is left out."""
    return f"of the {len(makers.order)} that make one plan"


def _turns(shown: Shown) -> list[str]:
    """The clearest condition under which another leads, and another strategy's of that kind."""
    clear = shown.turning[:1]
    clear += tuple(
        one
        for one in shown.turning
        if one.level.trait == clear[0].level.trait and one.best != clear[0].best
    )[:1]
    return [_turn(shown, one) for one in clear]


def _turn(shown: Shown, one: Condition) -> str:
    """Where another is better, and by how much."""
    assert one.pair is not None  # there is another
    best = f"best on {share_of(round(one.share * one.many), one.many)}"
    less = f"{_less(one.pair.ratio)} {shown.leader}"
    return f"{one.best} is {less} {_where(one.level)} and {best}"


def _where(level: Level) -> str:
    """The level in a sentence: "at CCR 10"."""
    if level.trait == "tasks":
        return f"with {level.name} tasks"
    if level.trait == TIMELINE:
        return f"on the timeline “{level.name}”"
    at = "at" if level.trait in {"CCR", "heterogeneity"} else "with"
    return f"{at} {level.trait} {level.name}"


def _nearest(shown: Shown) -> str:
    """Where the best strategy is nearest to its bounds, if that is nearer than over all."""
    found = [
        (shown.over_bound(one.best, one.level.instances), one)
        for one in shown.conditions
        if one.many >= FEWEST and not math.isnan(one.level.middle)
    ]
    if not found:
        return ""
    over, one = min(found, key=lambda pair: pair[0])
    if not over <= min(_USEFUL, _NEARER * shown.over_bound(shown.leader)):
        return ""
    gaps = shown.common.gaps[one.level.instances, shown.place(one.best)]
    told = f"Nearest to the bounds {_where(one.level)}: {one.best} is "
    return told + _within(gaps[~np.isnan(shown.common.bound[one.level.instances])], over)


def _within(gaps: Floats, over: float) -> str:
    """How many are within a ratio to the bound, which is rounded up: the sentence holds."""
    within = math.ceil(100.0 * over - 1e-7) / 100.0
    held = int((gaps <= within - 1.0 + ALIKE).sum())
    on = share_of(held, len(gaps))
    return f"within {within:.2f} of a bound on {on}" if within > 1.0 else f"at a bound on {on}"


def _is_close(shown: Shown) -> bool:
    """Whether the leader is so near to its bounds that this is the result."""
    return len(shown.bounded.rows) > 0 and shown.over_bound(shown.leader) <= _CLOSE


def _distance(shown: Shown) -> str:
    """How far the leader is from the bounds, as far as they can tell."""
    strategy, many = shown.leader, len(shown.bounded.rows)
    if not many:
        return f"{strategy} has no bound to be measured by on {_each(len(shown.common.rows))}"
    over = shown.over_bound(strategy)
    gaps = shown.bounded.gaps[:, shown.place(strategy)]
    if over <= _USEFUL:
        return f"{strategy} is {_within(gaps, over)}"
    known = gaps[np.isfinite(gaps)]
    if not known.size:
        return f"{strategy} has no answer on {_each(many)} with a bound"
    told = f"{strategy} is {percent(float(np.median(known)))} above the bounds in the median"
    if shown.best_gap + 1.0 > _USEFUL:
        told += (
            ", which says little: even the best plan of all strategies is "
            f"{percent(shown.best_gap)} above"
        )
    return told


def _below(shown: Shown, other: str) -> str:
    ratio = shown.beside[other].ratio
    return f"ahead where {other} fails" if math.isnan(ratio) else f"{_less(ratio)} {other}"


def _less(ratio: float) -> str:
    """Write a ratio as "2.1 % below" or "1.0 % above"."""
    return f"{percent(1.0 - ratio)} below" if ratio <= 1.0 else f"{percent(ratio - 1.0)} above"


def _range(pair: Pair) -> str:
    """The interval of a ratio: "1.4 % to 2.8 % below"."""
    ends = 1.0 - pair.high, 1.0 - pair.low
    if ends[0] >= 0.0:
        return f"{percent(ends[0])} to {percent(ends[1])} below"
    if ends[1] <= 0.0:
        return f"{percent(-ends[1])} to {percent(-ends[0])} above"
    return f"{percent(ends[1])} below to {percent(-ends[0])} above"


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {number(p, digits=2)}"


def _each(many: int) -> str:
    return "the only instance" if many == 1 else f"all {many:,} instances"


def _and(names: list[str]) -> str:
    """Some names in a sentence: "a, b and c", "a, b, c, d and 3 more"."""
    if len(names) > _NAMED:
        return few(names, _NAMED)
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _both(values: Iterator[float], unit: str) -> tuple[float, str, float]:
    first, second = values
    return first, unit, second
