"""Study: how many throws until a six, from independent throws."""

from __future__ import annotations

import math
from pathlib import Path

from advisor.basics.quantities import count, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.studies.facts import Fact
from advisor.studies.study import Note, OnProgress, StudyProgress, StudyResult
from tests.dummies.study.parameters import DiceParameters
from tests.dummies.study.picture import Die
from tests.dummies.study.views import chances, chances_table


def run(
    parameters: DiceParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Count throws until a six is as sure as asked for; fewer when stopped."""
    miss = 1.0 - 1.0 / parameters.sides
    needed = math.ceil(math.log(1.0 - parameters.sure / 100.0) / math.log(miss))
    found: list[float] = []
    for throw in range(1, needed + 1):
        if should_stop is not None and should_stop():
            break
        if on_progress is not None:
            on_progress(StudyProgress(throw / needed, f"throw {throw}"))
        found.append(1.0 - miss**throw)
    noted = Path(parameters.file).read_text("utf-8").split() if parameters.file else []
    return StudyResult(
        headline=f"A six shows in {count(needed, 'throw')} with {percent(1.0 - miss**needed)}.",
        facts=(Fact("throws", needed), Fact("certainty", 100.0 * (1.0 - miss**needed), "%")),
        reasons=(f"One throw misses with {percent(miss)}.",),
        series=(chances(found),),
        tables=(chances_table(found),),
        notes=(Note(True, "throws are independent", "Huygens 1657"),),
        pictures=(Die(parameters.sides, tuple(map(int, noted))),),
        complete=len(found) == needed,
    )
