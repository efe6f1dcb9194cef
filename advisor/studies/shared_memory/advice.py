"""What to do about a target efficiency, in words: plausible changes, then whatever else helps.

A change that no machine offers is called so, and is no advice.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.basics.quantities import duration, percent
from advisor.shared_memory.changes import Change
from advisor.shared_memory.limits import plausible_limits
from advisor.studies.shared_memory.findings import Findings
from advisor.studies.shared_memory.parameters import Scenario, SharedMemoryCase
from advisor.studies.shared_memory.views import US, together, told
from advisor.studies.shared_memory.ways import FEWER, MODEL_ERROR, NETWORK, Way, best_way

_NAMED = 2


def advice(case: SharedMemoryCase, found: Findings) -> str:
    """What reaches the target from the base, for the headline; nothing where it is reached."""
    base, target = case.base, percent(case.asked.target)
    reach = found.reaches.get(base.name)
    if reach is None or reach.reached or not reach.complete:
        return ""
    if found.settled(case) and reach.change is not None:
        return f" Efficiency {target} takes {_changed(base, reach.change)}."
    head = f" No single plausible change of technology reaches efficiency {target}"
    way = best_way(found.ways, found.times[base.name], case.asked.target)
    if way is not None:
        does = {
            "yes": "but this does",
            "perhaps": "but this may",
            "no": "nor does anything else; this helps most",
        }
        return f"{head}, {does[way.reaches(case.asked.target)]}: {_told(way)}."
    if reach.change is not None:
        return f"{head}; {_changed(base, reach.change)}."
    return (
        f"{head}, and nothing plausible helps: no other network, messages or fewer processors "
        f"reach it or save more than the model's error of {percent(MODEL_ERROR)}."
    )


def other_ways(case: SharedMemoryCase, found: Findings) -> Iterator[str]:
    """The best of each kind that was tried."""
    kinds = dict.fromkeys(way.kind for way in found.ways)
    for kind in kinds:
        tried = [way for way in found.ways if way.kind == kind][:_NAMED]
        yield f"{_KINDS[kind]}: {'; '.join(_told(way) for way in tried)}."
    alone = case.base.counts.sequential_time / case.base.technology.processor
    if alone <= found.times[case.base.name].time:
        yield f"The sequential program on one processor is no slower: {duration(US * alone)}."


_KINDS = {
    NETWORK: "Instead, another network",
    "messages": "Instead, messages in place of shared memory",
    "messages on a network": "Instead, both",
    FEWER: "Instead, fewer processors (no counts of them: from all sharing split to all of it for "
    "each)",
}


def _told(way: Way) -> str:
    """A way with its figures: "with InfiniBand it takes 18.0 s, efficiency 83 %"."""
    times = _range(*(duration(US * time) for time in way.times))
    return f"{way.name} it takes {times}, efficiency {_range(*map(percent, way.efficiencies))}"


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
        best = "or as far as plausible"
        return f"{kind}, each {percent(change.share)} better {best} ({alone}): {together(change)}"
    (one,) = change.parameters
    now = told(one, one.value(scenario.net, scenario.technology))
    then = told(one, one.value(scenario.net, change.technology))
    return (
        f"{percent(change.share)} better {one.title}, from {now} to {then}: the least relative "
        "change of one parameter"
    )
