"""Into how many blocks a wavefront cuts each of its stripes (Moritz & Frank 2001, Eq. (15))."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, cast

from advisor.basics.quantities import count
from advisor.programs.choices.program_choice import ProgramChoice
from machines import InputError, Machine
from machines.checks import whole


def _runs(program: Any, machine: Machine) -> bool:
    try:
        program.check(machine)
    except InputError:
        return False
    return True


def _best(program: Any, machine: Machine) -> int | None:
    """The program's own number, or the best on the machine; None where it can't run."""
    if program.blocks is not None or not _runs(program, machine):
        return cast("int | None", program.blocks)
    return cast("int", program.best_blocks(machine))


def _options(program: Any, machine: Machine) -> tuple[Hashable, ...]:
    best = _best(program, machine)
    return () if best is None else (best,)


def _neighbours(program: Any, machine: Machine, value: int | None) -> tuple[Hashable, ...]:
    if value is None or not _runs(program, machine):
        return ()
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
    options=_options,
    neighbours=_neighbours,
    read=lambda value: whole("block", value, low=1),
    write=lambda value: value,
    words=lambda value: "the best number" if value is None else count(value, "block"),
)
