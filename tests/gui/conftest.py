"""Fixtures of the window's tests: predictions for a document, and nothing may be left running."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import shutil
import threading
import weakref
from collections.abc import Callable, Generator, Iterator
from functools import lru_cache
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import psutil
import pyqtgraph  # noqa: F401 - not by the first job that needs it: imports can't be stopped
import pytest
import shiboken6
from PySide6.QtCore import (
    QAbstractEventDispatcher,
    QCoreApplication,
    QEvent,
    QEventLoop,
    Qt,
    QTimer,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.allocation.costs import build_costs
from advisor.studies.decision_map.run import run as decision_map
from advisor.studies.what_if.run import run as what_if
from gui.basics import event_loop_slices, search_session
from tests.gui.explained_once import explain_once
from tests.gui.studied_once import answered_once, once

if TYPE_CHECKING:
    from gui.basics.settings import Settings
    from gui.document.document import Document, Outcome
    from gui.shell.main_window import MainWindow


# a machine at load 10 is that slow; a test that passes does not wait
PATIENCE_MS = 120_000
_QUIET_S = 15.0  # nothing computes for longer than we ever wait for an engine's answer
_BUSY = 0.05  # of a processor; to look on takes less
_MOST_TURNS = 1000
_LEAVING_S = 30.0
_LOOKS = 100


@pytest.fixture(autouse=True, scope="module")
def quick(compiled: None) -> Iterator[None]:
    """What panels work out beside a test takes compiled kernels a third of the time.

    And it begins at once and never rests, while the test looks on: nobody's hand waits for the
    window here.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gui.basics.background._FIRST_S", 0.0)
        patch.setattr("gui.basics.background._AWAKE_S", float("inf"))
        yield


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """What stands in line when a test ends is given up: it would be made to be taken down."""
    try:
        return (yield)
    finally:
        event_loop_slices._line()._waiting.clear()


