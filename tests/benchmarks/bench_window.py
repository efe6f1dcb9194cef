"""The longest work of the window's thread: ``python -m tests.benchmarks.bench_window [--trace]``.

A real window, offscreen, on a project of 30,000 tasks: opens it, selects, edits, drags, undoes,
advises and goes through all pages. Prints for every step the longest stretch between two looks at
the event queue: the processor time of the thread itself, which other programs do not lengthen, and
the wall time, which waits for the interpreter lengthen, too. With ``--trace``, where the longest
stretches were.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep, thread_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from advisor.project.project_file import write_project
from gui.board.board_view import BoardView
from gui.document.document import Selection
from gui.shell.app import Startup, make_window
from gui.shell.main_window import MainWindow
from tests.benchmarks.bench_board import large

LIMIT_MS = 50.0
_BEAT_MS = 1
_PAUSE_MS = 1500  # after each step, for what it sets off
_TRACED_S = 0.02  # stretches whose stack is looked at


class Heart(QObject):
    """Beats on the window's thread; remembers the longest stretch between two beats."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.wall, self.own, self.since = 0.0, 0.0, perf_counter()
        self._spent = thread_time()
        self._timer = QTimer(self, interval=_BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now, spent = perf_counter(), thread_time()
        self.wall, self.own = max(self.wall, now - self.since), max(self.own, spent - self._spent)
        self.since, self._spent = now, spent

    def taken(self) -> tuple[float, float]:
        """(own, wall) seconds of the longest stretch since the last time."""
        self._beat()
        found, self.wall, self.own = (self.own, self.wall), 0.0, 0.0
        return found


class Tracer:
    """Looks where the window's thread is while a stretch is long."""

    def __init__(self, heart: Heart) -> None:
        self._heart, self._thread = heart, threading.get_ident()
        self.seen: Counter[str] = Counter()
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            sleep(0.004)
            if perf_counter() - self._heart.since > _TRACED_S:
                stack = traceback.extract_stack(sys._current_frames()[self._thread])
                own = [one for one in stack if "/gui/" in one.filename][-5:]
                self.seen[" < ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}"
                                     for one in reversed(own))] += 1  # fmt: skip

    def report(self) -> None:
        """What was seen most since the last time."""
        for where, count in self.seen.most_common(6):
            print(f"      {4 * count:5d} ms  {where}")
        self.seen.clear()


def steps(window: MainWindow, path: Path) -> Iterator[tuple[str, int]]:
    """(what was done, ms to wait) of everything that is done."""
    document = window.document
    window.handlers.open_path(str(path))
    yield "open 30,000 tasks", 9000
    document.select(Selection(tasks=frozenset({900})))
    yield "select a task", _PAUSE_MS
    document.select(Selection(tasks=frozenset(range(0, 30_000, 5))))
    yield "select 6,000 tasks", _PAUSE_MS
    document.select(Selection(tasks=frozenset({900})))
    board = window.findChild(BoardView)
    view = board.schedule.viewport()
    yield from _dragged(view)
    for key, what in ((Qt.Key.Key_Z, "undo"), (Qt.Key.Key_Y, "redo"), (Qt.Key.Key_Z, "undo again")):
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        yield what, 2500
    for zoom in (4.0, 10.0):
        board.schedule.zoom(zoom)
        yield f"zoom × {zoom:g}", _PAUSE_MS
    board.fit()
    window.commands["advise"].trigger()
    yield "advise", 8000
    for page in window.in_area("centre"):
        window.show_page(page.id)
        yield f"page {page.id}", 3000
    for page in window.in_area("centre"):
        window.show_page(page.id)
        yield f"page {page.id} again", 500


def _dragged(view: QWidget) -> Iterator[tuple[str, int]]:
    """Press, move over the lanes, let go."""
    middle = QPoint(view.width() // 2, view.height() // 2)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=middle)
    yield "press", 200
    for step in range(40):
        QTest.mouseMove(view, middle + QPoint(3 * step, 4 * step % 160 - 80))
        yield "drag", 30
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=middle + QPoint(20, 60))
    yield "drop", 3000


def main() -> None:
    """Do all steps and print."""
    application = QApplication(sys.argv[:1])
    path = Path(tempfile.mkdtemp()) / "large.placewise.json"
    write_project(large(), path)
    window = make_window(application, example="survey")
    window.resize(1280, 800)
    Startup(window)
    heart = Heart(window)
    tracer = Tracer(heart) if "--trace" in sys.argv else None
    longest: dict[str, tuple[float, float]] = {}
    window.show()
    todo = iter([("start", 6000)])

    def chained() -> Iterator[tuple[str, int]]:
        yield from todo
        yield from steps(window, path)

    running = chained()
    name = ""

    def go() -> None:
        nonlocal name
        if name:
            found = tuple(map(max, heart.taken(), longest.get(name, (0.0, 0.0))))
            longest[name] = found
            if name != "drag":
                over = "  over" if 1e3 * found[0] > LIMIT_MS else ""
                own, wall = (1e3 * each for each in found)
                print(f"  {name:<28}{own:8.1f} ms own{wall:9.1f} ms wall{over}", flush=True)
                if tracer:
                    tracer.report()
        try:
            name, wait_ms = next(running)
        except StopIteration:
            begin = perf_counter()
            window.end_jobs()
            print(f"  closing{1e3 * (perf_counter() - begin):29.1f} ms wall")
            application.exit()
            return
        QTimer.singleShot(wait_ms, window, go)

    QTimer.singleShot(0, window, go)
    application.exec()
    if "drag" in longest:
        print(f"  {'frames of the drag':<28}{1e3 * longest['drag'][0]:8.1f} ms own")


if __name__ == "__main__":
    main()
