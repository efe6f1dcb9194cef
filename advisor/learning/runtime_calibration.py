"""Lesson: how the engine runs tasks: when it fetches, what a task costs it, in which order.

Who took a machine when in a run: gaps between tasks, and who was let past.

A run is replayed machine by machine in the order in which its tasks took their slots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from advisor.allocation.placement import placement
from advisor.basics.quantities import count, duration, percent
from advisor.learning.calibration import Calibration
from advisor.learning.robust import Summary, summary
from advisor.learning.run_evidence import (
    Evidence,
    crossed,
    fetching,
    needing,
    preparation_s,
    tells_fetching,
)
from advisor.learning.runtime_readings import FOLLOWS, Readings, readings
from advisor.learning.starts import USUAL, Start, Waits, at_ticks, starts, tick_period_s, waits
from advisor.runs.actual import Actual
from machines.arrays import Flags, Floats, Indices
from machines.errors import capital
from machines.runtime import AHEAD, PLAN, READY, SLOT

NAME, TITLE = "runtime", "Runtime"
HEADER = ("What", "Learnt", "Was", "From")
_LEAST_GAPS = 5
_LEAST_STARTS, _SOME = 10, 0.5  # starts, and share of them, that tell whether stated ticks are seen
_TRIMMED, _LEAST_HEAP = 0.1, 0.25  # of the gaps
_MANY_GAPS = 50  # over which the steps of a clock average out
_Z90 = 1.645
_LEAST_TURNS = 3
_CLEAR = 3.0  # resolutions that a gap must be long to be told
_FIELDS = {"fetch": "fetch", "task_overhead_s": "overhead_s", "order": "order"}
_NOUNS = {"fetch": "fetching", "task_overhead_s": "the engine's overhead", "order": "the order"}
_ROWS = {
    "task_overhead_s": "overhead of a task",
    "cycle_s": "scheduling cycle",
    "reclaim_s": "reclaim period",
}
_TICKS = ("cycle_s", "reclaim_s")
_WORDS = {
    AHEAD: "ahead of the task",
    SLOT: "in the task's slot",
    PLAN: "the plan's",
    READY: "the first that is ready",
}
_COUNTED = (
    "The log counts fetching as part of the task: Task times are given without it, so both are "
    "applied together"
)


@dataclass(frozen=True)
class _Part:
    """One value of the runtime: None, not learnt; a sentence; what is shown; notes."""

    value: str | float | None
    said: str
    shown: str
    notes: tuple[str, ...] = ()


def runtime(evidence: Evidence) -> Calibration:
    """`fetch`, `task_overhead_s` and `order` of the platform's runtime."""
    problem = evidence.problem
    was = problem.platform.runtime
    parts = {
        "fetch": _fetch(evidence),
        "task_overhead_s": _overhead(evidence),
        "order": _order(evidence),
        **_ticks(evidence),
    }
    if parts["fetch"].value is None:
        parts = _by_simulation(evidence, parts)
    values = {name: part.value for name, part in parts.items() if part.value is not None}
    learnt = replace(was, **values)  # type: ignore[arg-type]
    rows = tuple(
        (
            _ROWS.get(name, name),
            _shown(part.value),
            _shown(getattr(was, name)),
            part.shown,
        )
        for name, part in parts.items()
    )
    notes = tuple(note for part in parts.values() for note in part.notes)
    text = "; ".join(part.said for part in parts.values() if part.said)
    text = capital(text)
    platform = replace(problem.platform, runtime=learnt)
    return Calibration(NAME, TITLE, text, HEADER, rows, platform, problem.workload, notes,
                  learnt=learnt != was)  # fmt: skip


@lru_cache(maxsize=1)  # asked for by several calibrations of one evidence
def tried_readings(evidence: Evidence) -> Readings | None:
    """The readings of the runtime, simulated again; None where the logs tell."""
    value, period = _overhead(evidence).value, _period_s(evidence)
    return readings(evidence, value if isinstance(value, float) else None, period or 0.0)


