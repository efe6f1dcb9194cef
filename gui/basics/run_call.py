"""The call that carries a plan out, for a process of its own: what it starts ends with it.

It imports no Qt, and what carries plans out only once there is something to carry out.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.runs.record import Run

if TYPE_CHECKING:
    from advisor.running import RunSettings

_LONGEST_END_S = 4.0


def run_plan(
    problem: Problem,
    plan: Plan,
    settings: RunSettings,
    on_progress: Callable[[object], None],
    should_stop: Callable[[], bool],
) -> Run:
    """Carry a plan out as `advisor.running.carry_out`; its events are the progress."""
    from advisor.running import carry_out  # noqa: PLC0415 - not in the window's process

    before = signal.signal(signal.SIGTERM, _end)
    try:
        return carry_out(problem, plan, settings, on_progress, should_stop)
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(_number: int, _frame: FrameType | None) -> None:
    """Told to end in the middle: commands and workers are ended first, if they can be soon."""
    last = threading.Timer(_LONGEST_END_S, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)
