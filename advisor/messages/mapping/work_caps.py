"""How much work a core may get while a search moves processes for the sake of their messages."""

from __future__ import annotations

import numpy as np

from advisor.messages.mapping.balance import weighed
from advisor.messages.mapping.mapping_measures import LOGPC, Measures, process_times
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from machines.interconnect import LogGP

_SLACK = 1.0 + 1e-9  # what rounding may add


class Caps:
    """The work time above which no move may bring a core, round by round; infinite: any.

    Where work does not `matter` to the objective there is none. Else rounds take turns between what
    the best mapping has, what the one of least work on any core has, and what a mapping of the
    shortest exchange could have and still be better than the best.

    `load`: of each process, its work; where that is alike on all cores, so that these are shared,
        with what its messages keep it busy.
    """

    def __init__(self, problem: MappingProblem, costs: LogGP, objective: str, limit: float) -> None:
        self._problem = problem
        self.matter = objective == LOGPC and weighed(problem)
        computing, flows = problem.computing, problem.communication
        by_work = computing is not None and not computing.even
        self.load = problem.work
        if self.matter and not by_work and len(flows.sources):
            self.load = self.load + process_times(flows, costs)
        # what a better mapping has on no core: its time, or that without the shortest exchange
        self._exchange = limit - problem.least_computing if by_work else 0.0
        self._calmest: tuple[float, tuple[float, ...], Mapping] = (np.inf, (), ())
        self.now = np.inf

    def met(self, mapping: Mapping, rank: tuple[float, ...]) -> None:
        """Remember the mapping of least work on any core, of the better rank among equals."""
        if self.matter:
            self._calmest = min(self._calmest, (float(f"{self._most(mapping):.9g}"), rank, mapping))

    def keep(self, mapping: Mapping) -> Mapping:
        """Allow what a mapping has, and return it."""
        if self.matter:
            self.now = self._most(mapping) * _SLACK
        return mapping

    def turn(self, number: int, best: Mapping, measures: Measures) -> Mapping:
        """What is allowed in a round, and the mapping that it starts from."""
        if number % 3 == 1:
            return self.keep(self._calmest[2])
        self.keep(best)
        if number % 3 == 2:
            self.now = max(self.now, measures.time - self._exchange)
        return best

    def _most(self, mapping: Mapping) -> float:
        problem = self._problem
        load = np.bincount(problem.core_of(mapping), self.load, len(problem.pace))
        return float((load * problem.pace).max(initial=0.0))
