"""Parameter records: frozen dataclasses whose fields say what a form and a command line need.

A field is made by `parameter`; the window draws its form from it and the command line parses
``key=value`` into it, so that a study knows of neither.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from machines import InputError

Record = TypeVar("Record")


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
    heading : str
        Begins a section of a form with this field; empty: the section goes on.
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
    heading: str = ""

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
    heading: str = "",
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
    heading : str
        Begins a section of a form with this field.
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
        "heading": heading,
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
                heading=data.get("heading", ""),
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


def written(value: object) -> str:
    """A setting as `parsed` reads it."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)


def _bare(hint: Any) -> tuple[type, bool]:
    """(type without None, whether None is allowed)."""
    if isinstance(hint, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return kinds[0], True
    return hint, False


def _keys(known: Mapping[str, Parameter]) -> str:
    return "Settings: " + ", ".join(known)
