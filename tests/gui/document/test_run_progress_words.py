"""How far a run is, in words: as many digits as tell something, the new plan, the range."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.predict import predict
from advisor.running import RunSettings
from advisor.runs.growing import Coming, Growing, Progress
from gui.document.document import Outcome
from gui.document.run_progress_words import left, notes_of, told
from gui.document.runner import RunState
from tests.conftest import two_machines

HALF = Progress(1, 0, 1, 0, 3, 32.674, 32.673, 40.0, spread=0.1)


@pytest.fixture
def state() -> RunState:
    project = two_machines()
    problem = project.problem()
    prediction = predict(problem, project.plan)
    actual = Growing(problem, prediction).actual()
    return RunState(Outcome(project, problem, prediction), RunSettings("bash"), actual, HALF)


def test_a_run_that_is_as_predicted_has_no_digits_of_the_difference(state: RunState) -> None:
    assert told(state) == "Running: 1 of 3 tasks ended. 32.7 s so far, as predicted."
    late = replace(state, progress=replace(HALF, now_s=40.0))
    assert told(late).endswith("40.00 s so far, 7.33 s behind the prediction.")


def test_once_replanned_it_is_the_new_plan_that_is_told_of(state: RunState) -> None:
    nothing = np.zeros(0, np.int64)
    coming = Coming(nothing, nothing, np.zeros(0), np.zeros(0))
    said = ("M2 is gone", "Replanned at 30 s")
    found = replace(state, coming=coming, news=said[1], notes=said)
    assert told(found).endswith(" so far, as replanned.")
    notes = notes_of(found, changed=False)
    assert notes[0].endswith(", 40.0 s by the new plan of 1 min 13 s")
    assert "M2 is gone" in notes
    assert "Replanned at 30 s" not in notes  # that has a line of its own
    assert "Replanned at 30 s" in notes_of(replace(found, over=True), changed=False)


def test_what_is_left_is_short_in_the_status_line_and_has_its_range_in_the_panel(
    state: RunState,
) -> None:
    assert left(HALF) == "about 40.0 s left"
    low_s, high_s = HALF.left_between_s
    assert low_s < 40.0 < high_s
    assert notes_of(state, changed=False)[0].startswith("About 40.0 s left (")


def test_a_run_may_be_replanned_while_tasks_wait(state: RunState) -> None:
    assert state.may_replan
    for cannot in (
        replace(state, progress=None), replace(state, stopping=True), replace(state, over=True),
        replace(state, replanning=True), replace(state, progress=replace(HALF, running=2)),
    ):  # fmt: skip
        assert not cannot.may_replan
