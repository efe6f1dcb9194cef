"""What the hardware is: platforms, networks, message costs and their fitting."""

from machines.errors import InfeasibleError, InputError, PlacewiseError
from machines.fitting import fit_line, fit_piecewise
from machines.interconnect import Interconnect
from machines.loggp import LogGP
from machines.network import Crossbar, Hypercube, Mesh, Network
from machines.platform import Contender, Direction, Link, LinkPiece, Machine, Platform
from machines.shared_memory import SharedMemory

__all__ = [
    "Contender",
    "Crossbar",
    "Direction",
    "Hypercube",
    "InfeasibleError",
    "InputError",
    "Interconnect",
    "Link",
    "LinkPiece",
    "LogGP",
    "Machine",
    "Mesh",
    "Network",
    "PlacewiseError",
    "Platform",
    "SharedMemory",
    "fit_line",
    "fit_piecewise",
]
