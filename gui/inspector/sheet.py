"""What the inspector shows of one selected thing, as data: fields, notes, actions, links.

A sheet is built by a pure function from the project (one file a kind of thing); the inspector
draws any sheet. Fields read their value from the project and write it back as a new project.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from machines.parameters import Parameter

T = TypeVar("T")
_STEPS = 400
VARIOUS = object()  # a field of several things whose values differ
NONE, OWN = "none", "own values"  # choices beside those that have names


@dataclass(frozen=True)
class Slider:
    """A slider beside a field, from `low` to `high`, logarithmic if `log`; at `at` when empty.

    A `whole` one has a step for each whole number.
    """

    low: float
    high: float
    log: bool = False
    at: float | None = None
    whole: bool = False

    @property
    def steps(self) -> int:
        """How many steps it has."""
        return round(self.high - self.low) if self.whole else _STEPS


@dataclass(frozen=True)
class Field:
    """One editable value of the project: its declaration, and what it is now.

    `value`: the present value, or ``VARIOUS``.
    `write`: may raise PlacewiseError; its text is then shown under the field.
    `step`: what the undo step is called; else "Change" and the parameter's title.
    """

    parameter: Parameter  # its name is unique in the sheet: object name and merge key
    value: object
    write: Callable[[Project, object], Project]
    slider: Slider | None = None
    step: Callable[[Project], str] | None = None

    @property
    def key(self) -> str:
        """The parameter's name."""
        return self.parameter.name

    @property
    def text(self) -> str:
        """The present value as it is shown."""
        return (self.parameter.shows or values.shown)(self.value)


def editable(
    key: str,
    label: str,
    help: str,  # noqa: A002 - as a parameter's
    value: object,
    write: Callable[[Project, object], Project],
    parse: Callable[[str], object],
    unit: str = "",
    show: Callable[[object], str] = values.shown,
    placeholder: str = "",
    slider: Slider | None = None,
    choices: tuple[str, ...] = (),
    titled: Callable[[str], str] | None = None,
    heading: str = "",
    step: Callable[[Project], str] | None = None,
    lines: int = 1,
) -> Field:
    """A field of a value that no record declares: with its own words, and texts read by `parse`."""
    parameter = Parameter(
        name=key,
        title=label,
        help=help,
        unit=unit,
        choices=choices,
        titled=titled,
        example=placeholder,
        heading=heading,
        lines=lines,
        reads=parse,
        shows=show,
    )
    return Field(parameter, value, write, slider, step)


@dataclass(frozen=True)
class Action:
    """A button that makes one undo step; `select` is what is selected afterwards."""

    key: str
    text: str
    help: str
    run: Callable[[Project], Project]
    select: Callable[[Project], Selection] | None = None


@dataclass(frozen=True)
class Sheet:
    """Everything shown of one thing.

    `identity`: kind and positions; rows of one identity and key are the same row. `links`: pairs
    (text, Selection); neighbouring things to go to.
    """

    identity: tuple[object, ...]
    title: str
    subtitle: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...] = ()  # lines with derived numbers and where they come from
    actions: tuple[Action, ...] = ()
    links: tuple[tuple[str, Selection], ...] = ()

    @property
    def tail_key(self) -> tuple[object, ...]:
        """Sheets of one key need no other notes, buttons and links."""
        return (
            self.identity,
            self.notes,
            tuple((action.key, action.text) for action in self.actions),
            self.links,
        )


def beside_none(titled: Callable[[str], str] = str) -> Callable[[str], str]:
    """Titles of choices, and of having none of them or values of one's own."""
    return lambda choice: choice.capitalize() if choice in (NONE, OWN) else titled(choice)


def slider_of(one: Parameter) -> Slider | None:
    """The slider that a declared number has; a range with two ends is one."""
    if one.slides is not None:
        low, high = one.slides
        return Slider(low, high, log=low > 0.0)
    return Slider(one.low, one.high) if math.isfinite(one.high) else None


def with_field(thing: T, name: str, value: object) -> T:
    """A frozen value with another value in the field `name`; its own checks decide if it may."""
    changed: Any = thing
    return replace(changed, **{name: value})  # type: ignore[no-any-return]
