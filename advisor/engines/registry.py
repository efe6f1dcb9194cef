"""Every engine that carries plans out, in the order in which they are offered."""

from __future__ import annotations

from advisor.engines import dask
from advisor.engines.engine import Engine

_ALL: tuple[Engine, ...] = (dask.ENGINE,)
ENGINES = {each.name: each for each in _ALL}
