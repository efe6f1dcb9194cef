"""How soon the window is there: first paint against a bare window, first prediction on screen.

``python -m tests.benchmarks.bench_startup`` starts fresh processes, in turn, and prints medians
and their ratios. The bare window is PySide6 with one empty pyqtgraph plot.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROUNDS = 7
ROOT = Path(__file__).resolve().parents[2]

BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph
app = QApplication([])
window = QMainWindow()
window.resize(1440, 900)
plot = pyqtgraph.PlotWidget()
window.setCentralWidget(plot)
watched = plot.viewport()
"""

PLACEWISE = """
from gui.shell.launch import load_engine
load_engine()
from PySide6.QtWidgets import QApplication
from gui.shell.app import Startup, make_window
app = QApplication([])
window = make_window(app, (), "two-machines-loaded")
Startup(window)
watched = window.line
"""

WATCH = """
from PySide6.QtCore import QEvent, QObject, QTimer

def say(what):
    print(what, time.perf_counter() - began, flush=True)

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, painted)
        return False

watch = Watch()
watched.installEventFilter(watch)
window.show()
"""

FIRST_PAINT = """
def painted():
    say("painted")
    os._exit(0)
app.exec()
"""

FIRST_PREDICTION = """
def painted():
    say("painted")

def predicted(_outcome):
    window.repaint()
    say("predicted")
    os._exit(0)

window.document.outcome_changed.connect(predicted)
app.exec()
"""

FIRST_KERNELS = """
from gui.shell.app import Startup

beats = []

def painted():
    say("painted")
    timer.start(5)

def ready():
    gaps = [after - before for before, after in zip(beats, beats[1:])]
    say("compiled")
    print("pause", max(gaps), flush=True)
    os._exit(0)

timer = QTimer()
timer.timeout.connect(lambda: beats.append(time.perf_counter()))
window.findChild(Startup).ready.connect(ready)
app.exec()
"""


def seconds(code: str, folder: str, root: Path = ROOT) -> dict[str, float]:
    """What a new interpreter says, most of it in seconds from its start."""
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": folder,
        "XDG_DATA_HOME": folder,
    }
    start = "import time; began = time.perf_counter()\nimport os\n"
    done = subprocess.run(
        [sys.executable, "-c", start + code],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return {what: float(value) for what, value in map(str.split, done.stdout.splitlines())}


def first_start(folder: str) -> dict[str, float]:
    """The same from a copy in which nothing has been compiled."""
    copy = Path(folder) / "copy"
    for package in ("advisor", "gui", "machines", "resources"):
        shutil.copytree(
            ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return seconds(PLACEWISE + WATCH + FIRST_KERNELS, folder, copy)


def main() -> None:
    """Measure in turn, so that all see the same machine, and print the table."""
    import tempfile

    cases = {
        "bare PySide6 + pyqtgraph window, first paint": (BARE + WATCH + FIRST_PAINT, "painted"),
        "Placewise, first paint": (PLACEWISE + WATCH + FIRST_PAINT, "painted"),
        "Placewise, first prediction on screen": (
            PLACEWISE + WATCH + FIRST_PREDICTION,
            "predicted",
        ),
    }
    times: dict[str, list[float]] = {name: [] for name in cases}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for name, (code, what) in cases.items():
                times[name].append(seconds(code, folder)[what])
        first = first_start(folder)
    medians = {name: statistics.median(values) for name, values in times.items()}
    bare = next(iter(medians.values()))
    print(f"{'':50}{'median':>10}{'least':>10}{'ratio':>8}")
    for name, median in medians.items():
        least = min(times[name])
        print(f"{name:50}{median:9.3f}s{least:9.3f}s{median / bare:8.2f}")
    print("reach: first paint ratio ≤ 2, first prediction ≤ 1.5 s")
    print("first start, nothing compiled: {painted:.1f} s to the first paint,".format(**first))
    print("{compiled:.1f} s to the kernels, the longest pause {pause:.2f} s".format(**first))


if __name__ == "__main__":
    main()
