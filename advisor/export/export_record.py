"""What an export is: one record turns a plan, a mapping or a tree into a file for another program.

The text is complete, and read back where that can be, before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.export.export_options import Option, Options
from machines.errors import PlacewiseError
from machines.files import write_text

Subject = TypeVar("Subject")
Lines = tuple[str, ...]


def _no_lines(*_of: object) -> Lines:
    return ()


def _no_sentence(_subject: object) -> str:
    return ""


@dataclass(frozen=True)
class Kind(Generic[Subject]):
    """What can be exported.

    Attributes
    ----------
    name : str
        "plan", "mapping" or "tree".
    place : callable
        (what a file or the window holds, options) → what its exports write.
    sentence : callable
        subject → what the window says of it.
    notes : callable
        subject → what its user should know before any file of it is used, in sentences.
    """

    name: str
    place: Callable[[Any, Options], Subject]
    sentence: Callable[[Subject], str] = _no_sentence
    notes: Callable[[Subject], Lines] = _no_lines


@dataclass(frozen=True)
class Export(Generic[Subject]):
    """One way to export subjects of one kind.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title : str
        What the window shows.
    suffix : str
        Of the file's name, with its dot.
    kind : Kind
        What it is an export of.
    render : callable
        subject → text.
    parse, says : callable or None
        text → what it says, and subject → what it must say; None: it is not read back.
    commands : callable
        (subject, file) → the command lines that use the file.
    notes : callable
        subject → what the other program or its user may take amiss, in sentences.
    options : tuple of Option
        What it can be told.
    stem : str
        Of the file's name where all exports are in one folder; default the name.
    runs : bool
        Whether an engine runs the plan from the file.
    """

    name: str
    title: str
    suffix: str
    kind: Kind[Subject]
    render: Callable[[Subject], str]
    parse: Callable[[str], object] | None = None
    says: Callable[[Subject], object] | None = None
    commands: Callable[[Subject, str], Lines] = _no_lines
    notes: Callable[[Subject], Lines] = _no_lines
    options: tuple[Option, ...] = ()
    stem: str = ""
    runs: bool = False

    def said(self, subject: Subject) -> Lines:
        """What the user of the file should know, in sentences."""
        return (*self.kind.notes(subject), *self.notes(subject))

    def text(self, subject: Subject) -> str:
        """The file's text, read back and compared.

        Raises
        ------
        InputError
            The other program could not use it.
        PlacewiseError
            The text does not say what the subject says.
        """
        text = self.render(subject)
        if self.parse and self.says and self.parse(text) != self.says(subject):
            raise PlacewiseError(
                f"the {self.title} does not hold this {self.kind.name}",
                where="export",
                remedy="Check the names in it",
            )
        return text

    def write(self, subject: Subject, path: str | Path) -> Lines:
        """Write the file, atomically; the command lines that use it.

        Raises
        ------
        PlacewiseError
            As `text`, or the file can't be written; an old one stays as it was.
        """
        write_text(path, self.text(subject))
        return self.commands(subject, str(path))


# Plans to export: with the problem that they solve and what they are predicted to take.


class _Planned(NamedTuple):
    problem: Problem
    plan: Plan
    prediction: Prediction


class Planned(_Planned):
    """A plan, its problem and its prediction."""

    @cached_property
    def jobs(self) -> Jobs:
        """What an engine carries out; made once for all that is exported."""
        return jobs_of(*self)


def _as_it_is(planned: Planned, _options: Options) -> Planned:
    return planned


PLAN: Kind[Planned] = Kind("plan", _as_it_is)
