"""Tables leave in the background: whole or not at all, told of on the way, cancelled at once."""

from __future__ import annotations

import csv
import errno
import io
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.basics import tables_out
from gui.basics.background_export import outgoing
from gui.basics.background_jobs import LatestWins
from gui.basics.figures import Table
from gui.basics.tables_out import AT_ONCE, TablesOut
from tests.gui.exporting import refused

MANY = 3000


class Numbered(Sequence[tuple[object, ...]]):
    """Rows of their number; where `held`, each piece waits for `go`, and tells on which thread."""

    def __init__(self, many: int, held: bool = False) -> None:
        self._rows = tuple((row,) for row in range(many))
        self._held = held
        self.begun, self.go = threading.Event(), threading.Event()
        self.threads: set[str] = set()

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> tuple[object, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[object, ...]]: ...

    def __getitem__(self, place: int | slice) -> tuple[object, ...] | Sequence[tuple[object, ...]]:
        self.threads.add(threading.current_thread().name)
        if self._held:
            self.begun.set()
            assert self.go.wait(60)
        return self._rows[place]


@pytest.fixture
def out(qtbot: QtBot) -> Iterator[TablesOut]:
    widget = QWidget()
    qtbot.addWidget(widget)
    made = TablesOut(widget)
    yield made
    for job in made.findChildren(LatestWins):
        job.close()


@pytest.fixture
def stories() -> Iterator[list[tuple[object, ...]]]:
    """What is told of what is on its way."""
    told: list[tuple[object, ...]] = []
    signals = {"began": outgoing().began, "went": outgoing().went_on, "ended": outgoing().ended}
    hears = {name: (lambda *what, name=name: told.append((name, *what))) for name in signals}
    for name, signal in signals.items():
        signal.connect(hears[name])
    yield told
    for name, signal in signals.items():
        signal.disconnect(hears[name])


def numbers(text: str) -> list[int]:
    """The rows of `Numbered`, read back."""
    return [int(line) for line in text.splitlines()[1:]]


def test_a_table_is_written_on_a_thread_while_events_go_on(
    qtbot: QtBot, out: TablesOut, tmp_path: Path, stories: list[tuple[object, ...]]
) -> None:
    rows, turns = Numbered(MANY, held=True), []
    # an event of the window's thread lets the writer go on: without one it would wait for ever
    QTimer.singleShot(0, out, lambda: (turns.append(True), rows.go.set()))
    with qtbot.waitSignal(out.written) as written:
        out.write(Table(("n",), rows), tmp_path / "t.csv")
        assert out.is_busy
    assert turns and written.args == [tmp_path / "t.csv"]
    assert threading.current_thread().name not in rows.threads
    assert numbers((tmp_path / "t.csv").read_text()) == list(range(MANY))
    assert stories[0][2] == "Writing t.csv" and stories[-1] == ("ended", stories[0][1])
    shares = [float(what[2]) for what in stories if what[0] == "went"]  # type: ignore[arg-type] # told
    assert shares and shares == sorted(shares) and shares[0] >= 0.0 and shares[-1] < 1.0


@pytest.mark.parametrize("before", [None, "old"])
def test_a_cancelled_table_leaves_what_was_there(
    qtbot: QtBot,
    out: TablesOut,
    tmp_path: Path,
    stories: list[tuple[object, ...]],
    before: str | None,
) -> None:
    path, rows = tmp_path / "t.csv", Numbered(MANY, held=True)
    if before:
        path.write_text(before)
    written: list[object] = []
    out.written.connect(written.append)
    out.write(Table(("n",), rows), path)
    assert rows.begun.wait(60)
    assert len(list(tmp_path.iterdir())) == 1 + bool(before)  # the part that is written
    stories[0][3]()  # type: ignore[operator] # what Cancel does
    assert not out.is_busy and stories[-1][0] == "ended"
    rows.go.set()
    qtbot.waitUntil(lambda: [one.name for one in tmp_path.iterdir()] == ["t.csv"] * bool(before))
    assert not before or path.read_text() == before
    assert not written


