"""TCP ping-pong: one end answers one peer on one address and ends; the other end measures.

The server says who it is in a line of JSON. Then the client sends a size, 8 bytes, and so many
bytes, which come back; size 0 ends. Nothing else is understood, nothing is kept.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from machines.errors import InputError
from machines.local import this_machine
from machines.stopping import ask

PORT = 8797
WAIT_S = 300.0  # for a peer
LONGEST_S = 60.0  # with it
MOST_BYTES = 1 << 22
_QUIET_S = 10.0
_LINE = 4096
_TRIES = ((64, 60), (1 << 10, 60), (1 << 13, 60), (1 << 16, 30), (1 << 18, 20), (1 << 20, 12))


@dataclass(frozen=True)
class Host:
    """What a machine says of itself; `speed`: MB hashed in a second of processor time."""

    name: str
    cores: int
    memory_bytes: int | None
    speed: float


def this_host(speed: float) -> Host:
    """The machine that this runs on."""
    machine = this_machine().machines[0]
    return Host(machine.name, machine.cores, machine.memory_bytes, speed)


def address_from(text: str) -> tuple[str, int]:
    """HOST or HOST:PORT; InputError: no port, or an address that stands for all."""
    host, sign, port = text.rpartition(":")
    host, port = (host, port) if sign else (text, str(PORT))
    if not host or host in {"0.0.0.0", "*", "[::]", "::"}:
        raise InputError("name one address of this machine", where="address", value=text)
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise InputError("an address is HOST or HOST:PORT", where="address", value=text)
    return host, int(port)


def serve(address: tuple[str, int], host: Host, ready: Callable[[int], None]) -> str:
    """Answer one peer, then end; the peer's address.

    `ready`: told the port once it listens. InputError: nobody came, or the address is not ours.
    """
    try:
        with socket.create_server(address, backlog=1) as server:
            ready(server.getsockname()[1])
            peer, (name, *_) = _accepted(server)
    except OSError as error:
        raise InputError(f"can't listen there ({error.strerror or error})",
                         where=f"{address[0]}:{address[1]}") from None  # fmt: skip
    with peer:
        try:
            _answer(peer, host)
        except (OSError, EOFError) as error:
            raise InputError(f"the peer was lost ({error})", where=str(name)) from None
    return str(name)


def pingpong(address: tuple[str, int]) -> tuple[Host, dict[int, list[float]]]:
    """The other end and, by size in bytes, seconds of one way: half of every round trip."""
    where = f"{address[0]}:{address[1]}"
    try:
        with socket.create_connection(address, _QUIET_S) as peer:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            host = _host(peer, where)
            found = {size: _trips(peer, size, tries) for size, tries in _TRIES}
            peer.sendall(bytes(8))
    except (OSError, EOFError) as error:
        raise InputError(
            f"no peer answers ({error})", where=where,
            remedy="Run `placewise measure --serve ADDRESS` there first",
        ) from None  # fmt: skip
    return host, found


def _accepted(server: socket.socket) -> tuple[socket.socket, tuple[str, int]]:
    server.settimeout(0.2)
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        ask()
        try:
            return server.accept()
        except TimeoutError:
            continue
    raise InputError(f"no peer came in {WAIT_S:.0f} s", remedy="Begin again, then start the other")


def _answer(peer: socket.socket, host: Host) -> None:
    peer.settimeout(_QUIET_S)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    peer.sendall(json.dumps(asdict(host)).encode() + b"\n")
    end = time.monotonic() + LONGEST_S
    while size := int.from_bytes(_received(peer, 8)):
        ask()
        if size > MOST_BYTES or time.monotonic() > end:
            raise EOFError("it asks for too much")
        peer.sendall(_received(peer, size))


def _trips(peer: socket.socket, size: int, tries: int) -> list[float]:
    content = size.to_bytes(8) + bytes(size)
    times = []
    for _ in range(tries + 1):
        ask()
        began = time.perf_counter()
        peer.sendall(content)
        _ = _received(peer, size)
        times.append((time.perf_counter() - began) / 2)
    return times[1:]  # the first fills caches


def _received(peer: socket.socket, size: int) -> bytearray:
    content = bytearray(size)
    view, at = memoryview(content), 0
    while at < size:
        got = peer.recv_into(view[at:])
        if not got:
            raise EOFError("the connection was closed")
        at += got
    return content


def _host(peer: socket.socket, where: str) -> Host:
    """The first line of the other end; InputError: it is no such server."""
    line = b""
    while not line.endswith(b"\n") and len(line) < _LINE:
        got = peer.recv(1)
        if not got:
            raise EOFError("the connection was closed")
        line += got
    try:
        told = json.loads(line)
        memory = told["memory_bytes"]
        found = Host(str(told["name"])[:80], int(told["cores"]),
                     None if memory is None else int(memory), float(told["speed"]))  # fmt: skip
    except (ValueError, KeyError, TypeError):
        raise InputError("this is no `placewise measure --serve`", where=where) from None
    if found.cores < 1 or not 0 < found.speed < float("inf"):
        raise InputError("the peer tells no machine", where=where, value=found.cores)
    return found
