"""What an engine adds between a task's last input and its start: it looks, hands out, and waits.

An engine that polls sees what has ended at multiples of its period; it hands out one task after the
other; a batch system lets those start at multiples of its cycle (`machines.runtime.Runtime`), and
none before the worker of its machine is up. What a task held may be free at multiples, too.
"""

from __future__ import annotations

import math

import numpy as np

from advisor.kernels.executed import Executed, small
from machines.arrays import Floats

INLINED = ("tick", "seen", "handed_out", "reclaimed")
BORROWING = INLINED

_ROUNDING = 1e-9  # of a period


def tick(now: float, period_s: float) -> float:
    """The first multiple of a period from `now` on, but for rounding; `now` if there is none."""
    if period_s <= 0.0:
        return now
    return math.ceil(now / period_s - _ROUNDING) * period_s


def seen(executed: Executed, now: float) -> float:
    """When the engine sees what has happened."""
    return tick(now, executed.poll_s)


def handed_out(executed: Executed, engine: Floats, now: float, q: int) -> float:
    """When a task may start on machine q that the engine sees now.

    `engine` (1,): until when it hands out others.
    """
    engine[0] = max(engine[0], now) + executed.submit_s
    return max(tick(float(engine[0]), executed.cycle_s), executed.up_s[q])


def reclaimed(now: float, period_s: float) -> float:
    """When the slot of a task that ends now can be taken again."""
    return max(now, tick(now, period_s))


def warm_up() -> None:
    """Compile for the array types in use."""
    executed = small()
    seen(executed, 0.0)
    reclaimed(0.0, 1.0)
    handed_out(executed, np.zeros(1), 0.0, 0)
