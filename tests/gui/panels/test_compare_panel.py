"""Strategies side by side: pins are undo steps, strategies run in a process, rows adopt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QMenu
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Progress
from advisor.allocation.timeline_modes import NONE
from advisor.project.project import Pin
from advisor.project.project_file import read_project, write_project
from advisor.search import STRATEGIES
from gui.basics.background_jobs import SearchProcess
from gui.basics.theme import theme
from gui.document.document import Document, Outcome
from gui.panels.compare_columns import CURRENT, free_name, marked
from gui.panels.compare_panel import ComparePanel
from gui.panels.strategy_menu import DeadlineDialog
from machines.default_spreads import Spreads
from tests.choosing import choosing
from tests.dummies.heuristic import first_machine
from tests.gui.panels.hub import hub_project
from tests.gui.pointer import double_click

Predicted = Callable[[Document], Outcome]


@pytest.fixture(autouse=True)
def no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """These searches are small: they need not wait for compiled kernels."""
    monkeypatch.setattr(
        "gui.panels.strategy_runs.SearchProcess", partial(SearchProcess, warm_up=None)
    )


@pytest.fixture
def panel(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> Iterator[ComparePanel]:
    panel = ComparePanel(loaded_document)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    predicted(loaded_document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    yield panel
    panel.close_jobs()


def shown(panel: ComparePanel) -> dict[str, dict[str, object]]:
    table = panel.table.columns_model.table()
    return {str(row[0]): dict(zip(table.headings, row, strict=True)) for row in table.rows}


def settle(qtbot: QtBot, panel: ComparePanel, document: Document, predicted: Predicted) -> None:
    predicted(document)
    qtbot.waitUntil(
        lambda: (
            panel.comparison is not None and panel.comparison.outcome.project is document.project
        )
    )


@pytest.fixture
def with_pin(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document, predicted: Predicted
) -> ComparePanel:
    """Pinned: A on M2 and B on M1, 38 s, beside the current both on M1, 48 s."""
    project = loaded_document.project
    loaded_document.apply(replace(project, pins=(Pin("split", Plan((1, 0))),)), "Pin split")
    settle(qtbot, panel, loaded_document, predicted)
    return panel


def test_without_pins_the_current_plan_stands_alone_and_says_what_to_do(
    panel: ComparePanel,
) -> None:
    assert list(shown(panel)) == [CURRENT]
    assert "Pin the current plan" in panel.status.text()


def test_pinning_the_current_plan_is_one_undo_step(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    qtbot.mouseClick(panel.pin_button, Qt.MouseButton.LeftButton)
    assert [pin.name for pin in loaded_document.project.pins] == ["by hand, 48.0 s"]
    settle(qtbot, panel, loaded_document, predicted)
    assert list(shown(panel)) == [CURRENT, "by hand, 48.0 s"]
    qtbot.mouseClick(panel.pin_button, Qt.MouseButton.LeftButton)
    assert [pin.name for pin in loaded_document.project.pins] == [
        "by hand, 48.0 s",
        "by hand, 48.0 s 2",
    ]
    loaded_document.undo_stack.undo()
    loaded_document.undo_stack.undo()
    assert loaded_document.project.pins == ()
    settle(qtbot, panel, loaded_document, predicted)
    assert list(shown(panel)) == [CURRENT]


def test_differences_are_signed_against_the_current_plan(with_pin: ComparePanel) -> None:
    row = shown(with_pin)["split"]
    assert row["makespan (s)"] == pytest.approx(38.0)
    assert row["against now (s)"] == pytest.approx(-10.0)
    model = with_pin.table.columns_model
    place = [column.heading for column in model.columns].index("against now")
    assert model.data(model.index(1, place)) == "▼ \u221210.0 s"
    assert model.data(model.index(0, place)) == "0 s"
    ink = model.data(model.index(1, place), Qt.ItemDataRole.ForegroundRole)
    assert ink == QColor(theme().colours.better)
    assert model.data(model.index(0, place), Qt.ItemDataRole.ForegroundRole) is None
    assert row["front, total time"] == "on the front"
    assert shown(with_pin)[CURRENT]["front, total time"] == "beaten"


def test_bars_show_every_plan_on_common_axes(with_pin: ComparePanel) -> None:
    titles = [group.title.split(",")[0].split(" of ")[0] for group in with_pin.bars.groups]
    assert titles == ["makespan", "total time", "gap", "utilisation"]
    makespans = with_pin.bars.groups[0].bars
    assert [bar.label for bar in makespans] == [CURRENT, "split"]
    assert [bar.value for bar in makespans] == pytest.approx([48.0, 38.0])
    assert "▼" in makespans[1].text


def test_figures_on_an_axis_of_bars_have_the_same_digits(with_pin: ComparePanel) -> None:
    for group in with_pin.bars.groups[:2]:
        bars = group.bars
        texts = [text for bar in bars for text in (bar.text, *(p.text for p in bar.segments))]
        digits = {len(text.split()[0].partition(".")[2]) for text in texts}
        assert len(digits) == 1, texts


def test_the_switch_of_pictures_stays_under_the_pointer(
    qtbot: QtBot, with_pin: ComparePanel
) -> None:
    pictures = with_pin.pictures
    with_pin.resize(900, 700)
    places = set()
    for index in (0, 1, 2, 0):
        pictures.show_picture(index)
        qtbot.waitUntil(pictures.switches[index].button(2).isVisible)
        qtbot.settle()  # for all of it to be laid out
        buttons = pictures.switches[index].buttons()
        places.add(tuple(one.mapTo(with_pin, QPoint(0, 0)).toTuple() for one in buttons))
    assert len(places) == 1


def test_a_double_click_adopts_in_one_step(
    qtbot: QtBot, with_pin: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    steps = loaded_document.undo_stack.count()
    assert with_pin.status.text().endswith(" Double-click a plan to adopt it.")
    table = with_pin.table
    place = table.visualRect(table.columns_model.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    double_click(table.viewport(), place)
    assert loaded_document.project.plan == Plan((1, 0))
    assert loaded_document.undo_stack.count() == steps + 1
    settle(qtbot, with_pin, loaded_document, predicted)
    assert shown(with_pin)["split"]["makespan (s)"] == shown(with_pin)[CURRENT]["makespan (s)"]
    assert "against now (s)" not in shown(with_pin)["split"]
    loaded_document.undo_stack.undo()
    assert loaded_document.project.plan == Plan((0, 0))


def test_the_current_plan_has_nothing_to_adopt(
    qtbot: QtBot, with_pin: ComparePanel, loaded_document: Document
) -> None:
    steps = loaded_document.undo_stack.count()
    with_pin.table.selectRow(0)
    assert not with_pin.commands["adopt"].isEnabled()
    with_pin.table.row_activated.emit(0)
    assert loaded_document.undo_stack.count() == steps


def test_a_pin_is_renamed_and_unpinned_by_undo_steps(
    qtbot: QtBot, with_pin: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    with_pin.table.selectRow(1)
    with_pin.commands["rename"].trigger()
    dialog = with_pin.findChild(QInputDialog, "rename_dialog")
    assert dialog is not None
    dialog.setTextValue("  best ")
    dialog.accept()
    assert loaded_document.project.pins[0].name == "best"
    settle(qtbot, with_pin, loaded_document, predicted)
    with_pin.table.selectRow(1)
    with_pin.commands["unpin"].trigger()
    assert loaded_document.project.pins == ()
    loaded_document.undo_stack.undo()
    loaded_document.undo_stack.undo()
    assert loaded_document.project.pins[0].name == "split"


def test_a_name_that_is_taken_gets_a_number_and_an_empty_one_is_ignored(
    with_pin: ComparePanel, loaded_document: Document
) -> None:
    with_pin.pin_current()
    with_pin.pins.rename(loaded_document.project.pins[-1].name, "split")
    assert [pin.name for pin in loaded_document.project.pins] == ["split", "split 2"]
    with_pin.pins.rename("split", " ")
    assert loaded_document.project.pins[0].name == "split"
    assert free_name(CURRENT, []) == f"{CURRENT} 2"


def test_a_strategy_searches_in_the_background_and_is_pinned_in_one_step(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    menu = panel.strategy_button.menu()
    action = next(a for a in menu.actions() if a.objectName() == "strategy_heft")
    assert action.toolTip()
    action.trigger()
    assert panel.cancel_button.isVisible()
    qtbot.waitUntil(lambda: len(loaded_document.project.pins) == 1, timeout=30_000)
    qtbot.waitUntil(lambda: not panel.progress.isVisible())
    assert loaded_document.project.pins[0].plan.strategy == "heft"
    settle(qtbot, panel, loaded_document, predicted)
    assert len(shown(panel)) == 2
    loaded_document.undo_stack.undo()
    assert loaded_document.project.pins == ()


def test_a_new_heuristic_is_in_the_menu_and_searched(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STRATEGIES, "dummy", first_machine.STRATEGY)
    panel = ComparePanel(loaded_document)
    qtbot.addWidget(panel)
    panel.show()
    predicted(loaded_document)
    menu = panel.strategy_button.menu()
    action = next(a for a in menu.actions() if a.objectName() == "strategy_dummy")
    assert (action.text(), action.toolTip()) == ("First machine", first_machine.STRATEGY.help)
    action.trigger()
    qtbot.waitUntil(lambda: panel.progress.text().startswith("First machine: starting"))
    panel.cancel()
    panel.close_jobs()


def test_the_bar_says_what_is_best_and_how_many_plans_were_tried(
    panel: ComparePanel, loaded_document: Document
) -> None:
    outcome = loaded_document.outcome
    assert outcome is not None
    panel.runs._searching = ("heft", outcome.problem)
    panel.runs._tell(Progress(loaded_document.project.plan, 83.0, 0.0, "heft", 1053, 0.17))
    panel.progress.setFixedWidth(640)
    assert panel.progress.text() == "1,053 tried  ·  HEFT: best 1 min 23 s  ·  17 %"
    panel.progress.setFixedWidth(240)
    assert panel.progress.text() == "HEFT: best 1 min 23 s  ·  17 %"
    panel.runs._searching = None


def test_heuristics_from_the_literature_have_a_menu_of_their_own(
    panel: ComparePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = panel.strategy_button.menu()
    below = menu.findChild(QMenu, "strategies_by_name")
    assert below.menuAction() == menu.actions()[-1]
    by_name = [name for name, one in STRATEGIES.items() if one.by_name and one.goal is None]
    robust = [name for name, one in STRATEGIES.items() if one.goal is not None]
    assert {f"strategy_{name}" for name in robust} <= {a.objectName() for a in menu.actions()}
    assert [a.objectName() for a in below.actions()] == [f"strategy_{name}" for name in by_name]
    assert not {f"strategy_{name}" for name in by_name} & {a.objectName() for a in menu.actions()}
    asked: list[str] = []
    monkeypatch.setattr(panel, "add_strategies", asked.extend)
    menu.actions()[0].trigger()
    assert asked == [name for name in STRATEGIES if name not in {*by_name, *robust}]
    asked.clear()
    below.actions()[0].trigger()
    assert asked == by_name[:1]


def test_a_strategy_that_does_not_apply_says_why_and_the_next_one_goes_on(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    panel.add_strategies(["cut", "heft"])
    qtbot.waitUntil(lambda: not panel.progress.isVisible(), timeout=30_000)
    assert [pin.plan.strategy for pin in loaded_document.project.pins] == ["heft"]
    settle(qtbot, panel, loaded_document, predicted)
    assert "1 strategy refuses: Minimum cut" in panel.line.mark.text()
    assert not panel.line.reasons.isVisible()
    at = panel.table.mapTo(panel, QPoint(0, 0))
    qtbot.mouseClick(panel.line.mark, Qt.MouseButton.LeftButton)
    assert panel.line.reasons.isVisible()
    assert panel.line.reasons.text().startswith("▲ Minimum cut: ")
    qtbot.mouseClick(panel.line.mark, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.table.mapTo(panel, QPoint(0, 0)) == at)
    panel.add_strategies(["chain"])
    assert not panel.line.mark.isVisible()
    panel.cancel()


def test_all_strategies_wait_in_a_row_and_a_cancel_drops_them(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document
) -> None:
    action = next(
        a for a in panel.strategy_button.menu().actions() if a.objectName() == "strategy_all"
    )
    action.trigger()
    qtbot.waitUntil(lambda: len(loaded_document.project.pins) >= 1, timeout=30_000)
    qtbot.mouseClick(panel.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.progress.isVisible())
    assert len(loaded_document.project.pins) < 10


def test_a_hidden_comparison_is_made_when_it_is_shown(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted
) -> None:
    panel = ComparePanel(loaded_document)
    qtbot.addWidget(panel)
    predicted(loaded_document)
    assert panel.comparison is None
    panel.show()
    qtbot.waitUntil(lambda: panel.comparison is not None)
    panel.close()


def test_cancelling_before_the_search_began_pins_nothing(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document
) -> None:
    panel.add_strategies(["heft", "cpop"])
    qtbot.mouseClick(panel.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.progress.isVisible())
    assert loaded_document.project.pins == ()


def test_an_answer_to_an_older_project_is_not_pinned(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document
) -> None:
    panel.add_strategies(["heft"])
    project = loaded_document.project
    slower = replace(project.platform.machines[1], slowdown=2.0)
    platform = replace(project.platform, machines=(project.platform.machines[0], slower))
    loaded_document.apply(replace(project, platform=platform), "Slow M2")
    qtbot.waitUntil(lambda: not panel.progress.isVisible(), timeout=30_000)
    assert loaded_document.project.pins == ()


def test_a_pin_that_no_longer_fits_is_kept_with_the_reason(
    qtbot: QtBot, with_pin: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    project = loaded_document.project
    only_m1 = replace(project.workload.tasks[0], seconds=(("M1", 12.0),))
    workload = replace(project.workload, tasks=(only_m1, project.workload.tasks[1]))
    loaded_document.apply(replace(project, workload=workload), "A on M1 only")
    assert with_pin.table.columns_model.dimmed
    settle(qtbot, with_pin, loaded_document, predicted)
    assert "1 plan refuses: split" in with_pin.line.mark.text()
    assert with_pin.line.reasons.text().startswith("▲ split: no longer fits: ")
    before = shown(with_pin)["split (pinned before the change)"]
    assert before["front, total time"] == "▲ can't run any more"
    assert [bar.label for bar in with_pin.bars.groups[0].bars] == [CURRENT]
    loaded_document.undo_stack.undo()
    settle(qtbot, with_pin, loaded_document, predicted)
    assert "split" in shown(with_pin)


def test_another_project_starts_an_empty_comparison(
    with_pin: ComparePanel, loaded_document: Document
) -> None:
    loaded_document.load(replace(loaded_document.project, pins=()))
    assert with_pin.comparison is None
    assert with_pin.table.columns_model.rowCount() == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("+1.00 s", "▲ +1.00 s"), ("\u22121.00 s", "▼ \u22121.00 s"), ("0 s", "0 s"), ("–", "–")],
)
def test_differences_carry_a_direction(text: str, expected: str) -> None:
    assert marked(text) == expected


@pytest.fixture
def on_a_hub(qtbot: QtBot, qapp: object, predicted: Predicted) -> Iterator[ComparePanel]:
    """The plan of tests/gui/panels/hub.py, and others.

    All tasks on m1: 200 B at 10 B/s, then 20 s. Two chains: both files by 20 s, then 10 s; on an
    endless network by 10 s.
    """
    project = hub_project()
    pins = (Pin("alone", Plan((0, 0, 0, 0))), Pin("chains", Plan((0, 1, 0, 1))))
    document = Document(replace(project, pins=pins))
    panel = ComparePanel(document)
    qtbot.addWidget(panel)
    panel.resize(1200, 500)
    panel.show()
    predicted(document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    yield panel
    panel.close_jobs()


def test_plans_show_what_they_share_and_what_an_endless_network_gives(
    on_a_hub: ComparePanel,
) -> None:
    row = shown(on_a_hub)[CURRENT]
    assert row["makespan (s)"] == pytest.approx(45.0)
    assert row["contention-free (s)"] == pytest.approx(30.0)
    assert (row["busiest"], row["busy"]) == ("hub", pytest.approx(350.0 / 450.0))
    other = shown(on_a_hub)["alone"]
    assert other["makespan (s)"] == pytest.approx(40.0)
    assert other["contention-free (s)"] == pytest.approx(30.0)
    assert other["busy"] == pytest.approx(200.0 / 400.0)
    chains = shown(on_a_hub)["chains"]
    assert chains["makespan (s)"] == pytest.approx(30.0)
    assert chains["contention-free (s)"] == pytest.approx(20.0)
    assert [row["tasks moved"] for row in shown(on_a_hub).values()] == [0, 2, 2]


def test_a_figure_that_all_plans_share_has_no_column(
    on_a_hub: ComparePanel, qtbot: QtBot, predicted: Predicted
) -> None:
    document = on_a_hub._document
    document.apply(replace(document.project, pins=document.project.pins[:1]), "Unpin chains")
    settle(qtbot, on_a_hub, document, predicted)
    assert "contention-free (s)" not in shown(on_a_hub)[CURRENT]  # 30 s in both
    document.apply(replace(document.project, pins=()), "Unpin alone")
    settle(qtbot, on_a_hub, document, predicted)
    assert list(shown(on_a_hub)[CURRENT]) == [
        "plan", "makespan (s)", "total (s)", "utilisation", "busiest", "busy",
    ]  # fmt: skip


def test_a_column_has_one_unit(on_a_hub: ComparePanel) -> None:
    model = on_a_hub.table.columns_model
    headings = [column.heading for column in model.columns]
    place = headings.index("makespan")
    assert [model.data(model.index(row, place)) for row in range(3)] == [
        "45.0 s",
        "40.0 s",
        "30.0 s",
    ]
    place = headings.index("contention-free")
    assert [model.data(model.index(row, place)) for row in range(3)] == [
        "30.0 s",
        "30.0 s",
        "20.0 s",
    ]


def test_the_busiest_can_be_sorted_by(on_a_hub: ComparePanel) -> None:
    model = on_a_hub.table.columns_model
    model.sort([column.heading for column in model.columns].index("busy"))
    assert model.rows.tolist() == [1, 2, 0]


def test_where_each_transfer_is_alone_nothing_is_shared(
    panel: ComparePanel, loaded_document: Document, qtbot: QtBot, predicted: Predicted
) -> None:
    alone = replace(loaded_document.project, sharing=NONE)
    loaded_document.apply(alone, "Contention-free schedule")
    settle(qtbot, panel, loaded_document, predicted)
    assert not {"busiest", "busy", "contention-free (s)"} & set(shown(panel)[CURRENT])


def test_every_strategy_keeps_its_choices_and_trees_and_so_do_pins_in_a_file(
    qtbot: QtBot, qapp: object, predicted: Predicted, tmp_path: Path
) -> None:
    document = Document(choosing())
    panel = ComparePanel(document)
    qtbot.addWidget(panel)
    panel.show()
    predicted(document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    panel.add_strategies(["heft", "refine"])
    qtbot.waitUntil(lambda: not panel.runs.is_busy)
    pins = document.project.pins
    assert [pin.name for pin in pins] == [STRATEGIES[one].title for one in ("heft", "refine")]
    for pin in pins:
        assert {one.name for one in pin.plan.choices} >= {"style", "block"}
        assert pin.plan.overlays[0] is not None
    write_project(document.project, tmp_path / "kept.placewise")
    assert read_project(tmp_path / "kept.placewise").pins == pins
    settle(qtbot, panel, document, predicted)
    for _, row in panel.comparison.rows:  # bars by cause hold whatever a plan decides
        assert sum(row.prediction.critical_breakdown_s.values()) == pytest.approx(row.makespan_s)
        assert sum(row.breakdown_s.values()) == pytest.approx(row.total_s)
    panel.table.selectRow(1)
    panel.table.row_activated.emit(1)
    assert document.project.plan == pins[0].plan
    document.undo_stack.undo()
    assert document.project.plan == choosing().plan
    panel.close_jobs()


def test_a_plan_by_a_deadline_is_asked_for_with_its_numbers_checked(
    panel: ComparePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(panel, "add_strategies", asked.extend)
    menu = panel.strategy_button.menu()
    next(one for one in menu.actions() if one.objectName() == "strategy_deadline").trigger()
    dialog = panel.findChild(DeadlineDialog)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    for deadline, chance, said in (
        ("", "95", "e.g. 12.5 s"), ("0", "95", "above 0"), ("soon", "95", "not a number"),
        ("1 h", "0", "Write 1 to 99"), ("1 h", "most", "e.g. 95"),
    ):  # fmt: skip
        dialog.deadline.setText(deadline)
        dialog.chance.setText(chance)
        ok.click()
        assert dialog.isVisible()
        assert said in dialog.wrong.text(), dialog.wrong.text()
    dialog.deadline.setText("1 h 20 min")
    dialog.chance.setText("90 %")
    dialog.least.setCurrentIndex(1)
    ok.click()
    assert asked == ["deadline:4800:0.9:energy"]


def test_a_refused_deadline_is_forgotten_once_the_machines_change(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document
) -> None:
    panel.add_strategies(["deadline:600:0.9:money"])
    told = panel.line.reasons
    qtbot.waitUntil(lambda: bool(told.text()), timeout=30_000)
    assert told.text() == (
        "▲ By 10 min, least money: money is not known of M1 and M2. "
        "Give each machine its Price (price_per_hour)"
    )
    qtbot.waitUntil(lambda: not panel.runs.is_busy)
    project = loaded_document.project
    named = replace(project, workload=project.workload.renamed("saved"))
    loaded_document.apply(named, "Another name")
    assert told.text()
    priced = tuple(replace(one, price_per_hour=1.0) for one in project.platform.machines)
    platform = replace(project.platform, machines=priced)
    loaded_document.apply(replace(named, platform=platform), "Prices")
    assert not told.text()
    assert not panel.line.mark.isVisible()


def test_a_plan_by_a_deadline_tells_how_often_it_ends_in_time(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    def in_time(cv: float, pin: Pin) -> list[object]:
        project = loaded_document.project
        platform = replace(project.platform, spread=Spreads(0.0, cv, 0.0))
        workload = project.workload.with_spread(Spreads(cv, 0.0, 0.0))
        changed = replace(project, platform=platform, workload=workload, pins=(pin,))
        loaded_document.apply(changed, "Other spreads")
        settle(qtbot, panel, loaded_document, predicted)
        return [row.get("within 42.0 s") for row in shown(panel).values()]

    pin = Pin("cheap", Plan((1, 0), strategy="deadline:42:0.9:money"))
    assert in_time(0.0, pin) == [0.0, 1.0]  # 48 s and 38 s, exactly
    current, cheap = in_time(0.2, pin)
    assert isinstance(current, float)
    assert isinstance(cheap, float)
    assert 0.0 < current < cheap < 1.0
    assert in_time(0.2, Pin("cheap", Plan((1, 0)))) == [None, None]


def test_a_pin_is_marked_where_values_changed_and_not_where_names_did(
    qtbot: QtBot, with_pin: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    project = loaded_document.project
    saved = replace(project, platform=replace(project.platform, name="saved"),
                    workload=project.workload.renamed("saved"))  # fmt: skip
    loaded_document.amend(lambda _old: saved)
    settle(qtbot, with_pin, loaded_document, predicted)
    assert list(shown(with_pin)) == [CURRENT, "split"]
    slower = replace(saved.platform.machines[1], slowdown=2.0)
    platform = replace(saved.platform, machines=(saved.platform.machines[0], slower))
    loaded_document.apply(replace(saved, platform=platform), "Slow M2")
    settle(qtbot, with_pin, loaded_document, predicted)
    assert list(shown(with_pin)) == [CURRENT, "split (pinned before the change)"]
    loaded_document.apply(saved, "As before")
    settle(qtbot, with_pin, loaded_document, predicted)
    assert list(shown(with_pin)) == [CURRENT, "split"]
