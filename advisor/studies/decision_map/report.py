"""The JSON of the decision map: beside that of any study, the map itself."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.studies.decision_map.picture import DecisionMap
from advisor.studies.study import StudyResult


def drawn(result: StudyResult, problem: Problem | None) -> dict[str, object]:
    """Under "map" its axes, plans, and rows of regions and values."""
    found = result.picture(DecisionMap)
    return {} if found is None or problem is None else {"map": _map(problem, found)}


def _map(problem: Problem, found: DecisionMap) -> dict[str, object]:
    workload, platform = problem.workload, problem.platform
    return {
        "objective": found.objective,
        "x": {"parameter": found.x.key, "values": found.x_values.tolist()},
        "y": {"parameter": found.y.key, "values": found.y_values.tolist()},
        "present": list(found.present),
        "exact": found.exact,
        "sharing": found.sharing,
        "plans": [
            {"label": label, "allocation": plan.named(workload, platform)}
            for label, plan in zip(found.labels, found.plans, strict=True)
        ],
        "region": found.region.tolist(),
        "values_s": found.values_s.tolist(),
    }
