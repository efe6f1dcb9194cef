"""Declared values: what a record says of its fields, and which values it takes."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, replace

import pytest

from machines import Contender, InputError, Machine
from machines.parameters import Spoken, parameter, parameters_of, properties_of, slowed_by, spoken


@dataclass(frozen=True)
class Oven:
    """A record with a field of every kind."""

    name: str = parameter(help="Any.")
    food: tuple[str, ...] = ()
    degrees: float = parameter(180.0, low=0.0, high=300.0, above=True, unit="°C", help="Warmth.")
    racks: int = parameter(2, low=1, high=6, title="Racks r", help="Places.")
    fan: bool = parameter(False, help="Whether.", slows=lambda fan: 0.5 if fan else 1.0)
    kind: str = parameter("gas", choices=("gas", "electric"), help="Which.")
    door: float | None = parameter(None, low=0.0, empty="closed", help="How far open.", slows=float)


OVEN = {one.name: one for one in parameters_of(Oven)}


def test_a_record_declares_its_fields_and_those_that_a_text_can_give() -> None:
    assert list(OVEN) == ["name", "food", "degrees", "racks", "fan", "kind", "door"]
    assert [one.name for one in properties_of(Oven)] == [
        "name", "degrees", "racks", "fan", "kind", "door"
    ]  # fmt: skip
    assert OVEN["name"].default is MISSING
    assert (OVEN["racks"].title, OVEN["degrees"].title) == ("Racks r", "degrees")
    assert (OVEN["door"].kind, OVEN["door"].optional, OVEN["door"].empty) == (float, True, "closed")


@pytest.mark.parametrize(
    ("name", "value"),
    [("degrees", 300), ("racks", 6), ("fan", True), ("kind", "electric"), ("door", None)],
)
def test_a_value_in_range_is_taken(name: str, value: object) -> None:
    assert OVEN[name].check(value) == value


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("degrees", 0.0, r"degrees is out of range \(got 0.0\). Allowed: finite, > 0 and ≤ 300"),
        ("degrees", 301, "≤ 300"),
        ("degrees", "hot", "must be a number"),
        ("degrees", None, "must be a number"),
        ("racks", 0, r"racks must be a whole number from 1 up \(got 0\). Allowed: 1 to 6"),
        ("racks", 7, "Allowed: 1 to 6"),
        ("racks", 2.5, "whole number"),
        ("fan", 1, "true or false"),
        ("kind", "coal", r"unknown kind \(got 'coal'\). Allowed: gas, electric"),
        ("name", " ", "non-empty text"),
        ("door", -1.0, "out of range"),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(
    name: str, value: object, message: str
) -> None:
    with pytest.raises(InputError, match=f"in the kitchen: .*{message}"):
        OVEN[name].check(value, where="in the kitchen")


def test_what_slows_tasks_is_named_with_its_factor() -> None:
    oven = Oven("O")
    assert slowed_by(oven) == ()
    assert slowed_by(replace(oven, fan=True, door=3.0)) == (
        (OVEN["fan"], 0.5),
        (OVEN["door"], 3.0),
    )


@pytest.mark.parametrize("record", [Machine, Contender])
def test_every_property_of_the_hardware_has_words(record: type) -> None:
    assert all(one.title and one.help for one in properties_of(record))


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
