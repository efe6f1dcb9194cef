"""A lesson a paper: one question on an example or a study, and a check of what the reader did.

A lesson opens an example or values of a study, says what one thing to change, and judges the state
that it finds with the models; no answer is written down. A new one is a file and a line here.
"""

from __future__ import annotations

from advisor.lessons import messages, scaling, shared_memory, slowdown, trees
from advisor.lessons.lesson import Lesson, State, Verdict

LESSONS: dict[str, Lesson] = {
    one.name: one
    for one in (
        slowdown.LESSON, messages.LESSON, trees.LESSON, scaling.LESSON, shared_memory.LESSON,
    )
}  # fmt: skip

__all__ = ["LESSONS", "Lesson", "State", "Verdict"]
