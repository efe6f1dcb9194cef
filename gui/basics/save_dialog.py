"""The dialog that asks where to write a file; the ending that is typed decides its format.

Opened, never executed: the answer comes as a call, and nothing waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from machines.files import is_there
from machines.folders import ended

Format = tuple[str, str]  # title, and ending with its dot
Take = Callable[[Path, int], object]  # the file, and the position of its format


def ask_file(
    parent: QWidget,
    title: str,
    formats: Sequence[Format],
    proposed: str | Path,
    take: Take,
    *,
    name: str = "file_dialog",
    folder: str = "",
) -> QFileDialog:
    """Ask for a file of one of these formats.

    `title`: of the dialog.
    `formats`: pairs (title, ending); on offer; the first is proposed.
    `proposed`: the name that stands in the dialog; the ending is put behind it.
    `take`: (file, position of its format) → what is done once both are settled.
    `name`: the dialog's objectName.
    `folder`: where it begins; empty: where the last one ended.
    Returns the open dialog.
    """
    filters = [f"{what} (*{ending})" for what, ending in formats]
    endings = [ending for _, ending in formats]
    dialog = QFileDialog(parent, title, folder, ";;".join(filters))
    dialog.setObjectName(name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    # a name without an ending gets it before the dialog asks whether to replace a file
    dialog.setDefaultSuffix(endings[0][1:])
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix(endings[filters.index(chosen)][1:])
    )
    dialog.selectFile(str(proposed))

    def answer(typed: str) -> None:
        chosen = filters.index(dialog.selectedNameFilter())
        path, position = ended(Path(typed), endings, chosen)
        if str(path) != typed and is_there(path):
            _ask_to_replace(parent, title, path, lambda: take(path, position))
        else:
            take(path, position)

    dialog.fileSelected.connect(answer)
    dialog.open()
    return dialog


def _ask_to_replace(parent: QWidget, title: str, path: Path, replace: Callable[[], object]) -> None:
    """The name got another ending than the dialog saw: ask about that file."""
    box = QMessageBox(parent)
    box.setObjectName("replace_question")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setText(f"{path.name} already exists. Replace it?")
    kinds = QMessageBox.StandardButton
    box.setStandardButtons(kinds.Yes | kinds.No)
    box.setDefaultButton(kinds.No)
    box.accepted.connect(replace)
    box.open()
