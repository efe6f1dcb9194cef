"""The plan and its prediction as JSON, with the keys that `advise` and `predict` print.

The file serves as PLAN and as FILE on the command line: all that the plan decides is by name.
"""

from __future__ import annotations

from advisor.basics import json_text
from advisor.decisions.plan_table import KEYS
from advisor.export.export_record import PLAN, Export, Planned
from advisor.export.json_answer import PLAN_FORMAT, VERSION, as_json, plan_report, prediction_report


def render(planned: Planned) -> str:
    """JSON text of one object."""
    problem, plan, prediction = planned
    report: dict[str, object] = {
        "format": PLAN_FORMAT,
        "version": VERSION,
        "strategy": plan.strategy,
        **plan_report(problem, plan),
        **prediction_report(problem, prediction),
    }
    return as_json(report) + "\n"


def parse(text: str) -> object:
    """All that the plan of such a text decides, by name."""
    document = json_text.parse(text.encode(), "plan")
    assert isinstance(document, dict)
    return {key: document[key] for key in KEYS if key in document}


def _says(planned: Planned) -> object:
    problem, plan, _ = planned
    return {"strategy": plan.strategy, **plan_report(problem, plan)}


EXPORT = Export(
    "json", "Plan and prediction (JSON)", ".json", PLAN, render, parse, _says, stem="plan"
)
