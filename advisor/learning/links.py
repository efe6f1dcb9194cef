"""Lesson: bandwidth and startup of links, from what tasks fetched in their slots."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from advisor.basics.quantities import count, duration, number, percent, size
from advisor.learning.calibration import Calibration, some_of
from advisor.learning.robust import RobustLine, robust_line
from advisor.learning.run_evidence import Evidence, preparation_s, tells_fetching
from advisor.runs.actual import Actual
from machines.platform import Direction, Link, Platform
from machines.stopping import ask

NAME, TITLE = "links", "Links"
HEADER = ("Link", "Startup", "Low", "High", "Bandwidth", "Low", "High", "Transfers")
_ENOUGH = 5  # transfers that make a line
_WAITING = 0.30  # residual, as a share of the time, above which waiting decides
_WIDER = 1.5  # most over least bytes, from which sizes tell startup and bandwidth apart

Way = tuple[int, int]


def links(evidence: Evidence) -> Calibration:
    """Seconds of fetching against bytes, by pair of machines: startup + bytes/bandwidth.

    By the robust line of Theil and Sen over what moved alone, in one piece or, where sizes of
    single pieces are too alike, per piece. Each direction for itself, if it has transfers enough.
    """
    problem = evidence.problem
    fetched = fetches_of(evidence)
    by_link = _by_link(problem.platform, evidence.names, fetched)
    said, rows, notes = [], [], _notes(fetched)
    changed: dict[int, Link] = {}
    for place, ways in by_link.items():
        link = problem.platform.links[place]
        told = _told(ways)
        for way, some in told.items():
            line, why = _line(some)
            ends = [evidence.names[machine] for machine in way]
            name = (" → " if len(told) == len(ways) else " ↔ ").join(ends)
            if line is None:
                notes.append(f"{name}: {why}")
                continue
            forward = link.first == evidence.names[way[0]]
            slowdown = float(evidence.here.costs.between.slowdowns[place])
            now = changed.get(place, link)
            changed[place] = _with(now, slowdown, forward, line, len(told) > 1)
            if len(ways) == 1:
                notes.append(f"{' → '.join(reversed(ends))}: nothing usable moved that way: "
                             f"taken to be as {name}")  # fmt: skip
            rows.append(_row(name, line, len(some)))
            said.append(_said(name, line, len(some)))
    platform = replace(
        problem.platform,
        links=tuple(changed.get(place, link) for place, link in enumerate(problem.platform.links)),
    )
    text = some_of(said, "direction") or _nothing(fetched)
    return Calibration(NAME, TITLE, text, HEADER, tuple(rows), platform, problem.workload,
                  tuple(notes), learnt=bool(changed))  # fmt: skip


def _by_link(
    platform: Platform, names: tuple[str, ...], fetched: Fetches
) -> dict[int, dict[Way, list[Fetch]]]:
    """Position of a link → direction → what moved over it; pairs joined by switches left out."""
    ends = {link.ends: place for place, link in enumerate(platform.links)}
    found: dict[int, dict[Way, list[Fetch]]] = {}
    for one in fetched.usable:
        place = ends.get(frozenset((names[one.source], names[one.target])))
        if place is None:
            fetched.skipped["between machines without a link of their own"] += 1
        else:
            ways = found.setdefault(place, {})
            ways.setdefault((one.source, one.target), []).append(one)
    return found


def _told(ways: dict[Way, list[Fetch]]) -> dict[Way, list[Fetch]]:
    """The directions for themselves, or both as one where either has too few."""
    if all(len(some) >= _ENOUGH for some in ways.values()):
        return ways
    together = [one for some in ways.values() for one in some]
    return {max(ways, key=lambda way: len(ways[way])): together}


def _line(some: list[Fetch]) -> tuple[RobustLine | None, str]:
    """The line of some transfers, or why there is none."""
    single = [one for one in some if one.items == 1]
    if len(single) >= _ENOUGH and _spread(single) >= _WIDER:
        some = single
    if len(some) < _ENOUGH:
        return None, f"too few transfers ({len(some)}) for a line"
    if _spread(some) < _WIDER:
        return (
            None,
            "all transfers are of about one size: startup and bandwidth can't be told apart",
        )
    pieces = np.array([one.items for one in some], np.float64)
    sizes = np.array([one.size_bytes for one in some]) / pieces
    seconds = np.array([one.seconds for one in some]) / pieces
    line = robust_line(sizes, seconds)
    if line is None or line.slope[0] <= 0.0 or line.slope[1] <= 0.0:
        return None, f"time does not grow with bytes in {len(some)} transfers: waiting decides it"
    if line.residual > _WAITING:
        off = percent(line.residual)
        return None, f"transfers of like sizes differ by {off}: waiting decides their times"
    return line, ""


def _spread(some: list[Fetch]) -> float:
    sizes = [one.size_bytes / one.items for one in some]
    return max(sizes) / min(sizes)


def _with(link: Link, slowdown: float, forward: bool, line: RobustLine, both: bool) -> Link:
    """The link with what was learnt, freed of the slowdown that the platform states on it."""
    learnt = Direction(max(0.0, line.intercept[0]) / slowdown, slowdown / line.slope[0])
    if not both:
        return replace(link, to_second=learnt, to_first=learnt)
    return replace(link, to_second=learnt) if forward else replace(link, to_first=learnt)


def _row(name: str, line: RobustLine, transfers: int) -> tuple[str, ...]:
    startup = (duration(max(0.0, one)) for one in line.intercept)
    return (name, *startup, *_bandwidths(line), str(transfers))


def _bandwidths(line: RobustLine) -> tuple[str, str, str]:
    middle, low, high = line.slope
    value, least, most = (
        number(1.0 / one, "B/s") if one > 0.0 else "∞" for one in (middle, high, low)
    )
    return value, least, most


def _said(name: str, line: RobustLine, transfers: int) -> str:
    value, least, most = _bandwidths(line)
    startup_s, low, high = (max(0.0, one) for one in line.intercept)
    return (
        f"{name}: {duration(startup_s)} ({duration(low)} to {duration(high)}) and "
        f"{value} ({least} to {most}), from {count(transfers, 'transfer')}, within "
        f"{percent(line.residual)}"
    )


def _nothing(fetched: Fetches) -> str:
    if not fetched.usable and not fetched.skipped:
        return "No links: no log tells what tasks fetched in their slots, and how long it took"
    return f"No links: {count(len(fetched.usable), 'usable transfer')} support no fit"


def _notes(fetched: Fetches) -> list[str]:
    notes = [f"Left out: {count(many, 'transfer')} {why}" for why, many in fetched.skipped.items()]
    told, stated = fetched.told_bytes, fetched.stated_bytes
    if told < 0.9 * stated:
        notes.append(
            f"{size(told)} were fetched where flows to other machines have {size(stated)}: "
            "perhaps tasks read the same data: declare it as files in the workload"
        )
    return notes


# What tasks fetched in their slots, from where, in how many pieces: one entry a task and run.

_ALIKE = 0.05  # relative difference up to which bytes are those of certain items


@dataclass(frozen=True)
class Fetch:
    """What one task fetched from one machine.

    `source`, `target`: machines. `begin_s`, `end_s`: when, in its run.
    """

    source: int
    target: int
    size_bytes: float
    seconds: float
    items: int  # pieces, one after the other
    begin_s: float
    end_s: float
    run: int


@dataclass(frozen=True)
class Fetches:
    """What was fetched, and what could not be used.

    `usable`: from one machine, of known pieces, while nothing else moved that way. `told_bytes`,
    `stated_bytes`: what runs fetched, and what the workload says would have to be.
    """

    usable: tuple[Fetch, ...]
    skipped: Counter[str]  # why others are not usable → how many
    told_bytes: float
    stated_bytes: float


def fetches_of(evidence: Evidence) -> Fetches:
    """Of all runs whose logs tell fetching apart from computing."""
    found: list[Fetch] = []
    skipped: Counter[str] = Counter()
    told = stated = 0.0
    for place, actual in enumerate(evidence.actuals):
        if tells_fetching(actual) and actual.run.timed:
            some, bytes_told, bytes_stated = _of_run(evidence, actual, place, skipped)
            found += some
            told, stated = told + bytes_told, stated + bytes_stated
    alone = _alone(found)
    if len(alone) < len(found):
        skipped["moved while others did"] += len(found) - len(alone)
    return Fetches(tuple(alone), skipped, told, stated)


def _alone(found: list[Fetch]) -> list[Fetch]:
    """Those during which nothing else moved from the same machine to the same."""
    ways: dict[tuple[int, int, int], list[Fetch]] = {}
    for one in found:
        ways.setdefault((one.run, one.source, one.target), []).append(one)
    alone = []
    for some in ways.values():
        some.sort(key=lambda one: one.begin_s)
        ended_s = list(accumulate((one.end_s for one in some), max, initial=-math.inf))
        begins_s = [*(one.begin_s for one in some[1:]), math.inf]
        alone += [
            one
            for one, before_s, after_s in zip(some, ended_s, begins_s, strict=False)
            if before_s <= one.begin_s and one.end_s <= after_s
        ]
    return alone


def _of_run(
    evidence: Evidence, actual: Actual, place: int, skipped: Counter[str]
) -> tuple[list[Fetch], float, float]:
    workload = evidence.problem.workload
    producers: list[list[tuple[int, float]]] = [[] for _ in workload.tasks]
    for source, target, size_bytes in zip(
        workload.sources.tolist(), workload.targets.tolist(), workload.edge_bytes.tolist(),
        strict=True,
    ):  # fmt: skip
        there, here = actual.machine[source], actual.machine[target]
        if there >= 0 and here >= 0 and there != here and size_bytes > 0.0:
            producers[target].append((source, size_bytes))
    there_already: dict[int, set[int]] = {}
    found, told, stated = [], 0.0, 0.0
    idle_s = preparation_s(evidence.problem, actual)
    rows = np.flatnonzero(actual.placed)
    for task in rows[np.argsort(actual.taken_s[rows], kind="stable")].tolist():
        ask()
        size_bytes, needs = float(actual.bytes_in[task]), producers[task]
        here = int(actual.machine[task])
        held = there_already.setdefault(here, set())
        new = [pair for pair in needs if pair[0] not in held]
        held.update(source for source, _ in needs)
        if not size_bytes > 0.0:
            continue
        told, stated = told + size_bytes, stated + sum(one for _, one in needs)
        items = _pieces(size_bytes, needs, new)
        machines = {int(actual.machine[source]) for source, _ in (items or needs)}
        if items is None or len(machines) != 1:
            why = "of pieces that the workload does not state" if items is None else "of several"
            skipped[why] += 1
            continue
        begin_s, end_s = float(actual.taken_s[task]) + idle_s, float(actual.start_s[task])
        if end_s > begin_s:
            found.append(
                Fetch(
                    machines.pop(),
                    here,
                    size_bytes,
                    end_s - begin_s,
                    len(items),
                    begin_s,
                    end_s,
                    place,
                )
            )
    return found, told, stated


def _pieces(
    size: float, needs: list[tuple[int, float]], new: list[tuple[int, float]]
) -> list[tuple[int, float]] | None:
    """Those pieces whose bytes are what was fetched: of what is new on the machine, or all."""
    for pieces in (new, needs):
        total = sum(one for _, one in pieces)
        if pieces and abs(total - size) <= _ALIKE * size:
            return pieces
    return None
