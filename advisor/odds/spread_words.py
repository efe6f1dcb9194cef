"""What is not known exactly, in words: what odds rest on."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.allocation.task import Task, Variant
from advisor.odds.elsewhere import Place
from advisor.odds.spread_factors import spreads_of
from machines.uncertain import Uncertain

_NAMED = {"task_cv": "task times", "machine_cv": "speeds", "link_cv": "bandwidths"}


def is_exact(problem: Problem, places: tuple[Place, ...]) -> bool:
    """Nothing varies: no number states a spread, and the defaults are 0."""
    return not places and not _defaults(problem) and not _stated(problem)


def rests_on(problem: Problem, places: tuple[Place, ...]) -> str:
    """The spreads in a few words: "assumed ±15 % on task times; spreads of 3 numbers as stated"."""
    parts = []
    defaults = _defaults(problem)
    for word, assumed in (("assumed", True), ("stated", False)):
        shown = [
            f"±{100 * cv:.3g} % on {_NAMED[name]}"
            for name, cv, own in defaults
            if own is not assumed
        ]
        if shown:
            parts.append(f"{word} {', '.join(shown)}")
    if stated := _stated(problem) + len(places):
        parts.append("1 stated range" if stated == 1 else f"{stated:,} stated ranges")
    return "; ".join(parts)


def _defaults(problem: Problem) -> list[tuple[str, float, bool]]:
    """(name, cv, whether a file states it) of the defaults above 0 that concern something."""
    own = problem.workload.spread.over(problem.platform.spread)
    found = spreads_of(problem)
    values = [(name, getattr(found, name), getattr(own, name) is not None) for name in _NAMED]
    linked = {"link_cv": bool(problem.platform.links and problem.workload.edges)}
    return [one for one in values if one[1] and linked.get(one[0], True)]


def _stated(problem: Problem) -> int:
    """How many times, speeds, startups and bandwidths state a spread."""
    numbers: list[object] = [machine.speed for machine in problem.platform.machines]
    for link in problem.platform.links:
        for way in {link.to_second, link.to_first}:
            numbers += [way.startup_s, way.bandwidth]
            numbers += [] if way.above is None else [way.above.startup_s, way.above.bandwidth]
    for task in problem.workload.tasks:
        every: tuple[Task | Variant, ...] = (task, *task.variants)
        for timed in every:
            numbers += [timed.work, *(seconds for _, seconds in timed.seconds)]
    return sum(isinstance(one, Uncertain) and not one.spread.is_exact for one in numbers)
