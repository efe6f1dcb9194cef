"""Studies, each worked out once: every window and every page asks the same questions."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any

from advisor.basics.stop_rule import ShouldStop
from advisor.studies import STUDIES
from advisor.studies.network_source import answered
from advisor.studies.study import OnProgress, Study, StudyProgress, StudyResult
from tests.gui.explained_once import draws

Run = Callable[[Any, OnProgress, ShouldStop], StudyResult]

_found: dict[tuple[object, ...], tuple[list[StudyProgress], StudyResult]] = {}


def once(run: Run) -> Run:
    """As `run`, with what it told on the way; what is stopped is not kept."""

    def found(parameters: Any, on_progress: OnProgress, should_stop: ShouldStop) -> StudyResult:
        problem = getattr(parameters, "problem", None)
        asked = (
            (run, draws()),
            problem and (problem.platform, problem.workload, problem.reading, problem.sharing),
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


def answered_once(
    study: Study, parameters: Any, on_progress: OnProgress, should_stop: ShouldStop
) -> StudyResult:
    """As `answered`, of a study that is the product's; what is in a file may change."""
    texts = (getattr(parameters, one.name) for one in fields(parameters))
    if study is not STUDIES.get(study.name) or any(
        isinstance(text, str) and os.path.isfile(text)  # noqa: PTH113 - some are no paths at all
        for text in texts
    ):
        return answered(study, parameters, on_progress, should_stop)
    return replace(_once(study.name)(parameters, on_progress, should_stop))


@cache
def _once(name: str) -> Run:
    return once(partial(answered, STUDIES[name]))
