"""What is on its way out of the window ends with it."""

from __future__ import annotations

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.basics import background_export as leaving


def test_a_window_may_end_after_what_is_told_of_its_exports(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = leaving.Outgoing()
    monkeypatch.setattr(leaving, "outgoing", lambda: told)
    window = QWidget()
    out = leaving.BackgroundExport(window)
    with qtbot.waitSignal(out.written):
        out.begin_writing(tmp_path / "plan.csv", lambda _on_progress: None)
    qtbot.waitUntil(lambda: not out.is_busy)
    shiboken6.delete(told)  # as when the program ends
    with qtbot.captureExceptions() as met:
        shiboken6.delete(window)
    assert met == []
