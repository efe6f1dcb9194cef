"""What a study takes from the open project: its platform, and its workload where a task is named.

A study whose record has `NetworkSettings` can take the network inside a machine of the project;
without such a machine that choice is off, with the reason.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from advisor.project.project import Project
from advisor.studies.network_settings import PLATFORM, NetworkSettings
from advisor.studies.network_source import parallel_machines
from advisor.studies.of_project import inputs_of
from advisor.studies.parameters import parameters_of
from gui.document.document import Document
from gui.form.form import ParameterForm
from machines.catalogue import interconnect_names

NO_MACHINE = "No machine of the open project has a network inside: give it one in its properties."
_OF_TASK = "task"  # what settings say that take a task's program


class OpenPlatform(QObject):
    """Keeps the choices of a form at the open project; another record is left alone."""

    changed = Signal()  # the project, while the form takes something from it

    def __init__(self, form: ParameterForm, document: Document, record_type: type) -> None:
        super().__init__(form)
        self._form, self._document, self._record = form, document, record_type
        self._offers = issubclass(record_type, NetworkSettings)
        self._before = self.inputs()
        if self._offers:
            self._offer()
        if self._before:
            document.changed.connect(self._follow)

    def inputs(self) -> dict[str, object]:
        """What the record takes from the open project."""
        return inputs_of(self._record, self._document.project)

    def own_values(self) -> dict[str, object]:
        """With what a study opens that nobody has entered anything for: the project's network.

        The machine is named, so that the form says whose network it is. Nothing where no machine
        of the project has a network inside, or the study begins elsewhere.
        """
        machines = parallel_machines(self._document.project.platform)
        if not self._offers or not machines:
            return {}
        field = next(one for one in parameters_of(self._record) if one.name == "network")
        if field.default not in interconnect_names():
            return {}
        return {"network": PLATFORM, "machine": machines[0].name}

    def _follow(self, _project: Project) -> None:
        before, self._before = self._before, self.inputs()
        if all(before[name] is value for name, value in self._before.items()):
            return
        if self._offers:
            self._offer()
        values = self._form.values() or {}
        if PLATFORM in (values.get("network"), values.get("other_network")) or _OF_TASK in (
            values.get("pattern"), values.get("application"),
        ):  # fmt: skip
            self.changed.emit()

    def _offer(self) -> None:
        names = tuple(
            machine.name for machine in parallel_machines(self._document.project.platform)
        )
        self._form.offer("machine", names)
        self._form.refuse_choice("network", PLATFORM, "" if names else NO_MACHINE)
