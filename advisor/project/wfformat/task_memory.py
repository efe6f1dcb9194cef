"""How much memory the tasks of a WfFormat file need, as far as what it states can be believed.

Some writers note KiB where the format says bytes, and some what a task's machine can't have held.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.basics.quantities import count, size
from advisor.project.wfformat.workflow_record import Record
from machines import InputError, Platform

_LEAST = 100_000  # bytes: no process runs in less


def task_memory(
    records: Sequence[Record],
    titles: Sequence[str],
    platform: Platform | None,
    warnings: list[str],
) -> list[int | None]:
    """Bytes by task; None: not told, or not to be believed, which is added to `warnings`.

    One figure below what any process takes makes all doubtful, since a file has one unit.
    """
    for record, title in zip(records, titles, strict=True):
        if record.memory_bytes is not None and record.memory_bytes < 0.0:
            raise InputError(
                "memoryInBytes must not be negative", where=f'task "{title}"',
                value=record.memory_bytes,
            )  # fmt: skip
    held = [round(record.memory_bytes or 0.0) or None for record in records]
    stated = [(amount, title) for amount, title in zip(held, titles, strict=True) if amount]
    if not stated:
        return held
    least, task = min(stated)
    if least < _LEAST:
        warnings.append(
            f"The file states {size(least)} of memory for {task}, less than any process takes: "
            f"probably KiB written as bytes, so the memory of {count(len(stated), 'task')} is "
            "left out"
        )
        return [None] * len(records)
    has = _memory_of(platform)
    beyond = [
        place for place, (amount, record) in enumerate(zip(held, records, strict=True))
        if amount and any(amount > has.get(name, amount) for name in record.ran_on)
    ]  # fmt: skip
    if beyond:
        first = beyond[0]
        ran_on = records[first].ran_on[0]
        warnings.append(
            f"{count(len(beyond), 'task')} held more memory than the machine has, {titles[first]} "
            f"{size(held[first] or 0)} on {ran_on}: implausible, so left out"
        )
        for place in beyond:
            held[place] = None
    kept = [amount for amount in held if amount]
    if kept:
        warnings.append(
            f"The memory that the file states for {count(len(kept), 'task')} is taken, up to "
            f"{size(max(kept))} a task"
        )
    return held


def _memory_of(platform: Platform | None) -> dict[str, int]:
    """Bytes of the machines that state them."""
    machines = () if platform is None else platform.machines
    return {one.name: one.memory_bytes for one in machines if one.memory_bytes is not None}
