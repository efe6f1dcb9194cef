"""Processes of this machine: who started whom, who listens where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import psutil


def listening() -> set[str]:
    """Addresses on which this process and its children listen."""
    return {address for address, _ in _sockets()}


def ports() -> set[int]:
    """Ports on which they do."""
    return {port for _, port in _sockets()}


def _sockets() -> Iterator[tuple[str, int]]:
    for process in (here := psutil.Process(), *here.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it may end while one looks
            for link in process.net_connections("inet"):
                if link.status == psutil.CONN_LISTEN:
                    yield link.laddr.ip, link.laddr.port


def strangers_in() -> list[str]:
    """Of our listening ports, those where somebody without our certificates can talk to Dask.

    Another user has no more to show than that: no certificate, or one of an own making.
    """
    import asyncio

    from distributed.comm import connect
    from distributed.security import Security

    async def talked(address: str, security: Security | None) -> bool:
        arguments = security.get_connection_args("client") if security else {}
        try:
            comm = await asyncio.wait_for(connect(address, timeout=2, **arguments), 4)
        except OSError:  # refused, or no answer in Dask's words
            return False
        comm.abort()
        return True

    async def tried() -> list[str]:
        own = Security.temporary()
        ways = [("tcp", None), ("tls", own)]
        return [
            f"{scheme}:{port}"
            for port in ports()
            for scheme, security in ways
            if await talked(f"{scheme}://127.0.0.1:{port}", security)
        ]

    return asyncio.run(tried())


def children(pid: int) -> list[int]:
    """All that a process started, and what they started."""
    return [process.pid for process in psutil.Process(pid).children(recursive=True)]
