"""What the window says when others have to do with the open project's file."""

from __future__ import annotations

from functools import partial

from gui.basics.notice import NoticeBar
from gui.document.document import Document
from gui.document.file_watch import Change, OtherWindow
from gui.shell.project_files import Files

_ABOUT = "the file"


def tell_of_others(document: Document, files: Files, notice: NoticeBar) -> None:
    """A notice with what can be done, for every change of the file and every other window."""
    files.watch.changed.connect(partial(_tell_change, files, notice))
    files.watch.open_elsewhere.connect(partial(_tell_window, files, notice))
    files.watch.settled.connect(lambda: notice.retract(_ABOUT))
    document.path_changed.connect(lambda _path: notice.retract(_ABOUT))


def _tell_change(files: Files, notice: NoticeBar, change: Change) -> None:
    name = change.path.name
    if change.gone:
        notice.tell(
            f"{name} was deleted or moved. Saving writes it again.",
            (("Save as…", files.ask_save),),
            about=_ABOUT,
        )
        return
    notice.tell(
        f"{name} was changed on disk by another window or program.",
        (("Reload", lambda: files.open(change.path)),),
        dismiss="Keep mine",
        about=_ABOUT,
    )


def _tell_window(files: Files, notice: NoticeBar, other: OtherWindow) -> None:
    notice.tell(
        f"{other.path.name} is open in another window (process {other.process} on {other.host}). "
        "Each sees the other's changes only when they are saved.",
        (("Work on a copy", files.make_copy),),
        dismiss="Resume",
        about=_ABOUT,
    )
