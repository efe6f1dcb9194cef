"""Plans carried out: their commands run on machines, and what happens is told and recorded."""

from advisor.engines.running_here import ENGINES
from advisor.running.run_plan import jobs_to_run, run_plan
from advisor.running.run_settings import (
    Ended,
    Event,
    Lost,
    Note,
    Planned,
    Replanned,
    RunSettings,
    Started,
)

__all__ = [
    "ENGINES",
    "Ended",
    "Event",
    "Lost",
    "Note",
    "Planned",
    "Replanned",
    "RunSettings",
    "Started",
    "jobs_to_run",
    "run_plan",
]
