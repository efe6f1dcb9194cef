"""The part of an axis that is looked at, and how zooming and moving change it: pure numbers."""

from __future__ import annotations

from dataclasses import dataclass

_NARROWEST = 1e-6  # of the whole


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

    def zoomed(self, factor: float, share: float, whole: Span) -> Span:
        """Enlarged `factor` times around the point at `share`, kept inside `whole`."""
        fixed = self.at(share)
        length = min(max(self.length / factor, _NARROWEST * whole.length), whole.length)
        return Span(fixed - share * length, fixed + (1 - share) * length).inside(whole)

    def moved(self, share: float, whole: Span) -> Span:
        """Moved by a share of its length, kept inside `whole`."""
        by = share * self.length
        return Span(self.low + by, self.high + by).inside(whole)

    def inside(self, whole: Span) -> Span:
        """As long as it is, or as `whole` is, and inside it."""
        length = min(self.length, whole.length)
        low = min(max(self.low, whole.low), whole.high - length)
        return Span(low, low + length)
