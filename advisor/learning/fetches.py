"""What tasks fetched in their slots, from where, in how many pieces: one entry a task and run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from advisor.learning.evidence import Evidence, preparation_s, tells_fetching
from advisor.runs.actual import Actual
from machines.stopping import ask

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
    for source, target, size in zip(
        workload.sources.tolist(), workload.targets.tolist(), workload.edge_bytes.tolist(),
        strict=True,
    ):  # fmt: skip
        there, here = actual.machine[source], actual.machine[target]
        if there >= 0 and here >= 0 and there != here and size > 0.0:
            producers[target].append((source, size))
    there_already: dict[int, set[int]] = {}
    found, told, stated = [], 0.0, 0.0
    idle_s = preparation_s(evidence.problem, actual)
    rows = np.flatnonzero(actual.placed)
    for task in rows[np.argsort(actual.taken_s[rows], kind="stable")].tolist():
        ask()
        size, needs = float(actual.bytes_in[task]), producers[task]
        here = int(actual.machine[task])
        held = there_already.setdefault(here, set())
        new = [pair for pair in needs if pair[0] not in held]
        held.update(source for source, _ in needs)
        if not size > 0.0:
            continue
        told, stated = told + size, stated + sum(one for _, one in needs)
        items = _pieces(size, needs, new)
        machines = {int(actual.machine[source]) for source, _ in (items or needs)}
        if items is None or len(machines) != 1:
            why = "of pieces that the workload does not state" if items is None else "of several"
            skipped[why] += 1
            continue
        begin_s, end_s = float(actual.taken_s[task]) + idle_s, float(actual.start_s[task])
        if end_s > begin_s:
            found.append(
                Fetch(
                    machines.pop(), here, size, end_s - begin_s, len(items), begin_s, end_s, place
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
