"""What runs inside a parallel task: what every program answers, and what a kind of them declares.

A kind is one file of this folder: a frozen record that answers as `Program`, and a `ProgramKind`
with what files and sheets need to know of its fields. One line in `advisor.programs.kinds` makes
it known. Times are seconds on a machine of the reference speed, as a task's work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from advisor.programs.costs import ProgramCost
from machines import InputError, Machine


class Program(Protocol):
    """A program inside a task: a frozen dataclass whose fields are the keys of its table."""

    def check(self, machine: Machine) -> None:
        """Refuse a machine that it can't run on, and every number that `cost` would refuse.

        Asked while a person waits: nothing may be solved for it.

        Raises
        ------
        InputError
            What is missing there.
        """

    def cost(self, machine: Machine, contended: bool = True) -> ProgramCost:
        """Dedicated seconds on a machine, by cause.

        Parameters
        ----------
        contended : bool
            Without it what its own parts wait for each other is left out: known at once.

        Raises
        ------
        InputError
            As `check`, and nothing beyond.
        """

    def caveats(self, machine: Machine) -> tuple[str, ...]:
        """What to know before believing its cost on a machine where it can run."""

    def words(self) -> str:
        """One sentence for tooltips and sheets: what it does, and with how many."""


@dataclass(frozen=True)
class Entry:
    """A field of a program's record, as sheets show it and files hold it.

    Its type is the record's: float, int, str or int | None, unless it says how to `read`.

    Attributes
    ----------
    name : str
        Of the field, and its key in files.
    label, help, unit, placeholder : str
        For people; the placeholder says what an empty field means.
    choices : tuple of str
        The texts that it may be; empty: any.
    slides : tuple of float or None
        From where to where a slider goes beside it, in equal ratios if `log`.
    kept : bool
        Whether its value stays when a task's program becomes one of another kind.
    asked : callable (program) → bool
        Whether the program's other fields ask for it.
    read, write : callable or None
        Value of a file → value, and back.
    named : callable () → {name: value}, or None
        Values that are chosen by name; any other one is shown as `unnamed` and stays.
    """

    name: str
    label: str
    help: str
    unit: str = ""
    placeholder: str = ""
    choices: tuple[str, ...] = ()
    slides: tuple[float, float] | None = None
    log: bool = False
    kept: bool = False
    asked: Callable[[Any], bool] = lambda _program: True
    read: Callable[[object], object] | None = None
    write: Callable[[Any], object] | None = None
    named: Callable[[], Mapping[str, object]] | None = None
    unnamed: str = "own"


@dataclass(frozen=True)
class ProgramKind:
    """A kind of program.

    Attributes
    ----------
    name : str
        In files and lists.
    about : str
        What such a program does, after its name and a colon.
    record : type
        Of its programs.
    first : callable () → Program
        The program that a task gets when the kind is chosen.
    entries : tuple of Entry
        One for each field of the record, in its order.
    family, needs : str
        "no machine can run a program <family>": what a machine must be given for it.
    """

    name: str
    about: str
    record: type[Any]
    first: Callable[[], Program]
    entries: tuple[Entry, ...]
    family: str
    needs: str


def obstacle(program: Program, machine: Machine) -> str:
    """Why a program can't run on a machine, in words; empty if it can."""
    try:
        program.check(machine)
    except InputError as error:
        return error.what if error.value is None else f"{error.what} ({error.value})"
    return ""
