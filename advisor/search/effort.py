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

    `should_stop` is asked between slices; `spent` of `budget` is deterministic.
    """

    budget: int
    should_stop: ShouldStop
    on_slice: Callable[[], None] = field(default=lambda: None)
    spent: int = 0
    stopped: bool = False

    def left(self) -> bool:
        """Whether to go on."""
        if not self.stopped and self.should_stop():
            self.stopped = True
        return not self.stopped and self.spent < self.budget
