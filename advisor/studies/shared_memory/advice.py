"""What to do about a target efficiency, in words: plausible changes, then whatever else helps.

A change that no machine offers is called so, and is no advice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from advisor.basics.quantities import count, duration, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.units import durations
from advisor.shared_memory.network_file import DVSM_NETWORKS
from advisor.shared_memory.technology_changes import Change, plausible_limits
from advisor.studies.facts import LESS, MORE, Fact
from advisor.studies.shared_memory.findings import Findings
from advisor.studies.shared_memory.other_ways import (
    BOTH,
    FEWER,
    MESSAGES,
    MODEL_ERROR,
    NETWORK,
    Way,
    best_way,
    messages_of,
)
from advisor.studies.shared_memory.parameters import Scenario, SharedMemoryCase
from advisor.studies.shared_memory.views import TOGETHER, US, WHOLE, together, told
from advisor.studies.study import Series

Ends = tuple[float, float]
_NAMED = 2
_NARROW = 0.01  # a share: times that are as near are one


def headline(case: SharedMemoryCase, found: Findings) -> str:
    """What to do about the target efficiency, in one sentence."""
    base, target = case.base, percent(case.asked.target)
    now = found.times[base.name]
    keep = f"Keep {base.net.name}"
    reach = found.reaches.get(base.name)
    if now.efficiency >= case.asked.target or (reach is not None and reach.reached):
        return f"{keep}: efficiency {efficiency(case, found, now.efficiency)} reaches {target}."
    if reach is None or not reach.complete:
        have = efficiency(case, found, now.efficiency)
        return f"{keep}: nothing better is known; efficiency {have}."
    if found.settled(case) and reach.change is not None:
        return f"For efficiency {target} take {_changed(base, reach.change)}."
    way = advised_way(case, found)
    if way is not None:
        return f"Use {_told(case, found, way)}."
    if reach.change is not None:
        return f"For efficiency {target} take {_changed(base, reach.change)}."
    return f"{keep}: nothing plausible reaches efficiency {target}."


def advised_way(case: SharedMemoryCase, found: Findings) -> Way | None:
    """The way to advise where no single plausible change of technology reaches the target."""
    base, reach = case.base, found.reaches.get(case.base.name)
    if reach is None or reach.reached or not reach.complete or found.settled(case):
        return None
    return best_way(found.ways, found.times[base.name], case.asked.target)


def doubt(case: SharedMemoryCase, found: Findings) -> str:
    """How sure it is that the target is reached; nothing where technology alone reaches it."""
    target = percent(case.asked.target)
    reach = found.reaches.get(case.base.name)
    if reach is None or reach.reached or not reach.complete or found.settled(case):
        return ""
    head = f"No single plausible change of technology reaches efficiency {target}"
    way = advised_way(case, found)
    if way is not None:
        does = {
            "yes": "but this does",
            "perhaps": "but this may",
            "no": "nor do the alternatives; this helps most",
        }
        return f"{head}, {does[way.reaches(case.asked.target)]}.{_alone(case, found)} "
    if reach.change is not None:
        return f"{head}. "
    return (
        f"{head}, and no other network, messages or fewer processors reach it or save more than "
        f"the model's error of {percent(MODEL_ERROR)}.{_alone(case, found)} "
    )


def facts(case: SharedMemoryCase, found: Findings) -> tuple[Fact, ...]:
    """Time and efficiency of what is advised, and of the what-if, against the base."""
    base, what_if = (found.times[one.name] for one in case.scenarios)
    now, share = US * base.time, 100.0 * base.efficiency
    advised: list[Fact] = []
    ends = _advised(case, found)
    told: tuple[float, ...] = (share, 100.0 * what_if.efficiency)
    if ends is not None:
        (fast, slow), (least, most) = ends
        told += (100.0 * least,) if _narrow(least, most) else (100.0 * least, 100.0 * most)
        advised = [
            _between("advised time", US * fast, US * slow, "s", now, LESS),
            replace(
                _between("advised efficiency", 100.0 * least, 100.0 * most, "%", share, MORE),
                beside=told,
            ),
        ]
    return (
        *advised,
        Fact("what-if time", US * what_if.time, "s", now, LESS),
        Fact("what-if efficiency", told[1], "%", share, MORE, beside=told),
    )


def advised_bar(case: SharedMemoryCase, found: Findings) -> tuple[Series, ...]:
    """What is advised beside the scenarios, undivided; of a range the longer, and what it is from.

    Nothing where the advice is to keep what is there.
    """
    ends = _advised(case, found)
    if ends is None:
        return ()
    fast, slow = (US * time for time in ends[0])
    what_if = case.scenarios[1]
    said = (
        "recommended"
        if _narrow(fast, slow)
        else f"recommended, {durations(fast, slow)[0]} at least"
    )
    if US * found.times[what_if.name].time < fast * (1.0 - ALIKE):
        said += f"; {what_if.name} is shorter, but supposes another machine or software"
    return (
        Series(
            "advised, in all", ("advised",), (slow,), *WHOLE, "bars",
            labels=(said,), beside=TOGETHER,
        ),
    )  # fmt: skip


def efficiency(case: SharedMemoryCase, found: Findings, share: float) -> str:
    """An efficiency, comparable with those of the figures."""
    return facts(case, found)[-1].said(100.0 * share)


def _advised(case: SharedMemoryCase, found: Findings) -> tuple[Ends, Ends] | None:
    """Times, µs, and efficiencies of what is advised; ``None``: to keep what is there."""
    way, reach = advised_way(case, found), found.reaches.get(case.base.name)
    if way is not None:
        return way.times, way.efficiencies
    if reach is None or not reach.complete or reach.reached or reach.change is None:
        return None
    then = case.base.timed(reach.change.technology)
    return (then.time, then.time), (then.efficiency, then.efficiency)


def _between(name: str, low: float, high: float, unit: str, against: float, better: str) -> Fact:
    """A figure that may be a range, which has no one difference; its worse end if it is narrow."""
    if not _narrow(low, high):
        return Fact(name, low, unit, better=better, most=high)
    return Fact(name, high if better == LESS else low, unit, against, better)


def _narrow(low: float, high: float) -> bool:
    """Whether a range is as good as one figure."""
    return high - low <= _NARROW * high


def _alone(case: SharedMemoryCase, found: Findings) -> str:
    """That the sequential program is as fast, where it is."""
    alone = case.base.counts.sequential_time / case.base.technology.processor
    if alone > found.times[case.base.name].time:
        return ""
    return f" The sequential program on one processor is no slower: {duration(US * alone)}."


def other_ways(case: SharedMemoryCase, found: Findings) -> Iterator[str]:
    """The best of each kind that was tried."""
    kinds = dict.fromkeys(way.kind for way in found.ways)
    for kind in kinds:
        tried = [way for way in found.ways if way.kind == kind][:_NAMED]
        yield f"{_KINDS[kind]}: {'; '.join(_told(case, found, way) for way in tried)}."


_KINDS = {
    NETWORK: "Another network instead",
    MESSAGES: "Messages in place of shared memory",
    BOTH: "Both, messages and another network",
    FEWER: "Fewer processors instead",
}


def assumed_of_ways(case: SharedMemoryCase, found: Findings) -> Iterator[str]:
    """What the figures of the other ways rest on."""
    kinds = {way.kind for way in found.ways}
    messages = messages_of(case)
    if MESSAGES in kinds and messages is not None:
        whence = "as asked" if case.asked.messages is not None else "for what is fetched now"
        yield (
            f"Messages instead of shared memory: {count(messages.count, 'message')} of "
            f"{size(messages.size)} from each processor, {whence}; the times lie "
            "between continuing at once and waiting for a reply to each. Packing, and waiting for "
            "data "
            "that are not sent yet, are not in it; the program has to be written anew."
        )
    if FEWER in kinds:
        yield (
            "Fewer processors: their overhead was not counted. Of P processors P' are left, and "
            "(1 − 1/P')/(1 − 1/P) of the overhead: between that share of what each has now, and "
            "that share of what all have together, split among the P'."
        )
    if NETWORK in kinds:
        measured = " and ".join(map(DVSM_NETWORKS.title, case.application.networks))
        where = f" measured on {measured}" if measured else " of the counts"
        yield f"Other networks are priced with the extra times, handlers and delays{where}."


def _told(case: SharedMemoryCase, found: Findings, way: Way) -> str:
    """A way with its figures: "2 processors, 18.0 s to 19.2 s, efficiency 83 %"."""
    fast, slow = way.times
    now = US * found.times[case.base.name].time
    times = _between("time", US * fast, US * slow, "s", now, LESS).text
    least, most = way.efficiencies
    ends = (least, least) if _narrow(least, most) else (least, most)
    shares = _range(*(efficiency(case, found, share) for share in ends))
    return f"{way.name}, {times}, efficiency {shares}"


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def how_to_reach(case: SharedMemoryCase, found: Findings, scenario: Scenario) -> str:
    """What plausible technology does for a scenario; what it would take, if that is not enough."""
    reach, target = found.reaches[scenario.name], percent(case.asked.target)
    head = f"{headed(scenario)}: efficiency {target}"
    if reach.reached:
        return f"{head} is reached."
    if not reach.complete:
        return f"{head}: the search was stopped."
    if reach.change is not None:
        return f"{head} takes {_changed(scenario, reach.change)}."
    said = (
        f"{head} is out of reach of plausible technology, which at its limits gives "
        f"{percent(reach.best)}"
    )
    beyond = found.beyond.get(scenario.name)
    if beyond is None or not beyond.complete:
        return f"{said}."
    if beyond.change is None:
        return (
            f"{said}; at no cost at all it would be {percent(beyond.best)}: the rest is uneven "
            "computing and handlers."
        )
    return f"{said}. It would take {_impossible(scenario, beyond.change)}."


def _impossible(scenario: Scenario, change: Change) -> str:
    """A change beyond the limits, beside the limits that it breaks."""
    broken = []
    for one in change.parameters:
        limit, then = plausible_limits()[one.name], one.value(scenario.net, change.technology)
        if not one.rises and then < limit.value:
            at = f"the best known is {told(one, limit.value)}, {limit.source}"
            broken.append(f"{one.title} {told(one, then)} ({at})")
    return f"{percent(change.share)} better {together(change)}: {'; '.join(broken[:_NAMED])}"


def headed(scenario: Scenario) -> str:
    """The scenario at the head of a sentence."""
    return scenario.name.capitalize()


def _changed(scenario: Scenario, change: Change) -> str:
    if len(change.parameters) > 1:
        kind = "two" if len(change.parameters) == 2 else "all of them"
        alone = "no single one does" if len(change.parameters) == 2 else "no two do"
        best = "or at its plausible limit"
        return f"{kind}, each {percent(change.share)} better {best} ({alone}): {together(change)}"
    (one,) = change.parameters
    now = told(one, one.value(scenario.net, scenario.technology))
    then = told(one, one.value(scenario.net, change.technology))
    return (
        f"{percent(change.share)} better {one.title}, from {now} to {then}: the least relative "
        "change of one parameter"
    )
