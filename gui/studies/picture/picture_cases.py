"""The cases of a picture: those that a study compared, the user's own, and the one to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class Case(Protocol):
    """One of those to choose from."""

    @property
    def name(self) -> str:
        """Tells it from the others."""


P = TypeVar("P")  # the picture
C = TypeVar("C", bound=Case)
D = TypeVar("D")  # what of a case is drawn


@dataclass(frozen=True, eq=False)
class Own(Generic[C]):
    """The user's own case; `text` as the study's parameter takes it, empty until it is written."""

    case: C
    text: str


@dataclass(frozen=True, eq=False)
class Ready(Generic[P, C, D]):
    """A case of a picture, ready to be shown."""

    picture: P
    case: C
    drawing: D
    own: Own[C] | None  # the own case as it is then, written and measured
    node: int = 0  # where the keyboard's cursor goes in a picture with other nodes
