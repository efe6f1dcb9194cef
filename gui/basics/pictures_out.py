"""Pictures on their way out: what can be drawn off the window's thread is, and all is written so.

A plot of pyqtgraph is painted at once, which is the smaller part, and encoded on a thread.
"""

from __future__ import annotations

from pathlib import Path

from gui.basics.background_export import NOT_COPIED, NOT_WRITTEN, BackgroundExport
from gui.basics.background_jobs import OnProgress
from gui.basics.figures import Drawable, copied, prepared
from machines.errors import PlacewiseError
from machines.files import write_bytes

_WRITTEN = 0.9  # share that is done when nothing is left but to write


class PicturesOut(BackgroundExport):
    """Writes and copies pictures as they are at this moment."""

    def write(self, source: Drawable, path: Path) -> None:
        """Write a picture; the suffix of `path` chooses SVG, PDF or PNG."""
        try:
            make = prepared(source, path.suffix.lower())
        except PlacewiseError as error:
            self.refuse(NOT_WRITTEN, error)
            return

        def write(on_progress: OnProgress) -> None:
            content = make(on_progress)
            on_progress(_WRITTEN)
            write_bytes(path, content)

        self.begin_writing(path, write)

    def copy(self, source: Drawable) -> None:
        """Put a picture on the clipboard, as pixels and as SVG."""
        try:
            make = copied(source)
        except PlacewiseError as error:
            self.refuse(NOT_COPIED, error)
            return
        self.begin_copying("the picture", make)
