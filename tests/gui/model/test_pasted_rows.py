"""Tables of machines, links and flows are pasted whole, under titles or not, or not at all."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from advisor.allocation.workload import Task, Workload
from advisor.project.opening import first_project
from advisor.project.project import new_project
from machines import Machine, Platform
from tests.gui.model.conftest import CTRL, LEFT, Hand, found


def paste(hand: Hand, text: str) -> None:
    QApplication.clipboard().setText(text)
    hand.key(Qt.Key.Key_V, CTRL)


def three(hand: Hand) -> None:
    """Machines A, B and C without links."""
    platform = Platform("three", tuple(map(Machine, "ABC")))
    hand.document.load(
        new_project(platform, Workload("w", (Task("s", work=1.0), Task("t", work=1.0))))
    )


THREE = [["server", "8", "2", "16 GB", "0"], ["n2", "4", "1.5", "", "0"], ["n3", "2", "1", "", "0"]]


@pytest.mark.parametrize(
    "text",
    [
        "name\tcores\tspeed\tmemory\nserver\t8\t2\t16 GB\nn2\t4\t1.5\t\nn3\t2\t1\t\n",
        "name,cores,speed,memory\nserver,8,2,16 GB\nn2,4,1.5,\nn3,2,1,\n",
        "Memory (GB);Machine;Speed;CPUs\n16;server;2;8\n;n2;1.5;4\n;n3;1;2\n",
        "server\t8\t2\t16 GB\nn2\t4\t1.5\nn3\t2\n",
        "server,8,2,16 GB\nn2,4,1.5,\nn3,2,1,\n",
    ],
)
def test_a_table_of_machines_is_one_step(hand: Hand, text: str) -> None:
    hand.tab("machines")
    paste(hand, text)
    assert hand.panel.dialog is None
    assert hand.texts() == THREE
    assert not hand.panel.message.isVisible()
    assert hand.document.undo_stack.count() == 1
    hand.document.undo_stack.undo()
    assert hand.document.project == first_project()


def test_rows_begin_at_the_current_one(hand: Hand) -> None:
    three(hand)
    hand.tab("machines")
    hand.click(2, 1)
    paste(hand, "name\tcores\nX\t4\nY\t2\n")
    assert [row[:2] for row in hand.texts()] == [["A", "1"], ["B", "1"], ["X", "4"], ["Y", "2"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name\tcores\nx\t4\ny\tmany\n", "Row 2, Cores “many”: "),
        ("x\t4\ny\t0\n", "Row 2, Cores “0”: "),
        ("x\t4\nx\t2\n", "Row 2, Name “x”: "),
        ("x\t4\t1\t\t0\ny\t4\t1\t\t3\n", "Row 2, Contenders “3”: "),
        ("x\t4\t1\t\t\t9\n", "Row 1 has more cells than the table has columns: “9”"),
        ("cores\tcpus\n1\t2\n", "Two columns have the title “Cores”"),
    ],
)
def test_what_is_wrong_is_said_with_its_row_and_nothing_is_taken(
    hand: Hand, text: str, said: str
) -> None:
    hand.tab("machines")
    paste(hand, text)
    assert hand.panel.message.isVisible()
    assert f"Nothing was pasted. {said}" in hand.panel.message.text()
    assert hand.document.project == first_project()
    assert hand.document.undo_stack.count() == 0


def test_columns_that_the_table_has_not_are_named(hand: Hand) -> None:
    hand.tab("machines")
    paste(hand, "name\tprice\tcores\nx\t99\t4\n")
    assert hand.texts()[0][:2] == ["x", "4"]
    assert hand.panel.message.text().endswith("price.")


@pytest.mark.parametrize(
    "text",
    [
        "A\tB\t1 ms\t10 MB/s\nB\tC\t2 ms\t20 MB/s\n",
        "latency (ms)\tto\tfrom\tbandwidth\n1\tB\tA\t10 MB/s\n2\tC\tB\t20 MB/s\n",
    ],
)
def test_links_are_pasted_into_an_empty_table(hand: Hand, text: str) -> None:
    three(hand)
    hand.tab("links")
    paste(hand, text)
    assert hand.texts() == [["A", "B", "1 ms", "10 MB/s"], ["B", "C", "2 ms", "20 MB/s"]]
    assert hand.document.undo_stack.count() == 1


@pytest.mark.parametrize("text", ["A\tB\nB\tZ\n", "A\nB\n", "A\tB\nA\tB\n"])
def test_links_that_cannot_be_are_refused_with_their_row(hand: Hand, text: str) -> None:
    three(hand)
    hand.tab("links")
    paste(hand, text)
    assert hand.panel.message.text().startswith("Nothing was pasted. Row ")
    assert hand.document.undo_stack.count() == 0


def test_flows_and_tasks_grow_likewise(hand: Hand) -> None:
    three(hand)
    hand.tab("flows")
    paste(hand, "from\tto\tdata\ns\tt\t5 MB\n")
    assert hand.texts() == [["s", "t", "5 MB"]]
    hand.tab("tasks")
    hand.click(1, 0)
    paste(hand, "t\t3 s\nu\t4 s\n")
    assert [row[:2] for row in hand.texts()[1:]] == [["t", "3 s"], ["u", "4 s"]]


def test_a_table_of_tasks_is_one_whatever_is_in_sight(hand: Hand) -> None:
    hand.tab("machines")
    paste(hand, "name\tminutes\tcores\tafter\na\t1\t1\t\nb\t2\t1\ta\n")
    assert hand.panel.dialog is not None
    hand.panel.dialog.reject()


def test_an_empty_clipboard_clears_nothing(hand: Hand) -> None:
    three(hand)
    hand.tab("machines")
    hand.click(0, 3)
    paste(hand, "1 GB")
    paste(hand, "\n")
    assert hand.texts()[0][3] == "1 GB"
    assert hand.document.undo_stack.count() == 1


def test_the_button_pastes_into_the_table_in_sight(hand: Hand) -> None:
    hand.tab("machines")
    QApplication.clipboard().setText("speed\tname\n2\tx\n3\ty\n")
    QTest.mouseClick(found(hand.panel, QToolButton, "model_paste"), LEFT)
    assert [row[0] for row in hand.texts()] == ["x", "y"]
