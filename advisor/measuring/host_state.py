"""What a machine is busy with before it is measured: shares of all its cores, Linux's pressure."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from advisor.basics.quantities import percent

_LOOK_S = 0.5
_PRESSURE = Path("/proc/pressure/cpu")
_BUSY = 0.1
_STOLEN = 0.02
_WAITING = 0.1


@dataclass(frozen=True)
class HostState:
    """Shares of all cores' time; `pressure`: of time in which some task waited; None: not told."""

    busy: float
    steal: float
    pressure: float | None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What disturbs a measurement, and what to do about it."""
        found = []
        if self.busy > _BUSY:
            found.append(f"The cores are {percent(self.busy)} busy: end other programs first")
        if self.steal > _STOLEN:
            found.append(f"The host takes {percent(self.steal)} of this virtual machine's time: "
                         "measure at another hour")  # fmt: skip
        if self.pressure is not None and self.pressure > _WAITING:
            found.append(f"Tasks waited for a core {percent(self.pressure)} of the last 10 s")
        return tuple(found)


def look() -> HostState:
    """The state over half a second."""
    before = psutil.cpu_times()
    time.sleep(_LOOK_S)
    after = psutil.cpu_times()
    spent = {name: getattr(after, name) - getattr(before, name) for name in after._fields
             if name not in {"guest", "guest_nice"}}  # fmt: skip
    total = max(sum(spent.values()), 1e-9)
    idle = spent["idle"] + spent.get("iowait", 0.0)
    return HostState(
        min(max(1.0 - idle / total, 0.0), 1.0), max(spent.get("steal", 0.0), 0.0) / total, _waited()
    )


def _waited() -> float | None:
    try:
        found = re.search(r"some avg10=([\d.]+)", _PRESSURE.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        return None
    return None if found is None else float(found[1]) / 100
