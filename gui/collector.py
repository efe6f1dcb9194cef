"""Python's garbage collector, kept from stopping the window.

A full collection looks at every object of a large project, half a second in which no thread runs.
What lives as long as the project is frozen: it is still freed when nothing refers to it, but no
longer searched for cycles.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_held() -> Iterator[None]:
    """No collections inside; what was made inside is frozen at the end."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        freeze()
        if enabled:
            gc.enable()


def freeze() -> None:
    """Let no later collection look at what is there now."""
    gc.freeze()
