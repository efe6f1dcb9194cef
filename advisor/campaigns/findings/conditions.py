"""Whether which strategy is best depends on size, CCR, heterogeneity, machines, load or timeline.

At every level of everything that varies, the leader of all instances is set against each other
strategy, and all of these tests are corrected together: who looks at forty levels finds two that
differ by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from advisor.campaigns.findings.compared import Compared, by_workload
from advisor.campaigns.findings.levels import Level, all_levels
from advisor.campaigns.findings.pairs import Pair, corrected, paired
from advisor.campaigns.results import Results
from machines.arrays import Floats
from machines.stopping import ask


@dataclass(frozen=True, eq=False)
class Condition:
    """The best strategy of some instances."""

    level: Level
    many: int  # instances
    best: str  # the strategy of the least mean
    share: float  # of the instances on which it is best, ties included
    leader_share: float  # the same of the leader of all
    pair: Pair | None  # it beside the leader of all instances; None: it is the leader

    @property
    def differs(self) -> bool:
        """Whether another than the leader of all is better here, which is no chance."""
        return self.pair is not None and self.pair.is_better


def means(compared: Compared) -> Floats:
    """Each strategy's mean logarithm of value over the best, workloads counted once; shape (S,)."""
    found = []
    for of_one in compared.logarithms.T:
        ask()
        found.append(by_workload(of_one, compared.workload).mean())
    return np.array(found)


def conditions(results: Results, compared: Compared, leader: int) -> tuple[Condition, ...]:
    """The best at every level; `leader` is the place of the best of all instances.

    `compared`: instances that every strategy was asked about.
    """
    levels = list(chain.from_iterable(all_levels(results, compared)))
    parts = [compared.where(level.instances) for level in levels]
    others = [k for k in range(len(compared.strategies)) if k != leader]
    found: list[Pair] = []
    for part in parts:
        for k in others:
            ask()
            pair = paired(part, k, leader)
            assert pair is not None  # all of them were asked about, and are answered
            found.append(pair)
    tested = iter(corrected(found))
    answers = []
    for level, part in zip(levels, parts, strict=True):
        beside = {k: next(tested) for k in others}
        best = int(np.argmin(means(part)))
        if best != leader and not beside[best].is_better:
            # of those that beat the leader beyond chance the best, if there is any
            better = [k for k in others if beside[k].is_better]
            best = min(better, key=lambda k: beside[k].ratio) if better else best
        at_best = (part.ratios == 1.0).mean(axis=0)
        answers.append(
            Condition(
                level,
                len(part.rows),
                compared.strategies[best],
                float(at_best[best]),
                float(at_best[leader]),
                beside.get(best),
            )
        )
    return tuple(answers)
