"""Into how many blocks a wavefront cuts each of its stripes (Moritz & Frank 2001, Eq. (15))."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from advisor.basics.quantities import count
from advisor.programs.choices.choice import ProgramChoice
from machines import Machine
from machines.checks import whole


def _best(program: Any, machine: Machine) -> int:
    """The program's own number, or the best on the machine."""
    found: int = program.best_blocks(machine) if program.blocks is None else program.blocks
    return found


def _neighbours(program: Any, machine: Machine, value: int) -> tuple[Hashable, ...]:
    most = program.most_blocks(machine)
    near = (value - 1, value + 1, value // 2, 2 * value)
    return tuple(dict.fromkeys(one for one in near if 1 <= one <= most and one != value))


BLOCK = ProgramChoice(
    name="block",
    title="Blocks",
    help="Blocks of a stripe b: few make the others wait, many cost messages "
    "(Moritz & Frank 2001, Eq. (15))",
    is_open=lambda program: program.blocks is None,
    applied=lambda program, value: replace(program, blocks=value),
    present=_best,
    options=lambda program, machine: (_best(program, machine),),
    neighbours=_neighbours,
    read=lambda value: whole("block", value, low=1),
    write=lambda value: value,
    words=lambda value: count(value, "block"),
)
