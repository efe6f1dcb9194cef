"""A dialog that writes a file for a launcher: inputs, what the file will say, how to use it, save.

What is shown is what would be written: every change of the inputs renders the text again, off the
window's thread, through the export itself, which reads the text back and compares it.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.stopping import ShouldStop
from gui.basics.jobs import LatestWins
from gui.basics.theme import GRID, theme
from machines.errors import PlacewiseError
from machines.files import decoded, read_bytes

_SETTLE_MS = 150
_MOST_BYTES = 2**18  # of a file of hosts
_MOST_LINES = 2000  # of the preview


@dataclass(frozen=True, eq=False)
class Rendered:
    """What would be written.

    Attributes
    ----------
    text : str
        Of the file.
    command : tuple of str
        How it is used.
    sentence : str
        What it holds.
    save : callable
        Writes it; the command for the file of that name.
    subject : object
        What was rendered.
    """

    text: str
    command: tuple[str, ...]
    sentence: str
    save: Callable[[Path], tuple[str, ...]]
    subject: object


@dataclass(frozen=True)
class _Saved:
    path: Path
    command: tuple[str, ...]


class ExportDialog(QDialog):
    """Base of export dialogs; opened, never executed.

    Parameters
    ----------
    name : str
        What the object names begin with.
    title : str
        Of the window and of the question where to save.
    what : str
        What the file says: "the mapping".
    """

    def __init__(self, name: str, title: str, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_dialog")
        self.setWindowTitle(title)
        self.resize(104 * GRID, 76 * GRID)
        self._name, self._what = name, what
        self.rendered: Rendered | None = None
        self.heading = self._label("heading")
        self.heading.setProperty("role", "headline")
        self.preview = text_box(f"{name}_preview", "What the file will say")
        self.command = text_box(f"{name}_command", "How to use the file")
        self.copy_button = push_button(
            f"{name}_copy", "Copy command", "Put the command lines on the clipboard"
        )
        self.message = self._label("message")
        self.save_button = push_button(
            f"{name}_save", "Save…", "Write the file; its text is read back and compared before"
        )
        self.save_button.setProperty("primary", "true")
        self.close_button = push_button(f"{name}_close", "Close", "Close; the hosts stay")
        self._rendering = self._worker(f"{name} preview", self._show_rendered)
        self._writing = self._worker(name, self._show_saved)
        self._reading = self._worker("hosts", self._show_hosts)
        self._into: QPlainTextEdit | None = None  # where hosts that are read go
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.render_now)
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.command.toPlainText())
        )
        self.save_button.clicked.connect(self.ask_save)
        self.close_button.clicked.connect(self.reject)

    # What subclasses say ------------------------------------------------------------------

    def job(self) -> Callable[[], Rendered] | str:
        """Render the file from the inputs as they are; or what is missing."""
        raise NotImplementedError

    def file_kind(self) -> tuple[str, str, str]:
        """(what kind of file, its suffix, its name)."""
        raise NotImplementedError

    # What the dialog does -----------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether something is read, rendered or written."""
        workers = (self._rendering, self._writing, self._reading)
        return self._settle.isActive() or any(worker.is_busy for worker in workers)

    def close_jobs(self) -> None:
        """Stop the background work."""
        self._settle.stop()
        for jobs in (self._rendering, self._writing, self._reading):
            jobs.close()

    def render_now(self) -> None:
        """Show what the file will say, or what is missing."""
        self._settle.stop()
        job = self.job()
        if isinstance(job, str):
            self._rendering.cancel()
            self._show_nothing()
            self._say(job)
            return
        self._lock()
        self._rendering.request(lambda _should_stop: job())

    def render_later(self) -> None:
        """The text is rendered once typing rests."""
        self._lock()
        self._settle.start()

    def save_to(self, path: Path) -> None:
        """Write the file, unless something is wrong; the answer is told in the dialog."""
        rendered = self.rendered
        if rendered is None:
            return

        def write(_should_stop: ShouldStop) -> _Saved:
            return _Saved(path, rendered.save(path))

        self._writing.request(write)

    def ask_save(self) -> None:
        """Ask where to write."""
        title, suffix, file = self.file_kind()
        dialog = QFileDialog(self, self.windowTitle(), "", f"{title} (*{suffix})")
        dialog.setObjectName(f"{self._name}_save_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix(suffix[1:])
        dialog.selectFile(file)
        dialog.fileSelected.connect(lambda chosen: self.save_to(Path(chosen)))
        dialog.open()

    def read_into(self, box: QPlainTextEdit, path: Path) -> None:
        """Take the hosts of a box from a file."""
        self._into = box
        self._reading.request(
            lambda _should_stop: decoded(read_bytes(path, _MOST_BYTES), str(path))
        )

    def ask_hosts(self, box: QPlainTextEdit) -> None:
        """Ask for the file from which the hosts of a box come."""
        dialog = QFileDialog(self, "Hosts", "", "All files (*)")
        dialog.setObjectName(f"{self._name}_hosts_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda chosen: self.read_into(box, Path(chosen)))
        dialog.open()

    def _show_hosts(self, text: object) -> None:
        if self._into is not None:
            self._into.setPlainText(str(text))

    def _show_rendered(self, rendered: object) -> None:
        if isinstance(rendered, Rendered):
            self.rendered = rendered
            self.preview.setPlainText(_beginning(rendered.text))
            self.command.setPlainText("\n".join(rendered.command))
            self.copy_button.setEnabled(bool(rendered.command))
            self.save_button.setEnabled(True)
            self._say(rendered.sentence)

    def _show_saved(self, saved: object) -> None:
        if isinstance(saved, _Saved):
            self.command.setPlainText("\n".join(saved.command))
            self._say(f"Saved {saved.path}; it was read back and says what the {self._what} says.")

    def _tell_error(self, error: PlacewiseError) -> None:
        if self.rendered is None:
            self._show_nothing()
        self._say(str(error), wrong=True)

    def _show_nothing(self) -> None:
        self._lock()
        self.preview.clear()
        self.command.clear()
        self.copy_button.setEnabled(False)

    def _lock(self) -> None:
        """Nothing that is out of date can be saved."""
        self.rendered = None
        self.save_button.setEnabled(False)

    def _say(self, text: str, wrong: bool = False) -> None:
        colours = theme().colours
        sign, colour = ("▲ ", colours.worse) if wrong else ("", colours.text)
        self.message.setText(f'<span style="color:{colour}">{sign}{html.escape(text)}</span>')

    def _worker(self, name: str, done: Callable[[object], None]) -> LatestWins:
        worker = LatestWins(self, name)
        worker.done.connect(done)
        worker.failed.connect(self._tell_error)
        return worker

    def _label(self, name: str) -> QLabel:
        label = QLabel()
        label.setObjectName(f"{self._name}_{name}")
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def lay_out(self, form: QFormLayout, inputs: QVBoxLayout) -> None:
        """The form and what is below it to the left; what comes out of it to the right."""
        outputs = QVBoxLayout()
        for layout in (inputs, form, outputs):
            layout.setSpacing(GRID // 2)
        inputs.insertLayout(0, form)
        outputs.addWidget(QLabel("What the file will say"))
        outputs.addWidget(self.preview, 3)
        outputs.addWidget(QLabel("How to use it"))
        outputs.addWidget(self.command, 1)
        outputs.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignLeft)
        columns = QHBoxLayout()
        columns.setSpacing(2 * GRID)
        columns.addLayout(inputs, 2)
        columns.addLayout(outputs, 3)
        buttons = QHBoxLayout()
        buttons.addWidget(self.message, 1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.save_button)
        body = QVBoxLayout(self)
        body.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        body.setSpacing(GRID)
        body.addWidget(self.heading)
        body.addLayout(columns, 1)
        body.addLayout(buttons)


def push_button(name: str, text: str, hint: str) -> QPushButton:
    """A button of an export dialog."""
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(hint)
    button.setAutoDefault(False)
    return button


def text_box(name: str, title: str, read_only: bool = True) -> QPlainTextEdit:
    """A box for the text of a file."""
    box = QPlainTextEdit()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setReadOnly(read_only)
    box.setTabChangesFocus(True)
    box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    if read_only:
        box.setToolTip(title)
    return box


def _beginning(text: str) -> str:
    """The first lines of a text, and how many more there are."""
    lines = text.splitlines()
    if len(lines) <= _MOST_LINES:
        return text
    more = f"… {len(lines) - _MOST_LINES:,} more lines"
    return "\n".join((*lines[:_MOST_LINES], more))
