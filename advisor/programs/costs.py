"""What a parallel task's program takes on a machine, split by cause: its dedicated time.

Contention by other users multiplies it like any task's.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.causes import (
    COMPUTING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    PROCESSOR_WAIT,
    SHARED_MEMORY_OVERHEAD,
    TRANSFERRING,
)

PROGRAM_CAUSES = (
    COMPUTING,
    PROCESSOR_WAIT,
    TRANSFERRING,
    NETWORK_CONTENTION,
    MESSAGE_OVERHEAD,
    SHARED_MEMORY_OVERHEAD,
)


@dataclass(frozen=True)
class ProgramCost:
    """Dedicated seconds of a program on a machine.

    `parts_s`: seconds of each of `PROGRAM_CAUSES`; processor contention among its own messages is
        waiting for the processor, latency and gap are transferring. Of a shared-memory program all
        but computing is its overhead, waiting for the slowest processor included.
    """

    parts_s: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """All of them."""
        return sum(self.parts_s)
