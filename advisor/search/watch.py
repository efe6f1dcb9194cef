"""The clock of a search: it ends one that takes far too long, and says when to report.

What a search may work is counted in steps, so that the same command gives the same plan. The guard
is for steps that take longer than they should: it counts the processor time of the search's own
thread, which other programs on a busy machine do not use up; the clock on the wall ends it only
after ten times the effort that was asked for.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from advisor.basics.stopping import ShouldStop
from advisor.search.effort import Effort

PROGRESS_S = 0.1  # between two reports
_WALL = 10.0  # times the effort
_PACED = 0.01  # share of the effort that shows a pace


@dataclass
class Watch:
    """Begins to run when it is made.

    Attributes
    ----------
    effort_s : float
        Seconds that the search was asked to take.
    guard_s : float
        Processor time of this thread after which it ends whatever it has left to spend.
    should_stop : callable or None
        Asked by `stopped`, too.
    clocked : bool
        Whether the clocks end it at all.
    guarded : str
        Which clock has ended the search: another run may find another plan; empty: none.
    """

    effort_s: float
    guard_s: float
    should_stop: ShouldStop | None
    clocked: bool = True
    guarded: str = ""

    def __post_init__(self) -> None:
        self._began, self._worked = time.monotonic(), time.thread_time()
        self._told = 0.0
        self._paced: tuple[float, float] | None = None  # seconds and share where steps began

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began

    def stopped(self) -> bool:
        """Whether a clock or somebody ended the search."""
        if self.clocked:
            self._look()
        return bool(self.guarded) or (self.should_stop is not None and self.should_stop())

    def _look(self) -> None:
        if time.thread_time() - self._worked > self.guard_s:
            self.guarded = f"{self.guard_s:.3g} s of processor time"
        elif self.seconds > _WALL * self.effort_s:
            self.guarded = f"{_WALL:g} times the requested time on a busy machine"

    def far(self, effort: Effort) -> tuple[float, float | None]:
        """How far the search is: the share that is spent, and how many seconds are left.

        The search ends with its steps or with a clock: what is nearer to its end counts, and none
        of them ever falls. Time is foretold by the pace since steps are spent, heuristics spend
        hardly any; None before there is one.
        """
        seconds = self.seconds
        share = effort.share
        if self.clocked:
            worked = (time.thread_time() - self._worked) / self.guard_s
            share = min(1.0, max(share, worked, seconds / (_WALL * self.effort_s)))
        if self._paced is None and effort.share >= _PACED:
            self._paced = seconds, share
        if self._paced is None or share < self._paced[1] + _PACED:
            return share, None
        began, first = self._paced
        return share, (1.0 - share) * (seconds - began) / (share - first)

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
        return [f"The clock ended the search before its step budget was used up, after "
                f"{self.guarded}; another run may find another plan"]  # fmt: skip
