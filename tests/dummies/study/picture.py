"""The picture that the study brings along."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Die:
    """A die, and what it showed."""

    sides: int
    noted: tuple[int, ...] = ()
