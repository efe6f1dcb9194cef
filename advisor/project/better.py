"""What a plan would have been beside a run: both predicted on the same machines, and the truth."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics.units import durations
from advisor.project.project import Project
from advisor.project.run_start import AS_RUN

_TIE = 0.005


@dataclass(frozen=True)
class Better:
    """Seconds: of the run, of its plan as predicted, and of the plan that was found."""

    run: str
    actual_s: float
    predicted_s: float
    found_s: float

    @property
    def sentence(self) -> str:
        """What another plan would have taken on these machines."""
        found, before, actual = durations(self.found_s, self.predicted_s, self.actual_s)
        if self.found_s >= self.predicted_s * (1.0 - _TIE):
            return (
                f"With these machines no plan found beats that of the run: {before} predicted for "
                f"it; the run took {actual}."
            )
        both = f"With these machines {found} instead of {before}"
        return f"{both}, both predicted; the run took {actual}."


def better(project: Project | None, problem: Problem, found_s: float) -> Better | None:
    """The makespan of a plan beside that of the project's last run; None: there is none as run."""
    if project is None or project.plan.strategy != AS_RUN or not project.runs:
        return None
    run = project.runs[-1]
    if not run.timed:
        return None
    return Better(run.name, run.makespan_s, predict(problem, project.plan).makespan_s, found_s)
