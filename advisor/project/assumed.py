"""Where the figures of an opened project come from: measured, read, or guessed.

The answer names the kind of guessed figure that matters most; the board marks all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from advisor.advice.assumptions import TIME as TASK_TIME
from advisor.allocation.loads import BANDWIDTH, SPEED, STARTUP
from advisor.allocation.workload import Task
from advisor.project.answers import Question
from advisor.project.opening import Opened
from advisor.project.project import Project
from advisor.project.sources.site import EQUALLY_FAST
from machines import Link, Machine

_OF_QUESTIONS = {
    "task_time": (TASK_TIME,),
    "network": (BANDWIDTH, STARTUP),
    "machines": (SPEED, BANDWIDTH, STARTUP),
}


def assumed(questions: Iterable[Question], notes: Iterable[str]) -> tuple[str, ...]:
    """Kinds of figures that stand for what nobody told, as *What if* names them."""
    kinds: dict[str, None] = {}
    for one in questions:
        if not one.answered:
            kinds |= dict.fromkeys(_OF_QUESTIONS.get(one.key, ()))
    if any(EQUALLY_FAST in note for note in notes):
        kinds[SPEED] = None
    return tuple(kinds)


GUESSED, READ = "guessed: no file tells it", "read from the files"
MEASURED, EDITED = "measured by the log", "entered here"
Origin = tuple[str, str]  # a figure, and where it comes from


@dataclass(frozen=True, eq=False)
class Origins:
    """Where figures come from.

    `project`: as it was opened: what differs from it was entered since. `kinds`: the kinds of
    figures that no file told. `machines`: whether files told machines; else they are proposed.
    """

    project: Project
    kinds: tuple[str, ...]
    machines: bool = True

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        return {task.name: task for task in self.project.workload.tasks}

    @cached_property
    def _links(self) -> dict[frozenset[str], Link]:
        return {link.ends: link for link in self.project.platform.links}

    def of_machine(self, machine: Machine) -> tuple[Origin, ...]:
        """Of its cores, memory and speed."""
        place = self.project.platform.index.get(machine.name)
        was = None if place is None else self.project.platform.machines[place]
        if was is None:
            return ()
        told = READ if self.machines else GUESSED
        found = [("cores", told if machine.cores == was.cores else EDITED)]
        if machine.memory_bytes:
            same = machine.memory_bytes == was.memory_bytes
            found.append(("memory", told if same else EDITED))
        return (*found, (SPEED, self._of(SPEED, machine.speed == was.speed)))

    def of_link(self, link: Link) -> tuple[Origin, ...]:
        """Of its bandwidth and startup."""
        was = self._links.get(link.ends)
        if was is None:
            return ()
        kept = (link.to_second, link.to_first) == (was.to_second, was.to_first)
        return tuple((kind, self._of(kind, kept)) for kind in (BANDWIDTH, STARTUP))

    def of_task(self, task: Task) -> tuple[Origin, ...]:
        """Of its time."""
        was = self._tasks.get(task.name)
        if was is None:
            return ()
        kept = (task.work, task.seconds) == (was.work, was.seconds)
        read = MEASURED if self.project.runs and TASK_TIME not in self.kinds else READ
        return (("time", self._of(TASK_TIME, kept, read)),)

    def _of(self, kind: str, kept: bool, read: str = READ) -> str:
        if not kept:
            return EDITED
        return GUESSED if kind in self.kinds else read


def origins_of(opened: Opened) -> Origins:
    """Of what was opened."""
    proposed = any(one.key == "machines" and not one.answered for one in opened.questions)
    return Origins(opened.project, assumed(opened.questions, opened.notes), not proposed)


def has_guess(found: Iterable[Origin]) -> bool:
    """Whether one of the figures is guessed."""
    return any(origin == GUESSED for _, origin in found)


def origins_sentence(found: Iterable[Origin]) -> str:
    """Which figures come from where: "cores read from the files; speed guessed: …"; or nothing."""
    by_origin: dict[str, list[str]] = {}
    for figure, origin in found:
        by_origin.setdefault(origin, []).append(figure)
    return "; ".join(f"{', '.join(figures)} {origin}" for origin, figures in by_origin.items())
