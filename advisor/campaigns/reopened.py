"""A row of the results as a project: its case again, with the plan that its strategy found.

A search of a campaign is ended by its steps and not by a clock, so that the plan is the same again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import durations
from advisor.campaigns.answer_case import Asking, problem_of
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.row_columns import Row
from advisor.project.project import Project
from advisor.search import advise
from advisor.search.titles import title_of
from machines.errors import InputError
from machines.stopping import ask, stoppable

_ALIKE = 1e-9  # relative: another order of the same sums


@dataclass(frozen=True, eq=False)
class Reopened:
    """A case as it can be looked at."""

    project: Project
    text: str  # which case it is
    notes: tuple[str, ...] = ()  # what was noticed, in sentences


def reopened(
    cases: Cases, row: Row, on_progress: object = None, should_stop: ShouldStop | None = None
) -> Reopened:
    """The project of a row about an allocation.

    Raises `Stopped`: `should_stop` said so.
    """
    del on_progress  # there is no best so far to tell
    if row.case >= len(cases):
        raise InputError(
            f"there is no case {row.case:,} any more",
            where=f'campaign "{cases.campaign.name}"',
            remedy="Its files have changed since it was computed: compute it again elsewhere",
        )
    one = Asking(cases)(row.case, keeps_plan=False)
    with stoppable(should_stop):
        problem, warnings = problem_of(one)
        ask()
        case, seed = one.case, one.case.source.seed
        found = advise(
            problem, one.objective, case.strategy, one.seconds, seed,
            should_stop=should_stop, clocked=False,
        )  # fmt: skip
        ask()
    project = Project(
        problem.platform, problem.workload, found.plan, one.objective, sharing=case.sharing
    )
    changed = _changed(row, found.value_s)
    return Reopened(project, said(row), (*changed, *dict.fromkeys((*warnings, *found.warnings))))


def said(row: Row) -> str:
    """Which case a row is: "Case 17: HEFT for layered tasks=50, seed 3, on lab"."""
    seed = f", seed {row.seed}" if row.generator else ""
    where = f", on {row.platform}" if row.platform else ""
    load = f" with {row.load}" if row.load else ""
    asked = f"{title_of(row.strategy)} for" if row.strategy else row.study
    return f"Case {row.case:,}: {asked} {row.workload}{seed}{where}{load}"


def _changed(row: Row, value_s: float) -> tuple[str, ...]:
    if row.value is None or math.isclose(row.value, value_s, rel_tol=_ALIKE):
        return ()
    now, before = durations(value_s, row.value)
    return (
        f"This case gives {now} now and {before} in the results: one of its files, or Placewise, "
        "has changed since.",
    )
