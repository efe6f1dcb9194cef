"""What a new property of a machine takes: one field, here of a machine of the tests' own.

The field would stand in `machines.platform.Machine` itself; nothing else would be written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from machines import Machine
from machines.formats import platform_toml
from machines.parameters import parameter


@dataclass(frozen=True)
class HotMachine(Machine):
    """A machine that may run hot, and then slower."""

    heat: float | None = parameter(
        None,
        low=1.0,
        high=10.0,
        title="Heat",
        unit="×",
        empty="cool",
        help="Heat h: how many times longer computing takes when the machine runs hot",
        slows=lambda heat: heat,
    )


@contextmanager
def declared() -> Iterator[None]:
    """While machines that are read declare it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(platform_toml, "Machine", HotMachine)
        yield
