"""A program whose processes share memory, on workstations that do so through software.

Parsons, Brorsson & Sevcik 1997. What it takes is in `advisor.shared_memory.costs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.basics.quantities import count
from advisor.programs.choices.technology import (
    TECHNOLOGY,
    SoftwareTechnology,
    technology_from,
    technology_table,
)
from advisor.programs.costs import ProgramCost
from advisor.programs.program import Held, ProgramKind
from advisor.shared_memory.application import Application
from advisor.shared_memory.application_file import (
    APPLICATIONS,
    application_from,
    application_names,
    application_table,
    shipped_application,
)
from advisor.shared_memory.costs import dedicated_time, program_notes, split_s
from machines import InputError, Machine
from machines.formats.fields import Table, place
from machines.parameters import parameter


@dataclass(frozen=True, slots=True)
class SharedMemoryProgram:
    """A program whose processes share memory, on workstations that do so through software.

    Parsons, Brorsson & Sevcik 1997.

    `application`: what each processor does in each phase. The counts themselves and no name: a task
        then means the same wherever it is read, whatever applications ship.
    `technology`: software that it runs on instead of the machine's.
    """

    application: Application = parameter(  # noqa: RUF009 - a field, as of any record
        title="Application",
        help="What each processor does in each phase: computing, page faults, locks, barriers, as "
        "counted. Those that ship are reconstructions (Parsons, Brorsson & Sevcik 1997); your own "
        "counts come with a workload file",
    )

    technology: SoftwareTechnology | None = parameter(  # noqa: RUF009 - a field, as of any record
        None,
        title="Technology",
        help=f"{TECHNOLOGY.help}; as the machine has it unless stated",
    )

    def __post_init__(self) -> None:
        if not isinstance(self.application, Application):
            raise InputError(
                "application must be an application",
                where="shared-memory",
                value=self.application,
            )

    def check(self, machine: Machine) -> None:
        """Refuse a machine without shared memory, or one whose network its extra times exceed."""
        dedicated_time(self.application, self._on(machine))  # sums of counts: nothing is solved

    def cost(self, machine: Machine, contended: bool = True) -> ProgramCost:  # noqa: ARG002
        """Computing, and all the rest as overhead; the counts already hold what waits."""
        computing, overhead = split_s(self.application, self._on(machine))
        return ProgramCost((computing, 0.0, 0.0, 0.0, 0.0, overhead))

    def caveats(self, machine: Machine) -> tuple[str, ...]:
        """What was measured elsewhere, and where the model leaves its domain."""
        return program_notes(self.application, self._on(machine))

    def _on(self, machine: Machine) -> Machine:
        """The machine with the program's technology."""
        if self.technology is None or machine.shared_memory is None:
            return machine
        return replace(machine, shared_memory=self.technology.on(machine.shared_memory))

    def words(self) -> str:
        """Which application, on how many processors."""
        application = self.application
        return (
            f"{application.name} shares memory among {count(application.processors, 'processor')} "
            f"in {count(len(application.phases), 'phase')}."
        )


def _read(value: object) -> Application:
    """An application that ships, by its name, or a table of counts."""
    if isinstance(value, str):
        return shipped_application(value)
    with place("application"):
        return application_from(value)


def _bare_table(application: Application) -> Table:
    """The table of an application without what marks a file of its own."""
    found = application_table(application)
    return {key: found[key] for key in found if key not in {"format", "version"}}


def _none() -> Mapping[str, object]:
    return {"as the machine has it": None}


def _shipped() -> Mapping[str, object]:
    return {name: shipped_application(name) for name in application_names()}


SHARED_MEMORY = ProgramKind(
    "shared-memory",
    "an application on workstations that share memory through software (Parsons et al. 1997)",
    SharedMemoryProgram,
    lambda: SharedMemoryProgram(shipped_application("water")),
    "that shares memory",
    "shared memory",
    held={
        "application": Held(_read, _bare_table, _shipped, "own counts", APPLICATIONS.title),
        "technology": Held(technology_from, technology_table, _none, "own factors"),
    },
    choices=(TECHNOLOGY,),
)
