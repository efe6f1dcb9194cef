"""Plans as files for other programs: one module a format, all in `FORMATS`.

Mappings go to launchers of parallel programs: `advisor.export.launchers`.

A format turns a problem, a plan and its prediction into text, which is complete before anything
is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.export import (
    chrome_trace,
    dot_graph,
    plan_json,
    schedule_csv,
    transfers_csv,
)
from machines import InputError
from machines.files import write_text
from machines.formats.fields import suggestion

__all__ = ["FORMATS", "Format", "export_plan"]

Render = Callable[[Problem, Plan, Prediction], str]


@dataclass(frozen=True)
class Format:
    """One way to export a plan.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title : str
        What the menu shows.
    suffix : str
        Of the file's name, with its dot.
    render : callable
        (problem, plan, prediction) → text.
    """

    name: str
    title: str
    suffix: str
    render: Render

    def write(self, problem: Problem, plan: Plan, prediction: Prediction, path: str | Path) -> None:
        """Write the file, atomically; InputError if that fails, an old file stays as it was."""
        write_text(path, self.render(problem, plan, prediction))


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("json", "Plan and prediction (JSON)", ".json", plan_json.render),
        Format("csv", "Schedule of the tasks (CSV)", ".csv", schedule_csv.render),
        Format("transfers-csv", "Transfers (CSV)", ".csv", transfers_csv.render),
        Format("dot", "Graph by machine (Graphviz DOT)", ".dot", dot_graph.render),
        Format("trace", "Timeline (trace events, for Perfetto)", ".json", chrome_trace.render),
    )
}


def export_plan(
    name: str, problem: Problem, plan: Plan, prediction: Prediction, path: str | Path
) -> None:
    """Write a plan to a file in the format of that name.

    Raises
    ------
    InputError
        Unknown format, a name that the format can't hold, or the file can't be written.
    """
    if name not in FORMATS:
        raise InputError(
            "unknown export format", where="export", value=name, remedy=suggestion(name, FORMATS)
        )
    FORMATS[name].write(problem, plan, prediction, path)
