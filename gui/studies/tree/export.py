"""The dialog that writes a tree as a topology configuration that MRNet reads.

Hosts of the back-ends, of the internal processes and of the front-end; what MRNet or its user may
take amiss of the file is said beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.hosts import parse_capacities
from advisor.basics.quantities import count
from advisor.models.process_tree import Tree
from advisor.trees.hosts import Hosts, PlacedTree, place_tree
from advisor.trees.mrnet import command, doubts, even_index, export_topology, render
from advisor.trees.picture import NamedTree
from advisor.trees.topgen_spec import topgen_spec
from gui.studies.picture.export_dialog import ExportDialog, Rendered, push_button, text_box

_FILE = "tree.top"
_NEEDS_HOSTS = (
    "Name the hosts of the back-ends, one a line: node01, or node01:4 for 4 processes there."
)
_NEEDS_FRONT_END = "Name the host of the front-end."


@dataclass(frozen=True)
class _Inputs:
    """The fields as they are."""

    front_end: str
    back_ends: str
    internal: str
    processes: int
    attach: bool
    even: bool


class TreeExport(ExportDialog):
    """Chooses the hosts of one tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("tree_export", "Export tree", "tree", parent)
        self._tree: Tree | None = None
        self.front_end = QLineEdit()
        self.front_end.setObjectName("tree_export_front_end")
        self.front_end.setPlaceholderText("login01")
        self.front_end.setToolTip(
            "The host of the front-end, as the other hosts know it: not localhost"
        )
        self.processes = QSpinBox()
        self.processes.setObjectName("tree_export_processes")
        self.processes.setRange(1, 4096)
        self.processes.setToolTip("Processes of the tree on hosts whose line does not say")
        self.attach = QCheckBox("&Attach mode: without back-ends")
        self.attach.setObjectName("tree_export_attach")
        self.attach.setToolTip(
            "The back-ends are started otherwise and attach to the leaves of the file"
        )
        self.even = QCheckBox("&Ranks in the order of the tree")
        self.even.setObjectName("tree_export_even")
        self.even.setToolTip(
            "Number the processes of a host from 10, 100, … so that all numbers have as many "
            "digits: MRNet sorts them as text"
        )
        self.hosts = self._hosts_box("hosts", "Hosts of the back-ends", "node01:16\nnode02:16")
        self.internal = self._hosts_box(
            "internal", "Hosts of the internal processes alone", "the same hosts"
        )
        self.hosts_label, self.internal_label = QLabel(), QLabel()
        self._place_inputs()
        self.front_end.textChanged.connect(lambda _text: self.render_later())
        self.processes.valueChanged.connect(lambda _value: self.render_later())
        for check in (self.attach, self.even):
            check.toggled.connect(lambda _on: self.render_now())
        for box in (self.hosts, self.internal):
            box.textChanged.connect(self.render_later)

    def offer(self, named: NamedTree) -> None:
        """Export this tree; the hosts stay."""
        tree = self._tree = named.tree
        inner = count(tree.internal, "internal process", "internal processes")
        back_ends = count(tree.back_ends, "back-end")
        self.heading.setText(f"{named.name.capitalize()}: {back_ends}, {inner}")
        self.hosts_label.setText(f"&Hosts of the back-ends, for {tree.back_ends:,} in all")
        self.internal_label.setText(
            f"&Internal processes on hosts of their own, for {tree.internal:,}; or the same"
        )
        self.internal.setEnabled(tree.internal > 0)
        self.render_now()

    @property
    def placed(self) -> PlacedTree | None:
        """What would be written; None while something is missing or wrong."""
        subject = None if self.rendered is None else self.rendered.subject
        return subject if isinstance(subject, PlacedTree) else None

    def job(self) -> Callable[[], Rendered] | str:
        """Render the file from the inputs as they are; or what is missing."""
        tree = self._tree
        inputs = _Inputs(
            self.front_end.text().strip(), self.hosts.toPlainText(), self.internal.toPlainText(),
            self.processes.value(), self.attach.isChecked(), self.even.isChecked(),
        )  # fmt: skip
        if tree is None or not inputs.back_ends.strip():
            return _NEEDS_HOSTS
        if not inputs.front_end:
            return _NEEDS_FRONT_END
        return lambda: _rendered(tree, inputs)

    def file_kind(self) -> tuple[str, str, str]:
        """(what kind of file, its suffix, its name)."""
        return "MRNet topology", ".top", _FILE

    def _hosts_box(self, name: str, title: str, example: str) -> QPlainTextEdit:
        box = text_box(f"tree_export_{name}", title, read_only=False)
        box.setPlaceholderText(example)
        box.setToolTip(f"{title}: one a line, filled one after another")
        return box

    def _place_inputs(self) -> None:
        inputs, form = QVBoxLayout(), QFormLayout()
        form.addRow("&Front-end", self.front_end)
        form.addRow("&Processes a host", self.processes)
        form.addRow(self.attach)
        form.addRow(self.even)
        for label, box, part, name in (
            (self.hosts_label, self.hosts, 3, "hosts_file"),
            (self.internal_label, self.internal, 2, "internal_file"),
        ):
            label.setWordWrap(True)
            label.setBuddy(box)
            button = push_button(
                f"tree_export_{name}", "From a file…", "Read the hosts from a file, one a line"
            )
            button.clicked.connect(lambda _checked=False, box=box: self.ask_hosts(box))
            inputs.addWidget(label)
            inputs.addWidget(box, part)
            inputs.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.lay_out(form, inputs)


def _rendered(tree: Tree, inputs: _Inputs) -> Rendered:
    """The file's text; PlacewiseError where MRNet could not use it."""
    own = inputs.internal.strip()
    hosts = Hosts(
        inputs.front_end,
        parse_capacities(inputs.back_ends, inputs.processes, "hosts of the back-ends"),
        parse_capacities(own, inputs.processes, "hosts of the internal processes") if own else (),
    )
    placed = place_tree(tree, hosts)
    if inputs.even:
        placed = place_tree(tree, hosts, even_index(placed))
    attach = inputs.attach
    used = count(len(placed.hosts), "host")
    sentences = [f"{count(tree.size, 'process', 'processes')} on {used}."]
    shared = len(placed.shared)
    if shared and tree.internal:
        sentences.append(f"{count(shared, 'host')} shared by back-ends and processes above them.")
    spec = topgen_spec(tree)
    lines = (*command(_FILE, attach), *((f"mrnet_topgen -t {spec}",) if spec else ()))
    return Rendered(
        render(placed, attach),
        lines,
        " ".join((*sentences, *doubts(placed, attach))),
        lambda path: export_topology(placed, path, attach),
        placed,
    )
