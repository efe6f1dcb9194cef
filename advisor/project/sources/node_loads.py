"""How busy the processors of a host are, from whatever tells it, as contenders.

Where processors are idle at times, what was used is what was wanted: u processors, as equal
contenders of at most one each. Where they never are, the mean length of the run queue says how many
computed or waited; without it nobody knows. Counters since the host's start are taken as the
difference of two samples. Load averages count what waits for disks, too, and are not read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from advisor.basics.quantities import number
from machines import Contender, InputError

_BUSY = 0.95  # of all processors: above, more may have been wanted than there are
_LEAST = 0.02  # of a processor
_MOST = 64


@dataclass(frozen=True)
class Load:
    """What one file tells of a host's processors.

    `name`: of the host; empty: not told. `used`: share of all processors that computed. `cores`:
    None: not told. `queue`: how many computed or waited for a processor, on average; None: not
    told. `counted_s`: over how many processor-seconds since the host's start `used` is the mean;
    0: it is that of an interval. `source`: the file's kind and `remedy` what else would tell, for
    messages.
    """

    name: str
    used: float
    cores: int | None = None
    queue: float | None = None
    counted_s: float = 0.0
    source: str = ""
    remedy: str = ""


def differences(loads: Sequence[Load]) -> tuple[list[Load], list[str]]:
    """Counters of one host as what passed between the first sample and the last; and notes."""
    found: dict[tuple[str, str], list[Load]] = {}
    for place, one in enumerate(loads):
        key = (one.name, one.source) if one.counted_s > 0.0 else (one.name, f"{one.source} {place}")
        found.setdefault(key, []).append(one)
    made, notes = [], []
    for some in found.values():
        first, last = min(some, key=_counted), max(some, key=_counted)
        passed_s = last.counted_s - first.counted_s
        if passed_s <= 0.0:
            if last.counted_s > 0.0:
                name = last.name or "the host"
                notes.append(
                    f"The load of {name} is its mean since its start: add a second sample, some "
                    "seconds later, for that of today"
                )
            made.append(last)
            continue
        used = (last.used * last.counted_s - first.used * first.counted_s) / passed_s
        if not -0.01 <= used <= 1.01:
            raise InputError(
                "two samples of counters are not of one start of the host", where=last.source,
                value=last.name or None, remedy="Give two samples without a restart between",
            )  # fmt: skip
        queues = [one.queue for one in some if one.queue is not None]
        queue = fmean(queues) if queues else None
        made.append(replace(last, used=min(max(used, 0.0), 1.0), queue=queue))
    return made, notes


def _counted(load: Load) -> float:
    return load.counted_s


def contenders_of(load: Load, name: str, cores: int | None) -> tuple[tuple[Contender, ...], str]:
    """Who takes the processors of a host, and what is assumed of that.

    `name`, `cores`: of the host as other files have them; what the load tells counts first.

    Raises
    ------
    InputError
        Nobody tells the number of processors, or they were always busy and no queue is told.
    """
    cores = load.cores or cores
    if not cores:
        raise InputError(
            f"the load of {name} does not tell how many processors it has", where=load.source,
            remedy=f"Add a file that does, such as that of lscpu; or {load.remedy}",
        )  # fmt: skip
    wanted = load.used * cores
    if wanted < _BUSY * cores:
        many = min(math.ceil(wanted), _MOST) if wanted >= _LEAST else 0
        each = min(wanted / many, 1.0) if many else 0.0
        note = (
            f"Contenders of {name} stand for the {number(wanted)} processors that were used; how "
            "many processes that is, is assumed: pidstat tells it; leave out your own"
        )
    elif load.queue is None:
        raise InputError(
            "its processors were always busy, and the length of the run queue is not told",
            where=f'{load.source}, host "{name}"', remedy=f"{load.remedy}, or pidstat -u -h 2 5",
        )  # fmt: skip
    else:
        many, each = min(round(load.queue), _MOST), 1.0
        note = f"Contenders of {name} are its mean run queue; leave out your own"
    return tuple(Contender(f"load {one + 1}", compute=each) for one in range(many)), note
