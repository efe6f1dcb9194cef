"""A newcomer's walk: open an example, advise, decide, compare, adopt a decision, undo and export."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from advisor.advice.by_decision import gains_by_decision
from advisor.basics.csv_text import cells
from advisor.decisions.table import KEYS, plan_from
from advisor.export.registry import EXPORTS
from advisor.overlays.plan import level_fanouts
from advisor.programs.choices.style import style_named
from advisor.project.examples import load_example
from advisor.project.project import Project
from advisor.trees.topology_file import read_topology
from gui.board.overlay_badges import badge_rects
from gui.document.document import Outcome
from gui.inspector.plan_choices import OPTION, PlanChoices
from gui.panels.compare import ComparePanel
from gui.shell.main_window import MainWindow
from tests.gui import in_steps
from tests.gui.board.conftest import Hand
from tests.gui.inspector.hands import type_into
from tests.gui.panels.adopting import choose_entry, open_menu

LEFT, CTRL, SHIFT = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
LONG = style_named("asynchronous-long-non-blocking")
FORMATS = {
    "openmpi.rankfile": r"rank \d+=multicomputer-(\d+) slot=0",
    "openmpi.hostfile": r"multicomputer-(\d+) slots=1",
    "openmpi-sequence.hostfile": r"multicomputer-(\d+)",
    "mpich.hostfile": r"multicomputer-(\d+):1.*",
    "slurm.hosts": r"multicomputer-(\d+)",
}


class Newcomer:
    """Works the window with mouse and keys."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.document = qtbot, window, window.document

    @property
    def project(self) -> Project:
        return self.document.project

    @property
    def hand(self) -> Hand:
        return Hand(self.qtbot, self.window.panel("allocation"))  # type: ignore[arg-type]

    @property
    def choices(self) -> PlanChoices:
        found = self.window.findChild(PlanChoices)
        assert found is not None
        return found

    @property
    def compare(self) -> ComparePanel:
        found = self.window.panel("compare")
        assert isinstance(found, ComparePanel)
        return found

    def click(self, name: str) -> None:
        button = self.window.findChild(QWidget, name)
        assert button is not None, name
        self.qtbot.mouseClick(button, LEFT)

    def tool(self, name: str) -> None:
        """Press a button of the toolbar."""
        action = self.window.commands[name]
        buttons = self.window.toolbar.findChildren(QToolButton)
        self.qtbot.mouseClick(next(one for one in buttons if one.defaultAction() is action), LEFT)

    def file_menu(self, name: str) -> None:
        """Choose from the File menu, by keys."""
        action = self.window.commands[name]
        menu = next(
            one
            for one in self.window.menuBar().findChildren(QMenu)
            if one.title().replace("&", "") == "File"
        )
        menu.popup(self.window.mapToGlobal(QPoint(0, 24)))
        menu.setActiveAction(action)
        QTest.keyClick(menu, Qt.Key.Key_Return)

    def undo(self) -> None:
        self.qtbot.keyClick(self.window, Qt.Key.Key_Z, CTRL)

    def predicted(self) -> Outcome:
        """The document's outcome, on the board too."""

        def ready() -> bool:
            outcome = self.document.outcome
            return outcome is not None and outcome.project is self.project

        self.qtbot.waitUntil(ready)
        self.hand.wait_until_current()
        assert self.document.outcome is not None
        return self.document.outcome

    def advised(self) -> None:
        self.qtbot.waitUntil(lambda: not self.window.advisor.is_busy)

    def open_example(self, title: str) -> None:
        self.window.commands["start_page"].trigger()
        links = self.window.welcome.findChildren(QPushButton)
        self.qtbot.mouseClick(next(one for one in links if one.text() == title), LEFT)
        self.qtbot.waitUntil(lambda: len(self.project.workload.overlays) == 1)

    def click_badge(self, machine: str) -> None:
        """What an overlay runs on a machine."""
        surface, place = self.hand.board.surface, self.project.platform.index[machine]
        here = surface.facts[place].overlays
        rect = badge_rects(surface.ink, surface.card_rect(place), here, QRectF())[0]
        self.hand.click(rect.center().toPoint())

    def choose(self, kind: str, words: str) -> None:
        """Click an option of the plan's choices, once all of them have their price."""
        found = self.choices
        self.qtbot.waitUntil(lambda: bool(found.shown) and not found.is_busy)
        options = found.options
        groups = [options.topLevelItem(place) for place in range(options.topLevelItemCount())]
        group = next(one for one in groups if one is not None and one.text(OPTION) == kind)
        rows = [group.child(place) for place in range(group.childCount())]
        row = next(one for one in rows if words in one.text(OPTION))
        options.scrollToItem(row)
        at = options.visualItemRect(row)
        QTest.mouseClick(options.viewport(), LEFT, pos=QPoint(at.left() + 12, at.center().y()))

    def compared(self) -> list[str]:
        """The page Compare, and the first column of its table."""
        self.window.show_page("compare")
        self.qtbot.waitUntil(
            lambda: (
                self.compare.comparison is not None
                and self.compare.comparison.outcome.project is self.project
            )
        )
        model = self.compare.table.columns_model
        return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.fixture
