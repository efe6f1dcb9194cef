"""Errors in the words of a form: titles for names, nothing of the command line's spelling."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from machines.errors import InputError
from machines.parameters import parameter, properties_of
from machines.spoken import Spoken, spoken


@dataclass(frozen=True)
class _Record:
    gap_per_byte: float = parameter(0.0, title="gap per byte G", help="G.")
    dims: str = parameter("", title="shape", help="Dims.", formerly=("size",))
    pingpong: str = parameter("", title="ping-pong file", path=True, help="File.")
    speed: float = parameter(1.0, help="Speed.")


def said(what: str, where: str = "", value: object = None, remedy: str = "") -> Spoken:
    return spoken(InputError(what, where=where, value=value, remedy=remedy), properties_of(_Record))


@pytest.mark.parametrize(
    ("error", "field", "text"),
    [
        (
            said("this is no number", "setting gap_per_byte", "x"),
            "gap_per_byte",
            "This is no number.",
        ),
        (
            said("the network has no shape", "setting dims", None, "Give dims=, or gap_per_byte="),
            "dims",
            "The network has no shape. Give “shape”, or “gap per byte G”.",
        ),
        (
            said("needs a file", "setting pingpong", None, "Give pingpong=FILE.csv"),
            "pingpong",
            "Needs a file. Give “ping-pong file”.",
        ),
        (
            said("no such file", "setting pingpong: /a/b.csv, line 3", "1;2", "Check the path"),
            "pingpong",
            "/a/b.csv, line 3: no such file (got 1;2). Check the path.",
        ),
        (
            said("speed is out of range", 'machine "M1"', -1.0, "Allowed: finite, > 0"),
            "speed",
            "“speed” is out of range. Allowed: finite, > 0.",
        ),
        (
            said("too many", "limits", 3, "Try --set dims=8x8"),
            "",
            "limits: too many (got 3). Try “shape” 8x8.",
        ),
        (said("by its old name", "setting size"), "dims", "By its old name."),
        (said("unknown", "setting other"), "", "setting other: unknown."),
    ],
)  # fmt: skip
def test_an_error_is_said_by_titles(error: Spoken, field: str, text: str) -> None:
    assert error == Spoken(field, text)
