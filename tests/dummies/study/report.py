"""What the study's JSON has beyond that of any study."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.studies.study import StudyResult
from tests.dummies.study.picture import Die


def die_report(result: StudyResult, _problem: Problem | None) -> dict[str, object]:
    """The die, and what it showed."""
    die = result.picture(Die)
    return {} if die is None else {"die": {"sides": die.sides, "noted": list(die.noted)}}
