"""Map of the best fan-out: over the number of back-ends N and the ratio g/L of gap and latency.

For each point the best balanced tree, its latency computed level by level without building it, and
the front-end's fan-out of the exact optimum. Overhead, message size and filter are the user's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.rounding import ROUNDING
from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import BROADCAST, REDUCTION, Message
from advisor.models.process_tree import least_depth
from advisor.trees.search import Limits, optimum
from advisor.trees.tree_costs import ROUND_TRIP, TreeCosts
from machines.arrays import Floats, Ints
from machines.checks import whole
from machines.errors import InputError

LARGEST = 20  # the map ends at 2^20 back-ends
LOW, HIGH = 0.01, 100.0  # g/L

_RATIOS = 33  # eight a decade
_DIGITS = 3  # of g: the exact optimum is slow with long decimals
_SOME = 8  # optima between two looks at `should_stop`


@dataclass(frozen=True, eq=False)
class FanoutMap:
    """The map; all arrays read-only.

    `optimal`: shape (n, m); children of the front-end of the exact optimum; 0 where it has not been
        computed.
    `optimal_latency`: shape (n, m); in µs, NaN where it has not been computed. Of a round trip it
        is the sum that the search makes small.
    """

    operation: str  # {"broadcast", "reduction", "round trip"}; what is to be fast
    back_ends: Ints  # shape (n,); N: powers of 2
    ratio: Floats  # shape (m,); g/L, evenly spread on a logarithmic axis
    balanced: Ints  # shape (n, m); fan-out of the balanced tree of least latency
    latency: Floats  # shape (n, m); of that tree, µs
    optimal: Ints
    optimal_latency: Floats
    here: tuple[int, float]  # N and g/L of the user's case; it may lie outside the map
    complete: bool = True  # False when it was stopped before its end

    def __post_init__(self) -> None:
        for name in ("back_ends", "ratio", "balanced", "latency", "optimal", "optimal_latency"):
            getattr(self, name).flags.writeable = False


def fanout_map(
    costs: TreeCosts,
    N: int,
    ratios: int = _RATIOS,
    on_progress: Callable[[float], None] | None = None,
    should_stop: ShouldStop | None = None,
) -> FanoutMap:
    """Compute the map for the operation of `costs`; g is varied, all else stays.

    `costs`: with a latency L above 0.
    `N`: back-ends of the user's case.
    `ratios`: points of g/L, ≥ 2.
    `on_progress`: told the share that is done.
    `should_stop`: asked every few milliseconds; what has been computed by then is kept.
    """
    if costs.p.L == 0.0:
        raise InputError(
            "without a latency there is no g/L",
            where="map of fan-outs",
            value=costs.p.L,
            remedy="Give a latency L above 0",
        )
    whole("N", N, low=1)
    ratio = np.geomspace(LOW, HIGH, whole("ratios", ratios, low=2))
    varied = [_with_gap(costs, one) for one in ratio.tolist()]
    back_ends = 2 ** np.arange(1, LARGEST + 1)
    shape = (back_ends.size, ratio.size)
    balanced, latency = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    messages = _messages(varied)
    for row, many in enumerate(back_ends.tolist()):
        balanced[row], latency[row] = _best_balanced(many, messages)
    optimal, optimal_latency = np.zeros(shape, dtype=np.int64), np.full(shape, np.nan)
    complete = True
    for done, (column, row) in enumerate(np.ndindex(shape[::-1])):
        if done % _SOME == 0:
            if should_stop is not None and should_stop():
                complete = False
                break
            if on_progress is not None:
                on_progress(done / optimal.size)
        found = optimum(int(back_ends[row]), varied[column], Limits())
        optimal[row, column], optimal_latency[row, column] = found.fanouts[0], found.latency
    here = N, costs.p.g / costs.p.L
    return FanoutMap(
        costs.operation, back_ends, ratio, balanced, latency, optimal, optimal_latency, here,
        complete,
    )  # fmt: skip


def _with_gap(costs: TreeCosts, ratio: float) -> TreeCosts:
    gap = float(f"{ratio * costs.p.L:.{_DIGITS}g}")
    return replace(costs, p=replace(costs.p, g=gap), rate=0.0)


@dataclass(frozen=True, eq=False)
class _Messages:
    """The messages of one way for all ratios: arrays (m,)."""

    step: Floats
    delay: Floats


def _messages(varied: list[TreeCosts]) -> tuple[_Messages, ...]:
    """Of each way that the operation goes."""
    operation = varied[0].operation
    ways = (BROADCAST, REDUCTION) if operation == ROUND_TRIP else (operation,)
    found = []
    for way in ways:
        messages: list[Message] = [costs.message(way) for costs in varied]
        steps, delays = ([one.step for one in messages], [one.delay for one in messages])
        found.append(_Messages(np.array(steps), np.array(delays)))
    return tuple(found)


def _best_balanced(N: int, messages: tuple[_Messages, ...]) -> tuple[Ints, Floats]:
    """Fan-out and latency of the best balanced tree for each ratio.

    Of the fan-outs that give the same depth the least is the best: it divides most evenly.
    """
    best = np.zeros(messages[0].step.size, dtype=np.int64)
    least = np.full(best.size, np.inf)
    for depth in range(1, N.bit_length() + 1):
        fanout = fanout_for_depth(N, depth)
        latency = sum((balanced_latency(N, fanout, one.step, one.delay) for one in messages),
                      np.zeros(best.size))  # fmt: skip
        better = latency < least * (1.0 - ROUNDING)
        best[better], least[better] = fanout, latency[better]
    return best, least


def fanout_for_depth(N: int, depth: int) -> int:
    """The least fan-out ≥ 2 with which a balanced tree of N back-ends has at most that depth."""
    fanout = max(2, int(float(N) ** (1.0 / depth)))
    while fanout**depth < N:
        fanout += 1
    while fanout > 2 and (fanout - 1) ** depth >= N:
        fanout -= 1
    return fanout


def balanced_latency(N: int, fanout: int, step: Floats, delay: Floats) -> Floats:
    """Latency of `advisor.models.process_tree.balanced` for many messages at once.

    Each process has children of at most two sizes, so that a level has few different ones:
    B(v) = max((r − 1) step + B(larger), (k − 1) step + B(smaller)) + delay, or the other way round
    if that is less, with r larger ones of k children.

    `step`, `delay`: shape (m,); of `advisor.models.mrnet.Message`. Returns: shape (m,).
    """
    sizes = [{N}]
    for left in range(least_depth(N, fanout) - 1, 0, -1):
        shares = (divmod(n, -(-n // fanout**left)) for n in sizes[-1])
        sizes.append({size for q, r in shares for size in ((q, q + 1) if r else (q,))})
    below = {1: np.zeros_like(step)}
    for left, level in enumerate(reversed(sizes)):
        below = {n: _served(n, -(-n // fanout**left), below, step) + delay for n in level}
    return below[N]


def _served(n: int, children: int, below: dict[int, Floats], step: Floats) -> Floats:
    """From the first message to the last child's end, but for the delay."""
    share, larger = divmod(n, children)
    last = (children - 1) * step
    if not larger:
        return last + below[share]
    high, low = below[share + 1], below[share]
    falling = np.maximum((larger - 1) * step + high, last + low)
    rising = np.maximum((children - larger - 1) * step + low, last + high)
    return np.minimum(falling, rising)
