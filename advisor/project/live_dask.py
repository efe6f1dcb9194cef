"""A Dask scheduler that runs, by its address: its workers are machines.

Only `identity` is asked for, and what comes back is never unpickled. Nobody's tasks are seen.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

from advisor.basics.unprotected import unprotected
from advisor.project.sites.cluster_json import dask
from advisor.project.sources.site import Site
from machines import InputError

_ADDRESS = re.compile(r"\A(tcp|tls):/+([^/\s]+:\d{1,5})/?\Z")
_PATIENCE_S = 5.0


def address_of(path: Path | str) -> str:
    """The address of a scheduler, which a path keeps with one slash; empty: it is a path."""
    found = _ADDRESS.match(str(path))
    return "" if found is None else f"{found[1]}://{found[2]}"


def typed_address(text: str) -> Path:
    """What a person typed as an address, to be opened like a file; ``tcp://`` may be left out."""
    text = text.strip()
    if not (address_of(text) or address_of(text := f"tcp://{text}")):
        raise InputError("no address of a scheduler", value=text, remedy="Write tcp://host:8786")
    return Path(text)


def read(path: Path | str) -> Site:
    """The workers of a scheduler; InputError: none answers, or it has none."""
    address = address_of(path)
    try:
        told = asyncio.run(_identity(address))
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        raise InputError(
            f"no Dask scheduler answers ({' '.join(str(error).split()) or type(error).__name__})",
            where=address,
            remedy="Check that `dask scheduler` runs there, and the address: tcp://host:8786",
        ) from None
    site = dask(json.dumps(told, default=str), address)
    said = unprotected(address)
    return replace(site, notes=(*site.notes, said)) if said else site


async def _identity(address: str) -> object:
    from distributed.core import rpc  # noqa: PLC0415 - half a second
    from distributed.security import Security  # noqa: PLC0415

    arguments = Security().get_connection_args("client")
    async with (
        asyncio.timeout(_PATIENCE_S),
        rpc(address, deserialize=False, connection_args=arguments) as scheduler,
    ):
        return await scheduler.identity(n_workers=-1)
