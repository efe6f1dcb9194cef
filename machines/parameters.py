"""Declared values: frozen dataclasses whose fields say what files, forms and costs need of them.

A field made by `parameter` is one declaration. A study's settings and a machine's properties are
such fields: files, the command line, the forms of studies and the inspector's sheets are made
from them, so that a record knows of none of these.

Errors in the words of a form: of fields by their titles, without the spelling of settings.

A message of the command line says "setting gap_per_byte: …. Give gap_per_byte=". Where the field
is in sight under its title, the same is "…. Give “gap per byte G”".
"""

from __future__ import annotations

import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from machines.checks import LARGEST, LARGEST_WHOLE, flag, number, plain_name, text, whole
from machines.errors import PlacewiseError, capital

AUTO = "auto"
UnitOf = Callable[[Mapping[str, object]], str]


@dataclass(frozen=True)
class Parameter:
    """One editable value, as files, forms and messages need it.

    Attributes
    ----------
    name : str
        Of the record's field; its key in files and settings.
    title : str
        Label of a form.
    kind : type
        float, int, bool or str; any other type is an input that no setting can give.
    default : object
        `dataclasses.MISSING` where a value must be given.
    optional : bool
        ``None`` is allowed; as a text it is `empty`, or nothing.
    unit : str
        Unit of a number.
    low, high : float
        Closed range of a number.
    above : bool
        `low` itself is not allowed.
    help : str
        Symbol, equation and source, in a sentence or two.
    choices : tuple of str
        Allowed texts; empty: any.
    titled : callable (choice) → title, or None
        What forms call a choice, where that is not its own text: the title of what ships.
    unit_of : str, or callable (values of the record) → unit
        The field whose value is the unit of this number, instead of `unit`, or what finds the
        unit; empty where it is not known.
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
    empty : str
        What an empty entry means.
    slides : tuple of float, or None
        From where to where a slider goes beside the entry, in equal ratios if it begins above
        0; ``None``: over the range of a number that has an end, else there is none.
    slows : callable (value) → factor, or None
        What the value does to the seconds of tasks that it concerns; ``None``: nothing.
    formerly : tuple of str
        Names that it had, or has elsewhere; settings may still use them.
    synonyms : mapping of str to str
        Other texts for some of the choices.
    offered : bool
        What is open offers the choices, e.g. the machines of a project; elsewhere it is a text.
    in_forms : bool
        Forms show it; False where the window knows the value, e.g. a file that is open.
    reads, shows : callable or None
        Text → value (raising InputError) and back, where the kind does not say it.
    """

    name: str
    title: str
    help: str = ""
    kind: type = str
    default: object = dataclasses.field(default_factory=lambda: dataclasses.MISSING)
    optional: bool = False
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    choices: tuple[str, ...] = ()
    titled: Callable[[str], str] | None = None
    unit_of: str | UnitOf = ""
    only: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    lines: int = 1
    path: bool = False
    example: str = ""
    heading: str = ""
    empty: str = AUTO
    slides: tuple[float, float] | None = None
    slows: Callable[[Any], float] | None = None
    formerly: tuple[str, ...] = ()
    synonyms: Mapping[str, str] = dataclasses.field(default_factory=dict)
    offered: bool = False
    in_forms: bool = True
    reads: Callable[[str], object] | None = None
    shows: Callable[[object], str] | None = None

    @property
    def is_setting(self) -> bool:
        """Whether a text can give it; a problem, for one, is an input instead."""
        return self.kind in {float, int, bool, str}

    def title_of(self, choice: str) -> str:
        """What forms call a choice."""
        return choice if self.titled is None else self.titled(choice)

    def unit_beside(self, values: Mapping[str, object]) -> str:
        """Its unit beside these values of the record."""
        if callable(self.unit_of):
            return self.unit_of(values)
        return str(values.get(self.unit_of) or "") if self.unit_of else self.unit

    def unused(self, values: Mapping[str, object], titles: Mapping[str, str] | None = None) -> str:
        """Why the field is not used beside these values of the record; empty when it is.

        With `titles` of the fields it is said in these, else by their names.
        """
        if not self.only or any(values.get(name) in allowed for name, allowed in self.only.items()):
            return ""
        said = titles or {}
        cases = (
            f"{said.get(name, name)} {', '.join(allowed)}" for name, allowed in self.only.items()
        )
        return f"Only used with {' or '.join(cases)}."

    def check(self, value: object, *, where: str = "") -> object:
        """The value in its canonical type.

        Raises
        ------
        InputError
            Another type, or out of range: naming the field, the place, the value and the range.
        """
        if value is None and self.optional:
            return None
        if self.kind is int:
            least = 0 if math.isinf(self.low) else math.ceil(self.low)
            most = min(self.high, LARGEST_WHOLE)
            return whole(self.name, value, low=least, high=most, where=where)
        if self.kind is float:
            most = min(self.high, LARGEST)
            return number(self.name, value, low=self.low, high=most, above=self.above, where=where)
        if self.kind is bool:
            return flag(self.name, value, where=where)
        if self.name == "name":
            return plain_name(self.name, value, where=where)
        return text(self.name, value, where=where, among=self.choices)


