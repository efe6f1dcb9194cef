"""Advice under way: never lost, never of an old question, and always told how far it is."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.allocation.timeline_modes import NONE
from advisor.project.project import Project
from advisor.search import advise
from gui.basics.background_jobs import SearchProcess
from gui.document import advise as module
from gui.document.advise import Advisor, Phase
from gui.document.document import Document
from gui.document.predictions import Predictions
from gui.panels.answer_strip import AnswerStrip
from gui.panels.reasons_panel import ReasonsPanel
from gui.shell.status import left
from tests.conftest import cluster, two_machines


@pytest.fixture
def explained_once() -> None:
    """Each answer is explained here, whatever other tests asked: how far that is counts."""


class Painted(QObject):
    """Every text with which a label was painted."""

    def __init__(self, label: QLabel) -> None:
        super().__init__(label)
        self.texts: list[str] = []
        self._label = label
        label.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.texts.append(self._label.text())
        return False


class TrialEvaluator:
    """A document, what answers it, and every headline that was ever in sight."""

    def __init__(self, qtbot: QtBot, project: Project) -> None:
        self.bot = qtbot
        self.document = Document(project)
        self.predictions = Predictions(self.document)
        self.search = SearchProcess(warm_up=None)
        self.advisor = Advisor(self.document, self.search)
        self.strip = AnswerStrip(self.document, self.advisor)
        self.panel = ReasonsPanel(self.document, self.advisor)
        for widget in (self.strip, self.panel):
            qtbot.addWidget(widget)
            widget.resize(640, 500)
            widget.show()
        self.painted = Painted(self.panel.headline)
        self.seen: list[tuple[Phase, str]] = []
        for told_ in (self.advisor.phase_changed, self.advisor.advised, self.advisor.failed):
            told_.connect(self._look)

    def _look(self, _what: object) -> None:
        labels = (self.panel.headline, self.strip.result, self.strip.certainty)
        self.seen.append((self.advisor.phase, " ".join(one.text() for one in labels)))

    def predicted(self) -> None:
        self.predictions.request(self.document.project)
        self.bot.waitUntil(
            lambda: (
                self.document.outcome is not None
                and self.document.outcome.project is self.document.project
            )
        )

    def answered(self) -> None:
        self.bot.waitUntil(lambda: self.advisor.phase is Phase.IDLE)

    def close(self) -> None:
        self.strip.close_jobs()
        self.panel.close_jobs()
        self.advisor.close()
        self.search.close()
        self.predictions.close()


@pytest.fixture
def desk(qtbot: QtBot, unasked: None) -> Iterator[Callable[[Project], TrialEvaluator]]:
    made: list[TrialEvaluator] = []

    def at(project: Project) -> TrialEvaluator:
        made.append(TrialEvaluator(qtbot, project))
        return made[-1]

    yield at
    for one in made:
        one.close()


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project that is searched only when somebody asks."""
    monkeypatch.setattr(module, "SMALL", 1)
    return replace(cluster(machines=2, width=3, stages=2), sharing=NONE)


def told(plan: Plan, value_s: float) -> Progress:
    return Progress(plan, value_s, 1.0, "refine", 1234, 0.25, 5.2)


def killed(
    problem: Problem,
    on_progress: Callable[[object], None],
    should_stop: object,
    **_asked: object,
) -> Recommendation:
    """A search that finds the best plan of the two tasks, and is then ended from outside."""
    plan = Plan((1, 0), strategy="refine")
    on_progress(told(plan, predict(problem, plan).makespan_s))
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)
    raise AssertionError


