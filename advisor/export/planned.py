"""Plans to export: with the problem that they solve and what they are predicted to take."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.engines.jobs import Jobs, jobs_of
from advisor.export.export import Kind
from advisor.export.options import Options


class _Planned(NamedTuple):
    problem: Problem
    plan: Plan
    prediction: Prediction


class Planned(_Planned):
    """A plan, its problem and its prediction."""

    @cached_property
    def jobs(self) -> Jobs:
        """What an engine carries out; made once for all that is exported."""
        return jobs_of(*self)


def _as_it_is(planned: Planned, _options: Options) -> Planned:
    return planned


PLAN: Kind[Planned] = Kind("plan", _as_it_is)
