"""What a study is: a question with a parameter record, a pure run and a result to draw.

A record is a frozen dataclass whose fields are made by `parameter`; the window draws its form
from them and the command line parses ``key=value`` into them, so that a study knows of neither.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from advisor.recommendation import Recommendation
from machines import InputError

Record = TypeVar("Record")
Picture = TypeVar("Picture")
ShouldStop = Callable[[], bool]


@dataclass(frozen=True)
class Parameter:
    """One field of a parameter record, as forms and messages need it.

    Attributes
    ----------
    kind : type
        float, int, bool or str; any other type is an input that no setting can give.
    default : object
        `dataclasses.MISSING` where a value must be given.
    optional : bool
        ``None`` is allowed ("auto" as a setting).
    low, high : float
        Closed range of a number.
    choices : tuple of str
        Allowed texts; empty: any.
    only : mapping of str to tuple of str
        The field is used only while one of these other fields has one of these values; empty:
        always.
    lines : int
        Lines of the editor of a text.
    path : bool
        The text may be the path of a file.
    example : str
        What an empty text of several lines shows.
    """

    name: str
    title: str
    kind: type
    default: object
    optional: bool
    unit: str
    low: float
    high: float
    help: str
    choices: tuple[str, ...]
    only: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    lines: int = 1
    path: bool = False
    example: str = ""

    @property
    def is_setting(self) -> bool:
        """Whether a text can give it; a problem, for one, is an input instead."""
        return self.kind in {float, int, bool, str}

    def unused(self, values: Mapping[str, object]) -> str:
        """Why the field is not used beside these values of the record; empty when it is."""
        if not self.only or any(values.get(name) in allowed for name, allowed in self.only.items()):
            return ""
        cases = (f"{name} {', '.join(allowed)}" for name, allowed in self.only.items())
        return f"Only used with {' or '.join(cases)}."


def parameter(
    default: Any,
    *,
    help: str,  # noqa: A002 - the field's name in the record's metadata
    title: str = "",
    unit: str = "",
    low: float = -math.inf,
    high: float = math.inf,
    choices: Iterable[str] = (),
    only: Mapping[str, tuple[str, ...]] | None = None,
    lines: int = 1,
    path: bool = False,
    example: str = "",
) -> Any:
    """A dataclass field that carries its unit, range, choices and help.

    Parameters
    ----------
    default : object
        The default value.
    help : str
        One sentence for the form's tooltip and the command line.
    title : str
        Label of the form; empty: the field's name with spaces.
    unit : str
        Unit of a number.
    low, high : float
        Closed range of a number.
    choices : iterable of str
        Allowed texts.
    only : mapping of str to tuple of str
        Values of other fields, one of which makes this one matter.
    lines : int
        Lines of the editor of a text: one that can be a file's content has several.
    path : bool
        The text may be the path of a file.
    example : str
        What an empty text of several lines shows.
    """
    metadata = {
        "title": title,
        "unit": unit,
        "low": low,
        "high": high,
        "help": help,
        "choices": tuple(choices),
        "only": dict(only or {}),
        "lines": lines,
        "path": path,
        "example": example,
    }
    return dataclasses.field(default=default, metadata=metadata)


def parameters_of(record_type: type) -> tuple[Parameter, ...]:
    """All fields of a record type, in order."""
    hints = typing.get_type_hints(record_type)
    found = []
    for field in dataclasses.fields(record_type):
        kind, optional = _bare(hints[field.name])
        data: Mapping[str, Any] = field.metadata
        found.append(
            Parameter(
                name=field.name,
                title=data.get("title") or field.name.replace("_", " "),
                kind=kind,
                default=field.default,
                optional=optional,
                unit=data.get("unit", ""),
                low=data.get("low", -math.inf),
                high=data.get("high", math.inf),
                help=data.get("help", ""),
                choices=data.get("choices", ()),
                only=data.get("only", {}),
                lines=data.get("lines", 1),
                path=data.get("path", False),
                example=data.get("example", ""),
            )
        )
    return tuple(found)


def parse_settings(record_type: type[Record], settings: Iterable[str], **inputs: object) -> Record:
    """A parameter record from ``key=value`` texts.

    Parameters
    ----------
    record_type : type
        Frozen dataclass whose fields are made by `parameter`.
    settings : iterable of str
        Each "key=value"; a key not named keeps its default.
    **inputs
        Fields that no text can give, e.g. the problem.

    Raises
    ------
    InputError
        No "=", an unknown or repeated key, a value of the wrong type or out of range.
    """
    known = {one.name: one for one in parameters_of(record_type) if one.is_setting}
    values: dict[str, object] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip()
        if not equals:
            raise InputError("a setting is key=value", value=setting, remedy=_keys(known))
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise InputError("unknown setting", value=key, remedy=hint + _keys(known))
        if key in values:
            raise InputError("this setting is given twice", where=f"setting {key}")
        values[key] = parsed(known[key], text.strip())
    return record_type(**values, **inputs)


def parsed(field: Parameter, text: str) -> object:
    """The value that `text` gives to a field.

    Raises
    ------
    InputError
        Naming the field, the text and what is allowed.
    """
    where = f"setting {field.name}"
    if field.optional and text.lower() in {"", "auto"}:
        return None
    if field.kind is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() not in words:
            raise InputError("neither yes nor no", where=where, value=text)
        return words[text.lower()]
    if field.kind is str:
        if field.choices and text not in field.choices:
            remedy = "Allowed: " + ", ".join(field.choices)
            raise InputError("not one of the choices", where=where, value=text, remedy=remedy)
        return text
    try:
        value = field.kind(text)
    except ValueError as error:
        noun = "whole number" if field.kind is int else "number"
        raise InputError(f"this is no {noun}", where=where, value=text) from error
    if not field.low <= value <= field.high or not math.isfinite(value):
        remedy = f"Allowed: {field.low:g} to {field.high:g} {field.unit}".rstrip()
        raise InputError("the value is out of range", where=where, value=text, remedy=remedy)
    return typing.cast("object", value)


@dataclass(frozen=True)
class Series:
    """One named curve or set of bars; `x` are numbers, or names for bars.

    `kind` is "line", "points" or "bars"; bars of one x are stacked. `half_width` are those of 95 %
    confidence intervals of `y`, `labels` what each point is; empty: nothing is known.

    Raises
    ------
    InputError
        A half width that is negative or not a number, or not one half width or label for each y.
    """

    name: str
    x: tuple[float, ...] | tuple[str, ...]
    y: tuple[float, ...]
    x_label: str
    x_unit: str
    y_label: str
    y_unit: str
    kind: str = "line"
    half_width: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what, given in (("half width", self.half_width), ("label", self.labels)):
            if given and len(given) != len(self.y):
                number = f"{len(given)} of {len(self.y)}"
                where = f"series {self.name}"
                raise InputError(f"each y needs a {what}", where=where, value=number)
        if not all(width >= 0.0 for width in self.half_width):
            raise InputError(
                "a half width is below 0 or not a number",
                where=f"series {self.name}",
                value=self.half_width,
            )


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a column is (name, unit), unit "" for texts and counts.

    `settings` are, row by row, the study's own settings that make the row its answer; empty: no
    row can be adopted.
    """

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[object, ...], ...]
    settings: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True)
