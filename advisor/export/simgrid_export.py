"""A plan for SimGrid: a script that simulates it, and its platform alone.

The script carries platform and plan and needs Python with the module ``simgrid``; the platform
serves one's own simulations, too.
"""

from __future__ import annotations

import shlex

from advisor.export.export_record import PLAN, Export, Lines, Planned
from advisor.export.simgrid.script import carried, script
from advisor.export.simgrid.simgrid_document import simulated


def render_script(planned: Planned) -> str:
    """The text of the script."""
    return script(simulated(planned.problem, planned.plan))


def render_platform(planned: Planned) -> str:
    """The text of the platform, SimGrid's XML."""
    return simulated(planned.problem, planned.plan).platform


def _says(planned: Planned) -> object:
    found = simulated(planned.problem, planned.plan)
    return found.platform, found.plan


def _notes(planned: Planned) -> Lines:
    return simulated(planned.problem, planned.plan).notes


def _commands(_planned: Planned, file: str) -> Lines:
    return (f"SimGrid ≥ 3.32: python3 {shlex.quote(file)} --output RESULT.json",)


SCRIPT = Export(
    "simgrid", "Simulation of the plan (Python, SimGrid)", ".py", PLAN,
    render_script, carried, _says, _commands, _notes,
)  # fmt: skip
PLATFORM = Export(
    "simgrid-platform", "Platform (SimGrid XML)", ".xml", PLAN, render_platform, notes=_notes,
    stem="platform",
)  # fmt: skip
