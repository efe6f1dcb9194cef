"""Unsaved projects of a window that ended unexpectedly are offered at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import show_error
from gui.document.autosave import Leftover
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from gui.shell.main_window import MainWindow


def offer_recovery(window: MainWindow) -> None:
    """A notice with Restore and Discard for every leftover."""
    for leftover in window.autosave.leftovers():
        _offer(window, leftover)


def _offer(window: MainWindow, leftover: Leftover) -> None:
    name = leftover.origin.name if leftover.origin is not None else "A project without a file"
    window.notice.tell(
        f"{name} was not saved when Placewise ended unexpectedly "
        f"(last change {leftover.when:%Y-%m-%d %H:%M}).",
        (
            ("Restore", lambda: window.files.when_saved(lambda: _restore(window, leftover))),
            ("Discard", lambda: window.autosave.decline(leftover)),
        ),
        dismiss="Later",
    )


def _restore(window: MainWindow, leftover: Leftover) -> None:
    jobs = LatestWins(window, "recovery")

    def take(project: object) -> None:
        jobs.deleteLater()
        if window.autosave.take(leftover, project):  # type: ignore[arg-type]
            window.line.tell("Restored; save it to keep it")
        else:
            window.line.tell("Another window has already restored it")

    def refuse(error: PlacewiseError) -> None:
        jobs.deleteLater()
        show_error(window, "The unsaved project can't be read", error)

    jobs.done.connect(take)
    jobs.failed.connect(refuse)
    jobs.request(lambda _should_stop: leftover.read())
