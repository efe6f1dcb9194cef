"""The fast Fourier transform of m points: the graph of Topcuoglu, Hariri & Wu 2002, sec. 5.3.

2m − 1 calls divide the points, a binary tree; then log₂ m stages of m butterfly tasks each, where
task i needs what i and i with one bit flipped had before, the last bit first: 2m − 2 flows of
calls and 2·m·log₂ m of butterflies. As the paper has it, the tasks of one level take the same
time, and the flows between two levels carry the same: one time is drawn for each level, one
volume for each step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, drawn, family
from advisor.campaigns.generators.generator_settings import Settings
from machines import InputError
from machines.parameters import parameter


@dataclass(frozen=True)
class Fft(Settings):
    """Settings of the fast Fourier transform."""

    FAMILY: ClassVar[str] = "fft"

    m: int = parameter(
        8,
        low=2,
        high=4096,
        title="Points",
        help="Points m, a power of two: 2m − 1 calls and m·log₂ m butterflies (4: 15 tasks, "
        "32: 223)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.m & (self.m - 1):
            above = 1 << self.m.bit_length()
            raise InputError(
                "the points must be a power of two", where=self.where, value=f"m = {self.m}",
                remedy=f"Nearest: {above // 2} and {above}",
            )  # fmt: skip


def shape(settings: Fft, rng: np.random.Generator) -> Shape:
    """The tree of calls, then the butterflies."""
    found, stages = Shape(), settings.m.bit_length() - 1
    work, volumes = drawn(rng, 2 * stages + 1), drawn(rng, 2 * stages)
    row = [found.task("call", "call-0-1", work[0])]
    for depth in range(1, stages + 1):
        above = row
        row = []
        for place in range(2**depth):
            row.append(found.task("call", f"call-{depth}-{place + 1}", work[depth]))
            found.flow(above[place // 2], row[-1], volumes[depth - 1])
    for stage in range(1, stages + 1):
        level = stages + stage
        above = row
        row = []
        for place in range(settings.m):
            row.append(found.task("butterfly", f"butterfly-{stage}-{place + 1}", work[level]))
            for source in sorted((place, place ^ (1 << (stage - 1)))):
                found.flow(above[source], row[-1], volumes[level - 1])
    return found


GENERATOR = family(
    Fft,
    "Fast Fourier transform",
    "A tree of calls that divide the points, then stages of butterflies",
    shape,
    "H. Topcuoglu, S. Hariri and M.-Y. Wu, Performance-effective and low-complexity task "
    "scheduling for heterogeneous computing, IEEE TPDS 13(3), 2002, sec. 5.3",
)
