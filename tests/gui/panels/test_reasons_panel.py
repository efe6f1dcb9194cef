"""The answer follows the project, can be applied and undone, and never answers an old question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Progress
from advisor.allocation.timeline_modes import NONE
from advisor.basics.causes import LINK_SHARING
from advisor.project.project import Pin
from advisor.search import advise
from gui.basics.background_jobs import SearchProcess
from gui.basics.tips import plain_tip
from gui.document.advise import Advisor
from gui.document.document import Document
from gui.document.predictions import Predictions
from gui.document.same_question import same_question
from gui.panels.answer_strip import AnswerStrip
from gui.panels.reasons_panel import ReasonsPanel
from machines import InfeasibleError, InputError
from tests.conftest import cluster
from tests.gui.panels.hub import hub_project

pytestmark = pytest.mark.usefixtures("unasked")

PATIENCE_MS = 20_000


class Parts:
    """A document with everything that answers it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.predictions = Predictions(document)
        self.search = SearchProcess(warm_up=None)
        self.advisor = Advisor(document, self.search)
        self.strip = AnswerStrip(document, self.advisor)
        self.panel = ReasonsPanel(document, self.advisor)
        self.strip.resize(1200, 76)
        self.panel.resize(800, 500)

    def show(self, qtbot) -> None:
        for widget in (self.strip, self.panel):
            qtbot.addWidget(widget)
            widget.show()

    def close(self) -> None:
        self.strip.close_jobs()
        self.panel.close_jobs()
        self.advisor.close()
        self.search.close()
        self.predictions.close()


@pytest.fixture
def parts(qtbot, loaded_document: Document):
    made = Parts(loaded_document)
    made.show(qtbot)
    yield made
    made.close()


def advised(qtbot, parts: Parts):
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        parts.predictions.request(parts.document.project)
    return parts.advisor.advice


def test_a_small_workload_is_answered_by_itself(qtbot, parts: Parts) -> None:
    assert parts.panel.headline.text() == "Searching; the reasons follow …"
    advice = advised(qtbot, parts)
    assert advice.recommendation.value_s == 38.0
    assert parts.panel.headline.text() == "Move A to M2: saves 10.0 s (21 %)."
    assert parts.strip.apply.isEnabled()


def test_while_a_search_runs_the_chips_are_of_the_plan_whose_value_is_shown(
    qtbot, parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SearchProcess, "start", lambda _self, *_call, **_of: None)
    monkeypatch.setattr(SearchProcess, "is_busy", property(lambda _self: True))
    with qtbot.waitSignal(parts.document.outcome_changed, timeout=PATIENCE_MS):
        parts.predictions.request(parts.document.project)
    assert parts.document.outcome is not None
    parts.advisor.start()
    parts.search.progress.emit(Progress(Plan((1, 0)), 38.0, 10.0, "refine", 5, 0.1))
    assert "38.0 s" in parts.strip.result.text()
    shown = parts.strip.chips
    qtbot.waitUntil(lambda: [(one.name, one.words) for one in shown.chips] == [
        ("M1", "B"), ("M2", "A"),
    ])  # fmt: skip


def test_apply_is_one_undo_step_and_then_there_is_nothing_to_apply(qtbot, parts: Parts) -> None:
    advised(qtbot, parts)
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        parts.strip.apply.click()
    assert parts.document.project.plan.allocation == (1, 0)
    assert parts.document.undo_stack.count() == 1
    assert not parts.strip.apply.isEnabled()
    parts.document.undo_stack.undo()
    assert parts.document.project.plan.allocation == (0, 0)


def test_an_edit_makes_the_old_answer_unusable_until_there_is_a_new_one(
    qtbot, parts: Parts
) -> None:
    advised(qtbot, parts)
    platform = parts.document.project.platform
    alone = replace(platform.machines[0], contenders=())
    project = replace(
        parts.document.project,
        platform=replace(platform, machines=(alone, platform.machines[1])),
    )
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        parts.document.apply(project, "M1 becomes free")
        assert not parts.strip.apply.isEnabled()
    assert parts.advisor.advice.recommendation.value_s == 16.0
    assert not parts.strip.apply.isEnabled()


def test_why_shows_savings_and_flips(qtbot, parts: Parts) -> None:
    advised(qtbot, parts)
    with qtbot.waitSignal(parts.strip.why_asked):
        parts.strip.why.click()
    text = parts.panel.sentences.text()
    assert "runner-up" in text
    assert "contenders on M1" in text
    qtbot.waitUntil(lambda: len(parts.panel.bars.groups) == 1, timeout=PATIENCE_MS)
    assert [bar.label for bar in parts.panel.bars.groups[0].bars] == ["now", "best", "runner-up"]


def test_a_single_move_can_be_applied(qtbot, parts: Parts) -> None:
    with qtbot.waitSignal(parts.advisor.moves_changed, timeout=PATIENCE_MS):
        parts.predictions.request(parts.document.project)
    sentence = parts.panel.findChild(QLabel, "answer.move0")
    assert "Move A to M2" in sentence.text()
    parts.panel.findChild(QPushButton, "answer.apply_move0").click()
    assert parts.document.project.plan.allocation == (1, 0)
    assert parts.document.undo_stack.undoText() == "Move A to M2"


