"""Every field of what is selected can be edited, wrongly too; each edit is one undo step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSlider

from advisor.allocation.data_files import DataFile
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project import project_edits as edits
from gui.document.document import Document, Selection
from gui.inspector import Inspector
from gui.inspector import inspector as inspector_module
from gui.inspector.inspector import sheet_of
from gui.inspector.sheet import VARIOUS
from machines import Direction, Link, LinkPiece, Machine
from tests.gui.inspector.hands import keys, press, select, type_into, type_refused


@pytest.fixture
def inspector(qtbot, loaded_document: Document) -> Inspector:
    widget = Inspector(loaded_document)
    qtbot.addWidget(widget)
    widget.resize(340, 700)
    widget.show()
    return widget


def test_nothing_selected_shows_the_project(inspector: Inspector) -> None:
    texts = [label.text() for label in inspector.findChildren(QLabel)]
    assert "A then B" in texts
    assert "2 tasks, 1 flow on 2 machines, 1 link" in texts


def test_a_typed_number_is_one_undo_step(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=1))
    type_into(qtbot, inspector, "speed", "2.5")
    assert loaded_document.project.platform.machines[1].speed == 2.5
    assert loaded_document.undo_stack.count() == 1
    loaded_document.undo_stack.undo()
    assert loaded_document.project.platform.machines[1].speed == 1.0
    assert inspector.findChild(QLineEdit, "field.speed").text() == "1"


@pytest.mark.parametrize(("text", "reason"), [("fast", "not a number"), ("-1", "out of range")])
def test_wrong_text_stays_with_its_reason_and_changes_nothing(
    qtbot, inspector, loaded_document, text: str, reason: str
) -> None:
    loaded_document.select(Selection(machine=1))
    line = type_into(qtbot, inspector, "speed", text)
    error = inspector.findChild(QLabel, "error.speed")
    assert loaded_document.undo_stack.count() == 0
    assert line.text() == text
    assert error.isVisible()
    assert reason in error.text()


def test_escape_brings_the_present_value_back(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=1))
    line = type_into(qtbot, inspector, "speed", "fast")
    qtbot.keyClicks(line, "er")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "1"
    assert not inspector.findChild(QLabel, "error.speed").isVisible()


def test_escape_takes_back_what_the_project_refused(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=1))
    line = type_refused(qtbot, inspector, "cores", "0", "core")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "1"
    assert not inspector.findChild(QLabel, "error.cores").isVisible()
    assert loaded_document.undo_stack.count() == 0


def test_what_was_refused_is_not_written_into_what_is_selected_next(
    qtbot, inspector, loaded_document
) -> None:
    loaded_document.select(Selection(machine=1))
    type_refused(qtbot, inspector, "name", "M1", "")
    loaded_document.select(Selection(tasks=frozenset({0})))
    assert loaded_document.undo_stack.count() == 0
    assert loaded_document.project.workload.tasks[0].name == "A"
    loaded_document.select(Selection(machine=1))
    assert inspector.findChild(QLineEdit, "field.name").text() == "M2"


def test_a_slider_moves_everything_and_is_one_undo_step(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=1))
    slider = inspector.findChild(QSlider, "slider.load")
    slider.setSliderDown(True)
    for step in (50, 100, 200):
        slider.setSliderPosition(step)
    slider.setSliderDown(False)
    machine = loaded_document.project.platform.machines[1]
    assert sum(contender.compute for contender in machine.contenders) == pytest.approx(4.0)
    assert loaded_document.undo_stack.count() == 1
    slider.setSliderDown(True)
    slider.setSliderPosition(100)
    slider.setSliderDown(False)
    assert loaded_document.undo_stack.count() == 2


def test_the_slowdown_tells_where_it_comes_from(inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=0))
    texts = " ".join(label.text() for label in inspector.findChildren(QLabel))
    assert "Slowdown s = ×3.00" in texts
    assert "arrival theorem" in texts


def test_contenders_come_change_and_go(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=1))
    press(inspector, "add_contender")
    assert len(loaded_document.project.platform.machines[1].contenders) == 1
    type_into(qtbot, inspector, "contender0.communicate", "0.7")
    assert inspector.findChild(QLabel, "error.contender0.communicate").isVisible()
    type_into(qtbot, inspector, "contender0.communicate", "0.4")
    changed = loaded_document.project.platform.machines[1].contenders[0]
    assert (changed.compute, changed.communicate) == (0.5, 0.4)
    press(inspector, "remove_contender0")
    assert loaded_document.project.platform.machines[1].contenders == ()


def test_a_stated_slowdown_is_optional(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=0))
    type_into(qtbot, inspector, "slowdown", "2")
    stated = loaded_document.project.platform.machines[0]
    assert (stated.slowdown, stated.contenders) == (2.0, ())  # which it takes the place of
    press(inspector, "add_contender")
    busy = loaded_document.project.platform.machines[0]
    assert (busy.slowdown, len(busy.contenders)) == (None, 1)
    loaded_document.undo_stack.undo()
    assert loaded_document.project.platform.machines[0] == stated
    line = inspector.findChild(QLineEdit, "field.slowdown")
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert loaded_document.project.platform.machines[0].slowdown is None


def test_a_machine_is_added_linked_and_removed(inspector, loaded_document) -> None:
    press(inspector, "add_machine")
    assert loaded_document.selection == Selection(machine=2)
    press(inspector, "link_to_M1")
    assert loaded_document.selection == Selection(link=1)
    assert loaded_document.project.platform.links[1].ends == {"M1", "M3"}
    loaded_document.select(Selection(machine=2))
    press(inspector, "remove_machine")
    assert len(loaded_document.project.platform.machines) == 2
    assert loaded_document.selection == Selection()


def test_an_action_that_can_not_be_done_says_why(inspector, loaded_document) -> None:
    task = replace(loaded_document.project.workload.tasks[0], seconds=(("M1", 12.0),))
    loaded_document.apply(edits.with_task(loaded_document.project, 0, task), "tie A to M1")
    loaded_document.select(Selection(machine=0))
    press(inspector, "remove_machine")
    assert len(loaded_document.project.platform.machines) == 2
    assert any("M1 only" in label.text() for label in inspector.findChildren(QLabel))


def test_a_link_is_edited_split_and_removed(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(link=0))
    type_into(qtbot, inspector, "to_second.startup_s", "2 ms")
    assert loaded_document.project.platform.links[0].to_second.startup_s == 0.002
    type_into(qtbot, inspector, "load", "3")
    assert loaded_document.project.platform.links[0].slowdown == 3.0
    press(inspector, "no_stated_slowdown")
    assert loaded_document.project.platform.links[0].slowdown is None
    type_into(qtbot, inspector, "delay_comm", "0.9; 2")
    assert loaded_document.project.platform.links[0].delay_comm == (0.9, 2.0)
    press(inspector, "two_pieces")
    assert loaded_document.project.platform.links[0].to_first.above == LinkPiece(4096.0, 0.001, 1e6)
    type_into(qtbot, inspector, "to_first.above.bandwidth", "2 MB/s")
    assert loaded_document.project.platform.links[0].to_first.above.bandwidth == 2e6
    press(inspector, "one_piece")
    assert loaded_document.project.platform.links[0].to_first.above is None
    press(inspector, "remove_link")
    assert loaded_document.project.platform.links == ()


def test_names_of_a_links_ends_are_written_as_they_are(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=0))
    type_into(qtbot, inspector, "name", "login")
    loaded_document.select(Selection(link=0))
    written = [label.text() for label in inspector.findChildren(QLabel)]
    assert {"Startup, login → M2", "Bandwidth, M2 → login"} <= set(written)


def test_a_task_has_a_time_for_each_machine(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(tasks=frozenset({0})))
    type_into(qtbot, inspector, "seconds.M2", "20")
    assert dict(loaded_document.project.workload.tasks[0].seconds)["M2"] == 20.0
    type_into(qtbot, inspector, "name", "first")
    assert loaded_document.project.workload.flows[0].source == "first"


def test_work_can_become_a_table_by_machine(inspector, loaded_document) -> None:
    press(inspector, "add_task")
    assert loaded_document.selection.tasks == {2}
    press(inspector, "by_machine")
    assert loaded_document.project.workload.tasks[2].seconds == (("M1", 1.0), ("M2", 1.0))


def test_several_tasks_are_edited_together(qtbot, inspector, cluster_document) -> None:
    widget = Inspector(cluster_document)
    qtbot.addWidget(widget)
    cluster_document.select(Selection(tasks=frozenset({1, 2})))
    sheet = sheet_of(cluster_document.project, cluster_document.selection)
    assert {field.key: field.value for field in sheet.fields}["work"] is VARIOUS
    type_into(qtbot, widget, "work", "5")
    tasks = cluster_document.project.workload.tasks
    assert [tasks[1].work, tasks[2].work] == [5.0, 5.0]
    assert cluster_document.undo_stack.count() == 1
    widget.findChild(QPushButton, "action.flow_1_2").click()
    assert cluster_document.project.workload.flows[-1] == Flow(tasks[1].name, tasks[2].name)
    assert cluster_document.selection.flow is not None


def test_a_flow_takes_data_sets_or_seconds(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(flow=0))
    type_into(qtbot, inspector, "data_sets", "100 x 2 KiB; 1 x 64")
    assert loaded_document.project.workload.flows[0].data_sets == ((100, 2048.0), (1, 64.0))
    type_into(qtbot, inspector, "seconds.M1>M2", "9")
    assert dict(loaded_document.project.workload.flows[0].seconds)["M1", "M2"] == 9.0
    press(inspector, "remove_flow")
    assert loaded_document.project.workload.flows == ()


def test_what_files_carry_is_shown_and_not_edited(inspector, loaded_document) -> None:
    workload = Workload(
        "w",
        (Task("A", 1.0, writes=("out", "log")), Task("B", 1.0, reads=("log", "out"))),
        (Flow("A", "B", ((1, 5.0),)),),
        (DataFile("out", 2000.0), DataFile("log", 3.0)),
    )
    project = replace(loaded_document.project, workload=workload)
    stated, carried = (sheet_of(project, Selection(flow=edge)) for edge in (0, 1))
    assert stated.fields
    assert not carried.fields
    assert not carried.actions
    assert carried.title == "A → B"
    assert carried.subtitle.startswith("2 files")
    assert [note.split(":")[0] for note in carried.notes[:2]] == ["log", "out"]
    assert [text for text, _ in carried.links] == ["Task A", "Task B"]
    assert sheet_of(project, Selection()).subtitle.startswith("2 tasks, 1 flow, 2 files on")
    links = sheet_of(project, Selection(tasks=frozenset({0}))).links
    assert [chosen.flow for _, chosen in links] == [0, 1]


def test_a_task_says_its_files_and_what_its_removal_leaves(loaded_document) -> None:
    workload = Workload(
        "w",
        (Task("A", 1.0, reads=("in",), writes=("out",)), Task("B", 1.0, reads=("out",))),
        files=(DataFile("in", 2000.0, "M1"), DataFile("out", 3.0)),
    )
    project = replace(loaded_document.project, workload=workload)
    first, second = (sheet_of(project, Selection(tasks=frozenset({task}))) for task in (0, 1))
    assert first.notes[-2:] == ("Reads in (2.00 kB, on M1).", "Writes out (3 B).")
    (remove,) = [action for action in first.actions if action.key == "remove_tasks"]
    assert remove.help.endswith("What others read comes from outside then: out")
    assert all("outside" not in action.help for action in second.actions)


def test_neighbours_are_a_click_away(inspector, loaded_document) -> None:
    loaded_document.select(Selection(tasks=frozenset({0})))
    go = next(b for b in inspector.findChildren(QPushButton) if b.text() == "Flow A → B")
    assert go.property("role") == "link"  # it looks as if it can be clicked
    go.click()
    assert loaded_document.selection == Selection(flow=0)


def test_tasks_are_removed_with_their_flows(inspector, loaded_document) -> None:
    loaded_document.select(Selection(tasks=frozenset({0})))
    press(inspector, "remove_tasks")
    assert [task.name for task in loaded_document.project.workload.tasks] == ["B"]
    assert loaded_document.project.workload.flows == ()
    loaded_document.undo_stack.undo()
    assert len(loaded_document.project.workload.flows) == 1


def test_the_project_is_renamed(qtbot, inspector, loaded_document) -> None:
    type_into(qtbot, inspector, "name", "night run")
    type_into(qtbot, inspector, "platform", "lab")
    assert loaded_document.project.name == "night run"
    assert loaded_document.project.platform.name == "lab"


def test_the_keyboard_can_be_put_into_the_first_field(qtbot, inspector, loaded_document) -> None:
    loaded_document.select(Selection(machine=0))
    with qtbot.waitExposed(inspector):
        inspector.show()
    inspector.focus()
    assert inspector.focusWidget().objectName() == "field.name"


def test_a_machine_of_many_neighbours_offers_the_missing_links_only(loaded_document) -> None:
    both = Direction(0.0, 1e6)
    project = edits.add_machine(loaded_document.project, Machine("M3"))
    linked = edits.add_link(project, Link("M3", "M1", both, both))
    sheet = sheet_of(linked, Selection(machine=2))
    keys = {action.key for action in sheet.actions}
    assert "link_to_M2" in keys
    assert "link_to_M1" not in keys


@pytest.mark.parametrize(
    ("text", "reason"),
    [("M  1", "blanks"), ("M\u00a01", "blanks"), ("M\u202e1", "U+202E"), ("M\u200b1", "U+200B")],
)
def test_a_name_that_looks_like_another_is_refused(
    qtbot, inspector, loaded_document, text, reason
) -> None:
    loaded_document.select(Selection(machine=0))
    line = paste_into(qtbot, inspector, "name", text)
    said = [label.text() for label in inspector.findChildren(QLabel, "error.name")]
    assert reason in "".join(said)
    assert loaded_document.project.platform.machines[0].name == "M1"
    assert loaded_document.undo_stack.count() == 0
    assert line.text() == text
    paste_into(qtbot, inspector, "name", " größer 1 ")
    assert loaded_document.project.platform.machines[0].name == "größer 1"


def paste_into(qtbot, inspector, key, text):
    """Paste into a field and press Enter: no key writes such characters."""
    line = inspector.findChild(QLineEdit, f"field.{key}")
    line.setFocus()
    line.selectAll()
    QGuiApplication.clipboard().setText(text)
    qtbot.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    return line


def test_what_is_wrong_about_one_task_is_forgotten_at_another(
    qtbot, inspector, loaded_document
) -> None:
    select(loaded_document, 0)
    line = type_refused(qtbot, inspector, "seconds.M1", "much", "not a number")
    select(loaded_document, 1)
    assert inspector.findChild(QLineEdit, "field.seconds.M1") is line
    assert line.text() == "4 s"
    assert not line.isModified()
    assert not inspector.findChild(QLabel, "error.seconds.M1").isVisible()


def test_a_row_that_is_put_aside_comes_back_with_what_it_edits_now(
    qtbot, inspector, loaded_document
) -> None:
    select(loaded_document, 0)
    line, before = inspector.findChild(QLineEdit, "field.seconds.M1"), keys(inspector)
    loaded_document.select(Selection())
    assert not line.isVisible()
    assert "seconds.M1" not in keys(inspector)
    select(loaded_document, 1)
    assert inspector.findChild(QLineEdit, "field.seconds.M1") is line
    assert keys(inspector) == before
    type_into(qtbot, inspector, "seconds.M1", "7")
    tasks = loaded_document.project.workload.tasks
    assert [dict(task.seconds)["M1"] for task in tasks] == [12.0, 7.0]


def test_rows_are_made_before_anything_is_selected(qtbot, inspector, loaded_document) -> None:
    def line() -> QLineEdit | None:
        return inspector.findChild(QLineEdit, "field.speed")

    qtbot.waitUntil(lambda: line() is not None)
    made = line()
    loaded_document.select(Selection(machine=0))
    assert line() is made
    assert made.isVisible()


def test_no_more_rows_are_kept_aside_than_a_few(inspector, loaded_document, monkeypatch) -> None:
    monkeypatch.setattr(inspector_module, "_MOST_ASIDE", 2)
    for _ in range(2):
        select(loaded_document, 0)
        loaded_document.select(Selection())
    assert len(inspector._aside) == 2


def test_a_machine_of_so_many_cores_that_none_can_contend_is_shown(
    inspector, loaded_document
) -> None:
    platform = loaded_document.project.platform
    machines = (
        replace(platform.machines[0], cores=1_000_000, contenders=()),
        *platform.machines[1:],
    )
    changed = replace(platform, machines=machines)
    loaded_document.load(replace(loaded_document.project, platform=changed))
    loaded_document.select(Selection(machine=0))
    assert inspector.findChild(QLineEdit, "field.load") is None
