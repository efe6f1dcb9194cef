"""How far a technology can plausibly get better: the best that anybody states or sells.

Factors end where the paper's future ends (Parsons, Brorsson & Sevcik 1997, Table 7); latencies,
wire and signal at the best of that and of the networks that ship (`resources/dvsm_networks`).
Beyond them a change is arithmetic and no advice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from advisor.models.dvsm import FUTURE
from advisor.shared_memory.changes import PARAMETERS
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names

TABLE_7 = "Table 7"


@dataclass(frozen=True)
class Limit:
    """The best plausible value of a parameter, in the model's unit, and who states it."""

    value: float
    source: str


@lru_cache(maxsize=1)
def plausible_limits() -> Mapping[str, Limit]:
    """The limits by name of the parameter."""
    found = {"system_benefit": Limit(1.0, "system software as fast as the processor")}
    nets = [dvsm_network(name).network for name in dvsm_network_names()]
    for name in (one.name for one in PARAMETERS if one.name not in found):
        limits = [Limit(float(getattr(FUTURE, name)), TABLE_7)]
        # what is 0 is not there at all, as a switch between two workstations
        limits += [
            Limit(float(getattr(net, name)), net.name) for net in nets if getattr(net, name, 0.0)
        ]
        found[name] = min(limits, key=lambda one: one.value)
    return found
