"""The plan and its prediction as JSON, with the keys that `advise` and `predict` print.

The file serves as PLAN and as FILE on the command line: allocation and order are by name.
"""

from __future__ import annotations

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.export.report import PLAN_FORMAT, VERSION, as_json, plan_report, prediction_report


def render(problem: Problem, plan: Plan, prediction: Prediction) -> str:
    """JSON text of one object."""
    report: dict[str, object] = {
        "format": PLAN_FORMAT,
        "version": VERSION,
        "strategy": plan.strategy,
        **plan_report(problem, plan),
        **prediction_report(problem, prediction),
    }
    return as_json(report) + "\n"
