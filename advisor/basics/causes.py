"""Why time is spent: the causes into which every cost is split, in their fixed order."""

from __future__ import annotations

COMPUTING = "computing"
PROCESSOR_WAIT = "waiting for the processor"
PROCESSOR_SHARING = "sharing processors with own tasks"
STARTING = "starting tasks"
TRANSFERRING = "transferring"
LINK_WAIT = "waiting for the link"
LINK_SHARING = "sharing the link"
NETWORK_CONTENTION = "network contention"
MESSAGE_OVERHEAD = "message overhead"
SHARED_MEMORY_OVERHEAD = "shared-memory overhead"
IDLE = "idle"

CAUSES = (
    COMPUTING,
    PROCESSOR_WAIT,
    PROCESSOR_SHARING,
    STARTING,
    TRANSFERRING,
    LINK_WAIT,
    LINK_SHARING,
    NETWORK_CONTENTION,
    MESSAGE_OVERHEAD,
    SHARED_MEMORY_OVERHEAD,
)
