"""The dialog that writes a mapping for a launcher: format, hosts, what the file will say, save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from advisor.basics.hosts import parse_hosts
from advisor.basics.quantities import count
from advisor.export.launchers import LAUNCHERS, export_mapping
from advisor.export.placement import Placement, place
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.networks import shape
from gui.studies.picture.export_dialog import ExportDialog, Rendered, push_button, text_box

_NEEDS_HOSTS = "Name the hosts, one a line: node01, or node01:4 for a host of 4 cores."
_HOSTS_HINT = (
    "One host a line, in the order of the network's nodes: node k is core slot k, the cores of "
    "the first host, then those of the second"
)


class MappingExport(ExportDialog):
    """Chooses format and hosts for one mapping."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("mapping_export", "Export mapping", "mapping", parent)
        self._named: NamedMapping | None = None
        self.format = QComboBox()
        self.format.setObjectName("mapping_export_format")
        self.format.setToolTip("Which launcher reads the file")
        for launcher in LAUNCHERS.values():
            self.format.addItem(launcher.title, launcher.name)
        self.hosts = text_box("mapping_export_hosts", "Hosts", read_only=False)
        self.hosts.setPlaceholderText("node01\nnode02:4\nnode03 slots=4")
        self.hosts.setToolTip(_HOSTS_HINT)
        self.file_button = push_button(
            "mapping_export_file", "From a file…", "Read the hosts from a file, one a line"
        )
        self.cores = QSpinBox()
        self.cores.setObjectName("mapping_export_cores")
        self.cores.setRange(1, 4096)
        self.cores.setToolTip("Cores of hosts whose line does not say")
        self._place_inputs()
        self.format.currentIndexChanged.connect(lambda _index: self.render_now())
        self.cores.valueChanged.connect(lambda _value: self.render_later())
        self.hosts.textChanged.connect(self.render_later)
        self.file_button.clicked.connect(lambda: self.ask_hosts(self.hosts))

    def offer(self, named: NamedMapping, name: str) -> None:
        """Export this mapping, of the order of that name; format and hosts stay."""
        self._named = named
        processes = count(len(named.mapping), "process", "processes")
        self.heading.setText(f"{name.capitalize()}: {processes} on the {shape(named.network)}")
        nodes = named.network.size
        self.hosts_label.setText(f"Hosts, {count(nodes, 'core')} in all")
        self.render_now()

    @property
    def placement(self) -> Placement | None:
        """What would be written; None while something is missing or wrong."""
        subject = None if self.rendered is None else self.rendered.subject
        return subject if isinstance(subject, Placement) else None

    def read_hosts(self, path: Path) -> None:
        """Take the hosts from a file."""
        self.read_into(self.hosts, path)

    def job(self) -> Callable[[], Rendered] | str:
        """Render the file from the inputs as they are; or what is missing."""
        named, text, cores = self._named, self.hosts.toPlainText(), self.cores.value()
        name = self._format()
        if named is None or not text.strip():
            return _NEEDS_HOSTS
        return lambda: _rendered(named, text, cores, name)

    def file_kind(self) -> tuple[str, str, str]:
        """(what kind of file, its suffix, its name)."""
        launcher = LAUNCHERS[self._format()]
        return launcher.title, launcher.suffix, _file_name(self._format())

    def _format(self) -> str:
        return str(self.format.currentData())

    def _place_inputs(self) -> None:
        self.hosts_label = QLabel("Hosts")
        self.hosts_label.setObjectName("mapping_export_hosts_label")
        self.hosts_label.setBuddy(self.hosts)
        inputs, form = QVBoxLayout(), QFormLayout()
        form.addRow("&Format", self.format)
        form.addRow("&Cores a host", self.cores)
        inputs.addWidget(self.hosts_label)
        inputs.addWidget(self.hosts, 1)
        inputs.addWidget(self.file_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.lay_out(form, inputs)


def _rendered(named: NamedMapping, text: str, cores: int, name: str) -> Rendered:
    """The file's text, read back and compared; PlacewiseError where it can't be."""
    slots = parse_hosts(text, cores)
    placement, launcher = place(named, slots), LAUNCHERS[name]
    spare = len(slots) - named.network.size
    hosts = len(set(placement.hosts))
    sentence = f"{count(len(placement.slots), 'process', 'processes')} on {count(hosts, 'host')}"
    if spare:
        sentence += f"; {count(spare, 'core')} more than the network has nodes stay unused"
    return Rendered(
        launcher.text(placement),
        launcher.command(placement, _file_name(name)),
        f"{sentence}.",
        lambda path: export_mapping(name, placement, path),
        placement,
    )


def _file_name(name: str) -> str:
    return f"mapping{LAUNCHERS[name].suffix}"