def _by_simulation(evidence: Evidence, parts: dict[str, _Part]) -> dict[str, _Part]:
    """What no log tells, as the reading has it whose starts are nearest to those observed."""
    found = tried_readings(evidence)
    if found is None or found.best is None:
        return parts
    off, best = found.tried[0]
    if not found.meets:
        note = (
            "No reading of the runtime explains when tasks started: the nearest, fetching "
            f"{_WORDS[best.fetch]}, is {duration(off)} off on average"
        )
        return parts | {"fetch": replace(parts["fetch"], notes=(note,))}
    for name, field in _FIELDS.items():
        part = parts[name]
        told, _, other = found.told(field)
        if part.value is not None or not np.isfinite(other):
            continue
        value: str | float = getattr(best, field)
        words = _WORDS[value] if isinstance(value, str) else duration(value)
        if not told:
            said = f"{part.said}; simulated again, {_NOUNS[name]} makes no clear difference"
            parts = parts | {name: replace(part, said=said)}
            continue
        said = f"{_NOUNS[name]}: {words}; simulated again, {found.evidence(field)}"
        notes = (_COUNTED,) if name == "fetch" and best.counted else ()
        parts = parts | {name: _Part(value, said, f"{duration(off)} off, else {duration(other)}",
                                     (*part.notes, *notes))}  # fmt: skip
    return parts


def _shown(value: object) -> str:
    if value is None:
        return "not calibrated"
    return duration(value) if isinstance(value, float) else str(value)


def _fetch(evidence: Evidence) -> _Part:
    """In the slot, if tasks held their slots before they computed where data had to come."""
    fetched, needed = 0, 0
    for actual in evidence.actuals:
        if not tells_fetching(actual):
            continue
        can = actual.ran & crossed(evidence.problem, actual)
        fetched += int((can & fetching(evidence.problem, actual)).sum())
        needed += int(can.sum())
    if not needed:
        said = "when data are fetched is unknown: no log records it, or nothing had to be moved"
        return _Part(None, said, "no log tells")
    share = f"{fetched} of {count(needed, 'task')} with data elsewhere"
    if fetched >= 0.2 * needed:  # those that others fetched before need not
        return _Part(SLOT, f"tasks fetch in their slots ({share})", share)
    return _Part(AHEAD, f"data have arrived when tasks take their slots ({share} fetched)", share)


def _overhead(evidence: Evidence) -> _Part:
    """What lies between slot free and slot taken, where the task had been ready before.

    Times along a chain add up: the mean, without the least and the largest tenth. Where fewer than
    a quarter are far longer than the others, these are no overhead: the median. Where tasks start
    at ticks, waiting for these is all of it.
    """
    if (period := _period_s(evidence)) is not None:
        shown = _at(evidence, period)
        said = (
            f"tasks start at ticks of {duration(period)}, when slots are free again "
            f"({shown}); no overhead is told apart from the wait for one"
        )
        return _Part(0.0, said, shown)
    gaps: list[float] = []
    for actual in evidence.actuals:
        gaps += _gaps(evidence, actual)
    if len(gaps) < _LEAST_GAPS:
        said = f"too few gaps ({len(gaps)}) between tasks of busy machines to tell an overhead"
        return _Part(None, said, count(len(gaps), "gap"))
    return _told_overhead(evidence, summary(gaps, evidence.resolution_s), np.array(gaps))


def _ticks(evidence: Evidence) -> dict[str, _Part]:
    """Ticks at which slots are free again and tasks start; also that stated ones are not seen."""
    found, stated = _period_s(evidence), _stated_s(evidence)
    if found is None and stated == 0.0:
        return {}
    shown = _at(evidence, found or stated)
    if found is not None:
        return {name: _Part(found, "", shown) for name in _TICKS}
    later, near = at_ticks(_waits(evidence), stated)
    if later < _LEAST_STARTS or near > _SOME * later:
        return {}
    said = f"tasks do not start at the stated ticks of {duration(stated)} ({shown} do)"
    cycle, reclaim = _TICKS
    return {cycle: _Part(0.0, said, shown), reclaim: _Part(0.0, "", shown)}


def _at(evidence: Evidence, period: float) -> str:
    """Such as "77 of 78 starts"."""
    later, near = at_ticks(_waits(evidence), period)
    return f"{near} of {count(later, 'start')}"


