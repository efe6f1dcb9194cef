"""Closing the window: what does not end in time is left behind, together and not one by one."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from gui.basics.background_jobs import LatestWins
from gui.shell.main_window import MainWindow


def test_all_work_that_does_not_react_is_waited_for_together(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, release = [threading.Event() for _ in range(3)], threading.Event()

    def deaf(event: threading.Event) -> object:
        event.set()
        return release.wait()

    jobs = [LatestWins(window, f"deaf {at}") for at in range(3)]
    for one, event in zip(jobs, began, strict=True):
        one.request(lambda _stop, event=event: deaf(event))
    qtbot.waitUntil(lambda: all(event.is_set() for event in began))
    waited: list[float] = []
    join = threading.Thread.join

    def watched(thread: threading.Thread, timeout: float | None = None) -> None:
        if thread.name.startswith("deaf"):
            waited.append(timeout or 0.0)
        join(thread, timeout)

    monkeypatch.setattr("gui.shell.main_window.CLOSING_S", 0.05)
    monkeypatch.setattr(threading.Thread, "join", watched)
    window.end_jobs()
    assert len(waited) == 3
    assert sum(waited) <= 0.05 + 1e-9
    release.set()
    monkeypatch.setattr(threading.Thread, "join", join)
    for thread in threading.enumerate():
        if thread.name.startswith("deaf"):
            thread.join()
