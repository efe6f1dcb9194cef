"""What the decision map panel shows of a finished or partial map, made on the worker thread."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from advisor.advice.assumptions import Assumption
from advisor.advice.contest import values_in
from advisor.allocation.loads import LINK_SLOWDOWN, MACHINE_SLOWDOWN, LoadParameter
from advisor.allocation.objectives import WITHIN, alike
from advisor.basics.quantities import duration
from advisor.basics.rounding import ALIKE
from advisor.project.project import Project
from advisor.studies.decision_map.map_picture import DecisionMap
from advisor.studies.study import StudyResult
from gui.document.document import Outcome
from gui.plots.border_lines import Sectors
from gui.plots.map_drawing import MapAxis, MapPicture


@dataclass(frozen=True, eq=False)
class MapAnswer:
    """A result with the picture of its map."""

    result: StudyResult | None = None
    picture: MapPicture | None = None

    @property
    def found(self) -> DecisionMap | None:
        """The map itself."""
        return None if self.result is None else self.result.picture(DecisionMap)


@dataclass(frozen=True, eq=False)
class BestNow:
    """Of a map's plans the best at the board's own loads, and what it reaches there."""

    outcome: Outcome
    found: DecisionMap
    region: int
    value_s: float


def answered(result: StudyResult) -> MapAnswer:
    """The result with its picture."""
    # pyqtgraph, here on the worker thread: the window's need not wait for it with the first map
    import gui.plots.region_items  # noqa: F401, PLC0415

    found = result.picture(DecisionMap)
    if found is None:
        return MapAnswer(result)
    picture = MapPicture(
        MapAxis(_title(found.x), found.x.unit, found.x_values),
        MapAxis(_title(found.y), found.y.unit, found.y_values),
        found.region,
        found.values_s,
        found.labels,
        found.present,
        found.objective,
        sectors=tuple(
            Sectors(cell.row, cell.column, cell.joint, cell.places, cell.regions)
            for cell in found.cells
        ),
        odds=found.odds,
    )
    return MapAnswer(result, picture)


def _title(load: LoadParameter | Assumption) -> str:
    """Of an axis: multiples say of what."""
    multiple = isinstance(load, Assumption) and load.is_multiple
    return f"{load.title} (× as stated)" if multiple else load.title


def best_now(outcome: Outcome, found: DecisionMap) -> BestNow:
    """Value the map's plans on the board's platform as it is; of plans as good the first."""
    problem, plans = outcome.problem, found.plans
    problem = problem.settled(plans[0])
    values = values_in(problem, found.objective, plans)
    region = int(np.argmax(values <= values.min() * (1.0 + ALIKE)))
    return BestNow(outcome, found, region, float(values[region]))


def now_sentence(outcome: Outcome, found: DecisionMap, best: BestNow | None, name: str) -> str:
    """What the board says at its own loads, and what is best there.

    `outcome`: of the board. `best`: None: not valued yet. `name`: what the best one is called.
    """
    loads = ", ".join(
        axis.sentence(axis.value(outcome.project.platform, outcome.project.reading))
        for axis in (found.x, found.y)
    )
    here_s = outcome.prediction.value_s(found.objective)
    here = f"Now {loads}: {found.objective} {duration(here_s)}"
    if best is None:
        return f"{here}."
    if best.value_s >= here_s * (1.0 - ALIKE):
        return f"{here}, and no plan of the map is better there ({name})."
    tie = f", a tie {WITHIN}" if alike(best.value_s, here_s) else ""
    return f"{here}; best there is {name}, {duration(best.value_s)}{tie}."


def at_point(
    project: Project, found: DecisionMap, point: tuple[float, float]
) -> tuple[Project, str]:
    """The project with the loads of a point of the map, and what its undo step is called."""
    platform, workload, said = project.platform, project.workload, []
    for axis, values, at in ((found.x, found.x_values, 0), (found.y, found.y_values, 1)):
        value = _rounded(axis, point[at], float(values[-1] - values[0]))
        if isinstance(axis, LoadParameter):
            platform = axis.applied(platform, value, project.reading)
        else:
            platform, workload = axis.changed(platform, workload, value, project.reading)
        said.append(axis.sentence(value))
    step = f"Set load: {', '.join(said)}"
    return replace(project, platform=platform, workload=workload), step


def _rounded(load: LoadParameter | Assumption, value: float, span: float) -> float:
    """`value` to about a hundredth of the axis, never below the load's range."""
    digits = max(0, 2 - math.floor(math.log10(span)))
    least = 1.0 if load.kind in {LINK_SLOWDOWN, MACHINE_SLOWDOWN} else 0.0
    return max(round(value, digits), least)
