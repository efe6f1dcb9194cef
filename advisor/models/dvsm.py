"""DVSM (Parsons, Brorsson & Sevcik 1997): shared-memory programs on networks of workstations.

E. W. Parsons, M. Brorsson, K. C. Sevcik, *Predicting the Performance of Distributed Virtual
Shared-Memory Applications*, IBM Systems Journal 36(4), 527-549, 1997. Times in µs, sizes in bytes.
This module offers what `dvsm_network`, `dvsm_operations` and `dvsm_application` hold.
"""

from __future__ import annotations

from advisor.models.dvsm_application import (
    COMPONENTS,
    KINDS,
    ApplicationTime,
    Operation,
    OperationCounts,
    application_time,
    counted,
)
from advisor.models.dvsm_network import (
    FAST_ETHERNET,
    FUTURE,
    HANDLERS,
    LOCK_MODES,
    OC3_ATM,
    TODAY,
    Network,
    Technology,
    hardware_latency,
    software_time,
    system_speed,
    wire_time,
)
from advisor.models.dvsm_operations import (
    barrier_time,
    empty_miss_time,
    fault_time,
    lock_prefetch_time,
    lock_time,
    prefetch_time,
    service_time,
)

__all__ = [
    "COMPONENTS",
    "FAST_ETHERNET",
    "FUTURE",
    "HANDLERS",
    "KINDS",
    "LOCK_MODES",
    "OC3_ATM",
    "TODAY",
    "ApplicationTime",
    "Network",
    "Operation",
    "OperationCounts",
    "Technology",
    "application_time",
    "barrier_time",
    "counted",
    "empty_miss_time",
    "fault_time",
    "hardware_latency",
    "lock_prefetch_time",
    "lock_time",
    "prefetch_time",
    "service_time",
    "software_time",
    "system_speed",
    "wire_time",
]