def parameter(
    default: Any = dataclasses.MISSING,
    *,
    help: str,  # noqa: A002 - the field's name in the record's metadata
    title: str = "",
    unit: str = "",
    low: float = -math.inf,
    high: float = math.inf,
    above: bool = False,
    choices: Iterable[str] = (),
    titled: Callable[[str], str] | None = None,
    unit_of: str | UnitOf = "",
    only: Mapping[str, tuple[str, ...]] | None = None,
    lines: int = 1,
    path: bool = False,
    example: str = "",
    heading: str = "",
    empty: str = AUTO,
    slides: tuple[float, float] | None = None,
    slows: Callable[[Any], float] | None = None,
    formerly: Iterable[str] = (),
    synonyms: Mapping[str, str] | None = None,
    offered: bool = False,
    in_forms: bool = True,
) -> Any:
    """A dataclass field that carries its unit, range, choices and help.

    The arguments are those of `Parameter`; its name and kind are the field's own. Without a
    `default` a value must be given, without a `title` the field's name is the label.
    """
    metadata = {
        "title": title,
        "unit": unit,
        "low": low,
        "high": high,
        "above": above,
        "help": help,
        "choices": tuple(choices),
        "titled": titled,
        "unit_of": unit_of,
        "only": dict(only or {}),
        "lines": lines,
        "path": path,
        "example": example,
        "heading": heading,
        "empty": empty,
        "slides": slides,
        "slows": slows,
        "formerly": tuple(formerly),
        "synonyms": dict(synonyms or {}),
        "offered": offered,
        "in_forms": in_forms,
    }
    return dataclasses.field(default=default, metadata=metadata)


def parameters_of(record_type: type) -> tuple[Parameter, ...]:
    """All fields of a record type, in order."""
    return _declared(record_type)[0]


def properties_of(record_type: type) -> tuple[Parameter, ...]:
    """Those fields of a record type that a text can give."""
    return _declared(record_type)[1]


@cache
def _declared(record_type: type) -> tuple[tuple[Parameter, ...], tuple[Parameter, ...]]:
    """All fields, and those that a text can give."""
    hints = typing.get_type_hints(record_type)
    found = []
    for field in dataclasses.fields(record_type):
        kind, optional = _bare(hints[field.name])
        said: dict[str, Any] = dict(field.metadata)
        title = said.pop("title", "") or field.name.replace("_", " ")
        found.append(
            Parameter(
                name=field.name,
                title=title,
                kind=kind,
                default=field.default,
                optional=optional,
                **said,
            )
        )
    return tuple(found), tuple(one for one in found if one.is_setting)


def check_properties(record: object, kind: str) -> None:
    """Refuse a record of that `kind`, perhaps with a name, with a property out of its range."""
    named = f'{kind} "{record.name}"' if hasattr(record, "name") else kind
    for one in properties_of(type(record)):
        one.check(getattr(record, one.name), where=kind if one.name == "name" else named)


def slowed_by(record: object) -> tuple[tuple[Parameter, float], ...]:
    """The properties of a record that slow tasks, each with its factor; without those of 1."""
    factors = (
        (one, one.slows(value))
        for one in properties_of(type(record))
        if one.slows is not None and (value := getattr(record, one.name)) is not None
    )
    return tuple((one, factor) for one, factor in factors if factor != 1.0)


def _bare(hint: Any) -> tuple[type, bool]:
    """(type without None, whether None is allowed)."""
    if isinstance(hint, types.UnionType):
        every = typing.get_args(hint)
        kinds = [kind for kind in every if kind is not type(None)]
        return kinds[0], len(kinds) < len(every)
    return hint, False


_SETTING = "setting "
_PLACEHOLDER = re.compile(r"[A-Z]+(\.\w+)?")  # FILE.csv, NAME: what stands for a value
_BETWEEN = " :,;"


@dataclass(frozen=True)
class Spoken:
    """What is wrong, and with which field.

    Attributes
    ----------
    field : str
        The name of a parameter; empty: it concerns none alone.
    text : str
        One or two sentences.
    """

    field: str
    text: str


def spoken(error: PlacewiseError, fields: Iterable[Parameter]) -> Spoken:
    """An error as it is said beside these fields, in which the value stands already."""
    known = {name: one for one in fields for name in (one.name, *one.formerly)}
    where = error.where
    name = _leading(where.removeprefix(_SETTING), known) if where.startswith(_SETTING) else ""
    if name:
        where = where.removeprefix(_SETTING)[len(name) :].strip(_BETWEEN)
    else:
        name = _leading(error.what, known)
        where = "" if name else where
    shown = error.value is None or (name and not where)  # in the field
    value = "" if shown else f" (got {_short(error.value)})"
    what = f"{where}: {error.what}{value}" if where else f"{error.what}{value}"
    parts = [_titled(part, known) for part in (what, error.remedy) if part]
    # a file's name begins as it is written
    said = [part if where and part is parts[0] else capital(part) for part in parts]
    text = ". ".join(part.rstrip(".") for part in said)
    return Spoken(known[name].name if name else "", f"{text}.")


def _leading(text: str, known: dict[str, Parameter]) -> str:
    """The parameter that a text begins with; empty where it begins otherwise."""
    match = re.match(r"\w+", text)
    return match.group() if match and match.group() in known else ""


def _titled(text: str, known: dict[str, Parameter]) -> str:
    """Titles for the names of settings: those with a value, in code's spelling, or in front."""

    def given(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name not in known:
            return match.group()
        shown = "" if _PLACEHOLDER.fullmatch(value) else f" {value}".rstrip()
        return f"“{known[name].title}”{shown}"

    text = re.sub(r"--set ", "", text)
    text = re.sub(r"\b(\w+)=([^\s,;]*)", given, text)
    text = re.sub(
        r"\b[a-z]+(?:_[a-z]+)+\b",
        lambda match: (
            f"“{known[match.group()].title}”" if match.group() in known else match.group()
        ),
        text,
    )
    name = _leading(text, known)
    return f"“{known[name].title}”{text[len(name) :]}" if name else text


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:79] + "…"
