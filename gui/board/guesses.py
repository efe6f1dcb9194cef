"""Which times on the board no file told, and where those of a task come from."""

from __future__ import annotations

import numpy as np

from advisor.allocation.workload import Task
from advisor.project.assumed import has_guess, origins_sentence
from gui.document.document import Document, Outcome
from machines.arrays import Flags


class Guesses:
    """Of what is open; asked with each picture, so that the last answer is kept."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: tuple[object, tuple[Task, ...], Flags] | None = None

    def times(self, outcome: Outcome) -> Flags | None:
        """Whose times no file told, shape (tasks,); None: of no task."""
        origins, tasks = self._document.origins, outcome.project.workload.tasks
        if origins is None or not origins.kinds:
            return None
        known = self._known
        if known is None or known[0] is not origins or known[1] is not tasks:
            found = np.array([has_guess(origins.of_task(task)) for task in tasks])
            self._known = known = origins, tasks, found
        return known[2]

    def any(self, outcome: Outcome) -> bool:
        """Whether the board marks something."""
        origins, platform = self._document.origins, outcome.project.platform
        if origins is None or not origins.kinds:
            return False
        machines = any(has_guess(origins.of_machine(one)) for one in platform.machines)
        times = self.times(outcome)
        links = any(self.is_link_guessed(outcome, link) for link in range(len(platform.links)))
        return machines or links or (times is not None and bool(times.any()))

    def is_link_guessed(self, outcome: Outcome, link: int | None) -> bool:
        """Whether a figure of the link at that position is a guess; None: it is no link."""
        origins = self._document.origins
        if origins is None or link is None:
            return False
        return has_guess(origins.of_link(outcome.project.platform.links[link]))

    def link_line(self, outcome: Outcome, link: int | None) -> str:
        """Where the figures of a link come from, as one more line."""
        origins = self._document.origins
        if origins is None or link is None:
            return ""
        told = origins_sentence(origins.of_link(outcome.project.platform.links[link]))
        return f"\n{told}" if told else ""

    def line(self, outcome: Outcome, task: int) -> str:
        """Where a task's time comes from, as one more line; nothing where that is not known."""
        origins = self._document.origins
        if origins is None:
            return ""
        told = origins_sentence(origins.of_task(outcome.project.workload.tasks[task]))
        return f"\n{told}" if told else ""
