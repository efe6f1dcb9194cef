"""How sure what is left of a run is: a band around it from what tasks took so far.

ln of what tasks take over what was predicted is spread by σ, of which a prior says 0.15 as if two
tasks had told so; what is left is e^(± z σ √(1/(n + 2) + 1/√w)) of what is expected after n tasks,
with w to come: their mean is not known better than that, and few that are left do not even out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

PRIOR = 2.0  # tasks that took what was predicted
_SPREAD = 0.15  # of ln of what tasks take, before any has ended
_Z90 = 1.645


def spread_of(logs: Sequence[float]) -> float:
    """σ; `logs`: ln of what each took over what was predicted."""
    found = float(np.var(logs)) * len(logs) if len(logs) else 0.0
    return math.sqrt((PRIOR * _SPREAD**2 + found) / (PRIOR + len(logs)))


def left_between(left_s: float, spread: float, ended: int, waiting: int) -> tuple[float, float]:
    """The 90 % range of what is left, s; `ended`, `waiting`: tasks."""
    doubt = spread * math.sqrt(1.0 / (ended + PRIOR) + 1.0 / max(1.0, math.sqrt(waiting)))
    return left_s * math.exp(-_Z90 * doubt), left_s * math.exp(_Z90 * doubt)
