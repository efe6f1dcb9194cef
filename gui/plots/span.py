"""The part of an axis that is looked at: pure numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """From `low` to `high`, in the coordinates of an axis (logarithms on a logarithmic one)."""

    low: float
    high: float

    @property
    def length(self) -> float:
        """How much is looked at."""
        return self.high - self.low

    def at(self, share: float) -> float:
        """The coordinate at a share of the span."""
        return self.low + share * self.length
