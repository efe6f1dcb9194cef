"""The study checked by simulation: dice that are thrown."""

from __future__ import annotations

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.studies.study import Check, OnCheckProgress, Table
from tests.dummies.study.parameters import DiceParameters

_GAMES = 10_000


def check(
    parameters: DiceParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Check:
    """Throw until a six shows, many times."""
    throws = np.random.default_rng(0).geometric(1.0 / parameters.sides, _GAMES)
    mean = float(throws.mean())
    table = Table("Simulated", (("games", ""), ("mean throws", "")), ((_GAMES, mean),))
    return Check(f"A six took {mean:.2f} throws on average.", (), table)
