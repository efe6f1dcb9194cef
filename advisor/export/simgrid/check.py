"""A second opinion: the plan simulated by SimGrid, beside what is predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.basics.quantities import count, duration, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import durations
from advisor.export.simgrid.script import script
from advisor.export.simgrid.simgrid_document import simulated
from advisor.export.simgrid.simgrid_python import OnProgress, find_simgrid, run_script
from machines.arrays import Floats

ALIKE = 1e-6  # relative to the makespan: how far two accounts of one plan may be apart


@dataclass(frozen=True)
class SimulatedTransfer:
    """One item on its way: what, between which machines or stores, when, how much."""

    item: str
    source: str
    target: str
    start_s: float
    end_s: float
    size_bytes: float


@dataclass(frozen=True, eq=False)
class SimulatedPlan:
    """What SimGrid makes of a plan, and what was predicted.

    Attributes
    ----------
    prediction : Prediction
    start_s, end_s : array (tasks,)
        Simulated start and end of every task, in seconds.
    makespan_s : float
        The last simulated end.
    transfers : tuple of SimulatedTransfer
        In the order of their ends.
    simulator : str
        Its name and version.
    names : tuple of str
        Of the tasks.
    notes : tuple of str
        What SimGrid was told and did not check.
    """

    prediction: Prediction
    start_s: Floats
    end_s: Floats
    makespan_s: float
    transfers: tuple[SimulatedTransfer, ...]
    simulator: str
    names: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def difference_s(self) -> Floats:
        """By how much each simulated end is later than the predicted one, shape (tasks,)."""
        difference: Floats = self.end_s - self.prediction.end_s
        return difference

    @property
    def agrees(self) -> bool:
        """Whether every task ends when predicted, within a millionth of the makespan."""
        limit_s = ALIKE * max(self.makespan_s, self.prediction.makespan_s)
        return bool((np.abs(self.difference_s) <= limit_s).all())

    @property
    def sentence(self) -> str:
        """What came out, in words."""
        if self.agrees:
            took = duration(self.makespan_s)
            return (
                f"{self.simulator} agrees: the plan takes {took}, and every task ends when it is "
                "predicted to."
            )
        return f"{self.simulator}: {self._makespans()}. {self._worst()}"

    @property
    def reason(self) -> str:
        """What a difference means; empty if there is none."""
        if self.agrees:
            return ""
        if self.prediction.sharing == NONE:
            return (
                "This prediction is the contention-free schedule; SimGrid models "
                "contention. --sharing fair predicts what it simulates."
            )
        rules = "Both follow the same rules" + (", but for what is noted" if self.notes else "")
        return (
            f"{rules}: they should not differ. Please report it, with what `export --to simgrid` "
            "writes."
        )

    def _makespans(self) -> str:
        predicted_s = self.prediction.makespan_s
        took, predicted = durations(self.makespan_s, predicted_s)
        apart_s = self.makespan_s - predicted_s
        if abs(apart_s) <= ALIKE * predicted_s:
            return f"the plan takes {took}, as predicted, but tasks within it end at other times"
        more = "more" if apart_s > 0 else "less"
        share = f", {percent(abs(apart_s) / predicted_s)}" if predicted_s > 0 else ""
        return (
            f"the plan takes {took}, {duration(abs(apart_s))}{share} {more} than the predicted "
            f"{predicted}"
        )

    def _worst(self) -> str:
        """How many tasks end at another time, and which most."""
        apart_s = np.abs(self.difference_s)
        others = int((apart_s > ALIKE * max(self.makespan_s, self.prediction.makespan_s)).sum())
        worst = int(np.argmax(apart_s))
        end, predicted = durations(self.end_s[worst], self.prediction.end_s[worst])
        verb = "ends" if others == 1 else "end"
        return (
            f"{count(others, 'task')} of {len(self.names):,} {verb} at another time, "
            f"{self.names[worst]} at {end} in place of {predicted}."
        )


def check_with_simgrid(
    problem: Problem,
    plan: Plan,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> SimulatedPlan | None:
    """Simulate a plan by SimGrid and set it beside the prediction; None if stopped.

    Parameters
    ----------
    problem : Problem
    plan : Plan
        Made for it.
    on_progress : callable, optional
        Called with the share of tasks that have ended.
    should_stop : callable, optional

    Raises
    ------
    InputError
        No Python with SimGrid, or the plan is none for this problem.
    InfeasibleError
        The plan can't run.
    PlacewiseError
        SimGrid fails.
    """
    prediction = predict(problem, plan)
    handed = simulated(problem, plan)
    found = find_simgrid(should_stop)
    result = found and run_script(found, script(handed), on_progress, should_stop)
    return None if result is None else compared(problem, prediction, result, handed.notes)


def compared(
    problem: Problem, prediction: Prediction, result: Mapping[str, Any], notes: tuple[str, ...] = ()
) -> SimulatedPlan:
    """A simulated result beside the prediction.

    Parameters
    ----------
    result : mapping
        What the exported script writes.
    """
    tasks = [result["tasks"][task.name] for task in problem.workload.tasks]
    return SimulatedPlan(
        prediction,
        np.array([task["start_s"] for task in tasks], np.float64),
        np.array([task["end_s"] for task in tasks], np.float64),
        float(result["makespan_s"]),
        tuple(
            SimulatedTransfer(
                one["item"], one["from"], one["to"], one["start_s"], one["end_s"], one["bytes"]
            )
            for one in result["transfers"]
        ),
        result["simulator"],
        tuple(task.name for task in problem.workload.tasks),
        notes,
    )
