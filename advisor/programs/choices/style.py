"""The style of a program's messages: synchronous or asynchronous, short or long.

Moritz & Frank 2001, sec. 2.2 and 5.1; what each costs is in `advisor.messages.styles`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from advisor.messages.styles import (
    ASYNCHRONOUS,
    BLOCKING,
    NON_BLOCKING,
    STYLES,
    SYNCHRONOUS,
    Style,
)
from advisor.programs.choices.program_choice import CHOOSE, ProgramChoice
from machines import InputError, Machine
from machines.formats.fields import suggestion

_KEYS = {one.name.replace(" ", "-"): one for one in STYLES}
# "long" alone: the processor computes on after an asynchronous one, and waits for its reply after
# a synchronous one
_SHORT_KEYS = {
    "asynchronous-long": Style(ASYNCHRONOUS, NON_BLOCKING),
    "synchronous-long": Style(SYNCHRONOUS, BLOCKING),
}


def style_named(value: object) -> Style:
    """The style that a file names: "asynchronous-short", "synchronous-long-blocking", …."""
    known = _SHORT_KEYS | _KEYS
    if not isinstance(value, str) or value not in known:
        remedy = suggestion(str(value), _KEYS)
        raise InputError("unknown message style", where="style", value=value, remedy=remedy)
    return known[value]


def style_key(style: Style) -> str:
    """How files name a style."""
    return style.name.replace(" ", "-")


def _open(program: Any) -> bool:
    return CHOOSE in {program.completion, program.transport}


def _applied(program: Any, style: Style) -> Any:
    return replace(program, completion=style.completion, transport=style.transport)


def _options(program: Any, _machine: Machine) -> tuple[Hashable, ...]:
    """All that what the program states leaves."""
    return tuple(
        one
        for one in STYLES
        if program.completion in {CHOOSE, one.completion}
        and program.transport in {CHOOSE, one.transport}
    )


STYLE = ProgramChoice(
    name="style",
    title="Message style",
    help="synchronous: the sender waits for a reply; short: the processor writes the bytes, long: "
    "a DMA engine moves them (Moritz & Frank 2001, sec. 2.2)",
    is_open=_open,
    applied=_applied,
    present=lambda program, _machine: program.style,
    options=_options,
    neighbours=lambda _program, _machine, style: tuple(one for one in STYLES if one != style),
    read=style_named,
    write=style_key,
    words=lambda style: style.name,
)
