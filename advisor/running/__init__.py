"""Plans carried out: their commands run on machines, and what happens is told and recorded."""

from advisor.engines.running_here import ENGINES
from advisor.running.carry_out import carry_out, jobs_to_run
from advisor.running.settings import (
    Ended,
    Event,
    Note,
    RunSettings,
    Started,
)

__all__ = [
    "ENGINES",
    "Ended",
    "Event",
    "Note",
    "RunSettings",
    "Started",
    "carry_out",
    "jobs_to_run",
]