@lru_cache(maxsize=1)
def _period_s(evidence: Evidence) -> float | None:
    """Of ticks that starts tell, or that are stated and that all but few starts lie at."""
    runs, stated = _waits(evidence), _stated_s(evidence)
    found = tick_period_s(runs, evidence.resolution_s)
    if found is None and stated > 0.0:
        later, near = at_ticks(runs, stated)
        found = stated if near >= USUAL * later > 0.0 else None
    return found


def _stated_s(evidence: Evidence) -> float:
    """From tick to tick, as the platform states; 0: it states none."""
    runtime = evidence.problem.platform.runtime
    return runtime.reclaim_s if runtime.reclaim_s == runtime.cycle_s else 0.0


@lru_cache(maxsize=1)
def _waits(evidence: Evidence) -> list[Waits]:
    return [one for each in evidence.actuals if (one := waits(evidence, each)).start_s.size]


def _gaps(evidence: Evidence, actual: Actual) -> list[float]:
    """Of tasks that the engine could have started when a slot became free.

    With what a task then holds its slot for before it computes, if it has nothing to fetch.
    """
    known, idle_s = there(evidence, actual), preparation_s(evidence.problem, actual)
    gaps = (start.gap_s for start in starts(evidence, actual) if known[start.task])
    return [gap_s + idle_s for gap_s in gaps if gap_s is not None]


def _told_overhead(evidence: Evidence, said: Summary, gaps: Floats) -> _Part:
    step = evidence.resolution_s
    low, high = np.quantile(gaps, (0.05, 0.95)).tolist()
    number = count(gaps.size, "gap")
    if step > 0.0 and said.middle < _CLEAR * step:
        return _averaged(gaps, step, number)
    notes = []
    mean = float(gaps.mean())
    cut = int(_TRIMMED * gaps.size)
    usual, how = float(np.sort(gaps)[cut : gaps.size - cut].mean()), "mean"
    few_long = float((gaps > 2.0 * said.middle).mean()) < _LEAST_HEAP
    if few_long and mean > 2.0 * said.middle and mean - said.middle > 1e-3:
        usual, how = said.middle, "median"
        notes.append(
            f"Gaps are {duration(mean)} on average: a few long ones are the engine's choice of "
            "machines or order, not an overhead of every task"
        )
    if said.modes is not None:
        notes.append(f"Gaps are about {duration(said.modes[0])} or {duration(said.modes[1])}")
    text = (
        f"a task costs the engine {duration(usual)} ({how} of {number}; {duration(low)} to "
        f"{duration(high)})"
    )
    return _Part(max(0.0, usual), text, number, tuple(notes))


def _averaged(gaps: Floats, step: float, number: str) -> _Part:
    """Of gaps that are few steps of the clock: their mean where it is told from 0, else bounds.

    The clock's two readings make a gap wrong by a step / √6 (standard deviation), and in runs that
    are alike always in the same way: of few gaps half a step is told from 0.
    """
    steps = f"{number}, in steps of {duration(step)}"
    mean, scatter = float(gaps.mean()), max(float(gaps.std(ddof=1)), step / math.sqrt(6.0))
    half = _Z90 * scatter / math.sqrt(gaps.size)
    if mean < half or (gaps.size < _MANY_GAPS and mean < step / 2.0):
        least, most = max(0.0, mean - step), mean + step
        text = (
            f"an overhead between {duration(least)} and {duration(most)} a task: the log's clock "
            f"steps by {duration(step)}"
        )
        return _Part(None, text, steps)
    text = (
        f"a task costs the engine {duration(mean)} (mean of {number} in which the clock's steps of "
        f"{duration(step)} average out; {duration(max(0.0, mean - half))} to "
        f"{duration(mean + half)})"
    )
    return _Part(mean, text, steps)


