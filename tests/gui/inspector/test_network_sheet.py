"""The network inside a machine: chosen, changed and removed, each as one undo step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from advisor.project.examples import load_example
from gui.document.document import Document, Selection
from gui.inspector import Inspector
from machines import Interconnect
from machines.catalogue import interconnect, interconnect_names
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    choose_by_mouse,
    error_under,
    keys,
    labels,
    open_inspector,
    type_into,
    type_refused,
)


def network(document: Document, machine: int = 1) -> Interconnect | None:
    return document.project.platform.machines[machine].network


def test_a_published_network_is_chosen_and_removed(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    assert keys(inspector)[-2:] == ["network", "shared_memory"]
    combo = choice(inspector, "network")
    assert combo.text() == "none"
    assert [combo.itemData(k) for k in range(1, combo.count())] == list(interconnect_names())
    choose_by_keys(qtbot, inspector, "network", "alewife")
    assert network(document) == interconnect("alewife")
    assert document.undo_stack.count() == 1
    assert "network.short.o_s" in keys(inspector)
    assert "8 × 4 mesh, 32 nodes" in labels(inspector)
    assert "Source: C. A. Moritz" in labels(inspector)
    assert "Assumed: long.a" in labels(inspector)
    choose_by_mouse(qtbot, inspector, "network", "paragon")
    assert network(document) == interconnect("paragon")
    choose_by_mouse(qtbot, inspector, "network", "none")
    assert network(document) is None
    assert keys(inspector)[-2:] == ["network", "shared_memory"]
    document.undo_stack.undo()
    assert network(document) == interconnect("paragon")
    assert choice(inspector, "network").text() == "paragon"


def test_every_parameter_is_edited_with_its_unit_and_help(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    choose_by_keys(qtbot, inspector, "network", "alewife")
    for kind in ("short", "long"):
        for name in ("L", "o_s", "o_r", "g", "G", "G_m", "a"):
            line = type_into(qtbot, inspector, f"network.{kind}.{name}", "7.5")
            assert "Moritz & Frank 2001" in line.toolTip()
            assert "≥ 0" in line.toolTip()
            net = network(document)
            assert net is not None
            assert getattr(getattr(net, kind), name) == 7.5
    row = inspector.findChild(QLineEdit, "field.network.long.G").parent()
    assert "cycle/B" in [label.text() for label in row.findChildren(QLabel)]
    assert choice(inspector, "network").text() == "own values"
    assert document.undo_stack.count() == 15


def test_what_was_changed_no_longer_claims_to_be_published(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    choose_by_keys(qtbot, inspector, "network", "alewife")
    for text in ("16", "17"):
        type_into(qtbot, inspector, "network.short.o_s", text)
    net = network(document)
    assert net is not None
    assert net.source == f"Changed from: {interconnect('alewife').source}"
    assert "Source: Changed from: C. A. Moritz" in labels(inspector)
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert network(document) == interconnect("alewife")


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("network.short.L", "-1", "out of range"),
        ("network.long.G", "fast", "not a number"),
        ("network.dims", "8 × 0", "whole number"),
        ("network.dims", "eight", "not a number"),
        ("network.unit_s", "0", "out of range"),
        ("network.name", " ", "empty"),
    ],
)
def test_wrong_text_stays_with_its_reason(
    qtbot: QtBot, inspector: Inspector, document: Document, key: str, text: str, reason: str
) -> None:
    choose_by_keys(qtbot, inspector, "network", "alewife")
    line = type_refused(qtbot, inspector, key, text, reason)
    assert network(document) == interconnect("alewife")
    qtbot.keyClicks(line, "0")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert error_under(inspector, key) == ""


def test_another_kind_keeps_the_number_of_nodes(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    choose_by_keys(qtbot, inspector, "network", "alewife")
    shapes = {
        "torus": (8, 4),
        "hypercube": (2,) * 5,
        "crossbar": (32,),
        "mesh": (32,),
        "fat tree": (8, 4),
        "dragonfly": (4, 4, 2),
    }
    for kind, dims in shapes.items():
        choose_by_mouse(qtbot, inspector, "network.kind", kind)
        net = network(document)
        assert net is not None
        assert (net.network.kind, net.network.dims) == (kind, dims)
    choose_by_mouse(qtbot, inspector, "network.kind", "hypercube")
    choose_by_mouse(qtbot, inspector, "network.kind", "mesh")
    assert inspector.findChild(QLineEdit, "field.network.dims").text() == "8 × 4"
    type_into(qtbot, inspector, "network.dims", "6x6")
    combo = choose_by_mouse(qtbot, inspector, "network.kind", "hypercube")
    assert "power of two" in error_under(inspector, "network.kind")
    assert combo.text() == "hypercube"
    qtbot.keyClick(combo, Qt.Key.Key_Escape)
    assert combo.text() == "mesh"
    assert error_under(inspector, "network.kind") == ""


def test_a_network_that_a_task_needs_stays_and_says_why(qtbot: QtBot) -> None:
    document = Document(load_example("multicomputer"))
    widget = open_inspector(qtbot, document)
    document.select(Selection(machine=1))
    assert choice(widget, "network").text() == "alewife"
    choose_by_mouse(qtbot, widget, "network", "none")
    assert 'task "align": no machine can run this task' in error_under(widget, "network")
    assert network(document) is not None
    assert document.undo_stack.count() == 0


def test_the_wheel_over_a_list_chooses_nothing(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    combo = choose_by_keys(qtbot, inspector, "network", "alewife")
    inspector.setFocus()
    at = QPointF(5, 5)
    wheel = QWheelEvent(
        at, combo.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(combo, wheel)
    assert network(document) == interconnect("alewife")


def test_an_own_network_is_offered_as_such(inspector: Inspector, document: Document) -> None:
    own = replace(interconnect("ncube2"), name="ours", source="")
    machine = replace(document.project.platform.machines[1], network=own)
    machines = (document.project.platform.machines[0], machine)
    platform = replace(document.project.platform, machines=machines)
    document.apply(replace(document.project, platform=platform), "a network of our own")
    combo = choice(inspector, "network")
    assert combo.text() == "own values"
    assert "Source: your own values" in labels(inspector)
