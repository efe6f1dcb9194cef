"""The dialog that writes a mapping for a launcher: format, hosts, what the file will say, save.

What is shown is what would be written: every change of the inputs renders the text again, off
the window's thread, through the export itself, which reads the text back and compares it.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from advisor.export.hosts import parse_hosts
from advisor.export.launchers import LAUNCHERS, export_mapping
from advisor.export.placement import Placement, place
from advisor.mapping.mapping_file import NamedMapping
from advisor.networks import shape
from advisor.quantities import count
from gui.jobs import LatestWins, ShouldStop
from gui.theme import GRID, theme
from machines.errors import PlacewiseError
from machines.files import decoded, read_bytes

_SETTLE_MS = 150
_MOST_BYTES = 2**18  # of a file of hosts
_NEEDS_HOSTS = "Name the hosts, one a line: node01, or node01:4 for a host of 4 cores."
_HOSTS_HINT = (
    "One host a line, in the order of the network's nodes: node k is core slot k, the cores of "
    "the first host, then those of the second"
)


class MappingExport(QDialog):
    """Chooses format and hosts for one mapping; opened, never executed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mapping_export_dialog")
        self.setWindowTitle("Export mapping")
        self.resize(104 * GRID, 76 * GRID)
        self._named: NamedMapping | None = None
        self.placement: Placement | None = None
        self.heading = _label("mapping_export_heading")
        self.heading.setProperty("role", "headline")
        self.format = QComboBox()
        self.format.setObjectName("mapping_export_format")
        self.format.setToolTip("Which launcher reads the file")
        for launcher in LAUNCHERS.values():
            self.format.addItem(launcher.title, launcher.name)
        self.hosts = _box("mapping_export_hosts", "Hosts", read_only=False)
        self.hosts.setPlaceholderText("node01\nnode02:4\nnode03 slots=4")
        self.hosts.setToolTip(_HOSTS_HINT)
        self.file_button = _button(
            "mapping_export_file", "From a file…", "Read the hosts from a file, one a line"
        )
        self.cores = QSpinBox()
        self.cores.setObjectName("mapping_export_cores")
        self.cores.setRange(1, 4096)
        self.cores.setToolTip("Cores of hosts whose line does not say")
        self.preview = _box("mapping_export_preview", "What the file will say")
        self.command = _box("mapping_export_command", "How to use the file")
        self.copy_button = _button(
            "mapping_export_copy", "Copy command", "Put the command lines on the clipboard"
        )
        self.message = _label("mapping_export_message")
        self.save_button = _button(
            "mapping_export_save",
            "Save…",
            "Write the file; its text is read back and compared before",
        )
        self.save_button.setProperty("primary", "true")
        self.close_button = _button("mapping_export_close", "Close", "Close; the hosts stay")
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self._rendering = self._worker("mapping preview", self._show_rendered)
        self._writing = self._worker("mapping export", self._show_saved)
        self._reading = self._worker("hosts", lambda text: self.hosts.setPlainText(str(text)))
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._render)
        self.format.currentIndexChanged.connect(lambda _index: self._render())
        self.cores.valueChanged.connect(lambda _value: self._later())
        self.hosts.textChanged.connect(self._later)
        self.file_button.clicked.connect(self._ask_hosts)
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.command.toPlainText())
        )
        self.save_button.clicked.connect(self.ask_save)
        self.close_button.clicked.connect(self.reject)

    def offer(self, named: NamedMapping, name: str) -> None:
        """Export this mapping, of the order of that name; format and hosts stay."""
        self._named = named
        processes = count(len(named.mapping), "process", "processes")
        self.heading.setText(f"{name.capitalize()}: {processes} on the {shape(named.network)}")
        nodes = named.network.size
        self.hosts_label.setText(f"Hosts, {count(nodes, 'core')} in all")
        self._render()

    def save_to(self, path: Path) -> None:
        """Write the file, unless something is wrong; the answer is told in the dialog."""
        placement, name = self.placement, self._format()
        if placement is None:
            return

        def write(_should_stop: ShouldStop) -> _Saved:
            return _Saved(path, export_mapping(name, placement, path))

        self._writing.request(write)

    def ask_save(self) -> None:
        """Ask where to write."""
        launcher = LAUNCHERS[self._format()]
        dialog = QFileDialog(self, "Export mapping", "", f"{launcher.title} (*{launcher.suffix})")
        dialog.setObjectName("mapping_export_save_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix(launcher.suffix[1:])
        dialog.selectFile(_file_name(self._format()))
        dialog.fileSelected.connect(lambda chosen: self.save_to(Path(chosen)))
        dialog.open()

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

    def read_hosts(self, path: Path) -> None:
        """Take the hosts from a file."""
        self._reading.request(
            lambda _should_stop: decoded(read_bytes(path, _MOST_BYTES), str(path))
        )

    def _ask_hosts(self) -> None:
        dialog = QFileDialog(self, "Hosts", "", "All files (*)")
        dialog.setObjectName("mapping_export_hosts_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda chosen: self.read_hosts(Path(chosen)))
        dialog.open()

    def _render(self) -> None:
        """Show what the file will say, or what is missing."""
        named, text, cores = self._named, self.hosts.toPlainText(), self.cores.value()
        name = self._format()
        self._settle.stop()
        if named is None or not text.strip():
            self._rendering.cancel()
            self._show_nothing()
            self._say(_NEEDS_HOSTS)
            return
        self._lock()
        self._rendering.request(lambda _should_stop: _rendered(named, text, cores, name))

    def _show_rendered(self, rendered: object) -> None:
        if isinstance(rendered, _Rendered):
            self.placement = rendered.placement
            self.preview.setPlainText(rendered.text)
            self.command.setPlainText("\n".join(rendered.command))
            self.copy_button.setEnabled(bool(rendered.command))
            self.save_button.setEnabled(True)
            self._say(rendered.sentence)

    def _show_saved(self, saved: object) -> None:
        if isinstance(saved, _Saved):
            self.command.setPlainText("\n".join(saved.command))
            self._say(f"Saved {saved.path}; it was read back and says what the mapping says.")

    def _tell_error(self, error: PlacewiseError) -> None:
        if self.placement is None:
            self._show_nothing()
        self._say(str(error), wrong=True)

    def _show_nothing(self) -> None:
        self._lock()
        self.preview.clear()
        self.command.clear()
        self.copy_button.setEnabled(False)

    def _lock(self) -> None:
        """Nothing that is out of date can be saved."""
        self.placement = None
        self.save_button.setEnabled(False)

    def _later(self) -> None:
        """The text is rendered once typing rests."""
        self._lock()
        self._settle.start()

    def _say(self, text: str, wrong: bool = False) -> None:
        colours = theme().colours
        sign, colour = ("▲ ", colours.worse) if wrong else ("", colours.text)
        self.message.setText(f'<span style="color:{colour}">{sign}{html.escape(text)}</span>')

    def _format(self) -> str:
        return str(self.format.currentData())

    def _worker(self, name: str, done: Callable[[object], None]) -> LatestWins:
        worker = LatestWins(self, name)
        worker.done.connect(done)
        worker.failed.connect(self._tell_error)
        return worker

    def _lay_out(self) -> None:
        self.hosts_label = QLabel("Hosts")
        self.hosts_label.setObjectName("mapping_export_hosts_label")
        self.hosts_label.setBuddy(self.hosts)
        inputs, form, outputs = QVBoxLayout(), QFormLayout(), QVBoxLayout()
        for layout in (inputs, form, outputs):
            layout.setSpacing(GRID // 2)
        form.addRow("&Format", self.format)
        form.addRow("&Cores a host", self.cores)
        inputs.addLayout(form)
        inputs.addWidget(self.hosts_label)
        inputs.addWidget(self.hosts, 1)
        inputs.addWidget(self.file_button, 0, Qt.AlignmentFlag.AlignLeft)
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


@dataclass(frozen=True)
class _Rendered:
    """What would be written, and the command lines for it."""

    placement: Placement
    text: str
    command: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class _Saved:
    path: Path
    command: tuple[str, ...]


def _rendered(named: NamedMapping, text: str, cores: int, name: str) -> _Rendered:
    """The file's text, read back and compared; PlacewiseError where it can't be."""
    slots = parse_hosts(text, cores)
    placement, launcher = place(named, slots), LAUNCHERS[name]
    spare = len(slots) - named.network.size
    hosts = len(set(placement.hosts))
    sentence = f"{count(len(placement.slots), 'process', 'processes')} on {count(hosts, 'host')}"
    if spare:
        sentence += f"; {count(spare, 'core')} more than the network has nodes stay unused"
    written = launcher.text(placement)
    return _Rendered(
        placement, written, launcher.command(placement, _file_name(name)), f"{sentence}."
    )


def _file_name(name: str) -> str:
    return f"mapping{LAUNCHERS[name].suffix}"


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _button(name: str, text: str, hint: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(hint)
    button.setAutoDefault(False)
    return button


def _box(name: str, title: str, read_only: bool = True) -> QPlainTextEdit:
    box = QPlainTextEdit()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setReadOnly(read_only)
    box.setTabChangesFocus(True)
    box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    if read_only:
        box.setToolTip(title)
    return box
