"""What the model of software shared memory was not fitted to or leaves out, told in sentences.

Parsons, Brorsson & Sevcik, IBM Systems Journal 36(4), 1997: accuracy and discussion of errors.
Nothing here is refused: a note stands beside the number.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.models.dvsm_application import OperationCounts, application_time
from advisor.models.dvsm_network import TODAY, Network, Technology
from advisor.models.dvsm_operations import LOCK_GRANT, LOCK_REQUEST, PAGE, PAGE_REQUEST

# what the paper measured: messages up to a page and its header, eight processors, …
LARGEST_MESSAGE = 8192.0
MOST_VALIDATED_PROCESSORS = 8
MOST_PARTS = 5
SPEEDS = (0.25, 16.0)
# from here on waits for a shared medium are no longer small beside its messages
BUSY_MEDIUM = 0.3


def domain_notes(
    net: Network, application: OperationCounts, technology: Technology = TODAY
) -> tuple[str, ...]:
    """One sentence for each way in which a prediction leaves what the model was fitted to.

    Messages at the knee of the software's line or larger than measured, more processors or parts,
    an unswitched network that is busy, processors of quite another speed, prefetching.
    """
    performed = application.counts.sum(axis=(0, 1)) > 0.0
    used = [one for one, is_used in zip(application.operations, performed, strict=True) if is_used]
    inputs = [dict(operation.inputs) for operation in used]
    sizes = sorted({size for one in used for size, _ in messages(one.kind, dict(one.inputs), 2)})
    notes = [_size_note(net, size) for size in sizes]
    if application.processors > MOST_VALIDATED_PROCESSORS:
        notes.append(
            f"{application.processors} processors: the model was checked with up to "
            f"{MOST_VALIDATED_PROCESSORS}, and contention for the network is not in it."
        )
    parts = max((given.get("parts", 0) for given in inputs), default=0)
    if parts > MOST_PARTS:
        notes.append(
            f"Faults of {parts:g} parts: with 6 and 7 the model gave 70 to 98 % of measured times."
        )
    notes += [_speed_note(technology), _prefetch_note(technology)]
    load = medium_load(net, application, technology)
    if load > BUSY_MEDIUM:
        notes.append(
            f"{net.name} has no switch and would be busy {100 * load:.0f} % of the time; "
            "waiting for it is not in the model."
        )
    return tuple(note for note in notes if note)


def medium_load(
    net: Network, application: OperationCounts, technology: Technology = TODAY
) -> float:
    """Share of the time that messages occupy the one medium of a network without switch.

    The sum of all wire times over the execution time; 0 for a switched network
    (`switch_latency` > 0), where messages between different pairs do not meet.
    """
    if net.switch_latency > 0.0:
        return 0.0
    per_byte = net.wire_per_byte if technology.wire_per_byte is None else technology.wire_per_byte
    P = application.processors
    wire = np.array(
        [
            sum(
                many * per_byte * (size + net.wire_overhead)
                for size, many in messages(one.kind, dict(one.inputs), P)
            )
            for one in application.operations
        ]
    )
    total = application.repeats @ application.counts.sum(axis=1) @ wire
    return float(total / application_time(net, application, technology).time)


def messages(
    kind: str, inputs: Mapping[str, float], processors: int
) -> tuple[tuple[float, float], ...]:
    """The (size, count) of the messages that one operation of a processor sends and gets.

    A service's belong to the operation that it serves; of a barrier each processor has its share
    of the P − 1 arrivals and releases.
    """
    if kind in {"fault", "collection"}:
        return (inputs["request"], inputs["parts"]), (inputs["reply"], inputs["parts"])
    if kind == "empty_miss":
        return (PAGE_REQUEST, 1.0), (PAGE, 1.0)
    if kind == "lock" and inputs["parties"] > 1:
        return (LOCK_REQUEST, inputs["parties"] - 1.0), (LOCK_GRANT, 1.0)
    if kind == "barrier":
        share = (processors - 1.0) / processors
        return (inputs["request"], share), (inputs["release"], share)
    return ()


def _size_note(net: Network, size: float) -> str:
    if size > LARGEST_MESSAGE:
        return f"Messages of {size:g} bytes are larger than any that the line was fitted to (8 KB)."
    if size <= net.knee < size + net.software_overhead:
        return (
            f"Messages of {size:g} bytes are at the knee of {net.name}: with their headers they "
            "count as large, without them as small, which is cheaper."
        )
    return ""


def _speed_note(technology: Technology) -> str:
    low, high = SPEEDS
    if low <= technology.processor <= high:
        return ""
    return (
        f"A processor {technology.processor:g} times as fast is outside what the paper looks at "
        f"({low:g} to {high:g}): counts and delays would change with it."
    )


def _prefetch_note(technology: Technology) -> str:
    if technology.fault == 1.0 and (technology.lock == 1.0 or technology.lock_mode == "time"):
        return ""
    return "Prefetches are never mispredicted and add no traffic: the gain is an upper bound."
