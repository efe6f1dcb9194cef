"""Causes of the difference between a run and its prediction, and the one sentence of them all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.quantities import count, duration, number, percent
from advisor.basics.units import Unit
from advisor.runs.matched_problem import Question
from advisor.runs.run_record import GONE, REPLANNED
from advisor.runs.timelines import Predicted
from machines.errors import capital

TASKS = "tasks"
FETCHING = "fetching in the slot"
LINKS = "waiting for links"
GAPS = "gaps between tasks"
ORDER = "another order"
MACHINE = "other machines"
REARRANGED = "other machines and order"
TRIES = "tries that failed"
EARLY = "began early"
SHARING = "sharing"
BEFORE = "before the first task"

_WORDS = {
    FETCHING: "fetching in the slot",
    LINKS: "waiting for links",
    GAPS: "gaps between tasks",
    ORDER: "another order",
    TRIES: "tries that failed",
    EARLY: "tasks that began before what they wait for had ended",
    SHARING: "shared links and processors",
    BEFORE: "what precedes the first task, which logs leave out",
}
_REMEDIES = {
    TASKS: "Calibrate speeds and contenders from it, so that the next prediction knows {machine}",
    FETCHING: "Calibrate links from it, or fetch data ahead of the task",
    LINKS: "Calibrate links from it: its transfers waited for each other",
    GAPS: "Calibrate the runtime from it, or group short tasks",
    ORDER: 'If the engine starts what is ready, state so: order = "ready"',
    MACHINE: "Have the engine keep to the machines of the plan, or plan nothing but priorities",
    REARRANGED: "Have the engine keep to the plan, or plan nothing but priorities",
    TRIES: "Read what the failed tries said before the next run",
    SHARING: "Predict with the contention-aware schedule, which knows what is shared",
    BEFORE: "State when the engine is up (begin_s)",
}
_STRAGGLER = "Look at {task} first: it alone was late on {machine}"
_ALIKE = 0.01  # of the prediction: as predicted
_SMALL = 0.05  # of the greatest part, and
_LITTLE = 0.01  # of the prediction: parts that the sentence sums up
_NAMED = 5
_FAR_LONGER = 10.0  # than all transfers: hardly the links alone
_MANY = 4.0  # times as long: told so, no longer in per cent
_CRUMB = 2e-3  # of the longer time: the unit of both has no digits for it


@dataclass(frozen=True)
class Part:
    """One cause of the difference.

    `task`: the one task of the machine that it is about, where the others took what was predicted;
        the factor is then its own.
    """

    cause: str  # a name of this module
    machine: str  # whose tasks; empty: of all
    seconds: float  # what it adds to the makespan; below 0: what it saves
    factor: float | None = None  # how many times as long as predicted the tasks of the machine took
    tasks: int = 0  # how many tasks it is about, where that is told
    task: str = ""
    sentence: str = ""  # "Tasks on M2 ran 1.12 times as long: +610 ms."

    @property
    def words(self) -> str:
        """What it is: "tasks on M2 ran 1.12 times as long"."""
        if self.cause in (MACHINE, REARRANGED):
            where = "on another machine" if self.tasks == 1 else "on other machines"
            also = " and another order" if self.cause == REARRANGED else ""
            return f"{count(self.tasks, 'task')} {where}{also}"
        if self.cause != TASKS:
            return _WORDS[self.cause]
        whose = f"{self.task} on {self.machine}" if self.task else f"tasks on {self.machine}"
        if self.factor is None or (self.factor - 1.0) * self.seconds <= 0.0:
            return f"critical tasks on {self.machine}"
        return f"{whose} ran {number(self.factor)} times as long"

    def said(self, unit: Unit) -> str:
        """With its seconds: "tasks on M2 ran 1.12 times as long (+0.61 s)"."""
        seconds = unit.signed(self.seconds)
        whole = self.cause == TASKS and " ran " in self.words
        return f"{self.words} ({seconds})" if whole else f"{self.words} {seconds}"


def worded(part: Part) -> Part:
    """The part with its sentence."""
    words = part.words if part.task else capital(part.words)
    sign = "+" if part.seconds > 0 else ""
    return replace(part, sentence=f"{words}: {sign}{duration(part.seconds)}.")


def sentence_of(
    predicted_s: float,
    actual_s: float,
    parts: tuple[Part, ...],
    tasks: int,
    ran: int,
    notes: tuple[str, ...] = (),
) -> str:
    """The one sentence; `notes` are those of the run."""
    named = _named(predicted_s, parts)
    rest = sum(one.seconds for one in parts[len(named) :])
    unit = _unit(predicted_s, actual_s, named)
    crumb_s = _CRUMB * max(actual_s, predicted_s)
    took, meant = (
        unit.text(one) if one > crumb_s else duration(one) for one in (actual_s, predicted_s)
    )
    who = "Took" if ran == tasks else f"The {ran:,} of {count(tasks, 'task')} that ran took"
    change = actual_s - predicted_s
    if abs(change) <= _ALIKE * predicted_s or predicted_s <= 0.0:
        head = f"{who} {took}, as predicted ({meant})" if predicted_s > 0.0 else f"{who} {took}"
    else:
        way = "longer" if change > 0 else "shorter"
        much = f"{percent(abs(change) / predicted_s)} {way} than"
        if actual_s > _MANY * predicted_s:
            much = f"{number(actual_s / predicted_s)} times as long as"
        head = f"{who} {took}, {much} the {meant} predicted"
    said = [one.said(unit) for one in named]
    remedy = _remedy(named[0], notes) if named and change > _ALIKE * predicted_s > 0.0 else ""
    if said and unit.signed(rest) != unit.signed(0.0):
        said.append(f"the rest {unit.signed(rest)}")
    return f"{head}: {', '.join(said)}.{remedy}" if said else f"{head}."


def _remedy(largest: Part, notes: tuple[str, ...]) -> str:
    """What to do about the largest part, where it made the run longer, or what was done then."""
    if largest.seconds <= 0.0 or largest.cause not in _REMEDIES:
        return ""
    if largest.cause in {MACHINE, ORDER, REARRANGED} and (steered := _steered(notes)):
        return f" {steered}."
    words = _STRAGGLER if largest.task else _REMEDIES[largest.cause]
    return f" {words.format(task=largest.task, machine=largest.machine)}."


def _steered(notes: tuple[str, ...]) -> str:
    """What happened that moves tasks: "On the way b was lost and the rest was replanned"."""
    lost = [note.partition(GONE)[0] for note in notes if GONE in note]
    said = [f"{' and '.join(lost)} {'was' if len(lost) == 1 else 'were'} lost"] if lost else []
    if any(REPLANNED in note.lower() for note in notes):
        said.append("the rest was replanned")
    return f"On the way {' and '.join(said)}" if said else ""


def _named(predicted_s: float, parts: tuple[Part, ...]) -> list[Part]:
    """The parts that are told one by one: those after them are little, also together."""
    most = max((abs(one.seconds) for one in parts), default=0.0)
    least = max(_SMALL * most, _LITTLE * predicted_s)
    found: list[Part] = []
    for place, one in enumerate(parts[:_NAMED]):
        rest = abs(sum(other.seconds for other in parts[place:]))
        if abs(one.seconds) < least and rest < least:
            break
        found.append(one)
    return found


def _unit(predicted_s: float, actual_s: float, named: list[Part]) -> Unit:
    """One for all, in which the smallest part has two digits."""
    least = min((abs(one.seconds) for one in named), default=actual_s)
    return Unit.of_times(predicted_s, actual_s, min(10.0 * least, actual_s))


def notes_on(asked: Question, there: Predicted, parts: tuple[Part, ...]) -> tuple[str, ...]:
    """What speaks against the split."""
    notes, run = [], asked.run
    if run.resolution_s > 0.0:
        notes.append(
            f"The log knows times to {duration(run.resolution_s)}: parts of a few of these "
            "may be its rounding"
        )
    told = any(one.fetch_start_s is not None for one in run.tasks)
    if there.moved.any() and not told:
        notes.append(
            "The log does not tell fetching from computing: what was fetched in a slot counts as "
            "a slower task"
        )
    waiting = sum(one.seconds for one in parts if one.cause == LINKS)
    moving = float(there.link_s.sum())
    if waiting > max(_FAR_LONGER * moving, _LITTLE * float(np.max(asked.end_s))):
        notes.append(
            f"All transfers together were predicted to take {duration(moving)}: what waited for "
            f"links for {duration(waiting)} may have waited for the engine to start it on another "
            "machine"
        )
    early = sum(one.seconds for one in parts if one.cause == EARLY)
    if early < -_LITTLE * max(1e-300, float(np.max(asked.end_s))):
        notes.append(
            "Tasks began before what they wait for had ended: clocks disagree, or machines run "
            "more at once than the platform says"
        )
    return tuple(notes)
