"""What runs inside a parallel task: what every program answers, and what a kind of them declares.

A kind is one file of this folder: a frozen record that answers as `Program`, whose fields are
declared (`machines.parameters`) for files and sheets, and a `ProgramKind` with the rest that
these need to know. One line in `advisor.programs.kinds` makes it known. Times are seconds on a
machine of the reference speed, as a task's work.

What a parallel task's program takes on a machine, split by cause: its dedicated time.

Contention by other users multiplies it like any task's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from advisor.basics.causes import (
    COMPUTING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    PROCESSOR_WAIT,
    SHARED_MEMORY_OVERHEAD,
    TRANSFERRING,
)
from advisor.programs.choices.program_choice import ProgramChoice
from machines import InputError, Machine
from machines.errors import readable
from machines.parameters import properties_of


class Program(Protocol):
    """A program inside a task: a frozen dataclass of declared fields, the keys of its table."""

    def check(self, machine: Machine) -> None:
        """Refuse a machine that it can't run on, and every number that `cost` would refuse.

        Asked while a person waits: nothing may be solved for it.
        """

    def cost(self, machine: Machine, contended: bool = True) -> ProgramCost:
        """Dedicated seconds on a machine, by cause.

        `contended`: without it what its own parts wait for each other is left out: known at once.
        """

    def caveats(self, machine: Machine) -> tuple[str, ...]:
        """What to know before believing its cost on a machine where it can run."""

    def words(self) -> str:
        """One sentence for tooltips and sheets: what it does, and with how many."""


@dataclass(frozen=True)
class Held:
    """A field that no text can give: how files hold it, and which values have names.

    `read`, `write`: value of a file → value, and back.
    `named`: what sheets offer; any other value is shown as `unnamed` and stays.
    `titled`: what sheets call a name, where that is not its own text.
    """

    read: Callable[[object], object]
    write: Callable[[Any], object]
    named: Callable[[], Mapping[str, object]]
    unnamed: str
    titled: Callable[[str], str] | None = None


@dataclass(frozen=True)
class ProgramKind:
    """A kind of program.

    `family`, `needs`: "no machine can run a program <family>": what a machine must be given for it.
    `kept`: fields whose values stay when a task's program becomes one of this kind.
    `held`: its fields that are neither numbers nor texts.
    """

    name: str  # in files and lists
    about: str  # what such a program does, after its name and a colon
    record: type[Any]  # of its programs
    first: Callable[[], Program]  # the program that a task gets when the kind is chosen
    family: str
    needs: str
    kept: tuple[str, ...] = ()
    held: Mapping[str, Held] = field(default_factory=dict)
    choices: tuple[ProgramChoice, ...] = ()  # what a plan may choose about its programs


def obstacle(program: Program, machine: Machine) -> str:
    """Why a program can't run on a machine, in words; empty if it can."""
    try:
        program.check(machine)
    except InputError as error:
        return error.what if error.value is None else f"{error.what} ({readable(str(error.value))})"
    return ""


def check_numbers(program: Program, where: str) -> None:
    """Refuse a number out of its declared range; texts are for what takes them to check."""
    for one in properties_of(type(program)):
        if one.kind is not str:
            one.check(getattr(program, one.name), where=where)


PROGRAM_CAUSES = (
    COMPUTING,
    PROCESSOR_WAIT,
    TRANSFERRING,
    NETWORK_CONTENTION,
    MESSAGE_OVERHEAD,
    SHARED_MEMORY_OVERHEAD,
)


@dataclass(frozen=True)
class ProgramCost:
    """Dedicated seconds of a program on a machine.

    `parts_s`: seconds of each of `PROGRAM_CAUSES`; processor contention among its own messages is
        waiting for the processor, latency and gap are transferring. Of a shared-memory program all
        but computing is its overhead, waiting for the slowest processor included.
    """

    parts_s: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """All of them."""
        return sum(self.parts_s)
