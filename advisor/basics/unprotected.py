"""What a user should know of a cluster of others before its first use."""

from __future__ import annotations


def unprotected(scheduler: str) -> str:
    """A sentence where everybody who reaches a scheduler may command its workers; else empty."""
    if scheduler.startswith("tls://"):
        return ""
    return (
        f"The scheduler at {scheduler} has no TLS: whoever can reach it can run code as the user "
        "of its workers; start it with TLS and use tls://"
    )
