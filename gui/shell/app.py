"""Starts the window: paint first, then load what makes it fast; errors end in a dialog."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QEvent,
    QLibraryInfo,
    QMessageLogContext,
    QObject,
    QSize,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

import resources
from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.basics.classes import make_all
from gui.basics.collector import Collector, collector_held, freeze
from gui.basics.settings import Settings
from gui.basics.theme import theme
from gui.shell.main_window import MainWindow
from gui.shell.startup import offer_recovery
from machines.parameters import properties_of

PREPARING = "Preparing fast search, once on this machine …"
# whenever Qt calls back, the window's thread waits so long for a thread that computes in Python, a
# dozen times a frame; Python's own 5 ms make frames of 60 ms; this costs threads a tenth meanwhile
SWITCH_S = 0.0001
# numba and pyqtgraph, each imported by a thread of its own, both want this: when Python has just
# imported a package it takes it out for a moment, in which others can't import a part of it
SHARED = ("colorama",)
if sys.version_info >= (3, 13):  # packages there
    SHARED += ("sysconfig", "_pyrepl")


class Startup(QObject):
    """What happens after the first paint: kernels on a thread, the search process, recovery.

    Where the kernels are not compiled yet, other processes compile them: the plain ones serve
    meanwhile, and the status bar says so.
    """

    painted = Signal()
    ready = Signal()  # kernels are loaded or can't be

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._seen = False
        Collector(self)
        sys.setswitchinterval(SWITCH_S)
        self._kernels = LatestWins(self, "kernels")
        self._kernels.progress.connect(self._say)
        self._kernels.busy.connect(self._warm)
        self._pages = LatestWins(self, "pages")
        window.line.installEventFilter(self)  # nothing covers the status bar

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin once the window has been painted."""
        if event.type() == QEvent.Type.Paint and not self._seen:
            self._seen = True
            QTimer.singleShot(0, self, self._begin)
        return super().eventFilter(watched, event)

    def _begin(self) -> None:
        for package in SHARED:
            with suppress(ModuleNotFoundError):
                import_module(package)
        self._window.line.removeEventFilter(self)
        self.painted.emit()
        offer_recovery(self._window)
        self._kernels.request_reporting(_load_kernels)

    def _say(self, text: object) -> None:
        self._window.line.start_job("kernels", str(text), None)
        self._window.search.warm_up()  # it waits for the same kernels

    def _warm(self, loading: bool) -> None:
        if not loading:  # loaded, or impossible: plain Python serves then
            self._window.line.end_job("kernels")
            self._window.search.warm_up()
            self.ready.emit()
            self._pages.request(_load_pages)


class _Defects(QObject):
    """Shows errors of Placewise itself, on whatever thread they happen."""

    met = Signal(object, object, object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.met.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def catch(
        self, kind: type[BaseException], value: BaseException, trace: TracebackType | None
    ) -> None:
        """As `sys.excepthook`."""
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        sys.__excepthook__(kind, value, trace)
        self.met.emit(kind, value, trace)

    def catch_thread(self, what: threading.ExceptHookArgs) -> None:
        """As `threading.excepthook`."""
        if what.exc_value is not None:
            self.catch(what.exc_type, what.exc_value, what.exc_traceback)

    def _show(
        self, kind: type[BaseException], value: BaseException, trace: TracebackType | None
    ) -> None:
        from gui.basics.error_messages import show_defect  # noqa: PLC0415 - hopefully never

        show_defect(self._window, kind, value, trace)


def run(paths: Sequence[Path], example: str, otherwise: Callable[[str], int]) -> int:
    """Open the window and run until it is closed.

    `paths`: a file to open, or several as one project. `example`: or the name of an example.
    `otherwise`: see `make_application`. Returns: exit status.
    """
    application = QApplication.instance() or make_application(otherwise)
    assert isinstance(application, QApplication)  # noqa: S101, RUF100 - nobody else makes one
    window = make_window(application, paths, example)
    Startup(window)
    fit_to_screen(window, window.screen().availableSize())
    window.show()
    try:
        return application.exec()
    finally:
        sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__


def fit_to_screen(window: QWidget, available: QSize) -> None:
    """A screen that is smaller than the window is filled by it."""
    if window.size().boundedTo(available) != window.size():
        window.resize(window.size().boundedTo(available))
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)


def make_window(
    application: QApplication, paths: Sequence[Path] = (), example: str = ""
) -> MainWindow:
    """The window, with its theme and its error dialog, not yet shown."""
    make_all()
    application.setApplicationName("placewise")
    application.setApplicationDisplayName("Placewise")
    application.setDesktopFileName("placewise")
    application.setWindowIcon(QIcon(str(resources.folder("icons") / "placewise.svg")))
    settings = Settings()
    theme().set_mode(settings.theme)
    application.styleHints().colorSchemeChanged.connect(_follow_system)
    window = MainWindow(settings)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    defects = _Defects(window)
    sys.excepthook, threading.excepthook = defects.catch, defects.catch_thread
    window.panel("allocation")
    for name in ("answer", "inspector"):
        window.panel(name)
    if paths or example:
        _open(window, paths, example)
    else:
        window.show_start_page(True)
    return window


def _open(window: MainWindow, paths: Sequence[Path], example: str) -> None:
    """Open files or an example; the start page offers others where it can't be read."""
    first, reader = window.document.project, window.files.reader

    def ended(busy: bool) -> None:
        if not busy:
            reader.busy.disconnect(ended)
            QTimer.singleShot(0, window, look)  # what was read is taken first

    def look() -> None:
        if window.document.project is not first:
            return
        if window.on_board:
            window.show_start_page(True)
        else:  # a campaign was opened: the board behind it has the first project
            window.predictions.begin()

    reader.busy.connect(ended)
    if paths:
        window.combining.open(paths)
    else:
        window.files.example(example)


def _follow_system(_scheme: object) -> None:
    if theme().mode == "system":
        theme().set_mode("system")


def _load_kernels(should_stop: ShouldStop, on_progress: OnProgress) -> None:
    # numba and the studies are slow to import: after the first paint
    with collector_held():
        from advisor import kernels, studies  # noqa: PLC0415

        _ = list(studies.STUDIES.values())
    if not kernels.ready():
        on_progress(PREPARING)
    if kernels.prepare(should_stop):  # without: the compiler would hold up the window
        with collector_held():
            kernels.load()
    freeze()


def _load_pages(_should_stop: ShouldStop) -> None:
    # the classes only: what they make is made on the window's thread, when it is first shown
    with collector_held():
        import pyqtgraph  # noqa: F401, PLC0415 - whole, before any part of it

        from advisor import studies  # noqa: PLC0415
        from gui.campaign import page  # noqa: F401, PLC0415
        from gui.panels import compare_panel as compare  # noqa: F401, PLC0415
        from gui.plots import region_items  # noqa: F401, PLC0415
        from gui.studies.page import study_panel as panel  # noqa: F401, PLC0415
        from gui.studies.picture.pictures import load_views  # noqa: PLC0415

        load_views()
    freeze()
    for study in studies.STUDIES.values():
        for one in properties_of(study.record):
            _ = [one.title_of(choice) for choice in one.choices]  # of files that ship: read once


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
