"""Qt's application object; or, where no window can be opened, why: Qt itself would abort."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

_OF_DISPLAYS = "qt.qpa"  # Qt's category of what it says of them
# what the plugin of X11 needs beside what a system with X11 has
_PACKAGES = "libegl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1"


def make_application(otherwise: Callable[[str], int]) -> QApplication:
    """The application; without a display that answers the process ends instead.

    `otherwise`: what to do in place of a window, told why there is none; the exit status.
    """
    said: list[str] = []
    of_display: list[str] = []

    def hear(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        said.append(text)
        if (context.category or "").startswith(_OF_DISPLAYS):
            of_display.append(text)
        if kind == QtMsgType.QtFatalMsg:
            of_x11 = any('"xcb"' in one for one in of_display)
            status = otherwise((of_x11 and _missing_library()) or [*of_display, text][0])
            sys.stdout.flush()
            os._exit(status)  # no way leads back through Qt

    before = qInstallMessageHandler(hear)
    try:
        return QApplication(sys.argv[:1])
    finally:
        qInstallMessageHandler(before)
        for text in said:
            print(text, file=sys.stderr)


def _missing_library() -> str:
    """Which library of the system the plugin of X11 lacks, and where it comes from."""
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    try:
        ctypes.CDLL(str(folder / "libqxcb.so"))
    except OSError as error:
        library = str(error).partition(":")[0]
        return f"{library} is missing; Debian and Ubuntu have it: apt install {_PACKAGES}"
    return ""
