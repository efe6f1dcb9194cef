"""LogGP: what one message costs its sender, the network and its receiver.

The parameters that LogP-style models share (Culler et al. 1993; Alexandrov et al. 1995), with the
memory terms of Moritz & Frank 2001. Any one unit of time, sizes in bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from machines.checks import number


@dataclass(frozen=True)
class LogGP:
    """Message costs of a machine.

    Attributes
    ----------
    L : float
        Latency: time in the network of a short message.
    o_s, o_r : float
        Overhead: processor time to send and to receive a message.
    g : float
        Gap: least time between two messages of one processor.
    G, G_m : float
        Gap per byte on the network and to memory.
    a : float
        Bytes that arrive before the receiver is interrupted.

    Raises
    ------
    InputError
        A parameter that is negative or not finite.

    Notes
    -----
    Moritz & Frank 2001, sec. 2. A link's startup and bandwidth follow as
    alpha = o_s + L + o_r and 1/beta = G.
    """

    L: float
    o_s: float
    o_r: float
    g: float = 0.0
    G: float = 0.0
    G_m: float = 0.0
    a: float = 0.0

    def __post_init__(self) -> None:
        for parameter in fields(self):
            value = number(parameter.name, getattr(self, parameter.name), where="LogGP")
            object.__setattr__(self, parameter.name, value)