def test_a_full_disk_leaves_the_old_file_and_says_so(
    qtbot: QtBot, out: TablesOut, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    path = tmp_path / "t.csv"
    path.write_text("old")
    out.write(Table(("n",), ((1,),)), path)
    assert "disk is full" in refused(qtbot, out)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_second_table_does_not_take_the_place_of_the_first(
    qtbot: QtBot, out: TablesOut, tmp_path: Path
) -> None:
    rows, written = Numbered(MANY, held=True), list[Path]()
    out.written.connect(written.append)
    out.write(Table(("n",), rows), tmp_path / "first.csv")
    assert rows.begun.wait(60)
    out.write(Table(("n",), Numbered(3)), tmp_path / "second.csv")
    qtbot.waitUntil(lambda: bool(written))
    rows.go.set()
    qtbot.waitUntil(lambda: len(written) == 2)
    assert [path.name for path in written] == ["second.csv", "first.csv"]
    assert numbers(written[1].read_text()) == list(range(MANY))


def test_closing_in_the_middle_leaves_no_file(out: TablesOut, tmp_path: Path) -> None:
    rows = Numbered(MANY, held=True)
    out.write(Table(("n",), rows), tmp_path / "t.csv")
    assert rows.begun.wait(60)
    (job,) = out.findChildren(LatestWins)
    job.cancel()
    rows.go.set()
    job.close()  # as the window does with all threads
    assert not list(tmp_path.iterdir())


def test_the_widget_may_go_while_its_table_is_written(
    qtbot: QtBot, tmp_path: Path, stories: list[tuple[object, ...]]
) -> None:
    widget, rows = QWidget(), Numbered(MANY, held=True)
    out = TablesOut(widget)
    out.write(Table(("n",), rows), tmp_path / "t.csv")
    assert rows.begun.wait(60)
    widget.deleteLater()
    qtbot.waitUntil(lambda: stories[-1] == ("ended", stories[0][1]))
    rows.go.set()
    qtbot.waitUntil(lambda: not list(tmp_path.iterdir()))


def test_few_rows_are_on_the_clipboard_at_once(out: TablesOut) -> None:
    out.copy(Table(("n",), Numbered(AT_ONCE)))
    assert numbers(QGuiApplication.clipboard().text()) == list(range(AT_ONCE))
    assert not out.is_busy


def test_many_rows_are_copied_on_a_thread(qtbot: QtBot, out: TablesOut) -> None:
    rows = Numbered(MANY)
    with qtbot.waitSignal(out.copied):
        out.copy(Table(("n",), rows))
    assert threading.current_thread().name not in rows.threads
    assert numbers(QGuiApplication.clipboard().text()) == list(range(MANY))


def test_the_clipboard_has_what_was_copied_last(qtbot: QtBot, out: TablesOut) -> None:
    rows = Numbered(MANY, held=True)
    out.copy(Table(("n",), rows))
    assert rows.begun.wait(60)
    out.copy(Table(("last",), ((7,),)))
    rows.go.set()
    qtbot.waitUntil(lambda: not out.is_busy)
    assert QGuiApplication.clipboard().text() == "last\n7\n"


def test_more_than_the_clipboard_takes_in_a_frame_is_refused(
    qtbot: QtBot, out: TablesOut, monkeypatch: pytest.MonkeyPatch
) -> None:
    out.copy(Table(("before",), ()))
    monkeypatch.setattr(tables_out, "MOST_COPIED", 100)
    out.copy(Table(("n",), Numbered(MANY)))
    assert "Export them as CSV" in refused(qtbot, out)
    assert QGuiApplication.clipboard().text() == "before\n"


@pytest.mark.parametrize("text", ["=1+1", "+SUM(A1)", "-cmd|' /C calc'!A0", "@A1", "\tx"])
def test_a_copied_cell_is_no_formula_in_a_spreadsheet(out: TablesOut, text: str) -> None:
    out.copy(Table(("name", "=1"), ((text, -1.5),)))
    rows = csv.reader(io.StringIO(QGuiApplication.clipboard().text(), newline=""), "excel-tab")
    assert list(rows) == [["name", "'=1"], [f"'{text}", "-1.5"]]


def test_copies_are_tab_separated_with_full_precision(out: TablesOut) -> None:
    out.copy(Table(("task", "start (s)"), (("A", 1 / 3),)))
    assert QGuiApplication.clipboard().text() == f"task\tstart (s)\nA\t{1 / 3!r}\n"
