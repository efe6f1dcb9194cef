"""The file of the open project among others: changed by another program, open in a second window.

What the file should hold is known by a digest of what was last read or written here. It is
compared on a worker thread, whenever the system tells of a change and when the window is activated.
Who has a file open is told by a lock with the process's identity, in a folder of our own: nothing
lies beside the user's file, and the lock of a process that ended unexpectedly counts for nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QLockFile, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from gui.basics.jobs import LatestWins
from gui.basics.locks import lock_file
from gui.document.document import Document
from machines.files import GONE, digest

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


@dataclass(frozen=True, eq=False)
class _Seen:
    path: Path
    digest: str
    lock: QLockFile | None
    other: OtherWindow | None


class FileWatch(QObject):
    """Follows the document's file.

    Parameters
    ----------
    document : Document
        Its path and digest say what is followed.
    root : Path
        Folder of the locks.
    parent : QObject
        Owner.
    """

    changed = Signal(object)  # Change: the file no longer holds what was read or written here
    settled = Signal()  # it holds that again
    open_elsewhere = Signal(object)  # OtherWindow

    def __init__(self, document: Document, root: Path, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("file_watch")
        self._document, self._root = document, root
        self._path: Path | None = None
        self._lock: QLockFile | None = None
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
        path = self._path
        if path is None or self._held:
            return
        self._listen(path)
        known, root, lock = self._document.digest, self._root, self._lock

        def job(_should_stop: object) -> _Seen:
            own, other = (lock, None) if lock is not None else _claim(path, root)
            return _Seen(path, digest(path) if known is not None else "", own, other)

        self._jobs.request(job)

    def close(self) -> None:
        """End the worker and let others have the file."""
        self._held = True
        self._timer.stop()
        self._jobs.close()
        self._release()

    def _follow(self, path: Path | None) -> None:
        self._told_digest = None
        if path != self._path:
            self._release()
            self._told_other = False
            self._path = path
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
        if not isinstance(seen, _Seen) or seen.path != self._path or self._held:
            return
        self._lock = seen.lock
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
            self.changed.emit(Change(seen.path, seen.digest == GONE))

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _claim(path: Path, root: Path) -> tuple[QLockFile | None, OtherWindow | None]:
    """The lock of a file, or who has it; neither where locks can't be made."""
    name = hashlib.blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=16)
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None, None
    lock = lock_file(root / name.hexdigest())
    if lock.tryLock(0):
        return lock, None
    if lock.error() != QLockFile.LockError.LockFailedError:
        return None, None
    process, host, _program = lock.getLockInfo()
    return None, OtherWindow(path, process, host)
