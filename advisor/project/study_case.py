"""A named case of a study: what a close look at one thing of a project asks, and what it found.

A case holds a study's settings as texts, those of the command line, and the key figures of its
last result, so that cases can be compared before anything runs again. What the settings mean is
the study's business.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from machines import InputError
from machines.checks import number, plain_name, text
from machines.formats.fields import suggestion

TASK, OVERLAY, MACHINE = KINDS = ("task", "overlay", "machine")
Settings = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Subject:
    """What a case looks at: a task, an overlay or a machine of the project, by name."""

    kind: str
    name: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            remedy = suggestion(str(self.kind), KINDS)
            raise InputError("no such kind of subject", value=self.kind, remedy=remedy)
        plain_name("name", self.name, where=self.kind)

    @property
    def words(self) -> str:
        """How messages name it: ``task "A"``."""
        return f'{self.kind} "{self.name}"'


@dataclass(frozen=True)
class Figure:
    """One figure of a result: what it is, its value, and the unit of that."""

    name: str
    value: float
    unit: str = ""

    def __post_init__(self) -> None:
        text("name", self.name, where="figure")
        number("value", self.value, low=-math.inf, high=math.inf, where=f'figure "{self.name}"')
        text("unit", self.unit, where=f'figure "{self.name}"', empty=True)


@dataclass(frozen=True)
class StudyCase:
    """A case under a name, which is unique among the cases of its study.

    Attributes
    ----------
    name, study : str
        Its own name, and that of the study on the command line.
    settings : tuple of (key, text)
        Those that are not at their defaults, as the command line takes them; by key.
    subject : Subject or None
        What it looks at; ``None``: it stands alone. One that has left the project since stays.
    figures : tuple of Figure
        Of the last result; empty: it has not run, or its settings are newer.
    """

    name: str
    study: str
    settings: Settings = ()
    subject: Subject | None = None
    figures: tuple[Figure, ...] = ()

    def __post_init__(self) -> None:
        plain_name("name", self.name, where="case")
        where = f'case "{self.name}"'
        text("study", self.study, where=where)
        for key, value in self.settings:
            text(key, value, where=where, empty=True)


def settings_of(given: Mapping[str, str]) -> Settings:
    """Settings as a case holds them."""
    return tuple(sorted(given.items()))