def _order(evidence: Evidence) -> _Part:
    """Ready, if machines let others past the plan's next one that was not ready; else plan."""
    _, order = placement(evidence.problem, evidence.plan)
    plan_on = np.array(evidence.plan.allocation)
    found, used, skipped = Passed(), 0, 0
    for actual in evidence.actuals:
        rows = actual.placed
        if actual.run.timed and rows.any() and (actual.machine == plan_on)[rows].mean() > FOLLOWS:
            found, used = found + passed(evidence, actual, order), used + 1
        else:
            skipped += 1
    others = f"{count(skipped, 'run')} followed another plan and are left out" if skipped else ""
    notes = (others,) if others else ()
    text = f"{found.unready} passed, {found.waited} waited, {found.against} against"
    if not used or found.unready + found.waited < _LEAST_TURNS:
        said = "the order in which machines start tasks is unknown: "
        said += "the plan's next was ready each time" if used else "no run followed the plan"
        if found.against > 0.2 * max(found.starts, 1):
            share = percent(found.against / found.starts)
            said = f"the engine starts tasks in an order of its own: {share} against the plan's"
        return _Part(None, said, text, notes)
    is_ready = found.unready >= found.waited
    if is_ready:
        said = f"others start first where the plan's next is not ready ({found.unready} times)"
    else:
        said = f"machines wait for the plan's next ({found.waited} times)"
    fewer = min(found.unready, found.waited)
    if fewer:
        said += f", though {fewer} times the other way"
    if found.against > 0.1 * found.starts:
        said += f"; {percent(found.against / found.starts)} of starts are against its order"
    return _Part(READY if is_ready else PLAN, said, text, notes)


_NEAR = 64  # tasks of the plan that are looked at for one that might have been let past
_LATE = 1e-3  # s: what is ready so much before a slot was free was waiting …
_USUAL = 0.95  # … and longer than so many of the gaps that the engine leaves anyway


@dataclass(frozen=True)
class Passed:
    """How often a machine that had a slot to give, gave it to whom, against the plan's order."""

    starts: int = 0  # tasks that started where the plan has them, others of the plan's being left
    unready: int = 0  # another started since the plan's next was not ready
    waited: int = 0  # the plan's next started, and another that was ready had been waiting for it
    against: int = 0  # another started though the plan's next was ready

    def __add__(self, other: Passed) -> Passed:
        return Passed(
            self.starts + other.starts, self.unready + other.unready,
            self.waited + other.waited, self.against + other.against,
        )  # fmt: skip


def there(evidence: Evidence, actual: Actual) -> Flags:
    """Tasks whose data were there when they were ready, or fetched in their slots; (tasks,).

    Of the others nobody knows when they could have begun: their data were on the way; unless the
    platform says that its runtime fetches in the slot, which the log then counts as the task.
    """
    workload, runtime = evidence.problem.workload, evidence.problem.platform.runtime
    if runtime.fetch == SLOT and not tells_fetching(actual):
        return np.ones(len(workload.tasks), np.bool_)
    found: Flags = ~needing(evidence.problem, actual) | fetching(evidence.problem, actual)
    return found


def passed(evidence: Evidence, actual: Actual, order: Indices) -> Passed:
    """How a run's starts lie to a plan's order; of the tasks on the plan's machines alone."""
    plan_on = np.array(evidence.plan.allocation)
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    gaps = _gaps(evidence, actual)
    usual_s = float(np.quantile(gaps, _USUAL)) if gaps else 0.0
    late_s = max(_LATE, actual.run.resolution_s, usual_s)
    found = Passed()
    by_machine: dict[int, list[Start]] = {}
    for start in starts(evidence, actual):
        if plan_on[start.task] == start.machine:
            by_machine.setdefault(start.machine, []).append(start)
    for listed in by_machine.values():
        planned = sorted((start.task for start in listed), key=place.__getitem__)
        listed.sort(key=lambda start: (start.taken_s, place[start.task]))
        started: set[int] = set()
        first = 0
        for start in listed:
            while planned[first] in started:
                first += 1
            near = [task for task in planned[first : first + _NEAR] if task not in started]
            others = [task for task in near if task != start.task]
            if others:
                found += _one(start, planned[first], others, actual.ready_s, late_s)
            started.add(start.task)
    return found


def _one(start: Start, planned: int, others: list[int], ready_s: Floats, late_s: float) -> Passed:
    if start.task != planned:
        if ready_s[planned] > start.taken_s + late_s:
            return Passed(1, unready=1)
        return Passed(1, against=int(ready_s[planned] < start.taken_s - late_s))
    earliest = float(np.nanmin(ready_s[others], initial=np.inf))
    idle = start.ready_s > max(start.free_s, earliest) + late_s
    return Passed(1, waited=int(idle and earliest < start.taken_s - late_s))
