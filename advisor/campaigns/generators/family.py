"""A generator from what a family alone knows: how its shape follows from its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from advisor.campaigns.generators.generator import Generator, Instance
from advisor.campaigns.generators.instance import instance
from advisor.campaigns.generators.settings import Settings
from advisor.campaigns.generators.shape import Shape
from machines import Platform

Own = TypeVar("Own", bound=Settings)


def family(
    record: type[Own],
    title: str,
    help: str,  # noqa: A002 - the generator's field
    shape: Callable[[Own, np.random.Generator], Shape],
    source: str = "",
) -> Generator:
    """The generator of a family, whose settings' `FAMILY` is its name.

    `title`, `help`, `source`: as of `Generator`.
    """

    def make(settings: Own, rng: np.random.Generator, platform: Platform | None) -> Instance:
        return instance(shape(settings, rng), settings, rng, platform)

    return Generator(record.FAMILY, title, help, record, make, source)
