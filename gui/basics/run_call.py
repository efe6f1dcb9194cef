"""Calls that carry a plan or a campaign out, for a process of their own: all ends with it.

They import no Qt, and what carries out only once there is something to carry out.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.runs.run_record import Run

if TYPE_CHECKING:
    from advisor.campaigns.campaign_cases import Cases
    from advisor.campaigns.run_campaign import Outcome
    from advisor.running import RunSettings

_LONGEST_END_S = 4.0


def run_plan(
    problem: Problem,
    plan: Plan,
    settings: RunSettings,
    on_progress: Callable[[object], None],
    should_stop: Callable[[], bool],
) -> Run:
    """Carry a plan out as `advisor.running.run_plan`; its events are the progress.

    The process is asked to replan the rest by `advisor.running.asking`, once a task has begun.
    """
    from advisor.running import run_plan  # noqa: PLC0415 - not in the window's process
    from advisor.running.asking import asked  # noqa: PLC0415

    with _ending_all(), asked() as replan_asked:
        return run_plan(problem, plan, settings, on_progress, should_stop, replan_asked)


def run_campaign(
    cases: Cases,
    out: Path,
    text: str,
    scheduler: str,
    on_progress: Callable[[object], None],
    should_stop: Callable[[], bool],
) -> Outcome:
    """Run a campaign as `advisor.campaigns.run_campaign` does; report progress, notes and its end.

    `text`: of the campaign's file. `scheduler`: where it is computed; empty: this machine.
    """
    from advisor.campaigns.run_campaign import run_campaign  # noqa: PLC0415 - not in the window's
    from advisor.computing import computing  # noqa: PLC0415 - process

    where = computing(scheduler, on_note=on_progress, should_stop=should_stop)
    with _ending_all(), where as shards:
        outcome = run_campaign(cases, out, shards, on_progress, should_stop, text)
        on_progress(outcome)  # nobody need wait for the end of the workers
        return outcome


@contextmanager
def _ending_all() -> Iterator[None]:
    """While the block runs, this process lets what it started end before it does."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGTERM) is _end:  # else it is on its way out
            signal.signal(signal.SIGTERM, before)


def _end(_number: int, _frame: FrameType | None) -> None:
    """Told to end in the middle: commands and workers are ended first, if they can be soon.

    Who is told again goes on with that: a window that closes tells its processes more than once,
    and cut off in the middle the rest would end with the interpreter, each worker telling the
    terminal so.
    """
    signal.signal(signal.SIGTERM, _end_already)
    last = threading.Timer(_LONGEST_END_S, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)


def _end_already(_number: int, _frame: FrameType | None) -> None:
    """Nothing more; unlike a signal that is ignored it is not inherited by other programs."""
