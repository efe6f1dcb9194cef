"""What one run takes in money and energy by its number of processors, where prices are known.

money(P) = P · price per hour · T(P) / 3600;  energy(P) = (watts beside + P · watts) · T(P) / 3600.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from advisor.basics.quantities import percent
from advisor.scaling.data import TIME, Measurements
from advisor.studies.facts import LESS, Fact
from advisor.studies.scaling.parameters import ScalingParameters

_HOUR_S = 3600.0
_SAME = 0.001

Of = Callable[[int, float], float]


@dataclass(frozen=True)
class RunCost:
    """One of them. `of`: (P, seconds) → amount."""

    name: str
    unit: str
    of: Of

    def compared(self, here: tuple[int, float], there: tuple[int, float]) -> str:
        """What the run `there` takes instead of `here`: "46 % less energy (3.2 Wh for 5.9 Wh)"."""
        fact = Fact(self.name, self.of(*there), self.unit, self.of(*here), LESS)
        before, after = self.of(*here), self.of(*there)
        if abs(after - before) <= _SAME * before:
            return f"as much {self.name}"
        change = f"{percent(abs(1.0 - after / before))} {'less' if after < before else 'more'}"
        return f"{change} {self.name} ({fact.text} for {fact.said(before)})"


def run_costs(asked: ScalingParameters, data: Measurements) -> Iterator[RunCost]:
    """Those that are known: of times in seconds, with a price or a power of a processor."""
    if data.kind != TIME or data.unit != "s":
        return
    hourly, watts, beside = asked.hourly, asked.watts, asked.watts_beside
    if hourly:
        yield RunCost("money", "", lambda P, T: P * hourly * T / _HOUR_S)
    if watts is not None and watts + beside > 0.0:
        yield RunCost("energy", "Wh", lambda P, T: (beside + P * watts) * T / _HOUR_S)
