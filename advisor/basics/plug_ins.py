"""What plugs into the core, which predicts, advises and exports without it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

PLUG_INS = (
    "advisor.campaigns",
    "advisor.computing",
    "advisor.engines",
    "advisor.learning",
    "advisor.running",
)


def plugged(*names: str) -> Iterator[ModuleType]:
    """The modules of these names whose plug-in is there; the others are left out."""
    for name in names:
        try:
            yield import_module(name)
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(PLUG_INS):
                raise
