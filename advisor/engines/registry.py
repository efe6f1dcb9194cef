"""Every engine that carries plans out, in the order in which they are offered."""

from __future__ import annotations

from advisor.engines import bash, makefile
from advisor.engines.engine import Engine

_ALL: tuple[Engine, ...] = (makefile.ENGINE, bash.ENGINE)
ENGINES = {each.name: each for each in _ALL}