def test_old_moves_are_out_of_sight_before_they_are_deleted(qtbot, parts: Parts) -> None:
    with qtbot.waitSignal(parts.advisor.moves_changed, timeout=PATIENCE_MS):
        parts.predictions.request(parts.document.project)
    qtbot.waitUntil(lambda: parts.panel.findChild(QLabel, "answer.move0").isVisible())
    old = [parts.panel.moves.itemAt(at).widget() for at in range(parts.panel.moves.count())]
    parts.advisor.moves_changed.emit(())
    assert old
    assert not any(row.isVisible() for row in old)


def test_a_search_shows_its_best_and_can_be_cancelled(qtbot, qapp) -> None:
    document = Document(replace(cluster(machines=3, width=4, stages=3), sharing=NONE))
    parts = Parts(document)
    parts.show(qtbot)
    try:
        advised(qtbot, parts)
        with qtbot.waitSignal(parts.advisor.progress, timeout=PATIENCE_MS):
            parts.advisor.start(seconds=60.0)
        assert parts.strip.certainty.text().startswith("searching … · ")
        assert parts.strip.result.text().startswith("<span><big><b>")
        assert parts.strip.apply.text() == "Apply best so far"
        assert parts.strip.apply.isEnabled()
        best_s = parts.advisor.better.value_s
        parts.strip.apply.click()
        assert document.undo_stack.undoText() == "Apply the best so far"
        qtbot.waitUntil(lambda: document.outcome.project is document.project)
        assert document.outcome.prediction.makespan_s <= best_s * (1.0 + 1e-9)
        parts.advisor.cancel()
        qtbot.waitUntil(lambda: parts.strip.apply.text() == "Apply")
    finally:
        parts.close()


def test_a_failure_is_told_in_place_of_the_answer(qtbot, parts: Parts) -> None:
    project = parts.document.project
    task = replace(project.workload.tasks[0], seconds=(("M1", 12.0),))
    workload = project.workload.with_task(0, task)
    impossible = replace(project, workload=workload, plan=project.plan.moved([0], 1))
    with qtbot.waitSignal(parts.document.outcome_failed, timeout=PATIENCE_MS):
        parts.document.apply(impossible, "A can't run on M2")
    assert "A has no time" in parts.panel.headline.text()
    assert "A has no time" in parts.strip.result.text()
    assert not parts.strip.apply.isEnabled()


def test_a_long_failure_leaves_room_for_the_chips(qtbot, parts: Parts) -> None:
    advised(qtbot, parts)
    parts.strip.resize(1000, parts.strip.height())
    qtbot.waitUntil(lambda: len(parts.strip.chips.chips) == 2)
    told = "task “a” needs more than any machine of this platform has while it runs <here>, " * 3
    error = InfeasibleError(told.strip(" ,"), where="plan", remedy="Give a machine more memory")
    parts.document.fail(parts.document.project, error)
    shown = parts.strip.result
    assert shown.text().startswith("<span>plan: task “a” needs more than")
    assert shown.text().endswith("…</span>")
    assert shown.toolTip() == plain_tip(f"{error}")
    assert parts.strip.chips.width() > shown.width()
    parts.document.fail(parts.document.project, InputError("no", value=1, remedy="Write yes"))
    assert shown.text() == "<span>No (got 1)</span>"
    advised(qtbot, parts)
    assert shown.toolTip() == "What the plan takes, and what the present one takes"


def test_another_project_forgets_the_answer(qtbot, parts: Parts, cluster_document) -> None:
    advised(qtbot, parts)
    parts.document.load(cluster_document.project)
    assert parts.advisor.advice is None
    assert not parts.strip.apply.isEnabled()


def test_plan_and_pins_do_not_change_the_question(loaded_document: Document) -> None:
    project = loaded_document.project
    assert same_question(project, replace(project, plan=project.plan.moved([0], 1)))
    assert not same_question(project, replace(project, reading="published"))


def test_names_do_not_change_the_question_but_values_do(loaded_document: Document) -> None:
    project = loaded_document.project
    platform, workload = project.platform, project.workload
    named = replace(project, platform=replace(platform, name="q"), workload=workload.renamed("v"))
    assert same_question(project, named)
    assert same_question(project, replace(project, workload=replace(workload, name="v")))
    first = platform.machines[0]
    slower = replace(platform, machines=(replace(first, cores=3), *platform.machines[1:]))
    assert not same_question(project, replace(project, platform=slower))
    back = replace(slower, machines=(first, *platform.machines[1:]))
    assert same_question(project, replace(project, platform=back))
    task = replace(workload.tasks[0], seconds=(("M1", 12.5), ("M2", 18.0)))
    assert not same_question(project, replace(project, workload=workload.with_task(0, task)))


