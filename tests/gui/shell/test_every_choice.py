"""A newcomer's walk: open, advise, decide, compare, adopt one decision, undo, and export."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from pytestqt.qtbot import QtBot

from advisor.allocation.plan_jobs import jobs_of
from advisor.allocation.predict import predict
from advisor.basics.csv_text import cells
from advisor.decisions.plan_table import KEYS, plan_from
from advisor.engines.registry import ENGINES
from advisor.overlays.overlay_plan import level_fanouts
from advisor.programs.choices.style import style_named
from advisor.project.examples import load_example
from advisor.project.project import Project
from advisor.trees.topology_file import read_topology
from gui.document.document import Outcome
from gui.shell.main_window import MainWindow
from tests.gui import in_steps
from tests.gui.panels.adopting import choose_entry, open_menu
from tests.gui.shell.newcomer import Newcomer

LONG = style_named("asynchronous-long-non-blocking")
FORMATS = {
    "openmpi.rankfile": r"rank \d+=multicomputer-(\d+) slot=0",
    "openmpi.hostfile": r"multicomputer-(\d+) slots=1",
    "openmpi-sequence.hostfile": r"multicomputer-(\d+)",
    "mpich.hostfile": r"multicomputer-(\d+):1.*",
    "slurm.hosts": r"multicomputer-(\d+)",
}


@pytest.fixture
def newcomer(
    qtbot: QtBot, unasked: None, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> Newcomer:
    monkeypatch.setattr("gui.document.advise.advise", in_steps.advise)
    window.resize(1280, 800)
    window.docks["what_if"].close()  # what it works out takes longer than the walk
    return Newcomer(qtbot, window)


def seconds_of(outcome: Outcome, task: str) -> float:
    place, found = outcome.project.workload.index[task], outcome.prediction
    return float(found.end_s[place] - found.start_s[place])


def test_a_newcomer_decides_compares_adopts_undoes_and_exports(
    newcomer: Newcomer, tmp_path: Path
) -> None:
    newcomer.open_example("Monitored campaign, every choice open")
    opened = newcomer.project
    assert opened == load_example("monitored")
    before = newcomer.predicted()
    newcomer.advised()  # so small a workload is answered unasked
    asks_which_decision_matters(newcomer)
    newcomer.tool("pin")
    own = decides_by_hand(newcomer, before)
    newcomer.tool("pin")
    newcomer.advised()
    newcomer.click("answer.apply")
    assert newcomer.document.undo_stack.undoText() == "Apply the recommendation"
    advised = newcomer.predicted()
    assert advised.prediction.makespan_s < before.prediction.makespan_s / 2
    adopts_a_decision_and_takes_it_back(newcomer, advised.project, own)
    steps = newcomer.document.undo_stack.index()
    newcomer.undo(steps)
    assert newcomer.project is opened
    newcomer.redo(steps)
    assert newcomer.project.plan == advised.project.plan
    newcomer.predicted()
    newcomer.export_all(tmp_path)
    read_back(tmp_path, newcomer.project)


def asks_which_decision_matters(newcomer: Newcomer) -> None:
    gains = newcomer.gains()
    assert gains.keys() == {"Allocation", "Processors", "Message style", "Mapping", "Tree"}
    assert max(gains, key=gains.__getitem__) == "Message style"
    assert sum(gains.values()) > 50.0


def decides_by_hand(newcomer: Newcomer, before: Outcome) -> Project:
    """A message style and a fan-out."""
    newcomer.hand.click(newcomer.hand.task(newcomer.project.workload.index["fft"]))
    newcomer.choose("Message style", "Asynchronous long non-blocking")
    assert newcomer.document.undo_stack.undoText().startswith("Message style of fft")
    assert seconds_of(newcomer.predicted(), "fft") < seconds_of(before, "fft") / 2
    newcomer.click_badge("login")
    newcomer.write_tree("8x8")
    own = newcomer.predicted().project
    (tree,) = own.plan.overlays
    assert tree is not None
    assert level_fanouts(tree.tree) == (8, 8)
    return own


def adopts_a_decision_and_takes_it_back(newcomer: Newcomer, advised: Project, own: Project) -> None:
    """Of three plans side by side: the first, the own and the advised one."""
    assert len(newcomer.compared()) == 3
    newcomer.click_row(newcomer.project.pins[1].name)
    assert set(open_menu(newcomer.qtbot, newcomer.compare)) > {"all", "processors", "tree"}
    choose_entry(newcomer.compare, "tree")
    assert newcomer.project.plan.overlays == own.plan.overlays
    assert newcomer.project.plan.processors == advised.plan.processors
    newcomer.undo()
    assert newcomer.project.plan == advised.plan


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
    dot = texts.pop("graph.dot")
    assert all(f'label="{task}\\n' in dot for task in workload.index)
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
        ranks = [int(one) for one in texts.pop(f"{task}-mpich-rank-order.order").split()]
        assert ranks == list(range(32))  # nodes are given in the order of ranks
    (tree,) = plan.overlays
    assert tree is not None
    topology = read_topology(folder / "monitor-mrnet.top")
    assert topology.tree.fanouts.tolist() == tree.tree.fanouts.tolist()
    texts.pop("monitor-mrnet.top")
    for name in ("stat.txt", "prrte.txt", "flux.toml"):  # where these can build the tree
        texts.pop(f"monitor-{name}", None)
    problem = project.problem()
    jobs = jobs_of(problem, plan, predict(problem, plan))
    for engine in ENGINES.values():
        text = texts.pop(f"{engine.stem or engine.name}{engine.suffix}")
        assert engine.parse(text) == engine.says(jobs)
    assert not texts
