"""The dialog that exports a mapping or a tree: format, its options, what the file will say, save.

What is shown is what would be written: every change renders the text again, off the window's
thread, through the export itself, which reads the text back and compares it.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.host_list import parse_capacities
from advisor.basics.stop_rule import ShouldStop
from advisor.export.export_options import HOST_LIST, Capacity, Option, options_from
from advisor.export.export_record import Export, Kind
from advisor.export.registry import EXPORTS, exports_of
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.reading_order import InReadingOrder
from gui.basics.save_dialog import ask_file
from gui.basics.theme import GRID, theme
from gui.basics.wheel import ChoiceBox
from gui.studies.picture.export_fields import ExportField, push_button, text_box
from machines.errors import PlacewiseError
from machines.files import decoded, read_bytes

_SETTLE_MS = 150
_MOST_BYTES = 2**18  # of a file of hosts
_MOST_LINES = 2000  # of the preview


@dataclass(frozen=True, eq=False)
class Rendered:
    """What would be written."""

    export: Export[Any]
    subject: Any  # what it is written of
    text: str  # of the file
    commands: tuple[str, ...]  # how it is used
    sentence: str  # what it holds, and what may be taken amiss of it


@dataclass(frozen=True)
class _Saved:
    path: Path
    commands: tuple[str, ...]
    sentence: str


class ExportDialog(InReadingOrder, QDialog):
    """Writes subjects of one kind in any of the formats of that kind; opened, never executed."""

    def __init__(self, kind: Kind[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = self._name = f"{kind.name}_export"
        self._kind = kind
        self._source: object = None
        self.setObjectName(f"{name}_dialog")
        self.setWindowTitle(f"Export {kind.name}")
        self.resize(104 * GRID, 76 * GRID)
        self.rendered: Rendered | None = None
        self.heading = self._label("heading")
        self.heading.setProperty("role", "headline")
        self.format = ChoiceBox()
        self.format.setObjectName(f"{name}_format")
        self.format.setToolTip("The program that reads the file")
        self.fields: dict[str, ExportField] = {}
        for export in exports_of(kind).values():
            self.format.addItem(export.title, export.name)
            for option in export.options:
                if option.name not in self.fields:
                    self.fields[option.name] = ExportField(option, f"{name}_{option.name}", self)
        self.preview = text_box(f"{name}_preview", "What the file will say")
        self.command = text_box(f"{name}_command", "How to use the file")
        self.copy_button = push_button(
            f"{name}_copy", "Copy command", "Put the command lines on the clipboard"
        )
        self.message = self._label("message")
        self.save_button = push_button(
            f"{name}_save", "Save…", "Write the file after reading its text back and comparing it"
        )
        self.save_button.setProperty("primary", "true")
        self.close_button = push_button(f"{name}_close", "Close", "Close; the hosts stay")
        self._rendering = self._worker(f"{name} preview", self._show_rendered)
        self._writing = self._worker(name, self._show_saved)
        self._reading = self._worker("hosts", self._show_hosts)
        self._into: ExportField | None = None  # where hosts that are read go
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._lay_out()
        self._connect()

    def take(self, source: object, heading: str) -> None:
        """Export this; format and fields stay."""
        self._source = source
        self.heading.setText(heading)
        self._fit_fields()
        self.render_now()

    @property
    def export(self) -> Export[Any]:
        """The chosen format."""
        return EXPORTS[str(self.format.currentData())]

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
        missing = self._missing()
        if missing:
            self._rendering.cancel()
            self._show_nothing()
            self._say(missing)
            return
        self._lock()
        export, source = self.export, self._source
        values = {name: field.value for name, field in self.fields.items()}
        file = f"{self._kind.name}{export.suffix}"
        self._rendering.request(lambda _should_stop: _rendered(export, source, values, file))

    def render_later(self) -> None:
        """The text is rendered once typing rests."""
        self._lock()
        self._settle.start()

    def save_to(self, path: Path) -> None:
        """Write the file, unless something is wrong; the answer is told in the dialog."""
        rendered = self.rendered
        if rendered is None:
            return
        kind = self._kind.name

        def write(_should_stop: ShouldStop) -> _Saved:
            commands = rendered.export.write(rendered.subject, path)
            checked = f"; it was read back and matches the {kind}"
            sentence = f"Saved {path}{checked if rendered.export.parse else ''}."
            return _Saved(path, commands, sentence)

        self._writing.request(write)

    def ask_save(self) -> None:
        """Ask where to write."""
        export = self.export
        ask_file(
            self,
            self.windowTitle(),
            ((export.title, export.suffix),),
            self._kind.name,
            lambda path, _format: self.save_to(path),
            name=f"{self._name}_save_dialog",
        )

    def read_into(self, field: ExportField, path: Path) -> None:
        """Take the hosts of a field from a file."""
        self._into = field
        self._reading.request(
            lambda _should_stop: decoded(read_bytes(path, _MOST_BYTES), str(path))
        )

    def ask_hosts(self, field: ExportField) -> None:
        """Ask for the file from which the hosts of a field come."""
        dialog = QFileDialog(self, "Hosts", "", "All files (*)")
        dialog.setObjectName(f"{self._name}_hosts_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda chosen: self.read_into(field, Path(chosen)))
        dialog.open()

    # Inside -------------------------------------------------------------------------------

    def _missing(self) -> str:
        """What the fields need before anything can be rendered; empty: nothing."""
        if self._source is None:
            return "There is nothing to export."
        taken = sorted(self.export.options, key=lambda option: option.kind != HOST_LIST)
        empty = (option for option in taken if not self.fields[option.name].value)
        return next((one.needed for one in empty if one.needed and one.asked(self._source)), "")

    def _fit_fields(self) -> None:
        taken = {option.name for option in self.export.options}
        for name, field in self.fields.items():
            field.fit(self._source, name in taken)

    def _choose_format(self, _index: int) -> None:
        if self._source is not None:
            self._fit_fields()
        self.render_now()

    def _show_hosts(self, text: object) -> None:
        if self._into is not None:
            self._into.set_text(str(text))

    def _show_rendered(self, rendered: object) -> None:
        if isinstance(rendered, Rendered):
            self.rendered = rendered
            self.preview.setPlainText(_beginning(rendered.text))
            self.command.setPlainText("\n".join(rendered.commands))
            self.copy_button.setEnabled(bool(rendered.commands))
            self.save_button.setEnabled(True)
            self._say(rendered.sentence)

    def _show_saved(self, saved: object) -> None:
        if isinstance(saved, _Saved):
            self.command.setPlainText("\n".join(saved.commands))
            self._say(saved.sentence)

    def _tell_error(self, error: PlacewiseError) -> None:
        if self.rendered is None:
            self._show_nothing()
        self._say(sentence(error), wrong=True)

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

    def _connect(self) -> None:
        self._settle.timeout.connect(self.render_now)
        self.format.currentIndexChanged.connect(self._choose_format)
        for field in self.fields.values():
            field.typed.connect(self.render_later)
            field.chosen.connect(self.render_now)
            field.file_asked.connect(lambda field=field: self.ask_hosts(field))
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.command.toPlainText())
        )
        self.save_button.clicked.connect(self.ask_save)
        self.close_button.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        """The fields to the left; what comes out of them to the right."""
        inputs, form, outputs = QVBoxLayout(), QFormLayout(), QVBoxLayout()
        for layout in (inputs, form, outputs):
            layout.setSpacing(GRID // 2)
        inputs.addLayout(form)
        form.addRow("For&mat", self.format)
        for field in self.fields.values():
            field.put_into(form, inputs)
        outputs.addWidget(QLabel("What the file will say"))
        outputs.addWidget(self.preview, 5)
        outputs.addWidget(QLabel("How to use it"))
        outputs.addWidget(self.command, 2)
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


def _rendered(
    export: Export[Any], source: object, values: dict[str, object], file: str
) -> Rendered:
    """The file's text, read back and compared; PlacewiseError where it can't be."""
    subject = export.kind.place(source, options_from(export.options, values, _read_hosts))
    sentence = " ".join((export.kind.sentence(subject), *export.said(subject))).strip()
    text = export.text(subject)
    return Rendered(export, subject, text, export.commands(subject, file), sentence)


def _read_hosts(option: Option, text: str, cores: int) -> tuple[Capacity, ...]:
    return parse_capacities(text, cores, option.title.lower())


def _beginning(text: str) -> str:
    """The first lines of a text, and how many more there are."""
    lines = text.splitlines()
    if len(lines) <= _MOST_LINES:
        return text
    more = f"… {len(lines) - _MOST_LINES:,} more lines"
    return "\n".join((*lines[:_MOST_LINES], more))
