"""The kinds of programs that are known, in the order of lists: a new one is one file and a line."""

from __future__ import annotations

from advisor.programs.choices.program_choice import ProgramChoice
from advisor.programs.diamond_program import DIAMOND
from advisor.programs.em3d import EM3D
from advisor.programs.program import Program, ProgramKind
from advisor.programs.remap import REMAP
from advisor.programs.shared_memory_program import SHARED_MEMORY

KINDS: tuple[ProgramKind, ...] = (
    REMAP,
    EM3D,
    DIAMOND,
    SHARED_MEMORY,
)


def known() -> dict[str, ProgramKind]:
    """Every kind by its name."""
    return {kind.name: kind for kind in KINDS}


def choices_of(program: Program) -> tuple[ProgramChoice, ...]:
    """What a plan may choose about a program; nothing of one whose kind is not known."""
    return next((kind.choices for kind in KINDS if kind.record is type(program)), ())


def kind_of(program: Program) -> ProgramKind:
    """The kind of a program."""
    return next(kind for kind in KINDS if kind.record is type(program))
