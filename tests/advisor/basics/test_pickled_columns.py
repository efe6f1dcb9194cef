"""Records that pickle by columns come back as they were."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import pytest

from advisor.basics.pickled_columns import InColumns


@dataclass(frozen=True, slots=True)
class Part:
    """A record; nobody can read it whose second value is negative."""

    name: str
    value: float
    more: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherPart(Part):
    """Another one, which has a field of its own."""

    last: int = 7


@dataclass(frozen=True)
class Whole(InColumns):
    """Holds records, and what is none."""

    name: str
    parts: tuple[object, ...]


def parts(many: int) -> tuple[Part, ...]:
    return tuple(Part(f"p{place}", place / 7, ((place, -0.0),)) for place in range(many))


SHARED = ("of all",)
HELD = {
    "many records": parts(300),
    "few records": parts(3),
    "none": (),
    "of two classes": (*parts(150), *(OtherPart("o", 1.0, last=n) for n in range(150))),
    "of a class with a base": tuple(OtherPart(f"{n}", n, last=n) for n in range(150)),
    "no records": tuple(range(500)),
    "all alike": tuple(Part("one", 1.5, SHARED) for _ in range(200)),
}


@pytest.mark.parametrize("held", HELD.values(), ids=list(HELD))
@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_what_was_held_comes_back(held: tuple[object, ...], protocol: int) -> None:
    whole = Whole("née", held)
    for found in (pickle.loads(pickle.dumps(whole, protocol)), copy.copy(whole)):
        assert found == whole and repr(found) == repr(whole)
        assert hash(found) == hash(whole)
        assert [type(part) for part in found.parts] == [type(part) for part in held]


def test_what_records_share_they_share_afterwards() -> None:
    shared = (1.0, "shared")
    whole = Whole("w", tuple(Part(f"p{n}", n, (shared, n)) for n in range(200)))
    found = pickle.loads(pickle.dumps(whole))
    assert len({id(part.more[0]) for part in found.parts}) == 1


def test_what_was_worked_out_already_comes_along() -> None:
    whole = Whole("w", parts(200))
    vars(whole)["worked_out"] = 3
    assert vars(pickle.loads(pickle.dumps(whole)))["worked_out"] == 3