@pytest.fixture(autouse=True)
def collected() -> None:
    """Collect what the test before left, on the thread of Qt's objects: gui/basics/collector.py.

    It has let go of its fixtures by now. Widgets go first: what is to be deleted later stays until
    a loop of events begins, and each change of the theme would dress it. What lives on, modules and
    what they keep, is not looked at again.
    """
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left_running(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves a thread, a process or a repeating timer behind."""
    before: set[object] = {*threading.enumerate(), *multiprocessing.active_children()}
    timers: weakref.WeakSet[QTimer] = weakref.WeakSet()
    original = QTimer.start

    def start(timer: QTimer, *arguments: Any) -> None:
        timers.add(timer)
        original(timer, *arguments)

    monkeypatch.setattr(QTimer, "start", start)
    yield
    deadline = monotonic() + _LEAVING_S
    while (left := _running(before)) and monotonic() < deadline:
        sleep(0.001)
    assert not left, f"left running: {left}"
    ticking = [
        timer.objectName() or repr(timer)
        for timer in timers
        if shiboken6.isValid(timer)
        and timer.isActive()
        and not timer.isSingleShot()
        and timer.parent() is None
    ]
    assert not ticking, f"timers without an owner still tick: {ticking}"


@pytest.fixture(autouse=True)
def nothing_left_in_sight() -> Iterator[None]:
    """Fail a test that leaves a window in sight, or a button of the mouse pressed.

    The next test's pointer would be told to that window, and its moves would drag.
    """
    yield
    left = [window for window in QGuiApplication.topLevelWindows() if window.isVisible()]
    assert not left, f"left in sight: {left}"
    pressed = QGuiApplication.mouseButtons()
    assert pressed == Qt.MouseButton.NoButton, f"left pressed: {pressed}"


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """Styled as the user's: a test measures what people see."""
    from gui.basics.theme import theme

    theme().set_mode("light")
    return qapp


@lru_cache
def _settings() -> Settings:
    """One reader for all tests: each that is the first reads and locks the file."""
    from gui.basics.settings import Settings

    return Settings()


@pytest.fixture(autouse=True)
def put_back(qapp: QApplication) -> Iterator[None]:
    """After a test theme, settings, clipboard and keys are as before all tests.

    Ctrl or Shift of a key that was clicked counts as held until the next one: what is selected then
    is added to what was.
    """
    yield
    from gui.basics.theme import theme

    if theme().mode != "light":
        theme().set_mode("light")
    _settings().clear()
    qapp.clipboard().clear()
    if qapp.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyClick(QWidget(), Qt.Key.Key_Control)


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork search processes off one that has imported all, rather than import it all for each.

    They are processes as real as the spawned ones of tests/gui/basics/test_background_jobs.py.
    """
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.gui.warm_process"])
        monkeypatch.setattr(search_session, "CONTEXT", context)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers and maps when the test asks alone: for every small workload they take a sixth of all.

    Tests of what comes by itself use `unasked`.
    """
    monkeypatch.setattr("gui.document.advise.AUTOMATIC_SECONDS", None)
    monkeypatch.setattr("gui.panels.decision_map.MOST_TASKS_UNASKED", 0)


@pytest.fixture
def unasked(asked: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search by itself for a tenth of the steps: that there is an answer counts, not how good."""
    monkeypatch.setattr("gui.document.advise.AUTOMATIC_SECONDS", 0.1)
    monkeypatch.setattr("gui.panels.decision_map.MOST_TASKS_UNASKED", 300)


# pure, of frozen values, and only read by judges: the same for every window
_costs_once = lru_cache(maxsize=1024)(build_costs)


@pytest.fixture(autouse=True)
def judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work out once what one question costs at one load.

    Every window walks through the same loads of the same two tasks, for its reasons and its map.
    """
    monkeypatch.setattr("advisor.advice.contest.build_costs", _costs_once)


@pytest.fixture(autouse=True)
def explained_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of all explanations are of answers that another test has had explained."""
    monkeypatch.setattr("gui.document.advise.explain", explain_once)


_map_once, _what_if_once = once(decision_map), once(what_if)


@pytest.fixture(autouse=True)
def studied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are their maps, which every window draws, and what a study answers when it is opened."""
    monkeypatch.setattr("gui.panels.decision_map.run", _map_once)
    monkeypatch.setattr("gui.panels.what_if.run", _what_if_once)
    monkeypatch.setattr("gui.studies.page.study_panel.answered", answered_once)


class PatientBot(QtBot):
    """Waits long enough for a busy machine before it gives up, whatever a test asks for.

    It looks every millisecond at first, then as seldom as pytest-qt's: most comes at once. Where
    nothing computes any more, it gives up early.
    """

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = 0) -> None:
        for _ in range(_LOOKS):
            if _holds(callback):
                return
            self.wait(1)
        work = _Work()
        super().waitUntil(
            lambda: callback() if not work.is_over else _given_up(callback),
            timeout=max(timeout, PATIENCE_MS),
        )

    def waitSignal(self, signal: Any, *, timeout: int = 0, **options: Any) -> Any:
        if options.get("raising") is not False:  # else it is waited for nothing to come
            timeout = max(timeout, PATIENCE_MS)
        return super().waitSignal(signal, timeout=timeout, **options)

    def settle(self) -> None:
        """Let all happen that is due: events, layouts, what follows from them."""
        loop = QAbstractEventDispatcher.instance()
        for _ in range(_MOST_TURNS):
            if not loop.processEvents(QEventLoop.ProcessEventsFlag.AllEvents):
                return


class _Work:
    """Whether this process or one that it began has lately computed, or waited for a processor."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._since, self._spent_s = monotonic(), self._total_s()

    @property
    def is_over(self) -> bool:
        """For `_QUIET_S` nothing has."""
        passed_s = monotonic() - self._since
        if passed_s < _QUIET_S:
            return False
        before_s, self._spent_s, self._since = self._spent_s, self._total_s(), monotonic()
        return self._spent_s - before_s < _BUSY * passed_s

    def _total_s(self) -> float:
        found = 0.0
        for each in (self._process, *self._process.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess, OSError):
                found += sum(each.cpu_times()[:2]) + _waited_s(each.pid)
        return found


def _waited_s(pid: int) -> float:
    """How long threads that could have computed waited for their turn: others took it."""
    told = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(float(one.read_text().split()[1]) for one in told) / 1e9


def _given_up(callback: Callable[[], Any]) -> None:
    if not _holds(callback):
        pytest.fail(f"nothing computes any more, and {callback} does not hold")


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QtBot:
    """As pytest-qt's, but patient."""
    return PatientBot(request)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The main window, shown, with Figueira & Berman's tasks on two machines, one loaded."""
    with made_window() as window:
        show_window(qtbot, window)
        yield window


@contextlib.contextmanager
def made_window() -> Iterator[MainWindow]:
    """A main window that nobody has worked with, and its end."""
    from gui.basics.settings import Settings, recovery_folder, study_folder
    from gui.shell.main_window import MainWindow

    for folder in (recovery_folder(), study_folder()):
        shutil.rmtree(folder, ignore_errors=True)
    with pytest.MonkeyPatch.context() as patch:
        # the dock of the map computes in every window, beside what is tested
        patch.setattr("gui.panels.decision_map.POINTS", 9)
        window = MainWindow(Settings())
        yield window
        patch.setattr("gui.shell.main_window.CLOSING_S", 5.0)  # the machine may be busy
        window.end_jobs()
        window.document.undo_stack.setClean()
        window.close()
        for lazy in window.lazy.values():
            if lazy._begun is not None:
                lazy._begun.deleteLater()  # it may have no parent yet, and would outlive the window
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


def show_window(qtbot: QtBot, window: MainWindow) -> None:
    """With Figueira & Berman's tasks on two machines, one loaded, once they are predicted."""
    from tests.conftest import two_machines

    window.document.load(two_machines(contenders=2))
    window.show()
    qtbot.waitExposed(window)

    def ready() -> bool:
        outcome = window.document.outcome
        return outcome is not None and outcome.project is window.document.project

    qtbot.waitUntil(ready)


def _holds(callback: Callable[[], Any]) -> bool:
    """Whether what is waited for has come: a condition that is true, or assertions that hold."""
    try:
        return callback() in (None, True)
    except AssertionError:
        return False


def _running(before: set[object]) -> list[str]:
    # the interpreter's own stand-ins for threads of Qt, and the feeder of shared locks, stay
    threads = [
        thread.name
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]
    processes = [child.name for child in multiprocessing.active_children() if child not in before]
    return threads + processes


@pytest.fixture
def predicted(qtbot: QtBot) -> Iterator[Callable[[Document], Outcome]]:
    """``predicted(document)`` keeps the document predicted and waits for its outcome."""
    from gui.document.predictions import Predictions

    running: dict[int, Predictions] = {}

    def wait(document: Document) -> Outcome:
        if id(document) not in running:
            running[id(document)] = Predictions(document)
            running[id(document)].request(document.project)

        def ready() -> bool:
            outcome = document.outcome
            return outcome is not None and outcome.project is document.project

        qtbot.waitUntil(ready)
        assert document.outcome is not None
        return document.outcome

    yield wait
    for predictions in running.values():
        predictions.close()
