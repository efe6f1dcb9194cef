"""The network form of a study in the window: its sources, the fields of each, and undo."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from pytestqt.qtbot import QtBot

from advisor.project.examples import load_example
from advisor.studies import STUDIES
from advisor.studies.network_settings import OWN, PING_PONG, PLATFORM
from advisor.studies.network_source import parallel_machines
from gui.document.document import Document
from gui.form.editors import ChoiceList
from gui.studies.page.memory import StudyMemory
from gui.studies.page.open_platform import NO_MACHINE
from gui.studies.page.study_panel import StudyPanel
from machines.catalogue import interconnect

FIVE = pytest.mark.parametrize("name", ["styles", "mapping", "blocks", "trees", "scaling"])
COSTS = ("latency", "overhead", "overhead_receive", "gap", "gap_per_byte")


@pytest.fixture
def parallel() -> Document:
    """A project whose second machine has a network inside."""
    return Document(load_example("multicomputer"))


@pytest.fixture
def styles(qtbot: QtBot, parallel: Document) -> Iterator[StudyPanel]:
    panel = opened(qtbot, parallel, "styles")
    yield panel
    panel.close()


def opened(qtbot: QtBot, document: Document, name: str) -> StudyPanel:
    panel = StudyPanel(document, STUDIES[name])
    qtbot.addWidget(panel)
    panel.show()
    if name == "scaling":
        panel.form.set_values({"source": "LogP"})
    return panel


def choice(panel: StudyPanel, name: str) -> ChoiceList:
    editor = panel.form.editor(name)
    assert isinstance(editor, ChoiceList)
    return editor


def entry(panel: StudyPanel, text: str) -> tuple[bool, str]:
    """(whether the network can be chosen, the tooltip of its entry)."""
    combo = choice(panel, "network")
    model = combo.model()
    assert isinstance(model, QStandardItemModel)
    item = model.item(combo.findText(text))
    return item.isEnabled(), item.toolTip()


def shown(panel: StudyPanel, *names: str) -> list[bool]:
    return [not panel.form.editor(name).isHidden() for name in names]


@FIVE
def test_each_source_shows_its_own_fields_only(qtbot: QtBot, parallel: Document, name: str) -> None:
    panel = opened(qtbot, parallel, name)
    combo = choice(panel, "network")
    combo.setCurrentIndex(combo.findData("alewife"))
    assert not any(shown(panel, *COSTS, "machine", "pingpong"))
    combo.setCurrentText(OWN)
    assert all(shown(panel, *COSTS))
    assert not any(shown(panel, "machine", "pingpong"))
    combo.setCurrentText(PING_PONG)
    assert all(shown(panel, "pingpong", "overhead", "gap"))
    assert not any(shown(panel, "machine", "latency", "gap_per_byte"))
    combo.setCurrentText(PLATFORM)
    assert shown(panel, "machine") == [True]
    assert not any(shown(panel, *COSTS, "pingpong"))
    panel.close()


@FIVE
def test_the_platforms_machine_answers_as_the_preset_that_it_is(
    qtbot: QtBot, parallel: Document, name: str
) -> None:
    panel = opened(qtbot, parallel, name)
    panel.form.set_values({"network": PLATFORM})
    qtbot.waitUntil(lambda: "of the open project" in panel.notes.text(), timeout=60_000)
    assert "MIT Alewife" in panel.notes.text()
    panel.close()


def test_the_parallel_machines_of_the_project_are_offered_and_followed(
    qtbot: QtBot, styles: StudyPanel, parallel: Document
) -> None:
    names = [machine.name for machine in parallel.project.platform.machines]
    combo = choice(styles, "machine")
    assert [combo.itemText(at) for at in range(combo.count())] == ["the first", names[1]]
    styles.form.set_values({"network": PLATFORM, "machine": names[1]})
    platform = parallel.project.platform
    first = replace(platform.machines[0], network=interconnect("paragon"))
    second = replace(platform.machines[1], network=interconnect("ncube2"))
    changed = replace(platform, machines=(first, second))
    parallel.apply(replace(parallel.project, platform=changed), "give networks")
    assert [combo.itemText(at) for at in range(combo.count())] == ["the first", *names]
    assert combo.text() == names[1]
    qtbot.waitUntil(lambda: "nCUBE/2" in styles.notes.text(), timeout=60_000)
    parallel.undo_stack.undo()
    qtbot.waitUntil(lambda: "MIT Alewife" in styles.notes.text(), timeout=60_000)


@FIVE
def test_without_a_parallel_machine_the_platform_is_off_with_the_reason(
    qtbot: QtBot, document: Document, name: str
) -> None:
    panel = opened(qtbot, document, name)
    assert entry(panel, PLATFORM) == (False, NO_MACHINE)
    assert entry(panel, OWN) == (True, "")
    panel.close()


def test_the_choice_comes_and_goes_with_the_machines_network(
    styles: StudyPanel, parallel: Document
) -> None:
    assert entry(styles, PLATFORM) == (True, "")
    platform = parallel.project.platform
    bare = tuple(replace(machine, network=None) for machine in platform.machines)
    without = replace(platform, machines=bare)
    parallel.apply(replace(parallel.project, platform=without), "remove the network")
    assert entry(styles, PLATFORM) == (False, NO_MACHINE)
    parallel.undo_stack.undo()
    assert entry(styles, PLATFORM) == (True, "")


def test_the_keyboard_passes_a_choice_that_is_off(qtbot: QtBot, document: Document) -> None:
    panel = opened(qtbot, document, "styles")
    combo = choice(panel, "network")
    at = combo.findText(PLATFORM)
    combo.setCurrentIndex(at - 1)
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.text() == OWN
    panel.close()


def test_own_numbers_say_what_they_need_and_then_answer(qtbot: QtBot, styles: StudyPanel) -> None:
    styles.form.set_values({"network": OWN})
    needs = "Give “latency L”, “overhead o”, “gap per byte G”, “shape”"
    qtbot.waitUntil(lambda: needs in styles.sentence.text())
    own = {"latency": 6.0, "overhead": 2.0, "gap": 4.0, "gap_per_byte": 0.01, "dims": "4x4"}
    styles.form.set_values(own)
    qtbot.waitUntil(lambda: "Stated: L 6, o 2, g 4, G 0.01 µs" in styles.notes.text())
    assert "4 × 4 mesh" in styles.notes.text()


def test_a_source_is_one_step_to_undo(qtbot: QtBot, styles: StudyPanel) -> None:
    combo = choice(styles, "network")
    before = combo.text()
    combo.setCurrentText(OWN)
    assert styles.steps.stack.count() == 1
    styles.steps.stack.undo()
    assert combo.text() == before
    assert not any(shown(styles, *COSTS))
    styles.steps.stack.redo()
    assert combo.text() == OWN
    assert all(shown(styles, *COSTS))


def test_a_form_that_was_kept_under_former_names_comes_back(tmp_path: Path) -> None:
    kept = {"costs": "own", "latency": "3.0", "overhead": "1.5"}
    (tmp_path / "trees.json").write_text(json.dumps(kept), encoding="utf-8")
    values = StudyMemory(tmp_path).values(STUDIES["trees"])
    assert values == {"network": OWN, "latency": 3.0, "overhead": 1.5}


def test_a_machine_that_was_kept_is_chosen_again_where_it_is(
    qtbot: QtBot, parallel: Document, document: Document, tmp_path: Path
) -> None:
    name = parallel.project.platform.machines[1].name
    kept = {"network": PLATFORM, "machine": name, "platform": "elsewhere.toml"}
    (tmp_path / "styles.json").write_text(json.dumps(kept), encoding="utf-8")
    for home, expected in ((parallel, name), (document, None)):
        panel = StudyPanel(home, STUDIES["styles"], StudyMemory(tmp_path))
        qtbot.addWidget(panel)
        values = panel.form.values()
        assert values is not None
        assert (values["network"], values["machine"]) == (PLATFORM, expected)
        panel.close()


@pytest.mark.parametrize("name", ["styles", "mapping", "blocks"])
def test_a_study_opens_on_the_projects_own_machine_and_on_the_papers_without_one(
    qtbot: QtBot, parallel: Document, tmp_path: Path, name: str
) -> None:
    memory = StudyMemory(tmp_path)
    own = StudyPanel(parallel, STUDIES[name], memory)
    qtbot.addWidget(own)
    opened = own.form.values() or {}
    assert opened["network"] == PLATFORM
    machine = parallel_machines(parallel.project.platform)[0].name
    assert opened["machine"] == machine
    own.show()
    qtbot.waitUntil(lambda: own.sentence.text().startswith(f"On {machine}, "))
    papers = StudyPanel(Document(load_example("campaign")), STUDIES[name], memory)
    qtbot.addWidget(papers)
    assert (papers.form.values() or {})["network"] != PLATFORM
    for panel in (own, papers):
        panel.close()
    memory.close()
