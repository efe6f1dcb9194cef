"""The families of random instances, one line each, in the order in which they are offered."""

from __future__ import annotations

from advisor.campaigns.generators import layered
from advisor.campaigns.generators.generator import Generator

_ALL = (layered.GENERATOR,)

GENERATORS: dict[str, Generator] = {one.name: one for one in _ALL}
