"""A choice about programs as a contributor writes it: this one file and its two lines.

How many cores add up in a reduction, where the program leaves it open. The lines: in `choices` of
its `ProgramKind`, and `program_decision(WORKERS)` in `advisor.decisions.registry.DECISIONS`.
"""

from __future__ import annotations

from dataclasses import replace

from advisor.basics.quantities import count
from advisor.programs.choices.program_choice import ProgramChoice
from machines.checks import whole

WORKERS = ProgramChoice(
    name="workers",
    title="Workers",
    help="Cores that add up: more of them add less each, and combine longer",
    is_open=lambda program: program.workers is None,
    applied=lambda program, value: replace(program, workers=value),
    present=lambda program, machine: program.workers or machine.cores,
    options=lambda _program, machine: tuple(range(1, machine.cores + 1)),
    neighbours=lambda _program, machine, value: tuple(
        one for one in (value - 1, value + 1) if 1 <= one <= machine.cores
    ),
    read=lambda value: whole("workers", value, low=1),
    write=lambda value: value,
    words=lambda value: count(value, "worker"),
)
