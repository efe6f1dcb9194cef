"""Why time is spent: the causes into which every cost is split, in fixed order and colours."""

from __future__ import annotations

COMPUTING = "computing"
PROCESSOR_WAIT = "waiting for the processor"
MEMORY_SHARING = "waiting for memory"
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
    MEMORY_SHARING,
    STARTING,
    TRANSFERRING,
    LINK_WAIT,
    LINK_SHARING,
    NETWORK_CONTENTION,
    MESSAGE_OVERHEAD,
    SHARED_MEMORY_OVERHEAD,
)

# Okabe & Ito's colours, safe for colour-blind readers; the same everywhere
COLOURS = {
    COMPUTING: "#0072B2",
    PROCESSOR_WAIT: "#56B4E9",
    MEMORY_SHARING: "#332288",  # Tol's indigo
    STARTING: "#5B6C85",
    TRANSFERRING: "#009E73",
    LINK_WAIT: "#E69F00",
    LINK_SHARING: "#882255",  # Tol's wine: no tint of waiting, which stands beside it
    NETWORK_CONTENTION: "#D55E00",
    MESSAGE_OVERHEAD: "#CC79A7",
    SHARED_MEMORY_OVERHEAD: "#F0E442",
    IDLE: "#9A9A9A",
}
