"""Processes that are killed in the middle, for tests of what they leave."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from advisor.project.project import Project
from gui.basics import search_session
from gui.document.autosave import Autosave
from gui.document.document import Document
from gui.document.file_watch import Claim


def crashed(root: Path, origin: str = "/somewhere/mine.placewise") -> None:
    """Leave what a process leaves that is killed while its user edits without a pause."""
    from tests.conftest import two_machines  # not in the process: it would make folders there

    _killed(_edit, root, origin, two_machines())


def crashed_with(path: Path, folder: Path) -> None:
    """Leave what a process leaves that is killed while it has a file open."""
    _killed(_claim, path, folder)


def _killed(what: Callable[..., None], *arguments: object) -> None:
    process = search_session.CONTEXT.Process(target=what, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def _edit(root: Path, origin: str, project: Project) -> None:
    application = QCoreApplication([])
    document = Document(project)
    document.set_path(Path(origin) if origin else None, "as it was")
    save = Autosave(document, root, delay_ms=30)
    edits = QTimer(interval=1)
    edits.timeout.connect(
        lambda: document.move_tasks(frozenset({1}), 1 - document.project.plan.allocation[1])
    )
    document.move_tasks(frozenset({0}), 1)
    edits.start()
    save._jobs.done.connect(lambda _: os.kill(os.getpid(), signal.SIGKILL))
    application.exec()


def _claim(path: Path, folder: Path) -> None:
    claim = Claim(path, folder)
    assert claim.take() is None
    assert claim.held
    os.kill(os.getpid(), signal.SIGKILL)
