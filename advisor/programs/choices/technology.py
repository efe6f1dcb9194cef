"""The software under a shared-memory program: its protocol, prefetching and locks.

A plan may assume better ones than its machine has, to see what they would save; no advisor
chooses them, as they cost what no model knows. Parsons, Brorsson & Sevcik 1997, sec. 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.basics.quantities import percent
from advisor.programs.choices.program_choice import ProgramChoice
from machines import SharedMemory
from machines.checks import number
from machines.formats.fields import table

_FACTORS = ("protocol", "fault", "lock")


@dataclass(frozen=True, slots=True)
class SoftwareTechnology:
    """Time of protocol software, share of faults not prefetched, time of locks.

    `protocol`, `fault`, `lock`: over those of 1997, each 0 … 1.
    """

    protocol: float = 1.0
    fault: float = 1.0
    lock: float = 1.0

    def __post_init__(self) -> None:
        for name in _FACTORS:
            number(name, getattr(self, name), high=1.0, where="technology")

    def on(self, memory: SharedMemory) -> SharedMemory:
        """Workstations with this software."""
        return replace(memory, protocol=self.protocol, fault=self.fault, lock=self.lock)


def technology_from(value: object) -> SoftwareTechnology | None:
    """The technology that a file gives; nothing: the machine's."""
    if value is None:
        return None
    source = table(value, _FACTORS, "technology")
    return SoftwareTechnology(
        **{name: number(name, factor, where="technology") for name, factor in source.items()}
    )


def technology_table(value: SoftwareTechnology | None) -> object:
    """What a file holds of it: the factors below 1."""
    if value is None:
        return None
    return {name: getattr(value, name) for name in _FACTORS if getattr(value, name) != 1.0}


def technology_words(value: SoftwareTechnology | None) -> str:
    """Its factors in words."""
    if value is None:
        return "as the machine's"
    named = (("protocol", value.protocol), ("faults", value.fault), ("locks", value.lock))
    said = [f"{name} {percent(factor)}" for name, factor in named if factor != 1.0]
    return ", ".join(said) if said else "of 1997"


TECHNOLOGY = ProgramChoice(
    name="technology",
    title="Technology",
    help="Protocol software, prefetching of faults and locks, as shares of those of 1997 "
    "(Parsons, Brorsson & Sevcik 1997)",
    is_open=lambda _program: False,
    applied=lambda program, value: replace(program, technology=value),
    present=lambda program, _machine: program.technology,
    options=lambda program, _machine: (program.technology,),
    neighbours=lambda _program, _machine, _value: (),
    read=technology_from,
    write=technology_table,
    words=technology_words,
)
