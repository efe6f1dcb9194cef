"""Studies of the open project, each worked out once: every window asks the same questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from advisor.basics.stop_rule import ShouldStop
from advisor.studies.study import OnProgress, StudyProgress, StudyResult
from tests.gui.explained_once import draws

Run = Callable[[Any, OnProgress, ShouldStop], StudyResult]

_found: dict[tuple[object, ...], tuple[list[StudyProgress], StudyResult]] = {}


def once(run: Run) -> Run:
    """As `run`, with what it told on the way; what is stopped is not kept."""

    def found(parameters: Any, on_progress: OnProgress, should_stop: ShouldStop) -> StudyResult:
        problem = parameters.problem
        asked = (
            (run, draws()),
            (problem.platform, problem.workload, problem.reading, problem.sharing),
            *(getattr(parameters, one.name) for one in fields(parameters) if one.name != "problem"),
        )
        if asked not in _found:
            told: list[StudyProgress] = []

            def tell(progress: StudyProgress) -> None:
                told.append(progress)
                on_progress(progress)

            result = run(parameters, tell, should_stop)
            if result.complete:
                _found[asked] = told, result
            return result
        told, result = _found[asked]
        for progress in told:
            on_progress(progress)
        return result

    return found
