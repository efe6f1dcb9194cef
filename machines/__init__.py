"""What the hardware is: platforms, networks, message costs and their fitting."""

from machines.dragonfly import Dragonfly
from machines.errors import InfeasibleError, InputError, PlacewiseError
from machines.fat_tree import FatTree
from machines.fitting import fit_line, fit_piecewise
from machines.interconnect import Interconnect, LogGP, network_of
from machines.multicore import MultiCore
from machines.network import Crossbar, Hypercube, Mesh, Network
from machines.platform import (
    Contender,
    Direction,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Store,
    Switch,
)
from machines.resources import CoreGroup, Resource
from machines.runtime import Runtime
from machines.shared_memory import SharedMemory

__all__ = [
    "Contender",
    "CoreGroup",
    "Crossbar",
    "Direction",
    "Dragonfly",
    "FatTree",
    "Hypercube",
    "InfeasibleError",
    "InputError",
    "Interconnect",
    "Link",
    "LinkPiece",
    "LogGP",
    "Machine",
    "Mesh",
    "MultiCore",
    "Network",
    "PlacewiseError",
    "Platform",
    "Resource",
    "Runtime",
    "SharedMemory",
    "Store",
    "Switch",
    "fit_line",
    "fit_piecewise",
    "network_of",
]