class Note:
    """A validity note: inside or outside a model's domain, why, and who says so."""

    inside_domain: bool
    text: str
    source: str = ""


@dataclass(frozen=True)
class StudyProgress:
    """What a running study tells: the share done, a sentence, and what it has so far."""

    fraction: float
    sentence: str
    partial: StudyResult | None = None


OnProgress = Callable[[StudyProgress], None]


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The answer of a study.

    Attributes
    ----------
    sentence : str
        The answer in one sentence.
    reasons : tuple of str
        Why, one sentence each.
    series, tables, notes
        What to plot, to list and to warn of.
    recommendation : Recommendation or None
        The plan to apply, where the study ends with one.
    pictures : tuple of object
        Values with views of their own, e.g. a decision map; the first is the main one.
    complete : bool
        False when it was stopped before its end.
    """

    sentence: str
    reasons: tuple[str, ...] = ()
    series: tuple[Series, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[Note, ...] = ()
    recommendation: Recommendation | None = None
    pictures: tuple[object, ...] = ()
    complete: bool = True

    def picture(self, kind: type[Picture]) -> Picture | None:
        """The first of its pictures of a type; ``None`` where there is none."""
        return next((one for one in self.pictures if isinstance(one, kind)), None)


@dataclass(frozen=True)
class Check:
    """What a simulation of a study's chosen case says about its answer.

    Attributes
    ----------
    sentence : str
        Simulated value and deviations of the estimates.
    series : tuple of Series
        Simulated values with half widths, on the axes (labels and units) of those series of the
        study that they are to be drawn over.
    table : Table
        Estimates beside simulated values.
    notes : tuple of Note
        What the simulation leaves out, and where it was not possible.
    complete : bool
        False when it was stopped before its end.
    """

    sentence: str
    series: tuple[Series, ...]
    table: Table
    notes: tuple[Note, ...] = ()
    complete: bool = True


@dataclass(frozen=True)
class CheckProgress:
    """What a running check tells: the share done, a sentence, and what it has so far."""

    fraction: float
    sentence: str
    partial: Check | None = None


OnCheckProgress = Callable[[CheckProgress], None]


@dataclass(frozen=True)
class Study:
    """One question that the window, the library and the command line can ask.

    Attributes
    ----------
    name : str
        Its name on the command line.
    title, question : str
        Its name in the window, and the question in one sentence.
    record : type
        Its parameter record.
    run : callable
        ``run(parameters, on_progress=None, should_stop=None) -> StudyResult``, pure.
    check : callable or None
        ``check(parameters, on_progress=None, should_stop=None) -> Check``, pure: the chosen case
        simulated, with `CheckProgress`. ``None``: nothing to simulate.
    """

    name: str
    title: str
    question: str
    record: type
    run: Callable[..., StudyResult]
    check: Callable[..., Check] | None = None

    @property
    def needs_problem(self) -> bool:
        """Whether the record has a field `problem`: a platform and a workload are needed."""
        return any(field.name == "problem" for field in dataclasses.fields(self.record))


def _bare(hint: Any) -> tuple[type, bool]:
    """(type without None, whether None is allowed)."""
    if isinstance(hint, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return kinds[0], True
    return hint, False


def _keys(known: Mapping[str, Parameter]) -> str:
    return "Settings: " + ", ".join(known)
