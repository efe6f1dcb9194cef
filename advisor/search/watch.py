"""The clock of a search: it ends one that takes far too long, and says when to report."""

from __future__ import annotations

import time
from dataclasses import dataclass

from advisor.basics.stopping import ShouldStop

PROGRESS_S = 0.1  # between two reports


@dataclass
class Watch:
    """Begins to run when it is made.

    Attributes
    ----------
    guard_s : float
        Seconds after which the search ends whatever it has left to spend.
    should_stop : callable or None
        Asked by `stopped`, too.
    guarded : bool
        The clock has ended the search: another run may find another plan.
    """

    guard_s: float
    should_stop: ShouldStop | None
    guarded: bool = False

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self._told = 0.0

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began

    def stopped(self) -> bool:
        """Whether the clock or somebody ended the search."""
        if self.seconds > self.guard_s:
            self.guarded = True
        return self.guarded or (self.should_stop is not None and self.should_stop())

    def report_is_due(self) -> bool:
        """True some ten times a second at most: then a report is made."""
        now = time.monotonic()
        if now - self._told < PROGRESS_S:
            return False
        self._told = now
        return True

    @property
    def notes(self) -> list[str]:
        """What to know about an answer that the clock ended."""
        if not self.guarded:
            return []
        return ["The clock ended the search before its step budget was used up; "
                "a faster machine may find a better plan"]  # fmt: skip
