"""What a search may spend: a step budget, so that one input and seed give one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from advisor.basics.stopping import ShouldStop

PLACEMENTS_PER_SECOND = 30_000_000  # a placement takes some 25 ns compiled


def budget(seconds: float) -> int:
    """Placements of a task that so many seconds stand for."""
    return max(1, int(seconds * PLACEMENTS_PER_SECOND))


@dataclass
class Effort:
    """What a search may spend and what it has spent, in placements of a task.

    `should_stop` is asked between slices; `spent` of `budget` is deterministic. The budget may be
    held down for a part of the search, so that something is left for the next; `whole` is all.
    """

    budget: int
    should_stop: ShouldStop
    on_slice: Callable[[], None] = field(default=lambda: None)
    spent: int = 0
    stopped: bool = False
    whole: int = field(init=False)

    def __post_init__(self) -> None:
        self.whole = self.budget

    @property
    def share(self) -> float:
        """What is spent of the whole."""
        return min(1.0, self.spent / self.whole)

    def left(self) -> bool:
        """Whether to go on."""
        if not self.stopped and self.should_stop():
            self.stopped = True
        return not self.stopped and self.spent < self.budget
