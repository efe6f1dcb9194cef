"""Qt's classes, all made before a second thread can ask for one.

PySide makes a class when it is first asked for. Two threads that ask for the same one at once may
both get it half made, and the process ends: pages are imported on a thread while others are built.
"""

from __future__ import annotations

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets


def make_all() -> None:
    """Make the classes of the modules that are used here: 60 ms, once."""
    for module in (QtCore, QtGui, QtSvg, QtWidgets):
        for name in dir(module):
            getattr(module, name)
