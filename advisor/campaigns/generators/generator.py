"""What a generator is: named settings, and an instance made from them and a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.allocation.workload import Workload
from machines import Platform

Instance = tuple[Workload, Platform]


@dataclass(frozen=True)
class Generator:
    """A family of random instances.

    `name`, `title`, `help`: in campaign files, on screen, and one sentence.
    `record`: its settings: a frozen dataclass of `machines.parameters`, whose fields have defaults
        and ranges; a campaign may state several values of each.
    `make`: ``make(settings, rng, platform)``: the workload and the machines that it is for; these
        are `platform` or, where that is None, machines of its own.
    """

    name: str
    title: str
    help: str
    record: type
    make: Callable[[Any, np.random.Generator, Platform | None], Instance]
    source: str = ""  # where the family was published
