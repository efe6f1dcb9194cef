"""What the readers of all WfFormat schemas agree on: one record a task, and typed access.

Execution logs leave much out, so an absent value is None here and not an error; a value of the
wrong type is one.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines import InputError
from machines.checks import LARGEST, plain_name

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Record:
    """One task as the file tells it.

    Attributes
    ----------
    parents, children : tuple of str
        Ids or names of other tasks.
    inputs : tuple of str
        Files read.
    outputs : dict
        File written → bytes, or None if no size is given.
    ran_on : tuple of str
        The machines that it was measured on.
    began : object
        When it was executed, as written; None: not told. Only logs ask for it.
    memory_bytes : float or None
        What it held at most.
    command : str
        What it ran; empty: not told.
    """

    ident: str
    name: str
    kind: str
    runtime_s: float | None
    cores: float | None
    parents: tuple[str, ...]
    children: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: dict[str, float | None]
    ran_on: tuple[str, ...] = ()
    began: object = None
    memory_bytes: float | None = None
    command: str = ""


class Sizes:
    """Bytes of every file, and which files were told to have several sizes."""

    def __init__(self) -> None:
        self.known: dict[str, float] = {}
        self.contradicted: set[str] = set()

    def add(self, file: str, size: float | None) -> None:
        """Take a size; the largest of several counts."""
        if size is None:
            return
        if self.known.setdefault(file, size) != size:
            self.contradicted.add(file)
            self.known[file] = max(self.known[file], size)


def command_of(run: Json) -> str:
    """The program and its arguments in one line; empty where none is told."""
    command = run.get("command")
    if not isinstance(command, dict) or not command.get("program"):
        return ""
    arguments = command.get("arguments")
    words = [command["program"], *(arguments if isinstance(arguments, list) else [])]
    return " ".join(" ".join(map(str, words)).split())


def program_kind(run: Json, task: Json) -> str:
    """The program that a task runs, where the task's name begins with it; else empty."""
    command = run.get("command")
    program = command.get("program") if isinstance(command, dict) else None
    name = task.get("name")
    if not isinstance(program, str) or not isinstance(name, str) or not program:
        return ""
    return program if name.startswith(program) and len(program.split()) == 1 else ""


def as_object(value: object, what: str) -> Json:
    """A JSON object."""
    if not isinstance(value, dict):
        raise InputError(f"{what} must be a JSON object", where="WfFormat", value=value)
    return value


def as_objects(value: object, what: str) -> list[Json]:
    """A list of JSON objects; empty when absent."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list", where="WfFormat", value=value)
    for entry in value:
        if not isinstance(entry, dict):
            raise InputError(f"{what} must be JSON objects", where="WfFormat", value=entry)
    return value


def as_text(value: object, what: str) -> str:
    """A text that is not empty; a number (old files use them as ids) as its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return plain_name(what, value, where="WfFormat")


def as_texts(value: object, owner: str, what: str) -> tuple[str, ...]:
    """A list of texts; empty when absent."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list", where=f'task "{owner}"', value=value)
    for entry in value:
        if not isinstance(entry, str):
            return tuple(as_text(each, f"an entry of {what}") for each in value)
    return tuple(value)


def as_number(value: object, what: str, owner: str = "") -> float | None:
    """A finite number of any sign; None when absent."""
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not -LARGEST <= value <= LARGEST
    ):
        raise InputError(
            f"{what} must be a finite number",
            where=f'task "{owner}"' if owner else "WfFormat",
            value=value,
        )
    return float(value)
