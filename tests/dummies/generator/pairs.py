"""A made-up family: pairs of tasks, the first of each feeding the second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, drawn, family
from advisor.campaigns.generators.generator_settings import Settings
from machines.parameters import parameter


@dataclass(frozen=True)
class Pairs(Settings):
    """Settings of pairs."""

    FAMILY: ClassVar[str] = "pairs"

    pairs: int = parameter(2, low=1, high=1000, title="Pairs", help="How many")


def shape(settings: Pairs, rng: np.random.Generator) -> Shape:
    """Pairs of random times and volumes."""
    found = Shape()
    firsts = found.tasks("first", drawn(rng, settings.pairs))
    seconds = found.tasks("second", drawn(rng, settings.pairs))
    for ends in zip(firsts, seconds, drawn(rng, settings.pairs), strict=True):
        found.flow(*ends)
    return found


GENERATOR = family(Pairs, "Pairs", "One task feeds another", shape)
