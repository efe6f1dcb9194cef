"""What pictures on their way out cost the window: ``python -m tests.benchmarks.bench_pictures``.

A real window, offscreen: shipped examples with all their pages and docks, then 30,000 tasks on 32
and on 128 machines. Every picture in sight is written as SVG, PDF and PNG, and copied, while the
window's thread beats. Printed are, of each, the milliseconds until it is there, what the thread
computed at most between two beats, and its longest wait for the interpreter. Names of examples or
numbers of machines choose some: ``... bench_pictures survey 128``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

import resources
from advisor.project.project_file import write_project
from gui.basics.figures import PICTURES, figure_size
from gui.basics.pictures_out import PicturesOut
from gui.plots.plot_panel import Exports
from gui.shell.app import Startup, make_window
from gui.shell.main_window import MainWindow
from tests.benchmarks.bench_board import large
from tests.benchmarks.bench_window import Heart

LIMIT_MS = 16.0
EXAMPLES = ("survey", "two-machines", "monitored")
MACHINES = (32, 128)
_DOCKS = ("reasons", "breakdown")
_LONGEST_S = 60.0
_SETTLE_S = 2.0  # after opening and showing, for what it sets off


class Clock:
    """Serves the events of the application, while a heart beats."""

    def __init__(self, application: QApplication, window: MainWindow) -> None:
        self._application, self._heart = application, Heart(window)

    def serve(self, seconds: float, over: Callable[[], bool] = lambda: False) -> float:
        """Serve events so long, or until it is over; how long it took, s."""
        began = perf_counter()
        while not over() and perf_counter() - began < seconds:
            self._application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return perf_counter() - began

    def beaten(self, do: Callable[[], object], over: Callable[[], bool]) -> str:
        """Do something and wait until it is over; the three times in words."""
        self.serve(0.1)
        self._heart.taken()
        began = perf_counter()
        do()
        self.serve(_LONGEST_S, over)
        took_ms = 1e3 * (perf_counter() - began)
        own, waited, _ = (1e3 * each for each in self._heart.taken())
        sign = " !" if max(own, waited) > LIMIT_MS else "  "
        return f"{took_ms:6.0f} {own:5.1f} {waited:5.1f}{sign}"


def opened(window: MainWindow, clock: Clock, path: Path) -> None:
    """Open a project, and wait until its plan is on the board."""
    board, document = window.handlers.board, window.document
    before = document.outcome
    window.files.open(path)
    clock.serve(_LONGEST_S, lambda: document.outcome not in (None, before))
    clock.serve(_LONGEST_S, lambda: board.schedule.outcome is document.outcome)
    clock.serve(_SETTLE_S)


def pictures(window: MainWindow, clock: Clock) -> Iterator[tuple[str, object]]:
    """(name, source) of everything that can be exported, in sight when it comes."""
    board = window.handlers.board
    window.show_page("allocation")
    yield "board", board
    board.load_box.click()
    clock.serve(1.0)
    yield "board with loads", board
    board.load_box.click()
    board.show_view("graph")
    clock.serve(1.0)
    yield "board as a graph", board
    board.show_view("schedule")
    seen = set[int]()
    places = [*((window.show_dock, name) for name in _DOCKS)]
    places += [(window.show_page, page.id) for page in window.in_area("centre")]
    for show, name in places:
        show(name)
        clock.serve(_SETTLE_S)
        for exports in window.findChildren(Exports):
            source = exports.source
            if source is not None and id(source) not in seen and source.isVisible():  # type: ignore[union-attr] # widgets all
                seen.add(id(source))
                yield f"{name}: {type(source).__name__}", source


def measure(window: MainWindow, clock: Clock) -> None:
    """Print a line for each picture."""
    out, folder = PicturesOut(window), Path(tempfile.mkdtemp())
    print(f"{'':34}{'':10}" + "".join(f"{name:>22}" for name in (*PICTURES, "copied")))
    print(f"{'':34}{'pixels':>10}" + 4 * "   done   own  wait  ")
    for name, source in pictures(window, clock):
        size = figure_size(source)  # type: ignore[arg-type] # one that can be drawn
        if size.isEmpty():
            continue
        print(f"  {name:<32}{size.width():>5}×{size.height():<4}", end="")
        for suffix in PICTURES:
            path = folder / f"picture{suffix}"
            write = lambda path=path, source=source: out.write(source, path)  # noqa: E731
            print(clock.beaten(write, lambda: not out.is_busy), end="", flush=True)
        print(clock.beaten(lambda source=source: out.copy(source), lambda: not out.is_busy))


def main() -> None:
    """Open one project after the other."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    wanted = sys.argv[1:] or [*EXAMPLES, *map(str, MACHINES)]
    window = make_window(application, example="survey")
    window.resize(1280, 800)
    Startup(window)
    clock = Clock(application, window)
    window.show()
    clock.serve(_SETTLE_S)
    for name in wanted:
        if name.isdigit():
            path = Path(tempfile.mkdtemp()) / "large.placewise.json"
            write_project(large(machines=int(name)), path)
            title = f"30,000 tasks on {name} machines"
        else:
            path, title = resources.folder("examples") / f"{name}.toml", name
        opened(window, clock, path)
        print(f"\n{title}, 1280 × 800 pixels; ms")
        measure(window, clock)
    window.end_jobs()


if __name__ == "__main__":
    main()
