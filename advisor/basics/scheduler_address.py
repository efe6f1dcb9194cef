"""The address of a Dask scheduler: what a person typed, and what is said where none answers."""

from __future__ import annotations

import re

from machines.errors import InputError

EXAMPLE = "tcp://host:8786"
_ADDRESS = re.compile(r"(tcp|tls):/+([^/\s:][^/\s]*:\d{1,5})/?")


def address_of(text: object) -> str:
    """The address in a text or path, which keeps one slash of it; empty: it is none."""
    found = _ADDRESS.fullmatch(str(text))
    return "" if found is None else f"{found[1]}://{found[2]}"


def typed_address(text: str) -> str:
    """What a person typed as an address; ``tcp://`` may be left out."""
    found = address_of(text.strip()) or address_of(f"tcp://{text.strip()}")
    if not found:
        raise InputError("no address of a scheduler", value=text, remedy=f"Write {EXAMPLE}")
    return found


def no_answer(address: str, error: Exception) -> InputError:
    """What is said where no scheduler answers."""
    return InputError(
        f"no Dask scheduler answers ({' '.join(str(error).split()) or type(error).__name__})",
        where=address,
        remedy=f"Check that `dask scheduler` runs there, and the address: {EXAMPLE}",
    )


def unprotected(scheduler: str) -> str:
    """A sentence where everybody who reaches a scheduler may command its workers; else empty."""
    if scheduler.startswith("tls://"):
        return ""
    return (
        f"The scheduler at {scheduler} has no TLS: whoever can reach it can run code as the user "
        "of its workers; start it with TLS and use tls://"
    )
