"""The file of the open project among others: changed by another program, open in a second window.

What the file should hold is known by a digest of what was last read or written here. It is
compared on a worker thread, whenever the system tells of a change and when the window is activated.
Who has a file open is told by a lock with the process's identity, in a folder of our own: nothing
lies beside the user's file, and the lock of a process that ended unexpectedly counts for nothing.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QLockFile, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from gui.basics.background_jobs import LatestWins
from gui.basics.locks import lock_file
from gui.document.document import Document
from machines.files import GONE, digest, digest_of

_DELAY_MS = 100  # a file that is being replaced tells of it several times


@dataclass(frozen=True)
class Change:
    """What became of the file while its project is open."""

    path: Path
    gone: bool


@dataclass(frozen=True)
class OtherWindow:
    """Who has the file open, too."""

    path: Path
    process: int
    host: str


@dataclass(frozen=True)
class _Seen:
    claim: Claim
    digest: str
    other: OtherWindow | None


class Claim:
    """One file that this window has open: the worker takes its lock, the window gives it back."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path, self._root = path, root
        self._guard = threading.Lock()
        self._lock: QLockFile | None = None
        self._over = False

    @property
    def held(self) -> bool:
        """Whether others are told that this window has it."""
        return self._lock is not None

    def take(self) -> OtherWindow | None:
        """Take the lock, if need be and if it can be; who has it, if another window does."""
        with self._guard:
            if self._over or self._lock is not None:
                return None
            name = str(self.path.resolve()).encode("utf-8", "surrogateescape")
            try:
                self._root.mkdir(parents=True, exist_ok=True)
            except OSError:
                return None
            lock = lock_file(self._root / digest_of(name))
            if lock.tryLock(0):
                self._lock = lock
            elif lock.error() == QLockFile.LockError.LockFailedError:
                process, host, _program = lock.getLockInfo()
                return OtherWindow(self.path, process, host)
            return None

    def release(self) -> None:
        """Let others have it."""
        with self._guard:
            self._over = True
            if self._lock is not None:
                self._lock.unlock()
                self._lock = None


class FileWatch(QObject):
    """Follows the document's file.

    `document`: its path and digest say what is followed. `root`: folder of the locks. `parent`:
    owner.
    """

    changed = Signal(object)  # Change: the file no longer holds what was read or written here
    settled = Signal()  # it holds that again
    open_elsewhere = Signal(object)  # OtherWindow

    def __init__(self, document: Document, root: Path, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("file_watch")
        self._document, self._root = document, root
        self.claim: Claim | None = None
        self._told_digest: str | None = None
        self._told_other = False
        self._held = False
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self.look)
        for changed in (self._watcher.fileChanged, self._watcher.directoryChanged):
            changed.connect(lambda _name: self._timer.start())
        self._jobs = LatestWins(self, "file watch")
        self._jobs.done.connect(self._take)
        document.path_changed.connect(self._follow)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._activated)

    def hold(self, held: bool) -> None:
        """While the file is written here, what is seen of it says nothing."""
        self._held = held
        if held:
            self._jobs.cancel()
        else:
            self._timer.start()

    def look(self) -> None:
        """Compare the file with what is known of it; the answers come as signals."""
        claim = self.claim
        if claim is None or self._held:
            return
        self._listen(claim.path)
        known = self._document.digest

        def job(_should_stop: object) -> _Seen:
            other = claim.take()
            return _Seen(claim, digest(claim.path) if known is not None else "", other)

        self._jobs.request(job)

    def close(self) -> None:
        """End the worker and let others have the file."""
        self._held = True
        self._timer.stop()
        self._jobs.close()
        self._release()

    def _follow(self, path: Path | None) -> None:
        self._told_digest = None
        if path != (None if self.claim is None else self.claim.path):
            self._release()
            self._told_other = False
            self.claim = None if path is None else Claim(path, self._root)
            if heard := [*self._watcher.files(), *self._watcher.directories()]:
                self._watcher.removePaths(heard)
        self.look()

    def _listen(self, path: Path) -> None:
        """Be told of changes: of the file, or while it is gone of its folder."""
        if str(path) in self._watcher.files():
            return
        if not self._watcher.addPath(str(path)):  # replaced, it is another file to the system
            self._watcher.addPath(str(path.parent))
        elif folders := self._watcher.directories():
            self._watcher.removePaths(folders)

    def _activated(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.look()

    def _take(self, seen: object) -> None:
        if not isinstance(seen, _Seen) or seen.claim is not self.claim or self._held:
            return
        if seen.other is not None and not self._told_other:
            self._told_other = True
            self.open_elsewhere.emit(seen.other)
        known, told = self._document.digest, self._told_digest
        if known is None or seen.digest == (known if told is None else told):
            return
        self._told_digest = None if seen.digest == known else seen.digest
        if self._told_digest is None:
            self.settled.emit()
        else:
            self.changed.emit(Change(seen.claim.path, seen.digest == GONE))

    def _release(self) -> None:
        if self.claim is not None:
            self.claim.release()
            self.claim = None
