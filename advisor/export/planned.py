"""Plans to export: with the problem that they solve and what they are predicted to take."""

from __future__ import annotations

from typing import NamedTuple

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.export.export import Kind
from advisor.export.options import Options


class Planned(NamedTuple):
    """A plan, its problem and its prediction."""

    problem: Problem
    plan: Plan
    prediction: Prediction


def _as_it_is(planned: Planned, _options: Options) -> Planned:
    return planned


PLAN: Kind[Planned] = Kind("plan", _as_it_is)
