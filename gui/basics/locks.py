"""Locks that name their process: a window that ended unexpectedly holds none any more."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLockFile


def lock_file(path: Path) -> QLockFile:
    """A lock at `path`, not yet taken."""
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # only a dead process makes it stale, never its age
    return lock
