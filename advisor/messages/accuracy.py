"""From which difference on two message styles differ: the errors of the models of contention.

A difference below the model's own error is none. What a style costs without contention is a sum of
measured overheads: a time is in doubt by the model's error, but by no more than the contention in
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.basics.rounding import ALIKE
from advisor.messages.network_load import PUBLISHED, NetworkLoad
from advisor.messages.styles import PARTS, STYLES, Style, StyleCost

ROUTE_AWARE_ERROR = 0.06
"""Of uniform traffic and hotspots, against simulation (`advisor.models.wormhole`)."""

FIXED_PATTERN_ERROR = 0.10
"""Of shifts and permutations at random intervals, there too; at regular ones up to 37 %."""

PUBLISHED_ERROR = 0.12
"""Against measurements: "within 12 percent" (Moritz & Frank 2001, sec. 1)."""

MEASURED_ERROR = 0.03
"""With C_n as measured: 499 cycles for 486 (Moritz & Frank 2001, Table 4 and sec. 5.1.1)."""


def model_error(load: NetworkLoad, fixed: bool) -> float:
    """Relative error of a time with contention.

    `load`: whose reading it is. `fixed`: every process has one partner only.
    """
    if load.given is not None:
        return MEASURED_ERROR
    if load.reading == PUBLISHED:
        return PUBLISHED_ERROR
    return FIXED_PATTERN_ERROR if fixed else ROUTE_AWARE_ERROR


def error_source(load: NetworkLoad) -> str:
    """Who found that error."""
    published = load.given is not None or load.reading == PUBLISHED
    return "Moritz & Frank 2001" if published else "Placewise's own simulation of messages"


def alike(one: StyleCost, other: StyleCost, error: float) -> bool:
    """Whether two times differ by no more than the model's error in the more doubtful one."""
    doubt = max(min(error * cost.time, cost.network + cost.processor) for cost in (one, other))
    least = max(doubt, ALIKE * max(one.time, other.time))
    return abs(one.time - other.time) <= least


@dataclass(frozen=True)
class Advice:
    """The style to use, and what it was chosen from.

    `use`: of those that are alike the one that leaves least in flight: synchronous before
        asynchronous, then short before blocking before non-blocking.
    `alike`: those that differ from the fastest by less than the model's error, the fastest first.
    """

    use: Style
    alike: tuple[Style, ...]
    against: Style  # what it is compared with: the fastest of the others

    @property
    def clear(self) -> bool:
        """Whether no other style is alike."""
        return len(self.alike) == 1


def advice(costs: Mapping[Style, StyleCost], error: float) -> Advice:
    """Which of several styles to use."""
    ranked = sorted(costs, key=lambda style: costs[style].time)
    near = tuple(style for style in ranked if alike(costs[style], costs[ranked[0]], error))
    use = min(near, key=STYLES.index)
    return Advice(use, near, next(style for style in ranked if style != use))


def differences(use: StyleCost, against: StyleCost) -> dict[str, float]:
    """What a style saves against another, by part of `StyleCost`, negative where it adds.

    They sum to the difference of the times. Parts that do not differ are left out.
    """
    saved = {part: getattr(against, part) - getattr(use, part) for part in PARTS}
    least = ALIKE * max(use.time, against.time)
    return {part: value for part, value in saved.items() if abs(value) > least}