def killed_at_once(on_progress: object, should_stop: object, **_asked: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def endless(
    problem: Problem, start: Plan, on_progress: Callable[[object], None],
    should_stop: Callable[[], bool], **_asked: object,
) -> Recommendation:  # fmt: skip
    """A search that goes on until it is stopped, and then gives what it began with."""
    on_progress(told(start, predict(problem, start).makespan_s))
    while not should_stop():
        time.sleep(0.002)
    return advise(problem, seconds=0.01, start=start)


def test_press_advise_is_never_said_while_or_after_it_searches(
    desk: Callable[[Project], TrialEvaluator], large: Project
) -> None:
    at = desk(large)
    at.predicted()
    assert at.panel.headline.text().startswith("Press Advise to search for the best plan;")
    at.seen.clear()
    at.advisor.start()
    at.painted.texts.clear()
    at.answered()
    assert {phase for phase, _ in at.seen} >= {Phase.SEARCHING, Phase.EXPLAINING}
    texts = [*at.painted.texts, *(text for _, text in at.seen)]
    assert at.painted.texts
    assert not [text for text in texts if "Press Advise" in text]
    assert at.advisor.advice is not None


def test_nor_where_nothing_better_is_found(
    desk: Callable[[Project], TrialEvaluator], large: Project
) -> None:
    best = advise(large.problem(), seconds=1.0).plan
    at = desk(replace(large, plan=best))
    at.predicted()
    at.advisor.seconds = 0.05
    at.seen.clear()
    at.advisor.start()
    at.painted.texts.clear()
    at.answered()
    texts = [*at.painted.texts, *(text for _, text in at.seen)]
    assert at.painted.texts
    assert not [text for text in texts if "Press Advise" in text]
    assert at.panel.headline.text().startswith("Keep ")


def test_advice_asked_for_before_there_is_a_prediction_is_given_after_it(
    desk: Callable[[Project], TrialEvaluator], large: Project
) -> None:
    at = desk(large)
    at.advisor.start()
    assert at.advisor.phase is Phase.WAITING
    assert at.panel.headline.text() == "Searching; the reasons follow …"
    at.predicted()
    at.answered()
    assert at.advisor.advice is not None


def test_while_reasons_are_worked_out_the_answer_says_what_was_found(
    desk: Callable[[Project], TrialEvaluator], large: Project
) -> None:
    at = desk(large)
    at.predicted()
    at.advisor.start()
    at.answered()
    found = [text for phase, text in at.seen if phase is Phase.EXPLAINING]
    assert any("<b>" in text and "working out the reasons" in text for text in found)


def test_an_edit_in_the_middle_of_a_search_searches_the_edited_project(
    desk: Callable[[Project], TrialEvaluator], large: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "advise", endless)
    at = desk(large)
    at.predicted()
    with at.bot.waitSignal(at.advisor.progress):
        at.advisor.start()
    monkeypatch.setattr(module, "advise", advise)
    slower = replace(large.platform.machines[0], slowdown=3.0)
    platform = replace(large.platform, machines=(slower, *large.platform.machines[1:]))
    at.advisor.seconds = 0.05
    at.document.apply(replace(large, platform=platform), "Slow a machine")
    assert at.advisor.phase is Phase.WAITING
    at.answered()
    assert at.advisor.advice is not None
    assert at.advisor.advice.answers(at.document.project)
    assert not [text for phase, text in at.seen[2:] if "Press Advise" in text]


def test_a_task_that_is_moved_in_the_middle_of_a_search_is_what_the_answer_is_compared_with(
    desk: Callable[[Project], TrialEvaluator], large: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "advise", endless)
    at = desk(large)
    at.predicted()
    with at.bot.waitSignal(at.advisor.progress):
        at.advisor.start()
    moved = frozenset({0})
    at.document.move_tasks(moved, 1 - large.plan.allocation[0])
    at.predicted()
    assert at.advisor.phase is Phase.SEARCHING
    at.advisor.cancel()
    at.answered()
    assert at.advisor.advice is not None
    assert at.advisor.advice.outcome.project.plan == at.document.project.plan


def test_advise_again_goes_on_from_the_best_with_other_random_moves(
    desk: Callable[[Project], TrialEvaluator], large: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = desk(large)
    at.predicted()
    asked: list[dict[str, object]] = []
    start = at.search.start
    monkeypatch.setattr(
        at.search, "start", lambda call, **given: (asked.append(given), start(call, **given))
    )
    values = []
    for _ in range(3):
        at.advisor.start(seconds=0.05)
        at.answered()
        assert at.advisor.advice is not None
        values.append(at.advisor.advice.recommendation)
    assert [one["seed"] for one in asked] == [0, 1, 2]
    assert asked[0]["start"] == large.plan
    assert [one["start"] for one in asked[1:]] == [one.plan for one in values[:2]]
    assert values[0].value_s >= values[1].value_s >= values[2].value_s
    assert "start" not in {one.strategy for one in values[1:]}


def test_what_goes_on_is_never_worse_and_keeps_its_proof_and_its_name() -> None:
    plan, other = Plan((0, 1), strategy="refine"), Plan((1, 1), strategy="start")
    before = Recommendation(plan, "makespan", 10.0, 10.0, True, "refine", steps=3)
    after = Recommendation(other, "makespan", 10.0, 8.0, False, "start", steps=4)
    both = after.after(before)
    assert (both.plan, both.strategy, both.lower_bound_s) == (plan, "refine", 10.0)
    assert both.proved_optimal
    assert both.steps == 7
    worse = replace(after, value_s=12.0).after(before)
    assert (worse.plan, worse.value_s) == (plan, 10.0)
    better = replace(after, value_s=9.0, strategy="exact").after(
        replace(before, lower_bound_s=5.0, proved_optimal=False)
    )
    assert (better.value_s, better.strategy, better.lower_bound_s) == (9.0, "exact", 8.0)


def test_a_killed_search_keeps_its_best_and_says_what_happened(
    desk: Callable[[Project], TrialEvaluator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "advise", killed)
    at = desk(two_machines(contenders=2))
    at.predicted()
    at.answered()
    assert at.panel.headline.text() == "Move A to M2: saves 10.0 s (21 %)."
    assert at.strip.apply.isEnabled()
    assert at.panel.note.isVisible()
    assert "SIGKILL" in at.panel.note.text()
    assert "Press Advise to search on" in at.panel.note.text()
    monkeypatch.setattr(module, "advise", advise)
    at.advisor.start()
    assert not at.panel.note.isVisible()
    at.answered()
    assert at.advisor.advice is not None
    assert at.advisor.advice.recommendation.value_s == 38.0
    assert at.advisor.advice.recommendation.proved_optimal
    assert at.advisor.note == ""


def test_killed_while_it_goes_on_it_keeps_what_was_known_before(
    desk: Callable[[Project], TrialEvaluator], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = desk(two_machines(contenders=2))
    at.predicted()
    at.answered()
    monkeypatch.setattr(module, "advise", killed_at_once)
    at.advisor.start()
    at.answered()
    assert at.panel.headline.text() == "Move A to M2: saves 10.0 s (21 %)."
    assert "SIGKILL" in at.panel.note.text()


def test_killed_before_it_found_anything_it_says_so_and_can_be_asked_again(
    desk: Callable[[Project], TrialEvaluator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "advise", killed_at_once)
    at = desk(two_machines(contenders=2))
    at.predicted()
    at.answered()
    assert "SIGKILL" in at.panel.headline.text()
    assert not at.strip.apply.isEnabled()
    monkeypatch.setattr(module, "advise", advise)
    at.advisor.start()
    at.answered()
    assert at.panel.headline.text() == "Move A to M2: saves 10.0 s (21 %)."


def test_the_time_left_is_said_in_whole_seconds_and_minutes() -> None:
    progress = told(Plan((0,)), 1.0)
    assert left(progress) == "6 s left"
    assert left(replace(progress, left_s=0.01)) == "1 s left"
    assert left(replace(progress, left_s=None)) == ""
    assert left(replace(progress, left_s=65.0)) == "1 min 5 s left"
