"""What is asked before something unsaved, or what others saved, would be lost.

The boxes do not wait in a loop of their own: what should be done is called when they are answered.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QMainWindow, QMessageBox, QPushButton

from gui.document.file_watch import Change

Command = Callable[[], object]


def ask_to_save(window: QMainWindow, name: str, save: Command, discard: Command) -> None:
    """Ask whether the changes to a project should be saved before it is left."""
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


def ask_to_combine(
    window: QMainWindow, text: str, combine: str, put: Command, instead: Command
) -> None:
    """Ask whether a file takes the place of the open tasks or machines, or is opened alone."""
    roles = QMessageBox.ButtonRole
    box = _box(window, "combine_question", QMessageBox.Icon.Question)
    box.setText(text)
    box.setInformativeText(
        f"“{combine}” keeps the other half of the project and makes a first plan; Undo takes it "
        "back. “Open alone” closes the project."
    )
    joined = box.addButton(combine, roles.AcceptRole)
    joined.setObjectName("combine_put")
    alone = box.addButton("Open alone", roles.DestructiveRole)
    alone.setObjectName("combine_alone")
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(joined)

    def answer(_result: int) -> None:
        clicked = box.clickedButton()
        box.deleteLater()
        if clicked in {joined, alone}:
            (put if clicked is joined else instead)()

    box.finished.connect(answer)
    box.open()


def ask_to_stop(
    window: QMainWindow, name: str, what: str, kept: str, stop: Command, busy: SignalInstance
) -> None:
    """Ask whether what goes on should end, as the window is to be closed.

    Once it has ended by itself there is nothing to ask; the window stays, with what came of it.

    `name`: of the box and its buttons. `what`, `kept`: what goes on, and what is kept of it.
    `busy`: says that it has ended.
    """
    box = _box(window, f"{name}_question", QMessageBox.Icon.Question)
    box.setText(what)
    box.setInformativeText(kept)
    end = box.addButton("Stop and close", QMessageBox.ButtonRole.DestructiveRole)
    end.setObjectName(f"{name}_stop")
    keep = box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole)
    keep.setObjectName(f"{name}_keep")
    box.setDefaultButton(keep)

    def answer(_result: int) -> None:
        chosen = box.clickedButton()
        busy.disconnect(box.reject)
        box.deleteLater()
        if chosen is end:
            stop()

    busy.connect(box.reject)
    box.finished.connect(answer)
    box.open()


def ask_what_to_keep(
    window: QMainWindow, change: Change, overwrite: Command, save_as: Command, reload: Command
) -> None:
    """Ask what should become of the file, which others changed, and of the open project."""
    happened = "deleted or moved" if change.gone else "changed on disk"
    lost = (
        ""
        if change.gone
        else " Overwrite discards the file's content, Reload discards your changes."
    )
    box = _box(window, "conflict_question", QMessageBox.Icon.Warning)
    box.setText(f"“{change.path.name}” was {happened} since it was opened or saved here.")
    box.setInformativeText(f"It was not saved.{lost}")
    roles = QMessageBox.ButtonRole
    again = "Write it again" if change.gone else "Overwrite"
    offers = [
        ("overwrite", again, roles.DestructiveRole, "Put this project there", overwrite),
        ("save_as", "Save as…", roles.AcceptRole, "Save this project to another file", save_as),
        ("reload", "Reload", roles.DestructiveRole, "Open the file's content instead", reload),
    ]
    commands: dict[QPushButton, Command] = {}
    for name, text, role, tip, command in offers[: 2 if change.gone else 3]:
        button = box.addButton(text, role)
        button.setObjectName(f"conflict_{name}")
        button.setToolTip(tip)
        commands[button] = command
        if role == roles.AcceptRole:
            box.setDefaultButton(button)
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)

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
