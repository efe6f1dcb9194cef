"""Errors in the words of a form: of fields by their titles, without the spelling of settings.

A message of the command line says "setting gap_per_byte: …. Give gap_per_byte=". Where the field
is in sight under its title, the same is "…. Give “gap per byte G”".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from machines.errors import PlacewiseError, capital
from machines.parameters import Parameter

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
