"""Study: which task goes to which machine, why, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.advice.explain import Explanation, explain
from advisor.allocation.comparison import Row, compare
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.prediction import Prediction
from advisor.allocation.recommendation import Progress
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.causes import CAUSES, IDLE
from advisor.basics.stop_rule import ShouldStop
from advisor.search import advise
from advisor.search.strategy import AUTO
from advisor.search.titles import title_of
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.facts import LESS, Fact
from advisor.studies.study import Note, OnProgress, Series, StudyProgress, StudyResult, Table

_SEARCH_SHARE = 0.8  # of the progress bar; the rest is the search for flips
_ALTERNATIVES = 6


def run(
    parameters: AllocationParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Search the best allocation and explain it.

    Returns the recommendation with bars of seconds by cause for it, the present plan and the
    alternatives; the best so far when stopped.
    """
    problem, objective = parameters.problem, parameters.objective

    def searching(progress: Progress) -> None:
        if on_progress is not None:
            share = _SEARCH_SHARE * progress.fraction
            on_progress(
                StudyProgress(share, f"{title_of(progress.strategy)}: {progress.tried:,} tried")
            )

    def explaining(share: float) -> None:
        if on_progress is not None:
            done = _SEARCH_SHARE + (1.0 - _SEARCH_SHARE) * share
            on_progress(StudyProgress(done, "Searching for break-even loads"))

    recommendation = advise(
        problem,
        objective,
        parameters.strategy,
        parameters.seconds,
        parameters.seed,
        parameters.current,
        searching,
        should_stop,
    )
    explanation = explain(
        problem,
        recommendation,
        parameters.current,
        should_stop,
        explaining,
        keep=parameters.strategy != AUTO,
    )
    return _result(parameters, explanation, should_stop is not None and should_stop())


def _result(
    parameters: AllocationParameters,
    explanation: Explanation,
    stopped: bool,
) -> StudyResult:
    problem, objective = parameters.problem, parameters.objective
    recommendation = explanation.recommendation
    plans = [("recommended", explanation.advised)]
    if not explanation.advised.alike(recommendation.plan):
        plans.append(("best known", recommendation.plan))
    if parameters.current is not None and explanation.against_current is not None:
        plans.append(("present", parameters.current))
    plans += [(name, plan) for name, plan, _ in recommendation.alternatives[:_ALTERNATIVES]]
    rows = compare(problem, plans, objective, recommendation.bound_s)
    table = plans_table(rows, objective)
    present = next((row for row in rows if row.name == "present"), None)
    return StudyResult(
        headline=explanation.headline,
        against="present plan" if present is not None else "",
        facts=_facts(rows[0], present),
        reasons=explanation.reasons,
        series=cause_bars([(row.name, row.prediction) for row in rows], objective),
        tables=(table,),
        notes=tuple(
            Note(False, text) for text in (*recommendation.warnings, *problem.costs.warnings)
        ),
        recommendation=recommendation,
        pictures=(explanation,),
        complete=not stopped,
    )


def _facts(mine: Row, present: Row | None) -> tuple[Fact, ...]:
    """What the recommended plan takes, against the present one where there is one."""
    makespan_s, total_s = (None, None) if present is None else (present.makespan_s, present.total_s)
    return (
        Fact("makespan", mine.makespan_s, "s", makespan_s, LESS),
        Fact("total time", mine.total_s, "s", total_s, LESS),
    )


# Curves and tables of the allocation study.


def cause_bars(predictions: list[tuple[str, Prediction]], objective: str) -> tuple[Series, ...]:
    """One series a cause: seconds by plan, stacked to the objective."""
    splits = [
        one.critical_breakdown_s if objective == MAKESPAN else one.breakdown_s
        for _, one in predictions
    ]
    names = tuple(name for name, _ in predictions)
    return tuple(
        Series(
            name=cause,
            x=names,
            y=tuple(split.get(cause, 0.0) for split in splits),
            x_label="plan",
            x_unit="",
            y_label=objective,
            y_unit="s",
            kind="bars",
        )
        for cause in (*CAUSES, IDLE)
        if any(split.get(cause, 0.0) > 0 for split in splits)
    )


def plans_table(rows: Sequence[Row], objective: str) -> Table:
    """What the plans take; where transfers share, what they share most, and it endless beside."""
    columns: list[tuple[str, str]] = [("plan", ""), ("makespan", "s"), ("total", "s")]
    columns.append(("against recommended", "s"))
    fair = any(row.sharing == FAIR for row in rows)
    if fair:
        columns += [("contention-free", "s"), ("busiest", ""), ("busy", "%")]
    cells = []
    for row in rows:
        cell = (row.name, row.makespan_s, row.total_s, row.difference_s(objective))
        shared = (row.endless_s, row.busiest or "–", 100.0 * row.busy_share)
        cells.append((*cell, *shared) if fair else cell)
    return Table("Plans", tuple(columns), tuple(cells))
