"""The longest work of the window's thread: ``python -m tests.benchmarks.bench_window [--trace]``.

A real window, offscreen, on a project of 30,000 tasks: opens it, selects, edits, drags, undoes,
advises, goes through all pages and takes another theme. Prints for every step of the stretches
between two looks at the event queue the longest: the processor time of the thread itself, what
other threads of the window computed while it waited (perhaps for the interpreter), neither of
which other programs lengthen, and the wall time. With ``--trace``, which threads kept the
interpreter longest, and where.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter, process_time, thread_time

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
from tests.benchmarks.holds import Hold, TimeLimit

LIMIT_MS = 50.0
_SCHEDULED = Path("/proc/thread-self/schedstat")
_BEAT_MS = 1
_PAUSE_MS = 1500  # after each step, for what it sets off
_TRACED_S, _TOLD = 0.01, 8  # holds of the interpreter: the shortest that is noted, the most told


class Heart(QObject):
    """Beats on the window's thread; remembers the longest stretch between two beats.

    Of each stretch, in seconds: what the thread itself computed; what other threads of this process
    computed while it slept, which is what it waited for the interpreter; and all of it, with the
    wait for a processor.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._longest = (0.0, 0.0, 0.0)
        self._last = self._clocks()
        self._timer = QTimer(self, interval=_BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = self._clocks()
        wall, own, process, queued = (
            each - last for each, last in zip(now, self._last, strict=True)
        )
        waited = max(min(process - own, wall - own - queued), 0.0)
        self._longest = tuple(map(max, self._longest, (own, waited, wall)))  # type: ignore[assignment] # three
        self._last = now

    def taken(self) -> tuple[float, float, float]:
        """(own, waited, wall) of the longest stretch since the last time, each for itself."""
        self._beat()
        found, self._longest = self._longest, (0.0, 0.0, 0.0)
        return found

    @staticmethod
    def _clocks() -> tuple[float, float, float, float]:
        return perf_counter(), thread_time(), process_time(), _queued_s()


def _queued_s() -> float:
    """Seconds that this thread waited for a processor so far; 0 where the system does not tell."""
    try:
        return 1e-9 * int(_SCHEDULED.read_text().split()[1])
    except OSError:
        return 0.0


def report(holds: Iterable[Hold]) -> None:
    """Who kept the interpreter longest, and where."""
    for hold in sorted(holds, key=lambda hold: -hold.seconds)[:_TOLD]:
        print(f"      {1e3 * hold.seconds:8.1f} ms  {hold.thread}: {hold.where}")


def steps(window: MainWindow, path: Path) -> Iterator[tuple[str, int]]:
    """(what was done, ms to wait) of everything that is done."""
    document = window.document
    window.files.open(path)
    yield "open 30,000 tasks", 9000
    document.select(Selection(tasks=frozenset({900})))
    yield "select a task", _PAUSE_MS
    document.select(Selection(tasks=frozenset(range(0, 30_000, 5))))
    yield "select 6,000 tasks", _PAUSE_MS
    document.select(Selection(tasks=frozenset({900})))
    yield "select a task again", _PAUSE_MS
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
    for mode in ("dark", "light"):  # with all pages there: all of them take its look
        window.commands[f"theme_{mode}"].trigger()
        yield f"theme {mode}", _PAUSE_MS


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
    watch = TimeLimit(_TRACED_S).start() if "--trace" in sys.argv else None
    longest = dict[str, tuple[float, float, float]]()
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
            longest[name] = tuple(map(max, heart.taken(), longest.get(name, (0.0,) * 3)))  # type: ignore[assignment] # three
            if name != "drag":
                show(name, longest[name])
                if watch:
                    report(watch.taken())
        try:
            name, wait_ms = next(running)
        except StopIteration:
            begin = perf_counter()
            window.end_jobs()
            print(f"  closing{1e3 * (perf_counter() - begin):51.1f} ms wall")
            if watch:
                watch.end()
            application.exit()
            return
        QTimer.singleShot(wait_ms, window, go)

    QTimer.singleShot(0, window, go)
    application.exec()
    if "drag" in longest:
        show("frames of the drag", longest["drag"])


def show(name: str, found: tuple[float, float, float]) -> None:
    """Print a line."""
    own, waited, wall = (1e3 * each for each in found)
    over = "  over" if max(own, waited) > LIMIT_MS else ""
    print(
        f"  {name:<28}{own:8.1f} ms own{waited:9.1f} ms waited{wall:9.1f} ms wall{over}", flush=True
    )


if __name__ == "__main__":
    main()
