"""A Dask scheduler that runs, by its address: its workers are machines.

Only `identity` is asked for, and what comes back is never unpickled. Nobody's tasks are seen.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from advisor.basics.scheduler_address import address_of, no_answer, unprotected
from advisor.project.sites.cluster_json import dask
from advisor.project.sources.site import Site

_PATIENCE_S = 5.0


def read(path: Path | str) -> Site:
    """The workers of a scheduler; InputError: none answers, or it has none."""
    address = address_of(path)
    try:
        told = asyncio.run(_identity(address))
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        raise no_answer(address, error) from None
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
