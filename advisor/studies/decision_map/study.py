"""What the study is made of: question, parameters, answer and JSON."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.project.questions import QUESTIONS
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import Cell, DecisionMap, around, region_name
from advisor.studies.decision_map.run import run
from advisor.studies.study import Study, StudyResult

# The JSON of the decision map: beside that of any study, the map itself.


def drawn(result: StudyResult, problem: Problem | None) -> dict[str, object]:
    """Under "map" its axes, plans, rows of regions and values, and where plans are equal."""
    found = result.picture(DecisionMap)
    return {} if found is None or problem is None else {"map": _map(problem, found)}


def _map(problem: Problem, found: DecisionMap) -> dict[str, object]:
    workload, platform = problem.workload, problem.platform
    return {
        "objective": found.objective,
        "x": {"parameter": found.x.key, "values": found.x_values.tolist()},
        "y": {"parameter": found.y.key, "values": found.y_values.tolist()},
        "present": list(found.present),
        "present_s": found.present_s,
        "exact": found.exact,
        "sharing": found.sharing,
        "plans": [
            {
                "name": region_name(index),
                "label": label,
                "allocation": plan.named(workload, platform),
            }
            for index, (label, plan) in enumerate(zip(found.labels, found.plans, strict=True))
        ],
        "region": found.region.tolist(),
        "borders": [_border(found, cell) for cell in found.cells],
        "values_s": found.values_s.tolist(),
    }


def _border(found: DecisionMap, cell: Cell) -> dict[str, object]:
    """Where the borders in a cell meet, and where they leave it, as loads."""

    def loads(shares: tuple[float, float]) -> list[float]:
        places = zip((found.x_values, found.y_values), (cell.column, cell.row), shares, strict=True)
        return [float(at[n] + share * (at[n + 1] - at[n])) for at, n, share in places]

    return {"at": loads(cell.joint), "to": [loads(around(place)) for place in cell.places]}


STUDY = Study(QUESTIONS["decision-map"], DecisionMapParameters, run, report=drawn)