def near(parts: Parts) -> None:
    """M1 slowed 2.2 times: both there take 16 · 2.2 = 35.2 s, A on M2 18 + 8 + 4 · 2.2 = 34.8 s."""
    platform = parts.document.project.platform
    slower = replace(platform.machines[0], contenders=(), slowdown=2.2)
    machines = (slower, platform.machines[1])
    platform = replace(platform, machines=machines)
    parts.document.apply(replace(parts.document.project, platform=platform), "M1 is loaded")


def test_a_gain_within_the_models_error_is_no_advice_but_can_be_taken(qtbot, parts: Parts) -> None:
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        near(parts)
    assert parts.panel.headline.text() == (
        "Keep the present plan: the best plan known saves 400 ms (1.1 %), a tie within the "
        "model's 3 % (makespan 35.20 s)."
    )
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        parts.strip.apply.click()
    assert parts.document.project.plan.allocation == (1, 0)
    assert parts.document.undo_stack.undoText() == "Apply the best plan known"
    assert not parts.strip.apply.isEnabled()
    assert "none is better" in parts.panel.headline.text()


def test_a_better_plan_that_is_offered_becomes_the_answer(qtbot, parts: Parts) -> None:
    advice = advised(qtbot, parts)
    poor = replace(advice.recommendation, plan=Plan((0, 1)), value_s=73.0, proved_optimal=False)
    parts.advisor.advice = replace(advice, recommendation=poor)
    with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
        parts.advisor.offer([Plan((1, 0)), Plan((1, 1))])
    assert parts.advisor.advice.recommendation.value_s == 38.0
    assert Plan((1, 1)) in parts.advisor.known


def test_a_pin_that_is_better_becomes_the_answer(qtbot, qapp) -> None:
    document = Document(replace(cluster(machines=3, width=4, stages=3), sharing=NONE))
    parts = Parts(document)
    qtbot.addWidget(parts.panel)
    try:
        advice = advised(qtbot, parts)
        problem = advice.outcome.problem
        best = advise(problem, seconds=0.2, start=advice.recommendation.plan)
        worse = advise(problem, strategy="min-min", seconds=0.1)
        parts.advisor.advice = replace(advice, recommendation=worse)
        project = replace(document.project, pins=(Pin("best", best.plan),))
        with qtbot.waitSignal(parts.advisor.advised, timeout=PATIENCE_MS):
            document.apply(project, "Pin best")
        assert parts.advisor.advice.recommendation.value_s <= best.value_s
    finally:
        parts.close()


@pytest.fixture
def on_a_hub(qtbot, qapp):
    """The plan of tests/gui/panels/hub.py, 45 s; with t3 on m1 and t4 on m2 only a and b move.

    Then all ends at 30 s, and at 20 s on an endless network as with a hub of 20 B/s.
    """
    made = Parts(Document(hub_project()))
    made.show(qtbot)
    advised(qtbot, made)
    yield made
    made.close()


def test_the_time_on_an_endless_network_stands_beside_the_predicted_one(on_a_hub: Parts) -> None:
    text = on_a_hub.panel.timeline.text()
    assert text == "Contention-aware schedule: 30.0 s; 20.0 s without network contention."


def test_a_tile_names_what_limits_and_the_reasons_have_its_evidence(qtbot, on_a_hub: Parts) -> None:
    panel = on_a_hub.panel
    assert on_a_hub.strip.tiles["limit"].value.text() == "hub 67 %"
    assert (
        "hub is 67 % utilised over 30.0 s; twice its bandwidth would save 10.0 s (33 %); "
        "contention "
        "costs 10.0 s: without it the plan takes 20.0 s."
    ) in panel.sentences.text()
    qtbot.waitUntil(lambda: panel.sentences.toolTip() != "")
    assert panel.sentences.toolTip().startswith("hub: 67 % utilised, 200 B at 10.0 B/s at most")


def test_bars_show_sharing_and_mark_the_endless_network(qtbot, on_a_hub: Parts) -> None:
    qtbot.waitUntil(lambda: len(on_a_hub.panel.bars.groups) == 1)
    now = on_a_hub.panel.bars.groups[0].bars[0]
    assert LINK_SHARING in [segment.name for segment in now.segments]
    assert now.value == pytest.approx(45.0)
    assert (now.mark, now.mark_name) == (pytest.approx(30.0), "without network contention")


def test_the_answer_is_copied_as_text(on_a_hub: Parts) -> None:
    copy = next(one for one in on_a_hub.panel.exports.actions if one.text() == "Copy answer")
    copy.trigger()
    text = QGuiApplication.clipboard().text()
    assert "twice its bandwidth would save 10.0 s" in text
    assert "Timeline: contention-aware schedule." in text


def test_the_classical_timeline_says_that_it_is_one(qtbot, qapp) -> None:
    parts = Parts(Document(hub_project(NONE)))
    qtbot.addWidget(parts.panel)
    try:
        advised(qtbot, parts)
        assert parts.panel.timeline.text() == "Contention-free schedule."
        assert parts.advisor.advice.explanation.limit is None
        assert parts.strip.tiles["limit"].value.text() == "computing 50 %"
    finally:
        parts.close()
