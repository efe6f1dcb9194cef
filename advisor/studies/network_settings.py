"""The settings of a network that studies share: one that ships, a platform's, stated or measured.

`NetworkSettings` is what a message costs, `ShapedNetworkSettings` with the nodes and what joins
them. A study's record inherits one of them; `advisor.studies.network_source` resolves them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.studies.parameters import parameter
from machines.catalogue import interconnect, interconnect_names, interconnect_title
from machines.platform import Platform

PLATFORM, OWN, PING_PONG = "platform", "own numbers", "ping-pong"
SECONDS = {"µs": 1e-6, "ns": 1e-9, "ms": 1e-3, "s": 1.0}
CYCLE = "cycle"

ON_PLATFORM = {"network": (PLATFORM,)}
STATED = {"network": (OWN,)}
MEASURED = {"network": (PING_PONG,)}
NUMBERED = {"network": (OWN, PING_PONG)}

_SYNONYMS = {"own": OWN, "numbers": OWN, "measured": PING_PONG}
_MICRO = {"us": "µs"}


def network_choice(first: Iterable[str] = (), **more: Any) -> Any:
    """The field that says where the network comes from.

    `first`: choices of the study's own before all others; the first of all is the default. `more`:
    of `parameter`.
    """
    choices = (*first, *interconnect_names(), PLATFORM, OWN, PING_PONG)
    said: dict[str, Any] = {
        "choices": tuple(dict.fromkeys(choices)),
        "titled": interconnect_title,
        "synonyms": _SYNONYMS,
        "help": "Of a network that ships, of a parallel machine of the platform, stated here, or "
        "fitted to a ping-pong file.",
    }
    return parameter(choices[0], **(said | more))


def network_unit(values: Mapping[str, object]) -> str:
    """The unit of times that are in the network's: of one that ships its own, else as stated.

    `values`: of `NetworkSettings`, as far as they are known. Returns: empty for a machine of a
    platform, whose network alone knows.
    """
    network = values.get("network")
    if network in interconnect_names():
        return interconnect(str(network)).unit
    return "" if network == PLATFORM else str(values.get("unit") or "")


def per_byte_unit(values: Mapping[str, object]) -> str:
    """The unit of a time per byte beside `unit`."""
    unit = values.get("unit")
    return f"{unit}/B" if unit else ""


@dataclass(frozen=True)
class NetworkSettings:
    """What a message costs, and who says so."""

    network: str = network_choice()
    machine: str | None = parameter(
        None, title="parallel machine", only=ON_PLATFORM, offered=True, empty="the first",
        help="The machine of the platform whose network it is.",
    )  # fmt: skip
    platform: str = parameter(
        "", path=True, only=ON_PLATFORM, in_forms=False,
        help="A platform file or a name in the catalogue; empty: the open project's.",
    )  # fmt: skip
    open_platform: Platform | None = parameter(  # noqa: RUF009 - as all the others
        None, help="The open project's platform."
    )
    pingpong: str = parameter(
        "",
        title="ping-pong file",
        path=True,
        only=MEASURED,
        help="OSU latency, IMB PingPong, NetPIPE, or CSV with columns size_bytes and "
        "seconds_one_way; L and G are fitted to it.",
    )
    latency: float | None = parameter(
        None, title="latency L", unit_of="unit", low=0.0, high=1e15, only=STATED, empty="needed",
        help="L: time of a short message in the network.",
    )  # fmt: skip
    overhead: float | None = parameter(
        None, title="overhead o", unit_of="unit", low=0.0, high=1e15, only=NUMBERED,
        formerly=("overhead_send",),
        help="o: processor time to send a message. A ping-pong does not show it; auto: assumed.",
    )  # fmt: skip
    overhead_receive: float | None = parameter(
        None, title="o to receive", unit_of="unit", low=0.0, high=1e15, only=NUMBERED,
        empty="as to send",
        help="o_r: processor time to receive a message, where it is another.",
    )  # fmt: skip
    gap: float | None = parameter(
        None, title="gap g", unit_of="unit", low=0.0, high=1e15, only=NUMBERED,
        empty="the longer o",
        help="g: least time between two messages of a process. A ping-pong does not show it.",
    )  # fmt: skip
    gap_per_byte: float | None = parameter(
        None, title="gap per byte G", unit_of=per_byte_unit, low=0.0, high=1e15, only=STATED,
        empty="needed", help="G: time of each further byte of a message.",
    )  # fmt: skip
    unit: str = parameter(
        "µs", choices=tuple(SECONDS), synonyms=_MICRO, only=NUMBERED,
        help="Of the numbers above, and of all times that are in the network's unit.",
    )  # fmt: skip

    @property
    def time_unit(self) -> str:
        """Of the numbers above."""
        return self.unit

    @property
    def per_byte(self) -> float | None:
        """G in `time_unit`."""
        return self.gap_per_byte

    @property
    def prices_bytes(self) -> bool:
        """Whether the study has no answer where bytes take no time."""
        return False

    @property
    def message_sizes(self) -> tuple[float, float]:
        """Bytes of a short message and of a long one, which choose the line of a ping-pong."""
        return 1.0, 1.0


@dataclass(frozen=True)
class ShapedNetworkSettings(NetworkSettings):
    """What a message costs, and which nodes it travels between."""

    unit: str = parameter(
        "µs", choices=(*SECONDS, CYCLE), synonyms=_MICRO, only=NUMBERED,
        help="Of the numbers above, and of all times that are in the network's unit.",
    )  # fmt: skip
    cycle_ns: float | None = parameter(
        None, title="one cycle", unit="ns", low=1e-6, high=1e9, only={"unit": (CYCLE,)},
        empty="assumed 1",
        help="To show times in seconds.",
    )  # fmt: skip
    dims: str = parameter(
        "",
        title="shape",
        example="its own",
        help="Another shape: 4x8, 8x8x8 torus, 32 crossbar, 16x4 fat tree (hosts a "
        "leaf switch × leaf switches; 16x4 fat tree 2:1 with half the links up), 4x8x9 dragonfly "
        "(hosts a router × routers a group × groups); empty: its own.",
    )
    nodes: int | None = parameter(
        None, low=2, high=1_000_000, only=NUMBERED, empty="the shape's",
        help="Of your own network; without a shape they are joined by a crossbar.",
    )  # fmt: skip

    @property
    def by_levels(self) -> bool:
        """Whether routes in large fat trees are known by level, and need no tables."""
        return False
