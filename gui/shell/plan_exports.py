"""Exports of what a plan decides: the mapping of a task, the tree of an overlay, all into a folder.

What plans hold is told by `advisor.export.of_plan`: another part has its action by itself.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from advisor.export.everything import everything
from advisor.export.export_record import PLAN, Planned
from advisor.export.of_plan import PARTS, Part
from advisor.export.registry import exports_of
from gui.document.document import Document
from gui.shell.actions import ActionSpec
from gui.shell.places import Places
from gui.shell.project_files import Files, file_name
from machines.folders import write_folder

if TYPE_CHECKING:
    from gui.shell.part_dialog import PartDialog


class PlanExports(QObject):
    """File › Export mapping…, Export tree… and Export all…."""

    def __init__(self, document: Document, files: Files, window: Places) -> None:
        super().__init__(window)
        self.setObjectName("plan_exports")
        self._document, self._files, self._window = document, files, window
        self.dialogs: dict[str, PartDialog] = {}
        handlers = {action_of(part): partial(self.open, part) for part in PARTS}
        window.commands.handle({**handlers, "export_all": self.ask_all})
        document.changed.connect(lambda _project: self._check())
        document.outcome_changed.connect(lambda _outcome: self._check())
        document.outcome_failed.connect(lambda _error: self._check())
        self._check()

    def open(self, part: Part) -> None:
        """Open the dialog of a part, for the plan as it is now."""
        from gui.shell.part_dialog import PartDialog  # noqa: PLC0415 - not at the start

        planned = self._files.planned
        if planned is None:
            return
        dialog = self.dialogs.get(part.of)
        if dialog is None:
            dialog = self.dialogs[part.of] = PartDialog(part, self._window)
        dialog.offer(planned)
        dialog.open()

    def ask_all(self) -> None:
        """Ask for the folder in which the files should be."""
        dialog = QFileDialog(self._window, "Export all", self._files.folder)
        dialog.setObjectName("export_all_dialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda chosen: self.export_all(Path(chosen)))
        dialog.open()

    def export_all(self, folder: Path) -> None:
        """Write all files of the plan into a folder, or into a new one in it if it is in use."""
        name = Path(file_name(self._document.project.name)).stem

        def write(planned: Planned) -> Path:
            found = everything(planned)
            place = _free(folder, name)
            write_folder(place, found.texts)
            return place

        self._files.export_with(write, folder.name)

    def _check(self) -> None:
        planned = self._files.planned
        commands = self._window.commands
        commands["export_all"].setEnabled(planned is not None)
        for part in PARTS:
            has = planned is not None and bool(part.names(planned.problem, planned.plan))
            commands[action_of(part)].setEnabled(has)


def action_of(part: Part) -> str:
    """The name of the action that exports such parts."""
    return f"export_{part.kind.name}"


def export_specs() -> tuple[ActionSpec, ...]:
    """One action an export of plans."""
    return tuple(
        ActionSpec(
            f"export_as_{kind.name}",
            f"{kind.title}…",
            "File/Export as",
            f"Write the plan as {kind.title}",
            group=3,
        )
        for kind in exports_of(PLAN).values()
    )


def export_groups() -> dict[str, list[str]]:
    """The actions of the export menu by what their files are for."""
    engines = [f"export_as_{name}" for name, each in exports_of(PLAN).items() if each.runs]
    others = [f"export_as_{name}" for name, each in exports_of(PLAN).items() if not each.runs]
    return {
        "Run": ["run_plan", *engines, *(action_of(part) for part in PARTS)],
        "Share": ["report", *others, "export_all"],
        "Pictures": ["export_board", "copy_board"],
    }


def part_specs() -> tuple[ActionSpec, ...]:
    """One action a part, and one for everything."""
    parts = tuple(
        ActionSpec(
            action_of(part),
            f"Export {part.kind.name}…",
            "File",
            f"Write the {part.kind.name} that the plan gives a {part.of}, for the programs that "
            "start its processes",
            group=3,
        )
        for part in PARTS
    )
    everything_there_is = ActionSpec(
        "export_all",
        "Export all…",
        "File",
        "Write every file of the plan into a folder, with a list of what is in it",
        group=3,
    )
    return (*parts, everything_there_is)


def _free(folder: Path, name: str) -> Path:
    """The folder itself while nothing is in it, else a new one there."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return folder
    place, number = folder / name, 1
    while place.exists():
        number += 1
        place = folder / f"{name} {number}"
    return place
