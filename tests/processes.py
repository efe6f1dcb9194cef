"""Processes of this machine: who started whom, who listens where."""

from __future__ import annotations

from contextlib import suppress

import psutil


def listening() -> set[str]:
    """Addresses on which this process and its children listen."""
    found = set()
    for process in (here := psutil.Process(), *here.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it may end while one looks
            links = process.net_connections("inet")
            found |= {link.laddr.ip for link in links if link.status == psutil.CONN_LISTEN}
    return found


def ports() -> set[int]:
    """Ports on which this process and its children listen."""
    found = set()
    for process in (here := psutil.Process(), *here.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            links = process.net_connections("inet")
            found |= {link.laddr.port for link in links if link.status == psutil.CONN_LISTEN}
    return found


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
