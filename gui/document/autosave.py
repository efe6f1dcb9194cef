"""Crash recovery: an unsaved project is kept in a folder of its own until it is saved or declined.

Every window has one folder with a lock that names its process, so that windows do not meet and
the folders of windows that ended unexpectedly are recognised at the next start. The file is an
ordinary project file, written off the window's thread: a second after the first edit that it lacks,
however many follow, and one at a time.
"""

from __future__ import annotations

import os
import secrets
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.project.project_file import ProjectTexts, read_project
from gui.basics.background_jobs import LatestWins
from gui.basics.collector import collector_held
from gui.basics.locks import lock_file
from gui.document.document import Document
from machines.errors import PlacewiseError
from machines.files import refusal, write_bytes, write_text

DELAY_MS = 1000
_PROJECT, _ORIGIN, _LOCK = "project.placewise", "origin", "lock"
_THEN = "\0"  # between a path and a digest: in no path


@dataclass(frozen=True)
class Leftover:
    """An unsaved project of a window that ended unexpectedly."""

    folder: Path
    origin: Path | None
    when: datetime
    digest: str | None = None  # what the file of its origin held

    def read(self) -> Project:
        """The project; InputError when the file is damaged."""
        return read_project(self.folder / _PROJECT)


class Autosave(QObject):
    """Keeps the document's unsaved state on disk.

    `document`: what is kept. `root`: folder of all recovery folders.
    """

    warning = Signal(str)  # told once, when the unsaved project can't be kept

    def __init__(self, document: Document, root: Path, delay_ms: int = DELAY_MS) -> None:
        super().__init__(document)
        self.setObjectName("autosave")
        self._document, self._root = document, root
        self._folder: Path | None = None
        self._lock: QLockFile | None = None
        self._warned = False
        self._closed = False
        self._texts = ProjectTexts()  # of the worker alone
        self._kept: Project | None = None  # what is in the file, or on its way there
        self._jobs = LatestWins(self, "autosave")
        self._jobs.failed.connect(self._warn)
        self._jobs.busy.connect(lambda _busy: self._follow())
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._write)
        document.changed.connect(self._follow)
        document.undo_stack.cleanChanged.connect(self._follow)

    @property
    def file(self) -> Path | None:
        """The recovery file of this window, if there is one."""
        return self._folder / _PROJECT if self._folder is not None else None

    def leftovers(self) -> list[Leftover]:
        """What windows that ended unexpectedly left behind, newest first."""
        found = []
        for folder in sorted(self._root.glob("*/")):
            file = folder / _PROJECT
            lock = _lock(folder)
            if folder == self._folder or not lock.tryLock(0):
                continue
            lock.unlock()
            try:
                when = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
                text = os.fsdecode((folder / _ORIGIN).read_bytes())
            except OSError:
                shutil.rmtree(folder, ignore_errors=True)  # it ended before it kept anything
                continue
            origin, _, digest = text.partition(_THEN)
            found.append(Leftover(folder, Path(origin) if origin else None, when, digest or None))
        return sorted(found, key=lambda leftover: leftover.when, reverse=True)

    def take(self, leftover: Leftover, project: Project) -> bool:
        """Open a leftover as unsaved; it stays on disk until that is saved. False if taken."""
        lock = _lock(leftover.folder)
        if not lock.tryLock(0):
            return False
        self.discard()
        self._folder, self._lock = leftover.folder, lock
        self._document.load(project, leftover.origin, saved=False, digest=leftover.digest)
        return True

    def decline(self, leftover: Leftover) -> None:
        """Delete a leftover."""
        shutil.rmtree(leftover.folder, ignore_errors=True)

    def discard(self) -> None:
        """Nothing of this window needs recovery: it was saved, or the user declined to."""
        self._timer.stop()
        self._kept = self._document.project
        self._jobs.cancel()
        folder, self._folder = self._folder, None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End the worker; what is unsaved stays on disk unless `discard` was called."""
        self._timer.stop()
        self._jobs.close()
        if not self._closed:
            self._closed = True
            self._document.changed.disconnect(self._follow)
            self._document.undo_stack.cleanChanged.disconnect(self._follow)

    def _follow(self, _change: object = None) -> None:
        if not self._document.modified:
            if self._folder is not None or self._timer.isActive():
                self.discard()
        elif self._document.project is not self._kept and not self._waiting:
            self._timer.start()

    @property
    def _waiting(self) -> bool:
        """Whether the newest project is to be written anyway, now or after what is written now."""
        return self._timer.isActive() or self._jobs.is_busy

    def _write(self) -> None:
        project, origin = self._document.project, _origin(self._document)
        self._kept = project
        try:
            folder = self._claim()
        except OSError as error:
            self._warn(refusal("can't be created", self._root, error))
            return

        def job(should_stop: ShouldStop) -> None:
            with collector_held():
                text = self._texts.text(project)
            if should_stop():
                return
            write_bytes(folder / _ORIGIN, os.fsencode(origin))
            write_text(folder / _PROJECT, text)
            if self._folder != folder:  # it was discarded meanwhile
                shutil.rmtree(folder, ignore_errors=True)

        self._jobs.request(job)

    def _claim(self) -> Path:
        """The folder of this window, made and locked at first use."""
        if self._folder is None:
            folder = self._root / secrets.token_hex(8)
            folder.mkdir(parents=True)
            self._lock = _lock(folder)
            self._lock.tryLock(0)
            self._folder = folder
        return self._folder

    def _warn(self, error: PlacewiseError) -> None:
        if not self._warned:
            self._warned = True
            self.warning.emit(f"Unsaved changes are not protected against a crash: {error}")


def _origin(document: Document) -> str:
    """Where the project is saved, and what the file there holds."""
    if document.path is None:
        return ""
    return f"{document.path}{_THEN}{document.digest or ''}"


def _lock(folder: Path) -> QLockFile:
    return lock_file(folder / _LOCK)
