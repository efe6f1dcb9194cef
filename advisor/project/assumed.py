"""Kinds of figures of a project that no file told: the answer names those that matter."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.allocation.loads import BANDWIDTH, SPEED, STARTUP
from advisor.project.answers import Question
from advisor.project.sources.site import EQUALLY_FAST

TASK_TIME = "task time"
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
