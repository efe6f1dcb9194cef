"""What stands in for the computing of a campaign: in a process as real as that of the window."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.run_campaign import Outcome, Progress
from machines.errors import InputError
from tests.gui.campaigns import made_row, written

OnProgress = Callable[[object], None]
ShouldStop = Callable[[], bool]
FIRST = 3  # cases that are answered


def _first(cases: Cases, out: Path, text: str, on_progress: OnProgress) -> Progress:
    """The first cases are answered."""
    on_progress(Progress(0, len(cases), 0, 0))
    rows = [made_row(cases[number]) for number in range(FIRST)]
    written(cases, out, text, rows)
    told = Progress(FIRST, len(cases), 0, 0, 12.0, 65.0, tuple(rows), (0.25,) * FIRST)
    on_progress(told)
    return told


def patient(
    cases: Cases, out: Path, text: str, scheduler: str, on_progress: OnProgress,
    should_stop: ShouldStop,
) -> Outcome:  # fmt: skip
    """Answers some cases, then waits for the order to stop."""
    on_progress(f"computed by {scheduler or 'this machine'}")
    _first(cases, out, text, on_progress)
    while not should_stop():
        time.sleep(0.005)
    outcome = Outcome(FIRST, len(cases), 0, 0)
    on_progress(outcome)  # as `run_campaign` does
    return outcome


def deaf(
    cases: Cases, out: Path, text: str, scheduler: str, on_progress: OnProgress,
    should_stop: ShouldStop,
) -> Outcome:  # fmt: skip
    """Answers some cases, then doesn't react."""
    _first(cases, out, text, on_progress)
    while True:
        time.sleep(0.05)


def killed(
    cases: Cases, out: Path, text: str, scheduler: str, on_progress: OnProgress,
    should_stop: ShouldStop,
) -> Outcome:  # fmt: skip
    """Is ended from outside after some cases."""
    _first(cases, out, text, on_progress)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def full(
    cases: Cases, out: Path, text: str, scheduler: str, on_progress: OnProgress,
    should_stop: ShouldStop,
) -> Outcome:  # fmt: skip
    """The disk is full after some cases."""
    _first(cases, out, text, on_progress)
    raise InputError("can't be written any more (no space left on device)", where=str(out))
