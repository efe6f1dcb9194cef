"""How long work is told to stop: it asks at least every 20 ms and then gives its best so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

ShouldStop: TypeAlias = Callable[[], bool]
