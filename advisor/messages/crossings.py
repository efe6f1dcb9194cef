"""Where one message style overtakes another as messages grow, and how far a style stays best.

Found by search on the very functions that price the styles: sign changes on a grid of sizes, each
narrowed down to one byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from advisor.basics.rounding import ALIKE
from advisor.messages.styles import STYLES, Style


@dataclass(frozen=True)
class Crossing:
    """From `size` bytes on, `after` is faster than `before`, which was the faster one till then.

    `alike`: from which size to which one round it the two differ by less than the model's error;
        ``None``: they differ on either side of it.
    """

    before: Style
    after: Style
    size: int
    time: float  # of `after` there, per message
    alike: tuple[int, int] | None = None


def compared() -> tuple[tuple[Style, Style], ...]:
    """The pairs that differ in one respect: the completion, or how the bytes travel."""
    return tuple(
        (one, other)
        for one, other in combinations(STYLES, 2)
        if (one.completion == other.completion) != (one.transport == other.transport)
    )


def crossings(
    sizes: Sequence[int],
    curves: Mapping[Style, Sequence[float]],
    time: Callable[[Style, int], float],
    alike: Callable[[Style, Style, int], bool] | None = None,
) -> Iterator[Crossing]:
    """The sizes at which styles overtake each other.

    `sizes`: increasing; two crossings between neighbours go unseen.
    `curves`: time per message at each size.
    `time`: ``time(style, size)``, which the curves were made with.
    `alike`: ``alike(one, other, size)``: whether they differ by less than the model's error.
    """
    for one, other in compared():
        faster: Style | None = None
        last = 0
        for index, size in enumerate(sizes):
            leader = _leader(one, other, curves[one][index], curves[other][index])
            if leader is None:
                continue
            if faster is not None and leader != faster:
                found = _narrowed(faster, leader, sizes[last], size, time)
                yield found if alike is None else _ranged(found, sizes[-1], alike)
            faster, last = leader, index


def limit(leads: Callable[[int], bool], here: int, end: int) -> int | None:
    """The last whole number from `here` towards `end` up to which `leads` holds.

    Steps double away from `here`; the first failure is narrowed down to one. ``None``: it holds
    at every step up to `end`.
    """
    way, step, good = (1 if end > here else -1), 1, here
    while good != end:
        tried = min(good + step, end) if way > 0 else max(good - step, end)
        if not leads(tried):
            break
        good, step = tried, 2 * step
    else:
        return None
    while abs(tried - good) > 1:
        middle = (good + tried) // 2
        if leads(middle):
            good = middle
        else:
            tried = middle
    return good


def _leader(one: Style, other: Style, time_one: float, time_other: float) -> Style | None:
    if abs(time_one - time_other) <= ALIKE * max(time_one, time_other):
        return None
    return one if time_one < time_other else other


def _ranged(found: Crossing, largest: int, alike: Callable[[Style, Style, int], bool]) -> Crossing:
    """The crossing with the sizes round it at which nobody knows which style is faster."""

    def unsure(size: int) -> bool:
        return alike(found.before, found.after, size)

    at, below = found.size, found.size - 1
    low = (limit(unsure, below, 1) or 1) if below >= 1 and unsure(below) else at
    high = (limit(unsure, at, largest) or largest) if unsure(at) else below
    return replace(found, alike=(low, high)) if low <= high else found


def _narrowed(
    before: Style, after: Style, low: int, high: int, time: Callable[[Style, int], float]
) -> Crossing:
    while high - low > 1:
        middle = (low + high) // 2
        leader = _leader(before, after, time(before, middle), time(after, middle))
        if leader == after:
            high = middle
        else:
            low = middle
    return Crossing(before, after, high, time(after, high))
