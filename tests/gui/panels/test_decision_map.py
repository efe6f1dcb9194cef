"""The decision map: computed off the window's thread, read out; a double click sets the loads."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from advisor.allocation.loads import all_parameters
from advisor.allocation.plan import Plan
from advisor.allocation.timeline_modes import NONE
from advisor.project.project import Project
from advisor.project.project_edits import with_property
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import DecisionMap
from advisor.studies.decision_map.run import run
from advisor.studies.study import StudyProgress, StudyResult
from gui.document.document import Document, Outcome
from gui.panels.decision_map import DecisionMapPanel
from gui.panels.load_axis import AxisChoice, default_axes
from gui.plots.plot_legend import boxes
from machines import Machine, Platform
from tests.gui.exporting import export
from tests.gui.pointer import double_click, move

Predicted = Callable[[Document], Outcome]

pytestmark = pytest.mark.usefixtures("unasked")

LEFT = Qt.MouseButton.LeftButton
FADED = "faded: even odds"


@pytest.fixture
def panel(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> DecisionMapPanel:
    panel = DecisionMapPanel(loaded_document, points=9)
    qtbot.addWidget(panel)
    panel.resize(800, 360)
    panel.show()
    predicted(loaded_document)
    wait(qtbot, panel)
    return panel


def wait(qtbot: QtBot, panel: DecisionMapPanel) -> None:
    """Until the map is whole."""
    qtbot.waitUntil(
        lambda: (
            panel.map.picture is not None
            and not panel.progress.isVisible()
            and not panel._showing.is_busy
            and not panel.map.dimmed
        ),
        timeout=20_000,
    )


def drawn(panel: DecisionMapPanel) -> tuple[int, ...]:
    """Points across and up of the map in sight."""
    picture = panel.map.picture
    return () if picture is None else picture.regions.shape


def at(panel: DecisionMapPanel, x: float, y: float) -> QPoint:
    return panel.map.position_of(x, y).toPoint()


def choose(panel: DecisionMapPanel, x: float, y: float) -> None:
    double_click(panel.map.canvas.viewport(), at(panel, x, y))


def name_at(panel: DecisionMapPanel, x: float, y: float) -> str:
    picture = panel.map.picture
    assert picture is not None
    return picture.labels[picture.at(x, y)[0]]


def test_the_map_of_the_two_machine_example_has_the_papers_three_regions(
    panel: DecisionMapPanel,
) -> None:
    assert panel.across.choice is not None
    assert panel.across.choice.title == "contenders on M1"
    assert panel.up.choice is not None
    assert "link" in panel.up.choice.title
    assert name_at(panel, 0.0, 1.0) == "both on M1"
    assert name_at(panel, 2.0, 1.0) == "A on M2, B on M1"
    assert name_at(panel, 4.0, 5.0) == "both on M2"
    assert panel.map.present == (2.0, 1.0)


def test_other_events_come_between_the_first_maps_plot_and_what_is_drawn_in_it(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []
    panel = DecisionMapPanel(loaded_document, points=9)
    qtbot.addWidget(panel)
    build, show_map = panel.map.build, panel.map.show_map
    monkeypatch.setattr(panel.map, "build", lambda: (log.append("plot"), build()))
    monkeypatch.setattr(panel.map, "show_map", lambda one: (log.append("map"), show_map(one)))
    other = QTimer(panel, interval=0)
    other.timeout.connect(lambda: log.append("other"))
    other.start()
    panel.show()
    predicted(loaded_document)
    wait(qtbot, panel)
    assert log.count("plot") == 1
    after = log[log.index("plot") + 1 :]
    assert "other" in after[: after.index("map")]


def test_an_answer_that_is_not_shown_yet_goes_with_its_question(
    qtbot: QtBot, panel: DecisionMapPanel, cluster_document: Document
) -> None:
    answer = panel._shown
    panel._take(answer)
    panel._document.load(cluster_document.project)
    qtbot.settle()
    assert panel._shown is not answer


def test_the_readout_says_what_is_best_under_the_pointer(
    qtbot: QtBot, panel: DecisionMapPanel
) -> None:
    qtbot.waitUntil(lambda: "best there is 1: A on M2, B on M1, 38.0 s." in panel.readout.text())
    move(panel.map.canvas.viewport(), at(panel, 0.5, 5.0))
    assert "; best there is 2: both on M1, makespan ≈ 2" in panel.readout.text()


def test_now_is_the_boards_own_value_at_its_own_load(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    # M1 slowed 2.2 times is between two points of the map: 16 · 2.2 = 35.2 s, as on the board
    project = loaded_document.project
    slow = replace(project.platform.machines[0], contenders=(), slowdown=2.2)
    platform = replace(project.platform, machines=(slow, project.platform.machines[1]))
    loaded_document.apply(replace(project, platform=platform), "M1 is loaded")
    outcome = predicted(loaded_document)
    wait(qtbot, panel)
    assert outcome.prediction.makespan_s == pytest.approx(35.2)
    qtbot.waitUntil(lambda: "best there" in panel.readout.text())
    assert panel.readout.text() == (
        "Now 1.2 CPU-bound contenders on M1, link slowdown 1 of M1–M2: makespan 35.2 s; best "
        f"there is {panel.map.texts(panel._best_now.region)[0]}, 34.8 s, a tie within the model's "
        "3 %."
    )


def test_borders_are_drawn_where_plans_are_equal_and_the_region_under_the_pointer_is_theirs(
    panel: DecisionMapPanel,
) -> None:
    picture = panel.map.picture
    assert picture is not None
    assert picture.sectors
    # below their meeting at (2, 2.25) both on M1 gives way to A on M2 at y = (12 x − 6) / 8
    for x in (1.2, 1.53, 1.9):
        y = (12 * x - 6) / 8
        assert name_at(panel, x, y - 0.02) == "A on M2, B on M1"
        assert name_at(panel, x, y + 0.02) == "both on M1"
    for x in (2.1, 2.77, 4.3):
        y = (26 - 4 * x) / 8
        assert name_at(panel, x, y - 0.02) == "A on M2, B on M1"
        assert name_at(panel, x, y + 0.02) == "both on M2"
    along, across = picture.spans
    ends = picture.lines.reshape(-1, 2)
    x, y = along.low + ends[:, 0] * along.length, across.low + ends[:, 1] * across.length
    values = np.sort([16 * (1 + x), 18 + 8 * y + 4 * (1 + x), np.full(len(x), 48.0)], axis=0)
    assert values[1] == pytest.approx(values[0], rel=2e-3)  # joined straight inside a cell


def test_the_axes_are_loads_that_matter_until_others_are_chosen_and_can_be_found_again(
    qtbot: QtBot, panel: DecisionMapPanel
) -> None:
    found = panel.across.range, panel.up.range
    assert panel.map.picture is not None
    assert found[1] == (panel.map.picture.y.values[0], panel.map.picture.y.values[-1])
    assert found[1][1] < 10.0  # not far beyond the last change
    panel.up.choose("contenders:M2")
    wait(qtbot, panel)
    qtbot.waitUntil(lambda: panel.map.picture.y.name == "contenders on M2")  # type: ignore[union-attr]
    qtbot.mouseClick(panel.matter_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.map.picture.y.name == "slowdown of link M1–M2")  # type: ignore[union-attr]
    wait(qtbot, panel)
    assert (panel.across.range, panel.up.range) == found


def test_where_nothing_changes_the_map_says_so(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    project = loaded_document.project
    tasks = tuple(replace(task, allowed=("M1",)) for task in project.workload.tasks)
    loaded_document.load(replace(project, workload=replace(project.workload, tasks=tasks)))
    predicted(loaded_document)
    wait(qtbot, panel)
    assert "the plan stays best" in panel.notes.text()
    assert "nothing changes that" in panel.map.accessibleDescription()


def test_a_search_for_plans_to_compare_is_told_and_stops_when_it_is_cancelled(
    qtbot: QtBot,
    panel: DecisionMapPanel,
    cluster_document: Document,
    loaded_document: Document,
    predicted: Predicted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(panel.progress, "say", told.append)
    loaded_document.load(cluster_document.project)
    predicted(loaded_document)
    qtbot.waitUntil(panel.progress.isVisible)
    qtbot.waitUntil(lambda: len(told) > 1)
    assert told[:2] == ["starting", "searching plans"]
    qtbot.mouseClick(panel.cancel_button, Qt.MouseButton.LeftButton)
    assert not panel.progress.isVisible()
    assert panel.compute_button.isVisible()


@pytest.mark.parametrize("width", [926, 1800])
def test_all_of_the_panel_and_its_legend_is_readable_in_the_dock(
    panel: DecisionMapPanel, width: int
) -> None:
    panel.progress.show()  # nothing moves while it computes
    panel.cancel_button.show()
    assert panel.minimumSizeHint().width() <= 800  # of the dock at 1280 × 800
    panel.resize(width, 220)
    legend = panel.map.legend
    metrics = QFontMetricsF(legend.font())
    found = boxes(legend.entries, QRectF(legend.rect()), metrics)
    assert [entry.name for entry in legend.entries] == [
        "1: A on M2, B on M1", "2: both on M1", "3: both on M2", FADED]  # fmt: skip
    assert len(found) == 4
    assert all(QRectF(legend.rect()).contains(box) for box in found)


def test_a_double_click_sets_both_loads_in_one_step_and_only_moves_the_ring(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    picture = panel.map.picture
    before = loaded_document.project
    qtbot.mouseClick(panel.map.canvas.viewport(), LEFT, pos=at(panel, 4.0, 5.0))
    assert loaded_document.project is before
    assert panel.readout.text().endswith("Double-click to set these loads.")
    choose(panel, 4.0, 5.0)
    machine = loaded_document.project.platform.machines[0]
    assert len(machine.contenders) in {4, 5}
    assert loaded_document.project.platform.links[0].slowdown == pytest.approx(5.0, abs=0.1)
    assert loaded_document.undo_stack.count() == 1
    assert loaded_document.undo_stack.undoText().startswith("Set load: ")
    predicted(loaded_document)
    assert panel.map.picture is picture
    assert panel.map.present == pytest.approx((4.0, 5.0), abs=0.1)
    assert not panel.map.dimmed
    loaded_document.undo_stack.undo()
    assert loaded_document.project == before
    predicted(loaded_document)
    assert panel.map.present == (2.0, 1.0)


def test_a_moved_task_changes_nothing_on_the_map(
    panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    picture = panel.map.picture
    loaded_document.move_tasks(frozenset((0,)), 1)
    predicted(loaded_document)
    assert panel.map.picture is picture
    assert not panel.map.dimmed


def test_another_platform_dims_the_map_until_the_new_one_comes(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    picture = panel.map.picture
    project = loaded_document.project
    fast = replace(project.platform.machines[1], slowdown=1.5)
    platform = replace(project.platform, machines=(project.platform.machines[0], fast))
    loaded_document.apply(replace(project, platform=platform), "Slow M2")
    assert panel.map.dimmed
    predicted(loaded_document)
    wait(qtbot, panel)
    assert panel.map.picture is not picture


def test_a_map_of_a_machine_that_has_another_name_meanwhile_is_not_shown(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document
) -> None:
    late, picture = panel._shown, panel.map.picture
    loaded_document.apply(with_property(loaded_document.project, 0, "name", "desk"), "Rename M1")
    panel._show(late)
    assert panel.map.picture is picture
    assert panel.map.dimmed


def test_another_load_across_makes_another_map(qtbot: QtBot, panel: DecisionMapPanel) -> None:
    panel.across.choose("contenders:M2")
    wait(qtbot, panel)
    qtbot.waitUntil(lambda: panel.map.picture.x.name == "contenders on M2")  # type: ignore[union-attr]
    assert panel.map.present == (0.0, 1.0)


def test_another_range_makes_another_map_and_a_wrong_one_is_told(
    qtbot: QtBot, panel: DecisionMapPanel
) -> None:
    picture = panel.map.picture
    panel.across.high.selectAll()
    qtbot.keyClicks(panel.across.high, "x")
    qtbot.keyClick(panel.across.high, Qt.Key.Key_Return)
    assert panel.across.high.toolTip() == "Numbers are needed here"
    assert panel.across.range == (0.0, 10.0)
    panel.across.high.selectAll()
    qtbot.keyClicks(panel.across.high, "20000")
    qtbot.keyClick(panel.across.high, Qt.Key.Key_Return)
    assert panel.across.high.toolTip() == "Allowed: 0 to 200, the second above the first"
    assert panel.across.high.text() == "20000"
    assert panel.across.range == (0.0, 10.0)
    panel.across.high.selectAll()
    qtbot.keyClicks(panel.across.high, "4")
    qtbot.keyClick(panel.across.high, Qt.Key.Key_Return)
    assert panel.across.range == (0.0, 4.0)
    wait(qtbot, panel)
    qtbot.waitUntil(lambda: panel.map.picture is not picture)
    assert panel.map.picture is not None
    assert panel.map.picture.x.values[-1] == 4.0


def test_two_axes_of_one_load_are_refused_in_words(qtbot: QtBot, panel: DecisionMapPanel) -> None:
    panel.up.choose("contenders:M1")
    qtbot.waitUntil(lambda: "the two axes set the same load" in panel.readout.text())


def test_the_map_and_its_numbers_are_exported(
    qtbot: QtBot, panel: DecisionMapPanel, tmp_path: Path
) -> None:
    for suffix in ("svg", "pdf", "png", "csv"):
        export(qtbot, panel.exports, tmp_path / f"map.{suffix}")
        assert (tmp_path / f"map.{suffix}").stat().st_size > 500
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert "A on M2, B on M1" in (tmp_path / "map.csv").read_text()
    assert lines[0].startswith("contenders on M1,")


def test_a_hidden_map_is_computed_when_it_is_shown(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted
) -> None:
    panel = DecisionMapPanel(loaded_document, points=9)
    qtbot.addWidget(panel)
    predicted(loaded_document)
    assert not panel.progress.isVisible()
    assert panel.map.picture is None
    panel.show()
    wait(qtbot, panel)
    panel.close()


def test_a_large_workload_waits_for_the_button_and_a_cancel_keeps_the_coarse_map(
    qtbot: QtBot,
    panel: DecisionMapPanel,
    loaded_document: Document,
    predicted: Predicted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coarse = run(DecisionMapParameters(predicted(loaded_document).problem, points=3))

    def slow(
        parameters: object,
        on_progress: Callable[[StudyProgress], None],
        should_stop: Callable[[], bool],
    ) -> StudyResult:
        on_progress(StudyProgress(0.25, "4 of 9 points", coarse))
        on_progress(StudyProgress(0.5, "half of them"))
        while not should_stop():
            time.sleep(0.002)
        return coarse

    monkeypatch.setattr("gui.panels.decision_map.run", slow)
    monkeypatch.setattr("gui.panels.decision_map.MOST_TASKS_UNASKED", 1)
    panel.across.choose("contenders:M2")
    assert panel.compute_button.isVisible()
    assert "on demand" in panel.readout.text()
    qtbot.mouseClick(panel.compute_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.progress.value() == 50)
    assert not panel.compute_button.isVisible()
    qtbot.waitUntil(lambda: drawn(panel) == (3, 3))  # in a turn of its own
    qtbot.mouseClick(panel.cancel_button, Qt.MouseButton.LeftButton)
    assert not panel.progress.isVisible()
    assert not panel.map.dimmed
    assert panel.compute_button.isVisible()
    assert drawn(panel) == (3, 3)


def test_another_project_starts_with_an_empty_map(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    project = loaded_document.project
    alone = Platform("one", (Machine("only"),))
    tasks = tuple(replace(task, work=1.0, seconds=()) for task in project.workload.tasks)
    flows = tuple(replace(flow, seconds=()) for flow in project.workload.flows)
    workload = replace(project.workload, tasks=tasks, flows=flows)
    loaded_document.load(Project(alone, workload, Plan((0, 0))))
    assert panel.map.picture is None
    assert panel.across.choice is not None
    assert panel.across.choice.subject == "only"
    predicted(loaded_document)
    wait(qtbot, panel)
    assert panel.map.picture is not None
    assert panel.map.picture.labels == ("both on only",)


def test_axes_offer_a_different_machine_when_there_is_no_link(qtbot: QtBot) -> None:
    from advisor.allocation.loads import parameters_of

    loads = parameters_of(Platform("two", (Machine("a"), Machine("b"))))
    first, second = default_axes(loads)
    assert loads[first].key == "contenders:a"
    assert loads[second].subject == "b"
    choice = AxisChoice("x", "Across")
    qtbot.addWidget(choice)
    assert choice.choice is None
    choice.offer(loads, first, keep=False)
    choice.choose("contenders:b")
    choice.offer(loads[1:], 0, keep=True)
    assert choice.choice is not None
    assert choice.choice.key == "contenders:b"


def test_a_recommended_plan_that_was_not_compared_makes_the_map_anew_once(
    qtbot: QtBot,
    loaded_document: Document,
    predicted: Predicted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[DecisionMapParameters] = []

    def of_candidates(
        parameters: DecisionMapParameters,
        on_progress: Callable[[StudyProgress], None],
        should_stop: Callable[[], bool],
    ) -> StudyResult:
        asked.append(parameters)
        result = run(parameters, on_progress, should_stop)
        found = result.picture(DecisionMap)
        assert found is not None
        return replace(result, pictures=(replace(found, exact=False),))

    monkeypatch.setattr("gui.panels.decision_map.run", of_candidates)
    known: list[Plan] = []
    panel = DecisionMapPanel(loaded_document, points=5, known=lambda: tuple(known))
    qtbot.addWidget(panel)
    panel.resize(800, 360)
    panel.show()
    predicted(loaded_document)
    wait(qtbot, panel)
    panel.consider(Plan((1, 0)))  # best somewhere on it
    assert len(asked) == 1
    known.append(Plan((0, 1)))
    panel.consider(known[0])
    qtbot.waitUntil(lambda: len(asked) == 2)
    wait(qtbot, panel)
    assert asked[1].known == (Plan((0, 1)),)
    panel.consider(known[0])
    assert len(asked) == 2
    panel.close()


def test_a_map_that_compared_everything_stays(qtbot: QtBot, panel: DecisionMapPanel) -> None:
    before = panel.map.picture
    panel.consider(Plan((0, 1)))
    assert not panel.progress.isVisible()
    assert panel.map.picture is before


def test_the_title_says_on_which_timeline_the_map_rests_and_another_one_makes_it_old(
    qtbot: QtBot, panel: DecisionMapPanel, loaded_document: Document, predicted: Predicted
) -> None:
    assert panel.title.text() == "Decision map: contention-aware"
    alone = replace(loaded_document.project, sharing=NONE)
    loaded_document.apply(alone, "Contention-free schedule")
    assert panel.map.dimmed
    predicted(loaded_document)
    wait(qtbot, panel)
    assert panel.title.text() == "Decision map: contention-free"


def test_the_plan_from_which_others_are_named_is_explained_where_it_has_no_area(
    panel: DecisionMapPanel,
) -> None:
    shown = panel.map.picture
    assert shown is not None
    alone = replace(shown, regions=np.ones_like(shown.regions), sectors=())
    panel.map.show_map(alone)
    names = [entry.name for entry in panel.map.legend.entries]
    assert names == [f"1: {shown.labels[0]}", f"2: {shown.labels[1]}", FADED]
    panel.map.show_map(None)
    assert list(panel.map.legend.entries) == []


def test_machines_that_none_can_contend_with_have_axes_too() -> None:
    loads = all_parameters(Platform("large", (Machine("A", cores=1_000_000),)))
    assert default_axes(loads) == (0, 1)
