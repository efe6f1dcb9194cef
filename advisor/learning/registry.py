"""Every lesson, in the order in which several are applied: a new one is a file and a line."""

from __future__ import annotations

from collections.abc import Callable

from advisor.learning.contenders import contenders
from advisor.learning.evidence import Evidence
from advisor.learning.lesson import Lesson
from advisor.learning.links import links
from advisor.learning.runtime import runtime
from advisor.learning.speeds import speeds
from advisor.learning.times import times

LESSONS: tuple[Callable[[Evidence], Lesson], ...] = (times, speeds, links, runtime, contenders)
