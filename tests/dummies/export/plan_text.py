"""A made-up export of plans: `EXPORT` is its line in `advisor.export.registry`."""

from __future__ import annotations

from advisor.export.export_record import PLAN, Export, Planned


def render(planned: Planned) -> str:
    """One line: what the plan is predicted to take."""
    return f"{planned.prediction.makespan_s!r}\n"


def _says(planned: Planned) -> object:
    return planned.prediction.makespan_s


EXPORT = Export("plan-text", "Makespan (text)", ".makespan", PLAN, render, float, _says)
