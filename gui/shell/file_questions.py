"""What is asked before something unsaved, or what others saved, would be lost.

The boxes do not wait in a loop of their own: what shall be done is called when they are answered.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow, QMessageBox

from gui.document.file_watch import Change

Command = Callable[[], object]


def ask_to_save(window: QMainWindow, name: str, save: Command, discard: Command) -> None:
    """Ask whether the changes to a project shall be saved before it is left."""
    kinds = QMessageBox.StandardButton
    box = _box(window, "unsaved_question", QMessageBox.Icon.Question)
    box.setText(f"Save the changes to “{name}”?")
    box.setInformativeText("They are lost otherwise.")
    box.setStandardButtons(kinds.Save | kinds.Discard | kinds.Cancel)
    box.setDefaultButton(kinds.Save)

    def answer(_result: int) -> None:
        clicked = box.standardButton(box.clickedButton())
        box.deleteLater()
        if clicked == kinds.Save:
            save()
        elif clicked == kinds.Discard:
            discard()

    box.finished.connect(answer)
    box.open()


def ask_what_to_keep(
    window: QMainWindow, change: Change, overwrite: Command, save_as: Command, reload: Command
) -> None:
    """Ask what shall become of the file, which others changed, and of the open project."""
    happened = "deleted or moved" if change.gone else "changed on disk"
    lost = (
        "" if change.gone else " Overwrite loses what is there now, Reload what was changed here."
    )
    box = _box(window, "conflict_question", QMessageBox.Icon.Warning)
    box.setText(f"“{change.path.name}” was {happened} since it was opened or saved here.")
    box.setInformativeText(f"It was not saved.{lost}")
    roles = QMessageBox.ButtonRole
    again = "Write it again" if change.gone else "Overwrite"
    commands = {box.addButton(again, roles.DestructiveRole): overwrite}
    aside = box.addButton("Save as…", roles.AcceptRole)
    commands[aside] = save_as
    box.setDefaultButton(aside)
    if not change.gone:
        commands[box.addButton("Reload", roles.DestructiveRole)] = reload
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    for button in commands:
        button.setObjectName(f"conflict_{button.text().split()[0].lower()}")

    def answer(_result: int) -> None:
        clicked = box.clickedButton()
        box.deleteLater()
        for button, command in commands.items():
            if button is clicked:
                command()

    box.finished.connect(answer)
    box.open()


def _box(window: QMainWindow, name: str, icon: QMessageBox.Icon) -> QMessageBox:
    box = QMessageBox(window)
    box.setObjectName(name)
    box.setIcon(icon)
    box.setWindowTitle("Placewise")
    return box
