"""Every engine that carries plans out, in the order in which they are offered."""

from __future__ import annotations

from advisor.engines.engine import Engine

_ALL: tuple[Engine, ...] = ()
ENGINES = {each.name: each for each in _ALL}