def newcomer(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Newcomer]:
    monkeypatch.setattr("gui.document.advise.advise", in_steps.advise)
    window.resize(1280, 800)
    yield Newcomer(qtbot, window)


def seconds_of(outcome: Outcome, task: str) -> float:
    place = outcome.project.workload.index[task]
    found = outcome.prediction
    return float(found.end_s[place] - found.start_s[place])


def test_a_newcomer_decides_compares_adopts_undoes_and_exports(
    newcomer: Newcomer, tmp_path: Path
) -> None:
    # open and ask: a workload so small is answered by itself
    newcomer.open_example("Monitored campaign, every choice open")
    document, opened = newcomer.document, newcomer.project
    assert opened == load_example("monitored")
    before = newcomer.predicted()
    newcomer.advised()
    advice = newcomer.window.advisor.advice
    assert advice is not None

    # which of five decisions matters most
    newcomer.click("answer.why")
    gains = gains_by_decision(before.problem, "makespan", opened.plan, advice.plan)
    assert {name for gain in gains for name in gain.names} == {
        "allocation", "processors", "style", "mapping", "tree",
    }  # fmt: skip
    most = max(gains, key=lambda gain: gain.gain_s)
    assert most.names == ("style",)

    # a message style and a fan-out by hand, and the plan is kept
    newcomer.tool("pin")
    newcomer.hand.click(newcomer.hand.task(opened.workload.index["fft"]))
    newcomer.choose("Message style", "Asynchronous long non-blocking")
    assert document.undo_stack.undoText().startswith("Message style of fft")
    assert seconds_of(newcomer.predicted(), "fft") < seconds_of(before, "fft") / 2
    newcomer.click_badge("login")
    type_into(newcomer.qtbot, newcomer.window.panel("inspector"), "tree", "8x8")  # type: ignore[arg-type]
    own = newcomer.predicted().project
    (tree,) = own.plan.overlays
    assert tree is not None
    assert level_fanouts(tree.tree) == (8, 8)
    newcomer.tool("pin")

    # three plans side by side: the first one, the own one, the advised one
    newcomer.advised()
    newcomer.click("answer.apply")
    assert document.undo_stack.undoText() == "Apply the recommendation"
    advised = newcomer.predicted()
    assert advised.prediction.makespan_s < before.prediction.makespan_s / 2
    assert len(newcomer.compared()) == 3
    row = newcomer.compared().index(newcomer.project.pins[1].name)
    table = newcomer.compare.table
    place = table.visualRect(table.columns_model.index(row, 0)).center()
    newcomer.qtbot.mouseClick(table.viewport(), LEFT, pos=place)

    # one decision of the own plan
    assert set(open_menu(newcomer.qtbot, newcomer.compare)) > {"all", "processors", "tree"}
    choose_entry(newcomer.compare, "tree")
    assert newcomer.project.plan.overlays == own.plan.overlays
    assert newcomer.project.plan.processors == advised.project.plan.processors
    newcomer.undo()
    assert newcomer.project.plan == advised.project.plan

    # all of it back, and again
    steps = document.undo_stack.index()
    for _ in range(steps):
        newcomer.undo()
    assert newcomer.project is opened
    for _ in range(steps):
        newcomer.qtbot.keyClick(newcomer.window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert newcomer.project.plan == advised.project.plan
    newcomer.predicted()

    # all files
    newcomer.file_menu("export_all")
    dialog = newcomer.window.findChild(QFileDialog, "export_all_dialog")
    assert dialog is not None
    with newcomer.qtbot.waitSignal(newcomer.window.files.told):
        dialog.fileSelected.emit(str(tmp_path))
        dialog.close()
    read_back(tmp_path, newcomer.project)


def read_back(folder: Path, project: Project) -> None:
    """Every file says what the plan does."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    contents = texts.pop("contents.txt")
    assert {line.split()[0] for line in contents.splitlines() if line} >= texts.keys()
    workload, platform, plan = project.workload, project.platform, project.plan
    names = plan.named(workload, platform)

    table = json.loads(texts.pop("plan.json"))
    found = plan_from({key: table[key] for key in KEYS if key in table}, workload, platform)
    assert found.alike(plan)
    rows = [row for _, row in cells(texts.pop("schedule.csv"))][1:]
    assert {row[0]: row[1] for row in rows} == names
    rows = [row for _, row in cells(texts.pop("decisions.csv"))][1:]
    assert {row[1]: row[2] for row in rows if row[0] == "allocation"} == names
    assert [row[1:3] for row in rows if row[0] == "style"] == [["fft", LONG.name]]
    assert [row[1] for row in rows if row[0] == "processors"] == ["flow", "structure"]
    rows = [row for _, row in cells(texts.pop("transfers.csv"))][1:]
    assert all(names[row[1]] == row[3] and names[row[2]] == row[4] for row in rows if row[1])
    assert len(rows) >= 5
    events = json.loads(texts.pop("timeline.json"))["traceEvents"]
    assert workload.index.keys() <= {event["name"] for event in events}
    dot = EXPORTS["dot"].parse
    assert dot is None or dot(texts["graph.dot"])
    assert all(f'label="{task}\\n' in texts["graph.dot"] for task in workload.index)
    texts.pop("graph.dot")
    compile(texts.pop("simgrid.py"), "simgrid.py", "exec")
    document: Element = fromstring(texts.pop("platform.xml"))
    assert platform.index.keys() <= {host.get("id") for host in document.iter("host")}

    for task in ("fft", "align"):
        rows = [row for _, row in cells(texts.pop(f"{task}-mapping.csv"))][1:]
        nodes = [int(row[1]) for row in rows]
        assert [int(row[0]) for row in rows] == list(range(32))
        assert sorted(nodes) == list(range(32))
        assert (nodes == list(range(32))) == (task == "align")  # one optimised, one row-major
        for ending, pattern in FORMATS.items():
            lines = [one for one in texts.pop(f"{task}-{ending}").splitlines()
                     if one and not one.startswith("#")]  # fmt: skip
            matches = [re.fullmatch(pattern, line) for line in lines]
            assert [int(one[1]) for one in matches if one] == nodes
    (tree,) = plan.overlays
    assert tree is not None
    topology = read_topology(folder / "monitor-mrnet.top")
    assert topology.tree.fanouts.tolist() == tree.tree.fanouts.tolist()
    texts.pop("monitor-mrnet.top")
    texts.pop("monitor-stat.txt", None)  # where STAT can build the tree
    assert not texts
