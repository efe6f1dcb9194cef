"""The open project's parallel machines, as the network forms of studies offer them.

A study whose record has `NetworkSettings` can take the network inside a machine of the project;
without such a machine that choice is off, with the reason.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from advisor.project.project import Project
from advisor.studies.network_settings import PLATFORM, NetworkSettings
from advisor.studies.network_source import parallel_machines
from gui.document.document import Document
from gui.form.form import ParameterForm

NO_MACHINE = "No machine of the open project has a network inside: give it one in its properties."


class OpenPlatform(QObject):
    """Keeps the choices of a form at the open project's platform; another record is left alone."""

    changed = Signal()  # the platform, while the form's network is taken from it

    def __init__(self, form: ParameterForm, document: Document, record_type: type) -> None:
        super().__init__(form)
        self._form, self._document = form, document
        self._applies = issubclass(record_type, NetworkSettings)
        self._platform = document.project.platform
        if self._applies:
            self._offer()
            document.changed.connect(self._follow)

    def inputs(self) -> dict[str, object]:
        """What the record takes from the open project."""
        return {"open_platform": self._platform} if self._applies else {}

    def _follow(self, project: Project) -> None:
        if project.platform is self._platform:
            return
        self._platform = project.platform
        self._offer()
        values = self._form.values()
        if values is not None and values["network"] == PLATFORM:
            self.changed.emit()

    def _offer(self) -> None:
        names = tuple(machine.name for machine in parallel_machines(self._platform))
        self._form.offer("machine", names)
        self._form.refuse_choice("network", PLATFORM, "" if names else NO_MACHINE)
