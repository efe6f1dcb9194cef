"""Threads may ask for Qt's classes at once: they are there."""

from __future__ import annotations

import os
import subprocess
import sys

_TWO_THREADS = """
import os, sys, threading
from PySide6 import QtWidgets
from PySide6.QtWidgets import QApplication, QWidget
from gui.basics.classes import make_all

application = QApplication([])
application.setStyleSheet("QWidget { margin: 1px }")
make_all()
sys.setswitchinterval(1e-6)
names = [name for name in dir(QtWidgets) if name.startswith("Q") and name != "QApplication"]
other = threading.Thread(target=lambda: [getattr(QtWidgets, name) for name in names])
other.start()
for name in names:
    try:
        made = getattr(QtWidgets, name)()
    except Exception:  # an abstract class, or one that needs arguments
        continue
    if isinstance(made, QWidget):
        made.ensurePolished()
other.join()
print("both got on", flush=True)
os._exit(0)
"""


def test_two_threads_ask_for_the_same_classes_and_get_them_whole() -> None:
    found = subprocess.run(
        [sys.executable, "-c", _TWO_THREADS],
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert found.stdout == "both got on\n", found.stderr
    assert found.returncode == 0
